-- A dump is restored into another database of the same server, which has the same identity, timeline and start. So the
-- database counts, too.
ALTER TABLE installation
  -- The database that the last start has looked at; null: it was a start of an earlier version.
  ADD COLUMN database_oid oid;

CREATE OR REPLACE FUNCTION may_move_money() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  current record;
BEGIN
  SELECT i.outside_off, i.server_started_at, i.database_oid, e.adopted_at INTO current
    FROM installation i CROSS JOIN LATERAL (SELECT adopted_at FROM epochs ORDER BY epoch DESC LIMIT 1) e;
  IF NOT FOUND THEN RETURN NOT EXISTS (SELECT FROM installation WHERE outside_off); END IF;
  RETURN NOT current.outside_off AND current.adopted_at IS NOT NULL
    AND current.server_started_at = pg_postmaster_start_time()
    AND NOT EXISTS (SELECT FROM pg_database
      WHERE datname = current_database() AND oid <> current.database_oid);
END $$;
