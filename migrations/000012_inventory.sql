-- The operator's own homes: catalogs that share listings, rates and rules in tables, and the nights that
-- are taken. The homes of the simulation are imported again at the next start. The version before this
-- one keeps serving the homes that it has in memory.

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Catalogs -------------------------------------------------------------------------------------

CREATE TABLE catalogs (
  catalog_id uuid PRIMARY KEY DEFAULT uuidv7(),
  slug text NOT NULL UNIQUE CHECK (slug <> ''),
  name text NOT NULL,
  discovery text NOT NULL CHECK (discovery IN ('brand', 'portfolio')),
  policies json NOT NULL,
  standards json NOT NULL,
  -- The revision of `catalog_revision` with which anything in it last changed, and when.
  revision bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO catalogs (slug, name, discovery, policies, standards, revision)
  SELECT slug, name, discovery, policies, standards, 0 FROM site;
-- `000010_catalog_file.sql` has removed the site. Before this migration only the simulation existed, so what
-- belongs to a catalog belongs to its catalog, which the next start imports into this row.
INSERT INTO catalogs (slug, name, discovery, policies, standards, revision)
  SELECT 'alder-and-tarn', 'Alder & Tarn', 'brand', '[]', '[]', 0
  WHERE NOT EXISTS (SELECT FROM catalogs)
    AND (EXISTS (SELECT FROM promotions) OR EXISTS (SELECT FROM applications));

DELETE FROM listings;
DELETE FROM collections;
DROP TABLE site;

-- Every write of the catalog raises the revision itself, once for each transaction.
DROP TRIGGER collections_move_revision ON collections;
DROP TRIGGER listings_move_revision ON listings;
DROP FUNCTION move_catalog_revision();
UPDATE catalog_revision SET revision = revision + 1, changed_at = clock_timestamp();

ALTER TABLE collections
  DROP CONSTRAINT collections_slug_key,
  ADD COLUMN catalog_id uuid NOT NULL REFERENCES catalogs,
  -- It keeps its ID in case it comes back.
  ADD COLUMN withdrawn_at timestamptz,
  ADD UNIQUE (catalog_id, slug),
  ADD UNIQUE (collection_id, catalog_id);

DROP INDEX listings_in_order;
ALTER TABLE listings
  DROP COLUMN position,
  DROP COLUMN collection_id,
  DROP COLUMN rates,
  DROP COLUMN fees,
  DROP COLUMN taxes,
  DROP COLUMN payment,
  DROP COLUMN stay_rules,
  DROP COLUMN party,
  DROP COLUMN cancellation,
  -- The revision with which it, its rules or its place in a catalog last changed.
  ADD COLUMN revision bigint NOT NULL,
  -- Null: a night that no other rule prices has no price.
  ADD COLUMN nightly bigint CHECK (nightly >= 0),
  -- Monday to Sunday; null: as `nightly`.
  ADD COLUMN weekday_prices bigint[] NOT NULL CHECK (cardinality(weekday_prices) = 7),
  ADD COLUMN due_now_percent numeric(5, 2) NOT NULL CHECK (due_now_percent BETWEEN 0 AND 100),
  ADD COLUMN balance_days_before integer NOT NULL CHECK (balance_days_before >= 0),
  ADD COLUMN min_nights integer NOT NULL CHECK (min_nights > 0),
  ADD COLUMN max_nights integer NOT NULL CHECK (max_nights > 0),
  ADD COLUMN arrival_days text[] NOT NULL,
  ADD COLUMN departure_days text[] NOT NULL,
  ADD COLUMN advance_notice_days integer NOT NULL CHECK (advance_notice_days >= 0),
  ADD COLUMN booking_horizon_days integer NOT NULL CHECK (booking_horizon_days >= 0),
  ADD COLUMN children_welcome boolean NOT NULL,
  ADD COLUMN infants_welcome boolean NOT NULL,
  ADD COLUMN max_pets integer NOT NULL CHECK (max_pets >= 0);
CREATE UNIQUE INDEX listings_by_revision ON listings (revision, listing_id);

-- Which catalogs sell a listing. A row stays when the listing is withdrawn, so that it keeps its place.
CREATE TABLE catalog_listings (
  catalog_id uuid NOT NULL REFERENCES catalogs,
  listing_id uuid NOT NULL REFERENCES listings,
  collection_id uuid,
  -- The order of the list; ties are broken by ID.
  position integer NOT NULL,
  withdrawn_at timestamptz,
  PRIMARY KEY (listing_id, catalog_id),
  FOREIGN KEY (collection_id, catalog_id) REFERENCES collections (collection_id, catalog_id)
);
CREATE INDEX catalog_listings_by_catalog ON catalog_listings (catalog_id, listing_id);

-- Rates, fees, taxes and refunds of a listing ----------------------------------------------------

CREATE TABLE seasons (
  listing_id uuid NOT NULL REFERENCES listings,
  place integer NOT NULL,
  name text NOT NULL,
  -- `MM-DD`: every year; `YYYY-MM-DD`: once. Both included.
  first_night text NOT NULL,
  last_night text NOT NULL,
  change_percent numeric(7, 2),
  nightly bigint CHECK (nightly >= 0),
  weekday_prices bigint[] CHECK (cardinality(weekday_prices) = 7),
  min_nights integer CHECK (min_nights > 0),
  arrival_days text[],
  priority integer,
  PRIMARY KEY (listing_id, place),
  CHECK (length(first_night) = length(last_night)),
  CHECK (change_percent IS NULL OR (nightly IS NULL AND weekday_prices IS NULL))
);

CREATE TABLE dated_rates (
  listing_id uuid NOT NULL REFERENCES listings,
  -- Half-open.
  nights daterange NOT NULL CHECK (NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
  nightly bigint CHECK (nightly >= 0),
  min_nights integer CHECK (min_nights > 0),
  arrival_days text[],
  CONSTRAINT dated_rates_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&)
);

CREATE TABLE length_discounts (
  listing_id uuid NOT NULL REFERENCES listings,
  min_nights integer NOT NULL CHECK (min_nights > 0),
  label text NOT NULL,
  percent numeric(5, 2) NOT NULL CHECK (percent BETWEEN 0 AND 100),
  PRIMARY KEY (listing_id, min_nights)
);

CREATE TABLE fees (
  listing_id uuid NOT NULL REFERENCES listings,
  place integer NOT NULL,
  label text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('cleaning', 'fee')),
  per text NOT NULL CHECK (per IN ('stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night')),
  amount bigint NOT NULL CHECK (amount >= 0),
  from_guest integer CHECK (from_guest > 0),
  taxed boolean,
  PRIMARY KEY (listing_id, place)
);

