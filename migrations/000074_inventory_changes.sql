-- The feed of what has changed in homes, prices, rules and nights, so that a partner can keep a copy. Triggers log what a
-- transaction changes, so nothing that could be read is missing, also when the version before this one changes it. A
-- background task numbers it after the commit, so no transaction waits for a counter.

-- What `listings.revision` has changed in the home; of another revision: everything may have changed.
ALTER TABLE listings
  ADD COLUMN changed_revision bigint,
  ADD COLUMN changed_kinds text[],
  ADD COLUMN changed_nights daterange;

-- Committed changes that have no number yet. No IDs at all: everything in every catalog.
CREATE TABLE pending_changes (
  listing_id uuid,
  -- With a home: its place in this catalog. Without: all homes of the catalog.
  catalog_id uuid,
  -- What only this application reads otherwise than before.
  application_id uuid,
  -- Null: everything about the home may have changed.
  kinds text[],
  -- Half-open; null: not known, or not about nights.
  nights daterange
);

CREATE TABLE change_feed (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Rises with each numbering.
  run bigint NOT NULL,
  -- What is told: the numbers of this run and of those before. Those of the next one wait until every reader has them.
  told_run bigint NOT NULL,
  -- Rises with each new reader, so that nothing is told that it does not have.
  joins bigint NOT NULL,
  CHECK (told_run BETWEEN run - 1 AND run)
);
INSERT INTO change_feed (run, told_run, joins) VALUES (0, 0, 0);

-- The processes that answer partners from memory.
CREATE TABLE feed_readers (
  reader_id uuid PRIMARY KEY,
  -- It has read everything that was numbered until this run.
  run bigint NOT NULL,
  -- Rises while it lives. Others compare it by their own clocks.
  beats bigint NOT NULL
);

CREATE TABLE change_counters (
  -- Nil: the sequence of the installation.
  catalog_id uuid PRIMARY KEY,
  numbered bigint NOT NULL,
  told bigint NOT NULL,
  CHECK (told <= numbered)
);
INSERT INTO change_counters (catalog_id, numbered, told)
  SELECT catalog_id, 0, 0 FROM catalogs
  UNION ALL SELECT '00000000-0000-0000-0000-000000000000', 0, 0;

CREATE TABLE inventory_changes (
  catalog_id uuid NOT NULL,
  -- Counts the changes of the catalog.
  sequence bigint NOT NULL,
  -- When it was numbered: after its commit.
  changed_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('added', 'content', 'rates', 'rules', 'availability', 'removed')),
  -- Null: every home of the catalog.
  listing_id uuid,
  nights daterange,
  -- Counts the changes of the installation; null: the same change of another catalog has the number.
  installation_sequence bigint,
  PRIMARY KEY (catalog_id, sequence)
);
CREATE UNIQUE INDEX inventory_changes_of_installation ON inventory_changes (installation_sequence)
  WHERE installation_sequence IS NOT NULL;

-- Where the changes of a catalog stand in the feed of an application: those after `catalog_sequence` follow `sequence`.
-- Nothing is copied per application.
CREATE TABLE application_changes (
  application_id uuid NOT NULL,
  sequence bigint NOT NULL,
  run bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  -- Null: only the beginning of the feed.
  kind text CHECK (kind IN ('added', 'rates', 'removed')),
  catalog_id uuid NOT NULL,
  catalog_sequence bigint NOT NULL,
  PRIMARY KEY (application_id, sequence),
  CHECK ((kind IS NULL) = (sequence = 0))
);
INSERT INTO application_changes (application_id, sequence, run, changed_at, catalog_id, catalog_sequence)
  SELECT application_id, 0, 0, now(), catalog_id, 0 FROM applications;

CREATE INDEX application_changes_by_run ON application_changes (run);

-- Nights: of bookings, blocks, channels, outside stays, and of another preparation.
CREATE FUNCTION log_nights_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT listing_id, '{availability}', daterange(min(lower(nights)), max(upper(nights))) FROM changed GROUP BY listing_id;
  RETURN NULL;
END $$;
CREATE TRIGGER night_changes_for_feed AFTER INSERT ON night_changes
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_nights_for_feed();

