-- Who gets nights that become free does not depend on today: a clock that is wrong for a moment, years ahead, would leave
-- nights that were sold elsewhere free.

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
      WHERE listing_id = OLD.listing_id AND nights && OLD.nights
      ORDER BY created_at, outside_stay_id) wanting;
  END IF;
  IF NOT has_calendars THEN RETURN NULL; END IF;
  FOR conflict IN
    SELECT k.* FROM channel_calendars c JOIN channel_conflicts k ON k.calendar_id = c.calendar_id
    WHERE c.listing_id = OLD.listing_id AND k.nights && OLD.nights
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
