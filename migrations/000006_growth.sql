-- What ten million bookings need: indexes by which sweeps find exactly the rows that are due, and
-- storage that suits rows that change often.

-- The feed finds the oldest event in the window, and the sweep the events that have left it, without
-- passing over any other. It replaces an index on the age alone.
CREATE INDEX events_by_application_and_age ON events (application_id, created_at, sequence);
DROP INDEX events_by_age;

-- How far the sweep of unused quotes has come. A quote that has expired can no longer be used, so each
-- is looked at once: neither the quote nor the booking path keeps a mark for it.
CREATE TABLE quote_sweep (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  looked_until timestamptz NOT NULL
);
INSERT INTO quote_sweep (looked_until) VALUES ('-infinity');

-- When the guest's data of a request that never became a reservation was removed.
ALTER TABLE bookings ADD COLUMN guest_removed_at timestamptz;
-- `due_at IS NULL` keeps what is pending out: a request is never in it unless it fails.
CREATE INDEX bookings_without_reservation ON bookings (created_at)
  WHERE reference IS NULL AND due_at IS NULL AND guest_removed_at IS NULL;

ALTER TABLE checkout_commands ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX checkout_commands_by_age ON checkout_commands (created_at);
CREATE INDEX signals_by_age ON signals (received_at);
CREATE INDEX search_observations_by_age ON search_observations (observed_at);
CREATE INDEX audit_entries_by_age ON audit_entries (happened_at);
-- What the simulated supplier never tells stays: its booking may still ask.
CREATE INDEX simulated_attempts_by_age ON simulated_attempts (decided_at) WHERE known_at IS NOT NULL;

-- Rows that change several times right after they were written leave room for it on their page.
ALTER TABLE bookings SET (fillfactor = 80);
ALTER TABLE reservations SET (fillfactor = 90);
ALTER TABLE webhook_deliveries SET (fillfactor = 90);
-- Few rows that change with every booking or delivery.
ALTER TABLE event_counters SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);
ALTER TABLE promotions SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhook_endpoints SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);

-- One row in a hundred, instead of one in five, is dead or new before PostgreSQL tidies a large table.
ALTER TABLE quotes SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE bookings SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE reservations SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE checkout_commands SET (autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE request_log SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE webhook_attempts SET (autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02);
