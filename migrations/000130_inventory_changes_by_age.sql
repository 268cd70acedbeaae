-- The oldest entries of the feed of changes, which are removed by age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS inventory_changes_by_age ON inventory_changes (changed_at);
