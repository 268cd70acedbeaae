CREATE INDEX CONCURRENTLY IF NOT EXISTS reservations_newest_of_application ON reservations (application_id, confirmed_at DESC, reference DESC)
