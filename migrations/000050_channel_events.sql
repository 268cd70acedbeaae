-- What each calendar of another channel shows, and what its last reads mean.

ALTER TABLE channel_calendars
  -- The last read in which nothing can have been lost, and the last one that was understood at all.
  ADD COLUMN whole_at timestamptz,
  ADD COLUMN seen_at timestamptz,
  -- What was wrong in the last read: [{ line, uid, problem, detail }].
  ADD COLUMN problems json NOT NULL DEFAULT '[]',
  -- The first of the whole reads in a row in which too many events were missing. Null: the last one was not so.
  ADD COLUMN shrunk_since timestamptz,
  -- When a person has said that the nights stay taken all the same.
  ADD COLUMN kept_at timestamptz,
  -- How the channel means what it writes.
  ADD COLUMN ignored_summaries text[] NOT NULL DEFAULT '{}',
  ADD COLUMN event_end text NOT NULL DEFAULT 'checkout' CHECK (event_end IN ('checkout', 'night')),
  ADD COLUMN free_events text NOT NULL DEFAULT 'ignore' CHECK (free_events IN ('ignore', 'count')),
  -- The system whose outside stays the events are.
  ADD COLUMN outside_source text,
  -- Until the next whole read, which then takes effect at once.
  ADD COLUMN options_changed boolean NOT NULL DEFAULT false,
  -- The channel has asked for its export of the home last: it does not have what was taken after that.
  ADD COLUMN fetched_at timestamptz,
  ADD CHECK (kept_at IS NULL OR shrunk_since IS NOT NULL);

CREATE TABLE channel_events (
  calendar_id uuid NOT NULL REFERENCES channel_calendars ON DELETE CASCADE,
  -- Half-open.
  nights daterange NOT NULL CHECK (NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
  event_uid text NOT NULL,
  -- May hold the name of a guest. Null: none.
  summary_sealed bytea,
  state text NOT NULL CHECK (state IN ('taken', 'conflict', 'missing', 'echo', 'ignored')),
  reason text,
  -- References of the stays that an echo copies.
  copy_of text,
  first_seen_at timestamptz NOT NULL,
  -- Null: the last read that was understood has shown it.
  last_seen_at timestamptz,
  -- The first whole read without it.
  missing_since timestamptz,
  PRIMARY KEY (calendar_id, nights, event_uid),
  CHECK ((state = 'missing') = (missing_since IS NOT NULL))
);

-- They are kept for 30 days after their last night.
CREATE INDEX channel_events_by_end ON channel_events (upper(nights));
