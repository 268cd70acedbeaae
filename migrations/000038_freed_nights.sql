-- Nights that another channel has sold, and that become free here, are blocked in the transaction that frees
-- them. A trigger does it, so no way to free nights can forget it, also not the version before this one.

CREATE FUNCTION block_freed_nights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  conflict record;
  free datemultirange;
BEGIN
  -- Waits for a refresh in progress, whose conflicts are then seen. A calendar that is removed meanwhile is not
  -- found below. Transactions that free nights do not wait for each other.
  PERFORM FROM channel_calendars WHERE listing_id = OLD.listing_id ORDER BY calendar_id FOR KEY SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
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

-- At the end of the transaction: nights that it has taken again, such as those of a moved stay or of the next
-- import of a file, are not free.
CREATE CONSTRAINT TRIGGER occupancies_freed AFTER DELETE OR UPDATE OF listing_id, nights ON occupancies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION block_freed_nights();
