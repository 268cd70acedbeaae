CREATE INDEX CONCURRENTLY IF NOT EXISTS portal_links_by_person ON portal_links (person_id) WHERE person_id IS NOT NULL;
