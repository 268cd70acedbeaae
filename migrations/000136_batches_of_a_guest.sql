-- The bookings of one guest, some at a time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS guest_digests_of_email
  ON guest_digests (email, booking_id, application_id, kind) WHERE email IS NOT NULL;
