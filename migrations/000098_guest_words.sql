-- By what staff find a guest who phones: keyed digests of each word of the name and of the last digits of the phone
-- number. NULL: not made yet, also where a version that does not know them has made the others.
ALTER TABLE guest_digests ADD COLUMN words bytea[];

CREATE OR REPLACE FUNCTION follow_guest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM guest_digests WHERE booking_id = OLD.booking_id AND application_id = OLD.application_id AND kind = OLD.kind;
  ELSIF NEW.guest_sealed IS NULL THEN
    DELETE FROM guest_digests WHERE booking_id = NEW.booking_id AND application_id = NEW.application_id AND kind = NEW.kind;
  ELSE
    INSERT INTO guest_digests AS d (booking_id, application_id, kind)
    VALUES (NEW.booking_id, NEW.application_id, NEW.kind)
    ON CONFLICT (booking_id, application_id, kind) DO UPDATE
      SET email = NULL, phone = NULL, name = NULL, last_name = NULL, words = NULL, digested = false,
        generation = d.generation + 1;
  END IF;
  RETURN NULL;
END $$;
