-- The rows of the ledger that move an amount, by time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_entries_by_time ON payment_entries (at, entry_id)
  WHERE debit IS NOT NULL;
