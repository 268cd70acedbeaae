-- What the migrations make, as PostgreSQL tells it. Generated: change it with a migration.
-- It is for reading and for comparing; a database is made by the migrations.

-- Extensions

CREATE EXTENSION btree_gist;

-- Functions

CREATE OR REPLACE FUNCTION public.log_changed_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    SELECT listing_id, daterange(min(lower(nights)), max(upper(nights))) FROM changed GROUP BY listing_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_moved_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (OLD.listing_id, OLD.nights), (NEW.listing_id, NEW.nights);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.make_records_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.records_due_at := now();
  NEW.records_attempts := 0;
  NEW.records_problem := NULL;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION public.refuse_final_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a % booking never changes its state, and a version never falls', OLD.state
    USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_reservation_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a cancelled reservation is final, and a version never falls'
    USING ERRCODE = 'integrity_constraint_violation';
END $function$;

-- Tables

CREATE TABLE application_keys (
  key_id text NOT NULL,
  application_id uuid NOT NULL,
  secret_digest bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone
);

CREATE TABLE applications (
  application_id uuid NOT NULL,
  name text NOT NULL,
  settlement text NOT NULL,
  grants text[] NOT NULL,
  read_per_minute integer NOT NULL,
  search_per_minute integer NOT NULL,
  write_per_minute integer NOT NULL,
  signal_per_minute integer NOT NULL,
  suspended_at timestamp with time zone,
  suspended_reason text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  portal_enabled_at timestamp with time zone,
  catalog_id uuid NOT NULL,
  adjust_percent numeric(7,2) DEFAULT 0 NOT NULL,
  reservations_per_day integer
);

CREATE TABLE audit_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  happened_at timestamp with time zone DEFAULT now() NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  application_id uuid,
  details jsonb NOT NULL,
  reference text
);

CREATE TABLE bookings (
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  settlement text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL,
  guest_sealed bytea,
  promotion_code text,
  promotion_held boolean DEFAULT false NOT NULL,
  charges json,
  partner_reference text,
  session_nonce bytea,
  session_expires_at timestamp with time zone,
  payment_state text,
  payment_failure text,
  payment_attempts integer DEFAULT 0 NOT NULL,
  payment_requested_at timestamp with time zone,
  payment_reference text,
  payment_secret_sealed bytea,
  payment_method_id text,
  failure_reason text,
  reference text,
  attempt_id uuid DEFAULT uuidv7() NOT NULL,
  submitted_at timestamp with time zone,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  fence bigint DEFAULT 0 NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  guest_removed_at timestamp with time zone,
  unknown_step text,
  cancellation json,
  counted_on date
);

