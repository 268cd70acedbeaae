-- What waits for people, longest first, however much waits.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_conflicts_by_age ON channel_conflicts (found_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS reservations_records_refused
  ON reservations (updated_at, reference) WHERE records_due_at IS NOT NULL AND records_problem IS NOT NULL;
