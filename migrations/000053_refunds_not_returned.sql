-- The refunds that were refused or sent back, and bind.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_refunds_not_returned ON payment_refunds (payment_id)
  WHERE state IN ('refused', 'failed') AND settled_at IS NULL;
