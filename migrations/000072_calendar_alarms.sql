-- The nights of each outside stay.
CREATE INDEX CONCURRENTLY IF NOT EXISTS occupancies_by_outside_stay ON occupancies (outside_stay_id)
  WHERE outside_stay_id IS NOT NULL;

-- Calendars of which staff must know: the shrunk ones, and those that were not read for long.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_shrunk ON channel_calendars (calendar_id)
  WHERE shrunk_since IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_by_last_read
  ON channel_calendars (coalesce(refreshed_at, created_at)) WHERE url_sealed IS NOT NULL;

-- Conflicts that are not over.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_conflicts_by_end ON channel_conflicts (upper(nights));