CREATE TABLE taxes (
  listing_id uuid NOT NULL REFERENCES listings,
  place integer NOT NULL,
  label text NOT NULL,
  -- Either a percentage of these parts …
  taxed_parts text[] CHECK (taxed_parts <@ ARRAY['accommodation', 'cleaning', 'fees']),
  percent numeric(5, 2) CHECK (percent BETWEEN 0 AND 100),
  -- … or an amount for each of these.
  per text CHECK (per IN ('stay', 'night', 'guest', 'guest_night')),
  amount bigint CHECK (amount >= 0),
  adults_only boolean,
  max_nights integer CHECK (max_nights > 0),
  stays_up_to_nights integer CHECK (stays_up_to_nights > 0),
  PRIMARY KEY (listing_id, place),
  CHECK ((taxed_parts IS NULL) = (percent IS NULL)),
  CHECK ((per IS NULL) = (amount IS NULL)),
  CHECK ((percent IS NULL) <> (amount IS NULL))
);

CREATE TABLE cancellation_rules (
  listing_id uuid NOT NULL REFERENCES listings,
  days_before integer NOT NULL CHECK (days_before >= 0),
  refund_percent numeric(5, 2) NOT NULL CHECK (refund_percent BETWEEN 0 AND 100),
  PRIMARY KEY (listing_id, days_before)
);

ALTER TABLE promotions
  -- A code is unique in the installation, and applies to the homes of one catalog.
  ADD COLUMN catalog_id uuid REFERENCES catalogs,
  ADD COLUMN withdrawn_at timestamptz;
