-- The overview of the console: who arrives and leaves, and what was booked on each day.
CREATE INDEX reservations_by_check_out ON reservations (check_out, reference)
  WHERE state = 'confirmed';
CREATE INDEX reservations_by_confirmation ON reservations (confirmed_at);

-- The bookings of each day, summed up by a background task, because the amounts are in documents.
CREATE TABLE booked_days (
  day date NOT NULL,
  application_id uuid NOT NULL,
  currency text NOT NULL,
  bookings integer NOT NULL CHECK (bookings > 0),
  total_minor bigint NOT NULL,
  PRIMARY KEY (day, application_id, currency)
);
