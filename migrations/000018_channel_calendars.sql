-- Calendars of other channels: which nights they block, what collides, and the addresses of our own calendars.

CREATE TABLE channel_calendars (
  calendar_id uuid PRIMARY KEY DEFAULT uuidv7(),
  listing_id uuid NOT NULL REFERENCES listings,
  -- Either a URL that is polled, sealed because it usually contains a secret, or a file by its name.
  url_sealed bytea,
  file_name text,
  -- A keyed digest of either: a listing has a calendar once.
  source_digest bytea NOT NULL,
  -- When it is read next; a claim moves it to the end of its lease. Null: a file.
  due_at timestamptz,
  -- Rises with every claim: a late worker writes nothing.
  fence bigint NOT NULL DEFAULT 0,
  -- Of the content that was read last, to ask for it only if it has changed.
  etag text,
  last_modified text,
  -- The last attempt, the last success, and the last time that the content itself was read.
  checked_at timestamptz,
  refreshed_at timestamptz,
  read_at timestamptz,
  -- Attempts that failed since the last success; why the last one failed, with its detail.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failing_since timestamptz,
  problem text,
  problem_detail text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (listing_id, source_digest),
  CHECK (num_nonnulls(url_sealed, file_name) = 1),
  CHECK ((due_at IS NULL) = (url_sealed IS NULL)),
  CHECK ((problem IS NULL) = (failing_since IS NULL)),
  CHECK ((problem IS NULL) = (failures = 0))
);
CREATE INDEX channel_calendars_due ON channel_calendars (due_at) WHERE due_at IS NOT NULL;

-- The calendar and the event that a block comes from.
ALTER TABLE occupancies
  ADD COLUMN calendar_id uuid REFERENCES channel_calendars,
  ADD COLUMN event_uid text,
  -- How often a stay was moved, and when last: the revision of its event in our calendar.
  ADD COLUMN moves integer NOT NULL DEFAULT 0,
  ADD COLUMN moved_at timestamptz,
  ADD CHECK ((calendar_id IS NULL) = (event_uid IS NULL)),
  ADD CHECK (calendar_id IS NULL OR source = 'channel');
CREATE INDEX occupancies_by_calendar ON occupancies (calendar_id) WHERE calendar_id IS NOT NULL;

-- Nights of an event that could not be blocked, because a stay or another block has them.
CREATE TABLE channel_conflicts (
  calendar_id uuid NOT NULL REFERENCES channel_calendars ON DELETE CASCADE,
  -- Half-open.
  nights daterange NOT NULL CHECK (NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
  event_uid text NOT NULL,
  -- What has the nights; it may be gone by now. A confirmed stay also has its reference.
  occupancy_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('held', 'confirmed', 'block')),
  reference text,
  found_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (calendar_id, nights),
  CHECK ((kind = 'confirmed') = (reference IS NOT NULL))
);

-- The secret address of a listing's own calendar. The secret is derived from the nonce, and found by its digest.
CREATE TABLE calendar_addresses (
  listing_id uuid PRIMARY KEY REFERENCES listings,
  nonce bytea NOT NULL,
  digest bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);
