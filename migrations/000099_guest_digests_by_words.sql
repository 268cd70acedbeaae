CREATE INDEX CONCURRENTLY IF NOT EXISTS guest_digests_by_words ON guest_digests USING gin (words) WHERE words IS NOT NULL;
