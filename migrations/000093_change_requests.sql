-- Requests of partners to cancel or change a reservation. An application needs a grant for them.

ALTER TABLE applications DROP CONSTRAINT applications_grants_check;
ALTER TABLE applications ADD CONSTRAINT applications_grants_check
  CHECK (grants <@ ARRAY['catalog', 'search', 'quotes', 'checkout', 'signals', 'changes']);
-- Whether staff decide everything that the application asks for, or a cancellation is accepted at once.
ALTER TABLE applications ADD COLUMN changes text NOT NULL DEFAULT 'ask' CHECK (changes IN ('ask', 'cancel'));

-- Not valid: the rows of before are, and nobody waits while they are read.
ALTER TABLE events DROP CONSTRAINT events_type_check;
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN ('checkout.resolved', 'reservation.confirmed',
  'reservation.cancelled', 'reservation.changed', 'change_request.decided')) NOT VALID;
ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_event_types_check;
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_event_types_check CHECK (event_types <@ ARRAY[
  'checkout.resolved', 'reservation.confirmed', 'reservation.cancelled', 'reservation.changed', 'change_request.decided']);

CREATE TABLE change_requests (
  application_id uuid NOT NULL REFERENCES applications,
  change_request_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  reference text NOT NULL REFERENCES reservations,
  kind text NOT NULL CHECK (kind IN ('cancel', 'change')),
  -- What was asked for; null: it stays as it is.
  check_in date,
  check_out date,
  party json,
  -- It can be about the guest, so it is sealed like the guest.
  note_sealed bytea,
  -- What it would cost or refund, as the partner has seen it.
  preview json NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
  -- What the partner is told about the decision.
  reason text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  decided_at timestamptz(3),
  PRIMARY KEY (change_request_id, application_id),
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK (kind = 'change' OR (check_in IS NULL AND check_out IS NULL AND party IS NULL))
);
CREATE UNIQUE INDEX change_requests_open ON change_requests (reference) WHERE state = 'open';
CREATE INDEX change_requests_of_application ON change_requests (application_id, created_at, change_request_id);
CREATE INDEX change_requests_of_reservation ON change_requests (reference, created_at, change_request_id);
CREATE INDEX change_requests_newest ON change_requests (created_at, application_id, change_request_id);
CREATE INDEX change_requests_newest_open ON change_requests (created_at, application_id, change_request_id)
  WHERE state = 'open';

CREATE FUNCTION refuse_decided_change_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'change request % is %, which is final', OLD.change_request_id, OLD.state
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER change_requests_final BEFORE UPDATE OF state ON change_requests FOR EACH ROW
  WHEN (OLD.state <> 'open' AND NEW.state IS DISTINCT FROM OLD.state)
  EXECUTE FUNCTION refuse_decided_change_request();

-- Each decision is an event, whoever has decided. The counter is the last lock of a statement.
CREATE FUNCTION tell_decided_change_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  next bigint;
BEGIN
  UPDATE event_counters SET last_sequence = last_sequence + 1 WHERE application_id = NEW.application_id
    RETURNING last_sequence INTO next;
  INSERT INTO events (application_id, sequence, type, data, created_at)
  VALUES (NEW.application_id, next, 'change_request.decided',
    format('{"reference":%s,"changeRequestId":%s,"state":%s}', to_json(NEW.reference),
      to_json(NEW.change_request_id), to_json(NEW.state))::json, clock_timestamp());
  RETURN NULL;
END $$;
CREATE TRIGGER change_requests_decided AFTER UPDATE OF state ON change_requests FOR EACH ROW
  WHEN (OLD.state = 'open' AND NEW.state <> 'open') EXECUTE FUNCTION tell_decided_change_request();
CREATE TRIGGER change_requests_decided_at_once AFTER INSERT ON change_requests FOR EACH ROW
  WHEN (NEW.state <> 'open') EXECUTE FUNCTION tell_decided_change_request();

-- A stay that is changed otherwise is not the one that the partner has seen. Whoever accepts a request does so before
-- the stay changes. This holds for every code path, also of the version before.
CREATE FUNCTION decline_change_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE change_requests SET state = 'declined', decided_at = now(),
    reason = CASE NEW.state WHEN 'cancelled' THEN 'The reservation was cancelled otherwise.'
      ELSE 'The reservation was changed otherwise.' END
  WHERE reference = NEW.reference AND state = 'open';
  RETURN NULL;
END $$;
CREATE TRIGGER reservations_decline_change_request AFTER UPDATE OF version ON reservations FOR EACH ROW
  WHEN (NEW.version > OLD.version) EXECUTE FUNCTION decline_change_request();
