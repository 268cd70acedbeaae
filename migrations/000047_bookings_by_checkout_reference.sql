CREATE INDEX CONCURRENTLY IF NOT EXISTS bookings_by_checkout_reference ON bookings (application_id, checkout_reference) WHERE checkout_reference IS NOT NULL
