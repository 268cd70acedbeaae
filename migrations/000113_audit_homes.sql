-- The homes that an entry of the audit trail is about, so that staff find by home who changed a price.
CREATE TABLE audit_homes (
  listing text NOT NULL,
  entry_id bigint NOT NULL REFERENCES audit_entries ON DELETE CASCADE,
  PRIMARY KEY (listing, entry_id)
);

INSERT INTO audit_homes (listing, entry_id)
SELECT DISTINCT named.listing, e.entry_id FROM audit_entries e
CROSS JOIN LATERAL (
  SELECT e.details ->> 'listing' AS listing
  UNION SELECT jsonb_path_query(e.details, '$.*[*].listing') #>> '{}'
) named
WHERE named.listing IS NOT NULL;

-- The entries of a home are removed with them.
CREATE INDEX audit_homes_by_entry ON audit_homes (entry_id);
