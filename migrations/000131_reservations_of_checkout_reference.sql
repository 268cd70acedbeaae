-- Of the checkouts with one reference of the partner, those that were confirmed last.
CREATE INDEX CONCURRENTLY IF NOT EXISTS bookings_newest_of_checkout_reference
  ON bookings (application_id, checkout_reference, resolved_at DESC, reference DESC)
  WHERE checkout_reference IS NOT NULL;
