CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_due_by_host ON channel_calendars (host, due_at) WHERE due_at IS NOT NULL
