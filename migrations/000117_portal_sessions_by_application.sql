CREATE INDEX CONCURRENTLY IF NOT EXISTS portal_sessions_by_application ON portal_sessions (application_id);
