-- The entries of the audit trail with an action, in order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entries_by_action ON audit_entries (action, entry_id);
