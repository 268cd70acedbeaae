CREATE INDEX CONCURRENTLY IF NOT EXISTS guest_digests_without_words ON guest_digests (booking_id) WHERE words IS NULL;
