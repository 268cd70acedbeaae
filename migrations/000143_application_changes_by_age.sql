-- The applications' own entries in the feed of changes, in the order in which they are swept.
CREATE INDEX CONCURRENTLY IF NOT EXISTS application_changes_by_age ON application_changes (changed_at);
