-- Which reservations the operator's records do not have yet, in their present version.

ALTER TABLE reservations
  -- When the reservation is next brought into the records; null: they have it.
  ADD COLUMN records_due_at timestamptz,
  -- Attempts with the present version.
  ADD COLUMN records_attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  ADD COLUMN records_problem text;
UPDATE reservations SET records_due_at = confirmed_at WHERE materialized_at IS NULL;
ALTER TABLE reservations ALTER COLUMN records_due_at SET DEFAULT now();

DROP INDEX reservations_to_materialize;
CREATE INDEX reservations_records_due ON reservations (records_due_at) WHERE records_due_at IS NOT NULL;

-- Every change raises the version, whoever makes it, and each version is brought into the records.
CREATE FUNCTION make_records_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.records_due_at := now();
  NEW.records_attempts := 0;
  NEW.records_problem := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER reservations_make_records_due BEFORE UPDATE OF version ON reservations
  FOR EACH ROW WHEN (NEW.version > OLD.version) EXECUTE FUNCTION make_records_due();
