-- The step towards a reservation whose outcome is not known, of bookings in `uncertain` or `unresolved`.
-- The version before writes none; it is empty then, as for bookings that were waiting already.
ALTER TABLE bookings ADD COLUMN unknown_step text;
-- All rows are empty here: none has to be read, and nobody waits for that.
ALTER TABLE bookings ADD CONSTRAINT bookings_unknown_step_check
  CHECK (unknown_step IN ('hold', 'authorize', 'confirm', 'capture', 'undo')) NOT VALID;
