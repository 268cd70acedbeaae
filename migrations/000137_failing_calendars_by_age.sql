-- What waits for people of calendars, longest first, however many calendars of one host fail.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_failing_by_age
  ON channel_calendars ((coalesce(failing_since, checked_at, created_at))) WHERE problem IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_shrunk_by_age
  ON channel_calendars (shrunk_since) WHERE problem IS NULL AND shrunk_since IS NOT NULL AND kept_at IS NULL;
