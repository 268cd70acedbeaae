CREATE INDEX CONCURRENTLY IF NOT EXISTS sandbox_deliveries_by_attempt ON sandbox_deliveries (attempt_id)
  WHERE attempt_id IS NOT NULL;
