-- The newest requests of a state: of an application, and of all.
CREATE INDEX CONCURRENTLY IF NOT EXISTS change_requests_of_application_and_state
  ON change_requests (application_id, state, created_at, change_request_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS change_requests_of_state
  ON change_requests (state, created_at, application_id, change_request_id);
