-- What partners order in the simulation for their own calls. A table without rows for an application changes nothing.
CREATE TABLE sandbox_states (
  application_id uuid PRIMARY KEY REFERENCES applications ON DELETE CASCADE,
  -- The rules of faults; null: none.
  fault_rules json,
  fault_seed bigint,
  -- The calls of each operation since the rules were set, and the hits of each rule.
  fault_counts json NOT NULL DEFAULT '{}',
  fault_hits json NOT NULL DEFAULT '[]',
  -- Rises with each change of counts and rules.
  fault_revision bigint NOT NULL DEFAULT 0,
  -- Tokens that were issued until then have ended, but for one.
  tokens_end_at timestamptz,
  kept_token text,
  -- What the next booking meets; null: nothing is ordered.
  next_outcome text,
  next_price bigint,
  next_ordered_at timestamptz,
  -- Since when confirmed bookings take their nights, for the application alone; null: they do not.
  occupies_since timestamptz
);

-- Nights that are taken for one application alone. Those of a booking follow its reservation.
CREATE TABLE sandbox_nights (
  application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  attempt_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  PRIMARY KEY (application_id, attempt_id),
  CONSTRAINT sandbox_nights_once
    EXCLUDE USING gist (application_id WITH =, listing_id WITH =, nights WITH &&)
);

CREATE FUNCTION move_sandbox_nights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  attempt uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox_nights WHERE application_id = NEW.application_id) THEN
    RETURN NULL;
  END IF;
  SELECT attempt_id INTO attempt FROM bookings
    WHERE application_id = NEW.application_id AND kind = NEW.kind AND booking_id = NEW.booking_id;
  DELETE FROM sandbox_nights WHERE application_id = NEW.application_id AND attempt_id = attempt;
  IF FOUND AND NEW.state <> 'cancelled' THEN
    INSERT INTO sandbox_nights VALUES
      (NEW.application_id, attempt, NEW.listing_id, daterange(NEW.check_in, NEW.check_out))
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER move_sandbox_nights AFTER UPDATE OF state, listing_id, check_in, check_out ON reservations
  FOR EACH ROW EXECUTE FUNCTION move_sandbox_nights();

-- What changes the nights of one application alone is told in its feed of changes.
CREATE FUNCTION log_sandbox_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (application_id, kinds)
    VALUES (coalesce(NEW.application_id, OLD.application_id), '{availability}');
  RETURN NULL;
END $$;
CREATE TRIGGER log_sandbox_nights AFTER INSERT OR DELETE ON sandbox_nights
  FOR EACH ROW EXECUTE FUNCTION log_sandbox_nights();

-- Deliveries that were ordered. Each is made once.
CREATE TABLE sandbox_deliveries (
  delivery_id uuid PRIMARY KEY DEFAULT uuidv7(),
  application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  -- When it is sent, or sent again if the process that took it has died; null: it was sent.
  due_at timestamptz,
  bad_signature boolean NOT NULL,
  skew_seconds integer NOT NULL,
  ended_at timestamptz,
  -- The status of the answer; null: there was none.
  status integer
);
CREATE INDEX sandbox_deliveries_due ON sandbox_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sandbox_deliveries_ended ON sandbox_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sandbox_deliveries_by_application ON sandbox_deliveries (application_id);

-- What the sandbox did to a call. Status 0: it has ended the connection.
ALTER TABLE request_log ADD COLUMN fault text;

-- The total that was ordered for `price_changed`; null: none.
ALTER TABLE simulated_attempts ADD COLUMN price bigint;

ALTER TABLE application_changes DROP CONSTRAINT application_changes_kind_check,
  ADD CONSTRAINT application_changes_kind_check
    CHECK (kind IN ('added', 'rates', 'availability', 'removed'));