UPDATE promotions SET catalog_id = (SELECT catalog_id FROM catalogs);
ALTER TABLE promotions ALTER COLUMN catalog_id SET NOT NULL;
CREATE INDEX promotions_by_catalog ON promotions (catalog_id);

-- Nights that are taken ---------------------------------------------------------------------------

-- A stay or a block. A guest's stay is `held` while its booking is on its way, and `confirmed` as long as
-- its reservation exists; its ID is the attempt of the booking. Always inserted with ON CONFLICT DO
-- NOTHING: a plain insert on a busy home ends in deadlocks. A statement that inserts several rows inserts
-- them in the order of listing and first night, so that two such statements do not wait for each other.
CREATE TABLE occupancies (
  occupancy_id uuid PRIMARY KEY DEFAULT uuidv7(),
  listing_id uuid NOT NULL REFERENCES listings,
  -- Half-open.
  nights daterange NOT NULL CHECK (NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
  kind text NOT NULL CHECK (kind IN ('held', 'confirmed', 'block')),
  -- The booking of a stay.
  application_id uuid,
  booking_kind text,
  booking_id uuid,
  -- Of a confirmed stay: its reservation.
  reference text,
  -- Where a block comes from, and why.
  source text CHECK (source IN ('file', 'staff', 'channel')),
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Never two guests in one night.
  CONSTRAINT occupancies_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&),
  CHECK ((kind = 'block') = (source IS NOT NULL)),
  CHECK ((kind = 'block') = (booking_id IS NULL)),
  CHECK ((kind = 'confirmed') = (reference IS NOT NULL)),
  CHECK (num_nulls(application_id, booking_kind, booking_id) IN (0, 3))
);
CREATE INDEX occupancies_held ON occupancies (created_at) WHERE kind = 'held';
CREATE INDEX occupancies_blocks ON occupancies (listing_id, lower(nights)) WHERE kind = 'block';

-- Applications ------------------------------------------------------------------------------------

ALTER TABLE applications
  ADD COLUMN catalog_id uuid REFERENCES catalogs,
  -- Changes the price of every night. Spec: the catalog file, A night's price, 4.
  ADD COLUMN adjust_percent numeric(7, 2) NOT NULL DEFAULT 0 CHECK (adjust_percent BETWEEN -100 AND 1000),
  -- Null: no limit.
  ADD COLUMN reservations_per_day integer CHECK (reservations_per_day >= 0);
UPDATE applications SET catalog_id = (SELECT catalog_id FROM catalogs);
ALTER TABLE applications ALTER COLUMN catalog_id SET NOT NULL;

-- How many reservations of an application with a daily limit count for a day in UTC.
CREATE TABLE reservation_days (
  application_id uuid NOT NULL REFERENCES applications,
  day date NOT NULL,
  reservations integer NOT NULL CHECK (reservations >= 0),
  -- The limit when a reservation was last counted; null: none.
  at_most integer,
  PRIMARY KEY (day, application_id),
  CONSTRAINT reservation_days_within_limit CHECK (reservations <= at_most)
);
-- The day for which a booking counts; null: none.
ALTER TABLE bookings ADD COLUMN counted_on date;

-- Reservations in staff's hands -------------------------------------------------------------------

ALTER TABLE reservations
  -- Rises with every change by staff or supplier: two changes at once cannot both apply.
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- What staff decided to refund at a cancellation, in minor units of the charges' currency.
  ADD COLUMN refund_minor bigint CHECK (refund_minor >= 0);
-- Lists of staff: by day of arrival, and by home.
CREATE INDEX reservations_by_check_in ON reservations (check_in, reference);
CREATE INDEX reservations_by_listing ON reservations (listing_id, check_in);

ALTER TABLE audit_entries ADD COLUMN reference text;
CREATE INDEX audit_entries_by_reference ON audit_entries (reference, entry_id) WHERE reference IS NOT NULL;
CREATE INDEX audit_entries_by_application ON audit_entries (application_id, entry_id) WHERE application_id IS NOT NULL;
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, entry_id);
CREATE INDEX bookings_uncertain ON bookings (submitted_at) WHERE state IN ('uncertain', 'unresolved');
