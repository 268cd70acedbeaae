-- Webhooks: where partners want to be told, what was sent there, and what came of it.

CREATE TABLE webhook_endpoints (
  endpoint_id uuid PRIMARY KEY DEFAULT uuidv7(),
  application_id uuid NOT NULL REFERENCES applications,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Null: all types, also those that come later.
  event_types text[] CHECK (event_types <@ ARRAY['checkout.resolved', 'reservation.confirmed',
    'reservation.cancelled', 'reservation.changed']),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
  state_reason text CHECK (state_reason IN ('by_hand', 'failing', 'gone')),
  state_since timestamptz NOT NULL DEFAULT now(),
  secret_sealed bytea NOT NULL,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- The cursor: the sequence of the application's last event for which there is a delivery. What lies
  -- behind it is still to be taken up.
  fanned_out_to bigint NOT NULL,
  -- What a resume without replay passed over: after the one, up to the other.
  missed_after bigint,
  missed_until bigint,
  -- Grows with every claim: whoever counts what is in flight sees whether it has counted too early.
  claims bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CHECK ((state = 'active') = (state_reason IS NULL)),
  CHECK ((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)),
  CHECK ((missed_after IS NULL) = (missed_until IS NULL))
);
CREATE INDEX webhook_endpoints_by_application ON webhook_endpoints (application_id, created_at);

-- No foreign keys from here on: each row would be looked up again for every delivery. What belongs to a
-- deleted endpoint is swept.
CREATE TABLE webhook_deliveries (
  delivery_id uuid PRIMARY KEY DEFAULT uuidv7(),
  endpoint_id uuid NOT NULL,
  application_id uuid NOT NULL,
  event_id uuid NOT NULL DEFAULT uuidv7(),
  event_type text NOT NULL,
  -- Null: a test event, which is in nobody's order.
  sequence bigint,
  -- The `data` of a test event; that of all others is in `events`.
  test_event json,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'exhausted')),
  -- Failed or delivered, of the present round: a replay begins another.
  attempts integer NOT NULL DEFAULT 0,
  -- Begun, of all rounds: numbers the rows of webhook_attempts.
  attempts_begun integer NOT NULL DEFAULT 0,
  -- The work queue: when it may next be attempted. A claim moves it to the end of the lease.
  due_at timestamptz DEFAULT now(),
  -- Taken up by a worker, until due_at at the latest.
  leased boolean NOT NULL DEFAULT false,
  -- Grows with every claim and replay: a worker that lost its lease writes nothing any more.
  fence bigint NOT NULL DEFAULT 0,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  -- No finer than an instant is told: lists go on after one.
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  delivered_at timestamptz,
  -- The event first: no other index than that of what is pending begins with the endpoint.
  CONSTRAINT webhook_deliveries_event_once UNIQUE (event_id, endpoint_id),
  CHECK ((sequence IS NULL) = (test_event IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL)),
  CHECK ((state = 'delivered') = (delivered_at IS NOT NULL)),
  CHECK (state = 'pending' OR NOT leased)
);
-- What is in flight lies together, what waits lies in the order in which it is due.
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, leased, due_at, sequence)
  WHERE state = 'pending';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (application_id, created_at, delivery_id);
CREATE INDEX webhook_deliveries_exhausted ON webhook_deliveries (application_id, created_at, delivery_id)
  WHERE state = 'exhausted';

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  -- The beginning of the answer's body.
  response bytea,
  PRIMARY KEY (delivery_id, number)
);