-- Homes: processes read a home again when its revision rises, and for no other reason.
CREATE FUNCTION log_homes_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT n.listing_id, CASE WHEN n.changed_revision = n.revision THEN n.changed_kinds END,
      CASE WHEN n.changed_revision = n.revision THEN n.changed_nights END
    FROM changed n JOIN earlier o USING (listing_id)
    WHERE n.revision <> o.revision AND (n.changed_revision IS DISTINCT FROM n.revision OR n.changed_kinds <> '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER listings_for_feed AFTER UPDATE ON listings
  REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_homes_for_feed();

-- Places of homes in catalogs.
CREATE FUNCTION log_new_places_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT listing_id, catalog_id, '{added}' FROM changed WHERE withdrawn_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER catalog_listings_new_for_feed AFTER INSERT ON catalog_listings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_new_places_for_feed();

CREATE FUNCTION log_places_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT n.listing_id, n.catalog_id,
      CASE WHEN n.withdrawn_at IS NOT NULL THEN '{removed}'::text[]
        WHEN o.withdrawn_at IS NOT NULL THEN '{added}'::text[] ELSE '{content}'::text[] END
    FROM changed n JOIN earlier o USING (listing_id, catalog_id)
    WHERE (n.withdrawn_at IS NULL) <> (o.withdrawn_at IS NULL)
      OR (n.withdrawn_at IS NULL
        AND (n.position <> o.position OR n.collection_id IS DISTINCT FROM o.collection_id));
  RETURN NULL;
END $$;
CREATE TRIGGER catalog_listings_for_feed AFTER UPDATE ON catalog_listings
  REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_places_for_feed();

CREATE FUNCTION log_lost_places_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT listing_id, catalog_id, '{removed}' FROM changed WHERE withdrawn_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER catalog_listings_lost_for_feed AFTER DELETE ON catalog_listings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_lost_places_for_feed();

-- What a catalog says of itself, its collections, and the policy of all its homes.
CREATE FUNCTION log_catalog_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (catalog_id, kinds) VALUES (coalesce(NEW.catalog_id, OLD.catalog_id), '{content}');
  RETURN NULL;
END $$;
CREATE TRIGGER catalogs_for_feed AFTER UPDATE ON catalogs FOR EACH ROW
  WHEN (OLD.slug <> NEW.slug OR OLD.name <> NEW.name OR OLD.discovery <> NEW.discovery
    OR OLD.policies::text <> NEW.policies::text OR OLD.standards::text <> NEW.standards::text
    OR OLD.trader::text IS DISTINCT FROM NEW.trader::text)
  EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER collections_new_for_feed AFTER INSERT ON collections FOR EACH ROW EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER collections_for_feed AFTER UPDATE ON collections FOR EACH ROW
  WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER collections_lost_for_feed AFTER DELETE ON collections FOR EACH ROW EXECUTE FUNCTION log_catalog_for_feed();

-- The policy is part of the terms of all homes, so their rules change, too.
CREATE FUNCTION log_policy_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (catalog_id, kinds) VALUES (NEW.catalog_id, '{content,rules}');
  RETURN NULL;
END $$;
CREATE TRIGGER catalogs_policy_for_feed AFTER UPDATE ON catalogs FOR EACH ROW
  WHEN (OLD.cancellation_text::text IS DISTINCT FROM NEW.cancellation_text::text) EXECUTE FUNCTION log_policy_for_feed();

-- What one application reads: its catalog and its channel adjustment.
CREATE FUNCTION log_application_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (application_id, kinds) VALUES (NEW.application_id, '{rates}');
  RETURN NULL;
END $$;
CREATE TRIGGER applications_new_for_feed AFTER INSERT ON applications FOR EACH ROW EXECUTE FUNCTION log_application_for_feed();
CREATE TRIGGER applications_for_feed AFTER UPDATE ON applications FOR EACH ROW
  WHEN (OLD.catalog_id <> NEW.catalog_id OR OLD.adjust_percent <> NEW.adjust_percent)
  EXECUTE FUNCTION log_application_for_feed();

-- A new epoch may have lost what partners have read.
CREATE FUNCTION log_epoch_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO pending_changes (kinds) VALUES ('{added}');
  RETURN NULL;
END $$;
CREATE TRIGGER epochs_for_feed AFTER INSERT ON epochs FOR EACH ROW
  WHEN (NEW.reason <> 'first') EXECUTE FUNCTION log_epoch_for_feed();
