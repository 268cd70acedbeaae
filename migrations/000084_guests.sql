-- By what staff find everything that is kept about one person: keyed digests, because guests are sealed. A row is
-- digested after the booking is written, so that no booking waits for it.
CREATE TABLE guest_digests (
  booking_id uuid NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  email bytea,
  phone bytea,
  name bytea,
  last_name bytea,
  -- Rises with each guest of the booking: digests of an earlier one are not written.
  generation integer NOT NULL DEFAULT 1,
  digested boolean NOT NULL DEFAULT false,
  PRIMARY KEY (booking_id, application_id, kind)
);
CREATE INDEX guest_digests_to_make ON guest_digests (booking_id) WHERE NOT digested;
CREATE INDEX guest_digests_by_email ON guest_digests (email) WHERE email IS NOT NULL;
CREATE INDEX guest_digests_by_phone ON guest_digests (phone) WHERE phone IS NOT NULL;
CREATE INDEX guest_digests_by_name ON guest_digests (name) WHERE name IS NOT NULL;
CREATE INDEX guest_digests_by_last_name ON guest_digests (last_name) WHERE last_name IS NOT NULL;

CREATE FUNCTION follow_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM guest_digests WHERE booking_id = OLD.booking_id AND application_id = OLD.application_id AND kind = OLD.kind;
  ELSIF NEW.guest_sealed IS NULL THEN
    DELETE FROM guest_digests WHERE booking_id = NEW.booking_id AND application_id = NEW.application_id AND kind = NEW.kind;
  ELSE
    INSERT INTO guest_digests AS d (booking_id, application_id, kind)
    VALUES (NEW.booking_id, NEW.application_id, NEW.kind)
    ON CONFLICT (booking_id, application_id, kind) DO UPDATE
      SET email = NULL, phone = NULL, name = NULL, last_name = NULL, digested = false, generation = d.generation + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_insert_guest AFTER INSERT ON bookings FOR EACH ROW
  WHEN (NEW.guest_sealed IS NOT NULL) EXECUTE FUNCTION follow_guest();
CREATE TRIGGER bookings_update_guest AFTER UPDATE OF guest_sealed ON bookings FOR EACH ROW
  WHEN (OLD.guest_sealed IS DISTINCT FROM NEW.guest_sealed) EXECUTE FUNCTION follow_guest();
CREATE TRIGGER bookings_delete_guest AFTER DELETE ON bookings FOR EACH ROW
  WHEN (OLD.guest_sealed IS NOT NULL) EXECUTE FUNCTION follow_guest();

-- How far the bookings of earlier versions have got their rows, in the order of the primary key.
CREATE TABLE guest_digest_backlog (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  booking_id uuid NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  done boolean NOT NULL
);
INSERT INTO guest_digest_backlog (booking_id, application_id, kind, done)
  SELECT '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '', NOT EXISTS (SELECT FROM bookings);

-- What is erased at the card provider: the customers of a checkout. The email, sealed, finds those of setups that were
-- not completed; the row is deleted when the provider has none left.
CREATE TABLE customer_erasures (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  customer_reference text,
  setup_reference text,
  email_sealed bytea NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (checkout_id, application_id)
);
CREATE INDEX customer_erasures_due ON customer_erasures (due_at);

-- A row of the ledger never changes, except that what staff have written about it can be erased with the guest.
CREATE OR REPLACE FUNCTION refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details'
    AND NEW.details::jsonb = OLD.details::jsonb - 'reason' - 'method' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a row of the ledger never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Of what a create with a key was about: its reply is erased with the guest.
ALTER TABLE keyed_creates ADD COLUMN reference text;