CREATE TABLE calendar_addresses (
  listing_id uuid NOT NULL,
  nonce bytea NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE cancellation_rules (
  listing_id uuid NOT NULL,
  days_before integer NOT NULL,
  refund_percent numeric(5,2) NOT NULL
);

CREATE TABLE catalog_listings (
  catalog_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  collection_id uuid,
  "position" integer NOT NULL,
  withdrawn_at timestamp with time zone
);

CREATE TABLE catalog_revision (
  only_row boolean DEFAULT true NOT NULL,
  revision bigint NOT NULL,
  changed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE catalogs (
  catalog_id uuid DEFAULT uuidv7() NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  discovery text NOT NULL,
  policies json NOT NULL,
  standards json NOT NULL,
  revision bigint NOT NULL,
  changed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE channel_calendars (
  calendar_id uuid DEFAULT uuidv7() NOT NULL,
  listing_id uuid NOT NULL,
  url_sealed bytea,
  file_name text,
  source_digest bytea NOT NULL,
  due_at timestamp with time zone,
  fence bigint DEFAULT 0 NOT NULL,
  etag text,
  last_modified text,
  checked_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  read_at timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  problem text,
  problem_detail text,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE channel_conflicts (
  calendar_id uuid NOT NULL,
  nights daterange NOT NULL,
  event_uid text NOT NULL,
  occupancy_id uuid NOT NULL,
  kind text NOT NULL,
  reference text,
  found_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE checkout_commands (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  operation text NOT NULL,
  expected_version integer NOT NULL,
  input_digest bytea NOT NULL,
  refused boolean NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE collections (
  collection_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  "position" integer NOT NULL,
  catalog_id uuid NOT NULL,
  withdrawn_at timestamp with time zone
);

CREATE TABLE dated_rates (
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  nightly bigint,
  min_nights integer,
  arrival_days text[]
);

CREATE TABLE event_counters (
  application_id uuid NOT NULL,
  last_sequence bigint DEFAULT 0 NOT NULL
);

CREATE TABLE events (
  application_id uuid NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid DEFAULT uuidv7() NOT NULL,
  type text NOT NULL,
  data json NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE fees (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  label text NOT NULL,
  kind text NOT NULL,
  per text NOT NULL,
  amount bigint NOT NULL,
  from_guest integer,
  taxed boolean
);

CREATE TABLE installation (
  only_row boolean DEFAULT true NOT NULL,
  environment text NOT NULL,
  master_key_check bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  base_url text
);

CREATE TABLE length_discounts (
  listing_id uuid NOT NULL,
  min_nights integer NOT NULL,
  label text NOT NULL,
  percent numeric(5,2) NOT NULL
);

CREATE TABLE listings (
  listing_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  blurb text,
  time_zone text,
  destination text,
  sleeps integer,
  bedrooms double precision,
  bathrooms double precision,
  amenities json NOT NULL,
  policies json NOT NULL,
  spaces json NOT NULL,
  latitude double precision,
  longitude double precision,
  indexable boolean NOT NULL,
  check_in_from text,
  check_out_until text,
  images json NOT NULL,
  currency text NOT NULL,
  revision bigint NOT NULL,
  nightly bigint,
  weekday_prices bigint[] NOT NULL,
  due_now_percent numeric(5,2) NOT NULL,
  balance_days_before integer NOT NULL,
  min_nights integer NOT NULL,
  max_nights integer NOT NULL,
  arrival_days text[] NOT NULL,
  departure_days text[] NOT NULL,
  advance_notice_days integer NOT NULL,
  booking_horizon_days integer NOT NULL,
  children_welcome boolean NOT NULL,
  infants_welcome boolean NOT NULL,
  max_pets integer NOT NULL
);

CREATE TABLE night_changes (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL
);

CREATE TABLE night_changes_kept (
  only_row boolean DEFAULT true NOT NULL,
  since xid8 NOT NULL,
  next_since xid8 NOT NULL,
  next_at timestamp with time zone NOT NULL
);

CREATE TABLE occupancies (
  occupancy_id uuid DEFAULT uuidv7() NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  kind text NOT NULL,
  application_id uuid,
  booking_kind text,
  booking_id uuid,
  reference text,
  source text,
  reason text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  calendar_id uuid,
  event_uid text,
  moves integer DEFAULT 0 NOT NULL,
  moved_at timestamp with time zone
);

CREATE TABLE portal_links (
  link_digest bytea NOT NULL,
  application_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE portal_sessions (
  session_digest bytea NOT NULL,
  application_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE processes (
  process_id uuid NOT NULL,
  roles text[] NOT NULL,
  host text NOT NULL,
  port integer NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE promotions (
  code text NOT NULL,
  label text NOT NULL,
  kind text NOT NULL,
  off integer NOT NULL,
  currency text,
  stay_from date,
  stay_to date,
  book_from timestamp with time zone,
  book_to timestamp with time zone,
  listing_ids uuid[],
  collection_ids uuid[],
  min_nights integer DEFAULT 1 NOT NULL,
  max_uses integer,
  uses integer DEFAULT 0 NOT NULL,
  catalog_id uuid NOT NULL,
  withdrawn_at timestamp with time zone
);

CREATE TABLE quote_sweep (
  only_row boolean DEFAULT true NOT NULL,
  looked_until timestamp with time zone NOT NULL
);

CREATE TABLE quotes (
  application_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  terms json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE request_log (
  application_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  request_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  operation text,
  status integer NOT NULL,
  code text,
  duration_ms integer NOT NULL
);

CREATE TABLE reservation_days (
  application_id uuid NOT NULL,
  day date NOT NULL,
  reservations integer NOT NULL,
  at_most integer
);

CREATE TABLE reservations (
  reference text NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  state text NOT NULL,
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  confirmed_at timestamp with time zone NOT NULL,
  cancelled_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  materialized_at timestamp with time zone,
  announced_change text,
  announced_for timestamp with time zone,
  version integer DEFAULT 1 NOT NULL,
  refund_minor bigint,
  records_due_at timestamp with time zone DEFAULT now(),
  records_attempts integer DEFAULT 0 NOT NULL,
  records_problem text,
  cancellation json
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  digest text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE search_observations (
  observation_id uuid NOT NULL,
  application_id uuid NOT NULL,
  journey_id uuid,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  collection_id uuid,
  results integer NOT NULL,
  observed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE seasons (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  name text NOT NULL,
  first_night text NOT NULL,
  last_night text NOT NULL,
  change_percent numeric(7,2),
  nightly bigint,
  weekday_prices bigint[],
  min_nights integer,
  arrival_days text[],
  priority integer
);

CREATE TABLE signals (
  application_id uuid NOT NULL,
  signal_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  name text NOT NULL,
  route_family text NOT NULL,
  occurred_at timestamp with time zone,
  received_at timestamp with time zone DEFAULT now() NOT NULL,
  referrer_origin text,
  device_class text,
  correlation_id uuid,
  consent text,
  search_observation_id uuid,
  listing_id uuid,
  quote_id uuid,
  checkout_id uuid
);

CREATE TABLE simulated_attempts (
  attempt_id uuid NOT NULL,
  outcome text NOT NULL,
  known_at timestamp with time zone,
  decided_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE taxes (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  label text NOT NULL,
  taxed_parts text[],
  percent numeric(5,2),
  per text,
  amount bigint,
  adults_only boolean,
  max_nights integer,
  stays_up_to_nights integer
);

CREATE TABLE token_signing_keys (
  key_id text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  retired_at timestamp with time zone
);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  response bytea
);

CREATE TABLE webhook_deliveries (
  delivery_id uuid DEFAULT uuidv7() NOT NULL,
  endpoint_id uuid NOT NULL,
  application_id uuid NOT NULL,
  event_id uuid DEFAULT uuidv7() NOT NULL,
  event_type text NOT NULL,
  sequence bigint,
  test_event json,
  state text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  attempts_begun integer DEFAULT 0 NOT NULL,
  due_at timestamp with time zone DEFAULT now(),
  leased boolean DEFAULT false NOT NULL,
  fence bigint DEFAULT 0 NOT NULL,
  last_attempt_at timestamp with time zone,
  last_status integer,
  last_error text,
  created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
  delivered_at timestamp with time zone
);

CREATE TABLE webhook_endpoints (
  endpoint_id uuid DEFAULT uuidv7() NOT NULL,
  application_id uuid NOT NULL,
  url text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  event_types text[],
  state text DEFAULT 'active'::text NOT NULL,
  state_reason text,
  state_since timestamp with time zone DEFAULT now() NOT NULL,
  secret_sealed bytea NOT NULL,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  fanned_out_to bigint NOT NULL,
  missed_after bigint,
  missed_until bigint,
  claims bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp with time zone,
  swept_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

-- Constraints

ALTER TABLE application_keys ADD CONSTRAINT application_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE applications ADD CONSTRAINT applications_adjust_percent_check CHECK (((adjust_percent >= ('-100'::integer)::numeric) AND (adjust_percent <= (1000)::numeric)));
ALTER TABLE applications ADD CONSTRAINT applications_grants_check CHECK ((grants <@ ARRAY['catalog'::text, 'search'::text, 'quotes'::text, 'checkout'::text, 'signals'::text]));
ALTER TABLE applications ADD CONSTRAINT applications_pkey PRIMARY KEY (application_id);
ALTER TABLE applications ADD CONSTRAINT applications_read_per_minute_check CHECK ((read_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_reservations_per_day_check CHECK ((reservations_per_day >= 0));
ALTER TABLE applications ADD CONSTRAINT applications_search_per_minute_check CHECK ((search_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_settlement_check CHECK ((settlement = ANY (ARRAY['card'::text, 'partner'::text])));
ALTER TABLE applications ADD CONSTRAINT applications_signal_per_minute_check CHECK ((signal_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_write_per_minute_check CHECK ((write_per_minute > 0));
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (entry_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_check CHECK ((((kind = 'checkout'::text) AND (state = ANY (ARRAY['needs_guest'::text, 'needs_payment'::text, 'ready'::text, 'pending'::text, 'requires_action'::text, 'confirmed'::text, 'uncertain'::text, 'failed'::text, 'expired'::text]))) OR ((kind = 'request'::text) AND (settlement = 'partner'::text) AND (state = ANY (ARRAY['pending'::text, 'unresolved'::text, 'confirmed'::text, 'failed'::text])))));
ALTER TABLE bookings ADD CONSTRAINT bookings_check1 CHECK (((kind = 'checkout'::text) = (session_nonce IS NOT NULL)));
ALTER TABLE bookings ADD CONSTRAINT bookings_check2 CHECK (((state = 'confirmed'::text) = (reference IS NOT NULL)));
ALTER TABLE bookings ADD CONSTRAINT bookings_check3 CHECK (((settlement = 'card'::text) OR ((payment_state IS NULL) AND (state <> ALL (ARRAY['needs_payment'::text, 'requires_action'::text])))));
ALTER TABLE bookings ADD CONSTRAINT bookings_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['sold_out'::text, 'quote_expired'::text, 'price_changed'::text, 'policy_changed'::text, 'authority_revoked'::text, 'refused'::text])));
ALTER TABLE bookings ADD CONSTRAINT bookings_partner_reference UNIQUE (partner_reference, application_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_payment_failure_check CHECK ((payment_failure = ANY (ARRAY['unavailable'::text, 'unresolved'::text, 'not_authorized'::text])));
ALTER TABLE bookings ADD CONSTRAINT bookings_payment_state_check CHECK ((payment_state = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text])));
ALTER TABLE bookings ADD CONSTRAINT bookings_pkey PRIMARY KEY (booking_id, application_id, kind);
ALTER TABLE bookings ADD CONSTRAINT bookings_quote_used_once UNIQUE (quote_id, application_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_settlement_check CHECK ((settlement = ANY (ARRAY['card'::text, 'partner'::text])));
ALTER TABLE bookings ADD CONSTRAINT bookings_unknown_step_check CHECK ((unknown_step = ANY (ARRAY['hold'::text, 'authorize'::text, 'confirm'::text, 'capture'::text, 'undo'::text]))) NOT VALID;
ALTER TABLE bookings ADD CONSTRAINT bookings_version_check CHECK ((version > 0));
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_digest_key UNIQUE (digest);
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_pkey PRIMARY KEY (listing_id);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_days_before_check CHECK ((days_before >= 0));
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_pkey PRIMARY KEY (listing_id, days_before);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_refund_percent_check CHECK (((refund_percent >= (0)::numeric) AND (refund_percent <= (100)::numeric)));
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_pkey PRIMARY KEY (listing_id, catalog_id);
ALTER TABLE catalog_revision ADD CONSTRAINT catalog_revision_only_row_check CHECK (only_row);
ALTER TABLE catalog_revision ADD CONSTRAINT catalog_revision_pkey PRIMARY KEY (only_row);
ALTER TABLE catalogs ADD CONSTRAINT catalogs_discovery_check CHECK ((discovery = ANY (ARRAY['brand'::text, 'portfolio'::text])));
ALTER TABLE catalogs ADD CONSTRAINT catalogs_pkey PRIMARY KEY (catalog_id);
ALTER TABLE catalogs ADD CONSTRAINT catalogs_slug_check CHECK ((slug <> ''::text));
ALTER TABLE catalogs ADD CONSTRAINT catalogs_slug_key UNIQUE (slug);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check CHECK ((num_nonnulls(url_sealed, file_name) = 1));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check1 CHECK (((due_at IS NULL) = (url_sealed IS NULL)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check2 CHECK (((problem IS NULL) = (failing_since IS NULL)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check3 CHECK (((problem IS NULL) = (failures = 0)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_failures_check CHECK ((failures >= 0));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_listing_id_source_digest_key UNIQUE (listing_id, source_digest);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_pkey PRIMARY KEY (calendar_id);
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_check CHECK (((kind = 'confirmed'::text) = (reference IS NOT NULL)));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_kind_check CHECK ((kind = ANY (ARRAY['held'::text, 'confirmed'::text, 'block'::text])));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_pkey PRIMARY KEY (calendar_id, nights);
ALTER TABLE checkout_commands ADD CONSTRAINT checkout_commands_pkey PRIMARY KEY (checkout_id, application_id, operation, expected_version, input_digest);
ALTER TABLE collections ADD CONSTRAINT collections_catalog_id_slug_key UNIQUE (catalog_id, slug);
ALTER TABLE collections ADD CONSTRAINT collections_collection_id_catalog_id_key UNIQUE (collection_id, catalog_id);
ALTER TABLE collections ADD CONSTRAINT collections_pkey PRIMARY KEY (collection_id);
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&);
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_nightly_check CHECK ((nightly >= 0));
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE event_counters ADD CONSTRAINT event_counters_pkey PRIMARY KEY (application_id);
ALTER TABLE events ADD CONSTRAINT events_event_id_key UNIQUE (event_id);
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (application_id, sequence);
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK ((type = ANY (ARRAY['checkout.resolved'::text, 'reservation.confirmed'::text, 'reservation.cancelled'::text, 'reservation.changed'::text])));
ALTER TABLE fees ADD CONSTRAINT fees_amount_check CHECK ((amount >= 0));
ALTER TABLE fees ADD CONSTRAINT fees_from_guest_check CHECK ((from_guest > 0));
ALTER TABLE fees ADD CONSTRAINT fees_kind_check CHECK ((kind = ANY (ARRAY['cleaning'::text, 'fee'::text])));
ALTER TABLE fees ADD CONSTRAINT fees_per_check CHECK ((per = ANY (ARRAY['stay'::text, 'night'::text, 'guest'::text, 'guest_night'::text, 'pet'::text, 'pet_night'::text])));
ALTER TABLE fees ADD CONSTRAINT fees_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE installation ADD CONSTRAINT installation_environment_check CHECK ((environment = ANY (ARRAY['simulation'::text, 'test'::text, 'live'::text])));
ALTER TABLE installation ADD CONSTRAINT installation_only_row_check CHECK (only_row);
ALTER TABLE installation ADD CONSTRAINT installation_pkey PRIMARY KEY (only_row);
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_percent_check CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric)));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_pkey PRIMARY KEY (listing_id, min_nights);
ALTER TABLE listings ADD CONSTRAINT listings_advance_notice_days_check CHECK ((advance_notice_days >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_balance_days_before_check CHECK ((balance_days_before >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_bathrooms_check CHECK ((bathrooms >= (0)::double precision));
ALTER TABLE listings ADD CONSTRAINT listings_bedrooms_check CHECK ((bedrooms >= (0)::double precision));
ALTER TABLE listings ADD CONSTRAINT listings_booking_horizon_days_check CHECK ((booking_horizon_days >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_check CHECK (((latitude IS NULL) = (longitude IS NULL)));
ALTER TABLE listings ADD CONSTRAINT listings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
ALTER TABLE listings ADD CONSTRAINT listings_due_now_percent_check CHECK (((due_now_percent >= (0)::numeric) AND (due_now_percent <= (100)::numeric)));
ALTER TABLE listings ADD CONSTRAINT listings_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
ALTER TABLE listings ADD CONSTRAINT listings_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
ALTER TABLE listings ADD CONSTRAINT listings_max_nights_check CHECK ((max_nights > 0));
ALTER TABLE listings ADD CONSTRAINT listings_max_pets_check CHECK ((max_pets >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE listings ADD CONSTRAINT listings_nightly_check CHECK ((nightly >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_pkey PRIMARY KEY (listing_id);
ALTER TABLE listings ADD CONSTRAINT listings_sleeps_check CHECK ((sleeps > 0));
ALTER TABLE listings ADD CONSTRAINT listings_slug_check CHECK ((slug <> ''::text));
ALTER TABLE listings ADD CONSTRAINT listings_slug_key UNIQUE (slug);
ALTER TABLE listings ADD CONSTRAINT listings_time_zone_check CHECK ((time_zone <> ''::text));
ALTER TABLE listings ADD CONSTRAINT listings_weekday_prices_check CHECK ((cardinality(weekday_prices) = 7));
ALTER TABLE night_changes_kept ADD CONSTRAINT night_changes_kept_only_row_check CHECK (only_row);
ALTER TABLE night_changes_kept ADD CONSTRAINT night_changes_kept_pkey PRIMARY KEY (only_row);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check CHECK (((kind = 'block'::text) = (source IS NOT NULL)));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check1 CHECK (((kind = 'block'::text) = (booking_id IS NULL)));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check2 CHECK (((kind = 'confirmed'::text) = (reference IS NOT NULL)));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check3 CHECK ((num_nulls(application_id, booking_kind, booking_id) = ANY (ARRAY[0, 3])));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check4 CHECK (((calendar_id IS NULL) = (event_uid IS NULL)));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_check5 CHECK (((calendar_id IS NULL) OR (source = 'channel'::text)));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_kind_check CHECK ((kind = ANY (ARRAY['held'::text, 'confirmed'::text, 'block'::text])));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE occupancies ADD CONSTRAINT occupancies_pkey PRIMARY KEY (occupancy_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_source_check CHECK ((source = ANY (ARRAY['file'::text, 'staff'::text, 'channel'::text])));
ALTER TABLE portal_links ADD CONSTRAINT portal_links_pkey PRIMARY KEY (link_digest);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (session_digest);
ALTER TABLE processes ADD CONSTRAINT processes_pkey PRIMARY KEY (process_id);
ALTER TABLE promotions ADD CONSTRAINT promotions_check CHECK (((kind = 'amount'::text) = (currency IS NOT NULL)));
ALTER TABLE promotions ADD CONSTRAINT promotions_check1 CHECK (((kind <> 'percent'::text) OR (off <= 10000)));
ALTER TABLE promotions ADD CONSTRAINT promotions_check2 CHECK (((uses >= 0) AND ((max_uses IS NULL) OR (uses <= max_uses))));
ALTER TABLE promotions ADD CONSTRAINT promotions_kind_check CHECK ((kind = ANY (ARRAY['percent'::text, 'amount'::text])));
ALTER TABLE promotions ADD CONSTRAINT promotions_max_uses_check CHECK ((max_uses > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_off_check CHECK ((off > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_pkey PRIMARY KEY (code);
ALTER TABLE quote_sweep ADD CONSTRAINT quote_sweep_only_row_check CHECK (only_row);
ALTER TABLE quote_sweep ADD CONSTRAINT quote_sweep_pkey PRIMARY KEY (only_row);
ALTER TABLE quotes ADD CONSTRAINT quotes_check CHECK (((check_out > check_in) AND ((check_out - check_in) <= 90)));
ALTER TABLE quotes ADD CONSTRAINT quotes_pkey PRIMARY KEY (quote_id, application_id);
ALTER TABLE request_log ADD CONSTRAINT request_log_duration_ms_check CHECK ((duration_ms >= 0));
ALTER TABLE request_log ADD CONSTRAINT request_log_pkey PRIMARY KEY (application_id, at, request_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_pkey PRIMARY KEY (day, application_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_reservations_check CHECK ((reservations >= 0));
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_within_limit CHECK ((reservations <= at_most));
ALTER TABLE reservations ADD CONSTRAINT reservations_announced_change_check CHECK ((announced_change = ANY (ARRAY['cancelled'::text, 'moved_one_day'::text])));
ALTER TABLE reservations ADD CONSTRAINT reservations_booking_id_application_id_kind_key UNIQUE (booking_id, application_id, kind);
ALTER TABLE reservations ADD CONSTRAINT reservations_check CHECK (((state = 'cancelled'::text) = (cancelled_at IS NOT NULL)));
ALTER TABLE reservations ADD CONSTRAINT reservations_check1 CHECK (((announced_change IS NULL) = (announced_for IS NULL)));
ALTER TABLE reservations ADD CONSTRAINT reservations_pkey PRIMARY KEY (reference);
ALTER TABLE reservations ADD CONSTRAINT reservations_refund_minor_check CHECK ((refund_minor >= 0));
ALTER TABLE reservations ADD CONSTRAINT reservations_state_check CHECK ((state = ANY (ARRAY['confirmed'::text, 'cancelled'::text, 'pending'::text])));
ALTER TABLE schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE search_observations ADD CONSTRAINT search_observations_pkey PRIMARY KEY (observation_id);
ALTER TABLE seasons ADD CONSTRAINT seasons_check CHECK ((length(first_night) = length(last_night)));
ALTER TABLE seasons ADD CONSTRAINT seasons_check1 CHECK (((change_percent IS NULL) OR ((nightly IS NULL) AND (weekday_prices IS NULL))));
ALTER TABLE seasons ADD CONSTRAINT seasons_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE seasons ADD CONSTRAINT seasons_nightly_check CHECK ((nightly >= 0));
ALTER TABLE seasons ADD CONSTRAINT seasons_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE seasons ADD CONSTRAINT seasons_weekday_prices_check CHECK ((cardinality(weekday_prices) = 7));
ALTER TABLE signals ADD CONSTRAINT signals_pkey PRIMARY KEY (signal_id, application_id);
ALTER TABLE simulated_attempts ADD CONSTRAINT simulated_attempts_pkey PRIMARY KEY (attempt_id);
ALTER TABLE taxes ADD CONSTRAINT taxes_amount_check CHECK ((amount >= 0));
ALTER TABLE taxes ADD CONSTRAINT taxes_check CHECK (((taxed_parts IS NULL) = (percent IS NULL)));
ALTER TABLE taxes ADD CONSTRAINT taxes_check1 CHECK (((per IS NULL) = (amount IS NULL)));
ALTER TABLE taxes ADD CONSTRAINT taxes_check2 CHECK (((percent IS NULL) <> (amount IS NULL)));
ALTER TABLE taxes ADD CONSTRAINT taxes_max_nights_check CHECK ((max_nights > 0));
ALTER TABLE taxes ADD CONSTRAINT taxes_per_check CHECK ((per = ANY (ARRAY['stay'::text, 'night'::text, 'guest'::text, 'guest_night'::text])));
ALTER TABLE taxes ADD CONSTRAINT taxes_percent_check CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric)));
ALTER TABLE taxes ADD CONSTRAINT taxes_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE taxes ADD CONSTRAINT taxes_stays_up_to_nights_check CHECK ((stays_up_to_nights > 0));
ALTER TABLE taxes ADD CONSTRAINT taxes_taxed_parts_check CHECK ((taxed_parts <@ ARRAY['accommodation'::text, 'cleaning'::text, 'fees'::text]));
ALTER TABLE token_signing_keys ADD CONSTRAINT token_signing_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check CHECK (((sequence IS NULL) = (test_event IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check1 CHECK (((state = 'pending'::text) = (due_at IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check2 CHECK (((state = 'delivered'::text) = (delivered_at IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check3 CHECK (((state = 'pending'::text) OR (NOT leased)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event_once UNIQUE (event_id, endpoint_id);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text])));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check CHECK (((state = 'active'::text) = (state_reason IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check1 CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check2 CHECK (((missed_after IS NULL) = (missed_until IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_event_types_check CHECK ((event_types <@ ARRAY['checkout.resolved'::text, 'reservation.confirmed'::text, 'reservation.cancelled'::text, 'reservation.changed'::text]));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (endpoint_id);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_state_reason_check CHECK ((state_reason = ANY (ARRAY['by_hand'::text, 'failing'::text, 'gone'::text])));
ALTER TABLE application_keys ADD CONSTRAINT application_keys_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE applications ADD CONSTRAINT applications_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_promotion_code_fkey FOREIGN KEY (promotion_code) REFERENCES promotions(code);
ALTER TABLE bookings ADD CONSTRAINT bookings_quote_id_application_id_fkey FOREIGN KEY (quote_id, application_id) REFERENCES quotes(quote_id, application_id);
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_collection_id_catalog_id_fkey FOREIGN KEY (collection_id, catalog_id) REFERENCES collections(collection_id, catalog_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES channel_calendars(calendar_id) ON DELETE CASCADE;
ALTER TABLE collections ADD CONSTRAINT collections_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE event_counters ADD CONSTRAINT event_counters_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE fees ADD CONSTRAINT fees_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES channel_calendars(calendar_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE portal_links ADD CONSTRAINT portal_links_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE promotions ADD CONSTRAINT promotions_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE quotes ADD CONSTRAINT quotes_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE reservations ADD CONSTRAINT reservations_booking_id_application_id_kind_fkey FOREIGN KEY (booking_id, application_id, kind) REFERENCES bookings(booking_id, application_id, kind);
ALTER TABLE search_observations ADD CONSTRAINT search_observations_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE seasons ADD CONSTRAINT seasons_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE signals ADD CONSTRAINT signals_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE taxes ADD CONSTRAINT taxes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);

-- Indexes

CREATE INDEX application_keys_by_application ON public.application_keys USING btree (application_id);
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor, entry_id);
CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (happened_at);
CREATE INDEX audit_entries_by_application ON public.audit_entries USING btree (application_id, entry_id) WHERE (application_id IS NOT NULL);
CREATE INDEX audit_entries_by_reference ON public.audit_entries USING btree (reference, entry_id) WHERE (reference IS NOT NULL);
CREATE INDEX bookings_due ON public.bookings USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX bookings_promotion_held ON public.bookings USING btree (application_id, quote_id) WHERE (promotion_held AND (submitted_at IS NULL));
CREATE INDEX bookings_requests_newest ON public.bookings USING btree (application_id, created_at DESC, booking_id DESC) WHERE (kind = 'request'::text);
CREATE INDEX bookings_uncertain ON public.bookings USING btree (submitted_at) WHERE (state = ANY (ARRAY['uncertain'::text, 'unresolved'::text]));
CREATE INDEX bookings_without_reservation ON public.bookings USING btree (created_at) WHERE ((reference IS NULL) AND (due_at IS NULL) AND (guest_removed_at IS NULL));
CREATE INDEX catalog_listings_by_catalog ON public.catalog_listings USING btree (catalog_id, listing_id);
CREATE INDEX channel_calendars_due ON public.channel_calendars USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX checkout_commands_by_age ON public.checkout_commands USING btree (created_at);
CREATE INDEX events_by_application_and_age ON public.events USING btree (application_id, created_at, sequence);
CREATE INDEX events_of_changes ON public.events USING btree (((data ->> 'reference'::text))) WHERE (type = ANY (ARRAY['reservation.changed'::text, 'reservation.cancelled'::text]));
CREATE INDEX listings_by_revision ON public.listings USING btree (revision, listing_id);
CREATE INDEX night_changes_by_xid ON public.night_changes USING btree (xid);
CREATE INDEX occupancies_blocks ON public.occupancies USING btree (listing_id, lower(nights)) WHERE (kind = 'block'::text);
CREATE INDEX occupancies_by_calendar ON public.occupancies USING btree (calendar_id) WHERE (calendar_id IS NOT NULL);
CREATE INDEX occupancies_held ON public.occupancies USING btree (created_at) WHERE (kind = 'held'::text);
CREATE INDEX portal_links_by_expiry ON public.portal_links USING btree (expires_at);
CREATE INDEX portal_sessions_by_expiry ON public.portal_sessions USING btree (expires_at);
CREATE INDEX promotions_by_catalog ON public.promotions USING btree (catalog_id);
CREATE UNIQUE INDEX promotions_code_without_case ON public.promotions USING btree (upper((code COLLATE pg_c_utf8)));
CREATE INDEX quotes_by_expiry ON public.quotes USING btree (expires_at);
CREATE INDEX request_log_by_age ON public.request_log USING btree (at);
CREATE INDEX reservations_by_check_in ON public.reservations USING btree (check_in, reference);
CREATE INDEX reservations_by_listing ON public.reservations USING btree (listing_id, check_in);
CREATE INDEX reservations_not_confirmed ON public.reservations USING btree (state, check_in, reference) WHERE (state <> 'confirmed'::text);
CREATE INDEX reservations_records_due ON public.reservations USING btree (records_due_at) WHERE (records_due_at IS NOT NULL);
CREATE INDEX search_observations_by_age ON public.search_observations USING btree (observed_at);
CREATE INDEX signals_by_age ON public.signals USING btree (received_at);
CREATE INDEX simulated_attempts_by_age ON public.simulated_attempts USING btree (decided_at) WHERE (known_at IS NOT NULL);
CREATE UNIQUE INDEX token_signing_keys_one_signs ON public.token_signing_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE INDEX webhook_deliveries_exhausted ON public.webhook_deliveries USING btree (application_id, created_at, delivery_id) WHERE (state = 'exhausted'::text);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (application_id, created_at, delivery_id);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, leased, due_at, sequence) WHERE (state = 'pending'::text);
CREATE INDEX webhook_endpoints_by_application ON public.webhook_endpoints USING btree (application_id, created_at);
CREATE INDEX webhook_endpoints_deleted ON public.webhook_endpoints USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

-- Storage

ALTER TABLE bookings SET (fillfactor=80, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE checkout_commands SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE event_counters SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE promotions SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE quotes SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE request_log SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE reservations SET (fillfactor=90, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_attempts SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_deliveries SET (fillfactor=90, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_endpoints SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

-- Triggers

CREATE TRIGGER bookings_final_states BEFORE UPDATE ON public.bookings FOR EACH ROW WHEN ((((old.state = ANY (ARRAY['confirmed'::text, 'failed'::text, 'expired'::text])) AND (new.state <> old.state)) OR (new.version < old.version))) EXECUTE FUNCTION refuse_final_change();
CREATE TRIGGER occupancies_log_delete AFTER DELETE ON public.occupancies REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();
CREATE TRIGGER occupancies_log_insert AFTER INSERT ON public.occupancies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();
CREATE TRIGGER occupancies_log_update AFTER UPDATE OF listing_id, nights ON public.occupancies FOR EACH ROW EXECUTE FUNCTION log_moved_nights();
CREATE TRIGGER reservations_final_states BEFORE UPDATE ON public.reservations FOR EACH ROW WHEN (((new.version < old.version) OR ((old.state = 'cancelled'::text) AND ((new.version > old.version) OR (new.state <> 'cancelled'::text))))) EXECUTE FUNCTION refuse_reservation_change();
CREATE TRIGGER reservations_make_records_due BEFORE UPDATE OF version ON public.reservations FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION make_records_due();
