-- The foundation: who may call, what can be booked, what is being booked, and what came of it.
-- The database holds the invariants; the code only translates its refusals.

-- What this database was made for. One row.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  environment text NOT NULL CHECK (environment IN ('simulation', 'test', 'live')),
  -- Tells a wrong master key at start instead of at the first guest that cannot be read.
  master_key_check bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Access ---------------------------------------------------------------------------------------

CREATE TABLE applications (
  application_id uuid PRIMARY KEY,
  name text NOT NULL,
  settlement text NOT NULL CHECK (settlement IN ('card', 'partner')),
  grants text[] NOT NULL CHECK (grants <@ ARRAY['catalog', 'search', 'quotes', 'checkout', 'signals']),
  read_per_minute integer NOT NULL CHECK (read_per_minute > 0),
  search_per_minute integer NOT NULL CHECK (search_per_minute > 0),
  write_per_minute integer NOT NULL CHECK (write_per_minute > 0),
  signal_per_minute integer NOT NULL CHECK (signal_per_minute > 0),
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE application_keys (
  key_id text PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications,
  secret_digest bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX application_keys_by_application ON application_keys (application_id);

CREATE TABLE token_signing_keys (
  key_id text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Signs no more; verifies until the last token that it signed has expired.
  retired_at timestamptz
);

-- What staff did, with the command line or otherwise.
CREATE TABLE audit_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  happened_at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  application_id uuid,
  details jsonb NOT NULL
);

-- Catalog --------------------------------------------------------------------------------------

CREATE TABLE site (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name text NOT NULL,
  slug text NOT NULL,
  discovery text NOT NULL CHECK (discovery IN ('brand', 'portfolio')),
  policies json NOT NULL,
  standards json NOT NULL
);

CREATE TABLE collections (
  collection_id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  description text,
  position integer NOT NULL
);

CREATE TABLE listings (
  listing_id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug <> ''),
  -- The order of the list; ties are broken by ID, so that it stays.
  position integer NOT NULL,
  collection_id uuid REFERENCES collections,
  name text NOT NULL,
  description text,
  blurb text,
  time_zone text CHECK (time_zone <> ''),
  destination text,
  sleeps integer CHECK (sleeps > 0),
  bedrooms double precision CHECK (bedrooms >= 0),
  bathrooms double precision CHECK (bathrooms >= 0),
  pictures json NOT NULL,
  amenities json NOT NULL,
  policies json NOT NULL,
  spaces json NOT NULL,
  latitude double precision CHECK (latitude BETWEEN -90 AND 90),
  longitude double precision CHECK (longitude BETWEEN -180 AND 180),
  indexable boolean NOT NULL,
  rates json NOT NULL,
  party_rules json NOT NULL,
  stay_rules json NOT NULL,
  cancellation json NOT NULL,
  CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX listings_in_order ON listings (position, listing_id);

CREATE TABLE promotions (
  code text PRIMARY KEY,
  label text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('percent', 'amount')),
  off integer NOT NULL CHECK (off > 0),
  currency text,
  stay_from date,
  stay_to date,
  book_from timestamptz,
  book_to timestamptz,
  listing_ids uuid[],
  collection_ids uuid[],
  min_nights integer NOT NULL DEFAULT 1 CHECK (min_nights > 0),
  max_uses integer CHECK (max_uses > 0),
  uses integer NOT NULL DEFAULT 0,
  CHECK ((kind = 'amount') = (currency IS NOT NULL)),
  CHECK (kind <> 'percent' OR off <= 10000),
  CHECK (uses >= 0 AND (max_uses IS NULL OR uses <= max_uses))
);

-- Moves whenever what is sold, or how, changes: every process follows it.
CREATE TABLE catalog_revision (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL
);
INSERT INTO catalog_revision (revision) VALUES (1);

CREATE FUNCTION move_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE catalog_revision SET revision = revision + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER site_moves_revision AFTER INSERT OR UPDATE OR DELETE ON site
  FOR EACH STATEMENT EXECUTE FUNCTION move_catalog_revision();
CREATE TRIGGER collections_move_revision AFTER INSERT OR UPDATE OR DELETE ON collections
  FOR EACH STATEMENT EXECUTE FUNCTION move_catalog_revision();
CREATE TRIGGER listings_move_revision AFTER INSERT OR UPDATE OR DELETE ON listings
  FOR EACH STATEMENT EXECUTE FUNCTION move_catalog_revision();

-- Booking --------------------------------------------------------------------------------------
-- Keys begin with the column that tells rows apart, not with the application: a plan that was made
-- while a table was small then has one index to choose, and it is the right one.

CREATE TABLE quotes (
  application_id uuid NOT NULL REFERENCES applications,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  terms json NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (quote_id, application_id),
  CHECK (check_out > check_in AND check_out - check_in <= 90)
);
CREATE INDEX quotes_by_expiry ON quotes (expires_at);

