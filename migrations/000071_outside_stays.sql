-- Nights that were sold elsewhere, as the system that sold them says.

CREATE TABLE outside_stays (
  outside_stay_id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- The system, and its own name of the stay.
  source text NOT NULL CHECK (source ~ '^[a-z0-9-]{1,40}$'),
  external_id text NOT NULL CHECK (char_length(external_id) BETWEEN 1 AND 200),
  listing_id uuid NOT NULL REFERENCES listings,
  -- Half-open. Those of them that nothing else has are rows of `occupancies`; the others are its conflicts.
  nights daterange NOT NULL CHECK (NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- How often it was moved, and when last.
  moves integer NOT NULL DEFAULT 0,
  moved_at timestamptz,
  -- Whether something else had some of its nights when they were told. It may be over by now.
  contested boolean NOT NULL DEFAULT false,
  UNIQUE (source, external_id)
);
CREATE INDEX outside_stays_of_home ON outside_stays USING gist (listing_id, nights);
CREATE INDEX outside_stays_contested ON outside_stays (upper(nights)) WHERE contested;

-- Homes that have or had outside stays. A change of them locks its row, and so does whoever frees nights of the home:
-- either sees the other. The row is committed before the first change.
CREATE TABLE outside_homes (
  listing_id uuid PRIMARY KEY REFERENCES listings
);

ALTER TABLE occupancies ADD COLUMN outside_stay_id uuid REFERENCES outside_stays;
ALTER TABLE occupancies DROP CONSTRAINT occupancies_source_check;
-- They are validated by the next migration, without a lock.
ALTER TABLE occupancies
  ADD CONSTRAINT occupancies_source_check CHECK (source IN ('file', 'staff', 'channel', 'outside')) NOT VALID,
  ADD CONSTRAINT occupancies_outside_check
    CHECK ((outside_stay_id IS NOT NULL) = (source IS NOT DISTINCT FROM 'outside')) NOT VALID;

-- Takes the nights of an outside stay within a range that nothing else has. The first part has the name of the stay,
-- so that its event in our calendars keeps its own.
CREATE FUNCTION take_outside_nights(stay uuid, within daterange) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  free datemultirange;
BEGIN
  SELECT * INTO asked FROM outside_stays WHERE outside_stay_id = stay;
  LOOP
    free := datemultirange(asked.nights * within) - coalesce((
      SELECT range_agg(nights) FROM occupancies
      WHERE listing_id = asked.listing_id AND nights && (asked.nights * within)), '{}');
    EXIT WHEN isempty(free);
    -- What somebody else takes meanwhile is seen by the next look.
    INSERT INTO occupancies
        (occupancy_id, listing_id, nights, kind, source, reason, outside_stay_id, moves, moved_at)
      SELECT CASE WHEN place = 1 AND NOT EXISTS (SELECT FROM occupancies WHERE occupancy_id = stay)
          THEN stay ELSE uuidv7() END,
        asked.listing_id, part, 'block', 'outside', asked.reason, stay, asked.moves, asked.moved_at
      FROM unnest(free) WITH ORDINALITY AS parts (part, place) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;

-- What becomes free belongs to the outside stays that want it, then to the calendars that do.
CREATE OR REPLACE FUNCTION block_freed_nights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  conflict record;
  free datemultirange;
  has_calendars boolean;
  has_outside_stays boolean;
BEGIN
  -- Waits for a refresh or a change of outside stays in progress, whose conflicts are then seen. A calendar that is
  -- removed meanwhile is not found below. Transactions that free nights do not wait for each other.
  PERFORM FROM channel_calendars WHERE listing_id = OLD.listing_id ORDER BY calendar_id FOR KEY SHARE;
  has_calendars := FOUND;
  PERFORM FROM outside_homes WHERE listing_id = OLD.listing_id FOR KEY SHARE;
  has_outside_stays := FOUND;
  IF has_outside_stays THEN
    PERFORM take_outside_nights(outside_stay_id, OLD.nights) FROM (
      SELECT outside_stay_id FROM outside_stays
      WHERE listing_id = OLD.listing_id AND nights && OLD.nights AND upper(nights) > current_date
      ORDER BY created_at, outside_stay_id) wanting;
  END IF;
  IF NOT has_calendars THEN RETURN NULL; END IF;
  FOR conflict IN
    SELECT k.* FROM channel_calendars c JOIN channel_conflicts k ON k.calendar_id = c.calendar_id
    WHERE c.listing_id = OLD.listing_id AND k.nights && OLD.nights AND upper(k.nights) > current_date
    ORDER BY k.calendar_id, k.nights
  LOOP
    -- Only nights that this transaction has freed: nobody else can have taken them, so nothing waits here.
    free := datemultirange(conflict.nights * OLD.nights) - coalesce((
      SELECT range_agg(nights) FROM occupancies
      WHERE listing_id = OLD.listing_id AND nights && conflict.nights), '{}');
    CONTINUE WHEN isempty(free);
    INSERT INTO occupancies (listing_id, nights, kind, source, calendar_id, event_uid)
      SELECT OLD.listing_id, part, 'block', 'channel', conflict.calendar_id, conflict.event_uid
      FROM unnest(free) AS part ON CONFLICT DO NOTHING;
    DELETE FROM channel_conflicts WHERE calendar_id = conflict.calendar_id AND nights = conflict.nights;
    INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind, reference, found_at)
      SELECT conflict.calendar_id, part, conflict.event_uid, conflict.occupancy_id, conflict.kind,
        conflict.reference, conflict.found_at
      FROM unnest(datemultirange(conflict.nights) - free) AS part ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END $$;
