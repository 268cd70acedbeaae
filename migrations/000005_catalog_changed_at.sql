-- When the catalog last changed, kept with its revision: every process shows the same instant, and so
-- the same bytes. It never goes back, also when the clock does.

ALTER TABLE catalog_revision ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();

CREATE OR REPLACE FUNCTION move_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE catalog_revision SET revision = revision + 1, changed_at = greatest(changed_at, clock_timestamp());
  RETURN NULL;
END $$;
