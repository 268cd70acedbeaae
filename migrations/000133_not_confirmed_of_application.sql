-- The cancelled reservations of one application: few beside all of its own, and beside those of others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS reservations_not_confirmed_of_application
  ON reservations (application_id, state, check_in, reference) WHERE state <> 'confirmed';
