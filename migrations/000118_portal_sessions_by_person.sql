CREATE INDEX CONCURRENTLY IF NOT EXISTS portal_sessions_by_person ON portal_sessions (person_id) WHERE person_id IS NOT NULL;
