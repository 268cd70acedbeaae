-- Reservations in staff's hands.

ALTER TABLE reservations
  -- The refunds of the stay as staff have changed it; null: those of the booking's terms.
  ADD COLUMN cancellation json;

-- A cancelled reservation is final, and of two changes at once only one applies.
CREATE FUNCTION refuse_reservation_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a cancelled reservation is final, and a version never falls'
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER reservations_final_states BEFORE UPDATE ON reservations FOR EACH ROW
  WHEN (NEW.version < OLD.version
    OR (OLD.state = 'cancelled' AND (NEW.version > OLD.version OR NEW.state <> 'cancelled')))
  EXECUTE FUNCTION refuse_reservation_change();

-- The few that are not confirmed, in the order of the list.
CREATE INDEX reservations_not_confirmed ON reservations (state, check_in, reference)
  WHERE state <> 'confirmed';

-- Changes after the confirmation are rare, so the index costs bookings nothing.
CREATE INDEX events_of_changes ON events ((data ->> 'reference'))
  WHERE type IN ('reservation.changed', 'reservation.cancelled');
