-- The next calendars of a host to read: those that were read before, then the others, each longest due first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_due_of_host
  ON channel_calendars (host, (failures > 0 OR refreshed_at IS NULL), due_at) WHERE due_at IS NOT NULL;

-- Those that are being read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_being_read
  ON channel_calendars (reading_until) WHERE reading_until IS NOT NULL;
