-- As in the migration before, for the nights.
CREATE FUNCTION occupancy_is_sound(o occupancies) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN o.kind IN ('held', 'confirmed', 'block')
    AND (o.kind = 'block') = (o.source IS NOT NULL)
    AND (o.kind = 'block') = (o.booking_id IS NULL)
    AND (o.kind = 'confirmed') = (o.reference IS NOT NULL)
    AND num_nulls(o.application_id, o.booking_kind, o.booking_id) IN (0, 3)
    AND (o.calendar_id IS NULL) = (o.event_uid IS NULL)
    AND (o.calendar_id IS NULL OR o.source IS NULL OR o.source = 'channel')
    AND (o.source IS NULL OR o.source IN ('file', 'staff', 'channel', 'outside'))
    AND (o.outside_stay_id IS NOT NULL) = (o.source IS NOT DISTINCT FROM 'outside')
    AND NOT isempty(o.nights) AND NOT lower_inf(o.nights) AND NOT upper_inf(o.nights);
END $$;
ALTER TABLE occupancies
  DROP CONSTRAINT occupancies_check, DROP CONSTRAINT occupancies_check1, DROP CONSTRAINT occupancies_check2,
  DROP CONSTRAINT occupancies_check3, DROP CONSTRAINT occupancies_check4, DROP CONSTRAINT occupancies_check5,
  DROP CONSTRAINT occupancies_kind_check, DROP CONSTRAINT occupancies_nights_check,
  DROP CONSTRAINT occupancies_outside_check, DROP CONSTRAINT occupancies_source_check,
  ADD CONSTRAINT occupancies_sound CHECK (occupancy_is_sound(occupancies)) NOT VALID;
