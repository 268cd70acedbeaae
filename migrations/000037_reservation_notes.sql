-- What staff note about a reservation, for each other.

CREATE TABLE reservation_notes (
  note_id uuid PRIMARY KEY,
  -- A note can be about the guest, so it leaves with the reservation.
  reference text NOT NULL REFERENCES reservations ON DELETE CASCADE,
  -- Who wrote it, as the audit trail names them.
  author text NOT NULL,
  -- Sealed like the guest.
  text_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX reservation_notes_of_reservation ON reservation_notes (reference, created_at);
