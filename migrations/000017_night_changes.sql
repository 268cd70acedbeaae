-- The log from which processes learn which nights have changed. Triggers write it, so it also contains what
-- the version before this one changes.

-- Nights of a home that a transaction has changed. A reader remembers the snapshot of its last read, and reads
-- the rows of all transactions that this snapshot does not contain. So it misses nothing, whatever the order
-- of commits, and a long transaction does not delay the others.
CREATE TABLE night_changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  listing_id uuid NOT NULL,
  -- Half-open; the changed nights are within.
  nights daterange NOT NULL
);
CREATE INDEX night_changes_by_xid ON night_changes (xid);

-- Rows of `night_changes` are removed when every transaction of at least ten minutes ago is older than they are.
CREATE TABLE night_changes_kept (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Rows of older transactions may be gone.
  since xid8 NOT NULL,
  -- The next value of `since`, and when it was taken.
  next_since xid8 NOT NULL,
  next_at timestamptz NOT NULL
);
INSERT INTO night_changes_kept (since, next_since, next_at)
  SELECT horizon, horizon, now() FROM pg_snapshot_xmin(pg_current_snapshot()) AS horizon;

-- A statement that changes many nights of a home logs one row for it.
CREATE FUNCTION log_changed_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    SELECT listing_id, daterange(min(lower(nights)), max(upper(nights))) FROM changed GROUP BY listing_id;
  RETURN NULL;
END $$;
CREATE TRIGGER occupancies_log_insert AFTER INSERT ON occupancies
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();
CREATE TRIGGER occupancies_log_delete AFTER DELETE ON occupancies
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();

-- Confirming a stay assigns neither column, so it costs nothing.
CREATE FUNCTION log_moved_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (OLD.listing_id, OLD.nights), (NEW.listing_id, NEW.nights);
  RETURN NULL;
END $$;
CREATE TRIGGER occupancies_log_update AFTER UPDATE OF listing_id, nights ON occupancies
  FOR EACH ROW EXECUTE FUNCTION log_moved_nights();