-- A booking is a checkout or a reservation request: the two ways to turn a quote into a reservation.
CREATE TABLE bookings (
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  settlement text NOT NULL CHECK (settlement IN ('card', 'partner')),
  version integer NOT NULL CHECK (version > 0),
  state text NOT NULL,
  guest_sealed bytea,
  promotion_code text REFERENCES promotions,
  -- Whether a use of the promotion is counted for this booking.
  promotion_held boolean NOT NULL DEFAULT false,
  -- Null: those of the quote. A promotion puts its own here.
  charges json,
  partner_reference text,
  session_nonce bytea,
  session_expires_at timestamptz,
  payment_state text CHECK (payment_state IN ('pending', 'ready', 'failed')),
  payment_failure text CHECK (payment_failure IN ('unavailable', 'unresolved', 'not_authorized')),
  payment_attempts integer NOT NULL DEFAULT 0,
  payment_requested_at timestamptz,
  payment_reference text,
  payment_secret_sealed bytea,
  payment_method_id text,
  failure_reason text CHECK (failure_reason IN ('sold_out', 'quote_expired', 'price_changed',
    'policy_changed', 'authority_revoked', 'refused')),
  reference text,
  -- Names the attempt to the supplier and the payment provider, before either is called.
  attempt_id uuid NOT NULL DEFAULT uuidv7(),
  submitted_at timestamptz,
  resolved_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The work queue: when a worker may next take this up. A claim moves it to the end of the lease.
  due_at timestamptz,
  -- Grows with every claim: a worker that lost its lease writes nothing any more.
  fence bigint NOT NULL DEFAULT 0,
  -- Claims since the state last changed.
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (booking_id, application_id, kind),
  FOREIGN KEY (quote_id, application_id) REFERENCES quotes,
  CONSTRAINT bookings_quote_used_once UNIQUE (quote_id, application_id),
  CONSTRAINT bookings_partner_reference UNIQUE (partner_reference, application_id),
  CHECK (
    (kind = 'checkout' AND state IN ('needs_guest', 'needs_payment', 'ready', 'pending',
      'requires_action', 'confirmed', 'uncertain', 'failed', 'expired'))
    OR (kind = 'request' AND settlement = 'partner'
      AND state IN ('pending', 'unresolved', 'confirmed', 'failed'))
  ),
  CHECK ((kind = 'checkout') = (session_nonce IS NOT NULL)),
  CHECK ((state = 'confirmed') = (reference IS NOT NULL)),
  CHECK (settlement = 'card' OR (payment_state IS NULL AND state NOT IN ('needs_payment', 'requires_action')))
);
CREATE INDEX bookings_due ON bookings (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX bookings_requests_newest ON bookings (application_id, created_at DESC, booking_id DESC)
  WHERE kind = 'request';
-- Holders of a promotion that were never submitted: their use is given back when the quote lapses.
CREATE INDEX bookings_promotion_held ON bookings (application_id, quote_id)
  WHERE promotion_held AND submitted_at IS NULL;

CREATE FUNCTION refuse_final_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % booking never changes its state, and a version never falls', OLD.state
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER bookings_final_states BEFORE UPDATE ON bookings FOR EACH ROW
  WHEN ((OLD.state IN ('confirmed', 'failed', 'expired') AND NEW.state <> OLD.state)
    OR NEW.version < OLD.version)
  EXECUTE FUNCTION refuse_final_change();

-- What was commanded, by digest: a command sent again is recognised, also after later ones.
CREATE TABLE checkout_commands (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  operation text NOT NULL,
  expected_version integer NOT NULL,
  input_digest bytea NOT NULL,
  -- The one refusal that changes something: the quote had expired.
  refused boolean NOT NULL,
  PRIMARY KEY (checkout_id, application_id, operation, expected_version, input_digest)
);

CREATE TABLE reservations (
  reference text PRIMARY KEY,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('confirmed', 'cancelled', 'pending')),
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  confirmed_at timestamptz NOT NULL,
  cancelled_at timestamptz,
  updated_at timestamptz NOT NULL,
  -- When it had reached all records of the operator; null: on its way.
  materialized_at timestamptz,
  -- What the supplier has announced for later; applied when it is next read.
  announced_change text CHECK (announced_change IN ('cancelled', 'moved_one_day')),
  announced_for timestamptz,
  UNIQUE (booking_id, application_id, kind),
  FOREIGN KEY (booking_id, application_id, kind) REFERENCES bookings,
  CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((announced_change IS NULL) = (announced_for IS NULL))
);
CREATE INDEX reservations_to_materialize ON reservations (confirmed_at) WHERE materialized_at IS NULL;

-- Events ---------------------------------------------------------------------------------------

-- One row an application: its lock, held to the end of the statement that writes events, makes
-- sequence order commit order, without gaps.
CREATE TABLE event_counters (
  application_id uuid PRIMARY KEY REFERENCES applications,
  last_sequence bigint NOT NULL DEFAULT 0
);

CREATE TABLE events (
  application_id uuid NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid NOT NULL UNIQUE DEFAULT uuidv7(),
  type text NOT NULL CHECK (type IN ('checkout.resolved', 'reservation.confirmed',
    'reservation.cancelled', 'reservation.changed')),
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, sequence)
);
CREATE INDEX events_by_age ON events (created_at);

-- Measurement ----------------------------------------------------------------------------------

CREATE TABLE search_observations (
  observation_id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications,
  journey_id uuid,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  collection_id uuid,
  results integer NOT NULL,
  observed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE signals (
  application_id uuid NOT NULL REFERENCES applications,
  signal_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  name text NOT NULL,
  route_family text NOT NULL,
  occurred_at timestamptz,
  received_at timestamptz NOT NULL DEFAULT now(),
  referrer_origin text,
  device_class text,
  correlation_id uuid,
  consent text,
  search_observation_id uuid,
  listing_id uuid,
  quote_id uuid,
  checkout_id uuid,
  PRIMARY KEY (signal_id, application_id)
);

-- The simulated supplier's own book: what it decided on an attempt, and from when it tells.
CREATE TABLE simulated_attempts (
  attempt_id uuid PRIMARY KEY,
  outcome text NOT NULL,
  -- Null: it never tells.
  known_at timestamptz,
  decided_at timestamptz NOT NULL DEFAULT now()
);
