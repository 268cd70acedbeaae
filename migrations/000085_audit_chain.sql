-- The audit trail as a chain: each entry is hashed together with the hash before it, in the order in which entries are
-- committed. What people have written lies beside the entry, sealed; the entry has its digest, so that the text can be
-- erased and the chain still be verified. The functions belong to the owner of the tables: the role of the service needs
-- no right to change any of them.

-- `text_sealed` null: erased.
CREATE TABLE audit_texts (
  entry_id bigint PRIMARY KEY,
  text_sealed bytea,
  erased_at timestamptz,
  CHECK ((text_sealed IS NULL) = (erased_at IS NOT NULL))
);

CREATE TABLE audit_chain (
  position bigint PRIMARY KEY,
  entry_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);

-- One row: the last link, and the last one of the entries that were removed because of their age.
CREATE TABLE audit_head (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  anchor_position bigint NOT NULL DEFAULT 0,
  anchor_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
);
INSERT INTO audit_head DEFAULT VALUES;

CREATE TABLE audit_unchained (entry_id bigint PRIMARY KEY);

CREATE FUNCTION queue_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO audit_unchained (entry_id) VALUES (NEW.entry_id);
  RETURN NULL;
END $$;
CREATE TRIGGER audit_entries_are_queued AFTER INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION queue_audit_entry();
INSERT INTO audit_unchained (entry_id) SELECT entry_id FROM audit_entries;

-- An entry never changes; only until it is in the chain, what people have written can move beside it.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details'
      AND NEW.details - 'textDigest' = OLD.details - 'reason' - 'method'
      AND jsonb_typeof(NEW.details -> 'textDigest') = 'string'
      AND EXISTS (SELECT FROM audit_unchained WHERE entry_id = OLD.entry_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Whether people have written a text that lies in the entry itself. Reasons of failed sign-ins are words of ours.
CREATE FUNCTION has_audit_text(action text, details jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT action NOT LIKE 'staff.%.fail'
    AND (jsonb_typeof(details -> 'reason') = 'string' OR jsonb_typeof(details -> 'method') = 'string') IS TRUE
$$;

-- Moves the text of an entry of an earlier version beside it.
CREATE FUNCTION move_audit_text(moved bigint, digest text, sealed bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  UPDATE audit_entries SET details = (details - 'reason' - 'method') || jsonb_build_object('textDigest', digest)
    WHERE entry_id = moved AND has_audit_text(action, details)
      AND EXISTS (SELECT FROM audit_unchained WHERE entry_id = moved);
  IF FOUND THEN
    INSERT INTO audit_texts (entry_id, text_sealed) VALUES (moved, sealed);
  END IF;
END $$;

-- What is hashed of an entry: one line of JSON.
CREATE FUNCTION audit_line(entry_id bigint, happened_at timestamptz, actor text, source text, action text,
  application_id uuid, reference text, details jsonb) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
  SELECT jsonb_build_object('entryId', entry_id,
    'happenedAt', to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'actor', actor, 'source', source, 'action', action, 'applicationId', application_id,
    'reference', reference, 'details', details)::text
$$;

-- Appends one batch of committed entries to the chain; one process at a time. Returns how many.
CREATE FUNCTION chain_audit_entries(at_most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  head record;
  entry record;
  chained integer := 0;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  FOR entry IN
    SELECT e.* FROM audit_unchained u JOIN audit_entries e USING (entry_id)
    WHERE NOT has_audit_text(e.action, e.details) ORDER BY entry_id LIMIT at_most
  LOOP
    head.position := head.position + 1;
    head.hash := sha256(head.hash || convert_to(audit_line(entry.entry_id, entry.happened_at, entry.actor,
      entry.source, entry.action, entry.application_id, entry.reference, entry.details), 'UTF8'));
    INSERT INTO audit_chain (position, entry_id, hash) VALUES (head.position, entry.entry_id, head.hash);
    DELETE FROM audit_unchained WHERE entry_id = entry.entry_id;
    chained := chained + 1;
  END LOOP;
  UPDATE audit_head SET position = head.position, hash = head.hash WHERE chained > 0;
  RETURN chained;
END $$;

-- Erases what people have written about these reservations or bookings. Returns how many texts.
CREATE FUNCTION erase_audit_texts(of_references text[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  erased integer;
BEGIN
  UPDATE audit_texts t SET text_sealed = NULL, erased_at = now()
    FROM audit_entries e WHERE e.reference = ANY (of_references) AND t.entry_id = e.entry_id
      AND t.text_sealed IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;

-- Seals a text anew, with another master key. The text stays: its digest is in the entry.
CREATE FUNCTION reseal_audit_text(resealed bigint, before bytea, sealed bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  UPDATE audit_texts SET text_sealed = sealed WHERE entry_id = resealed AND text_sealed = before;
END $$;

-- Removes one batch of the first links whose entries are older than seven years; the hash of the last one stays as the
-- anchor of the rest. Returns how many.
CREATE FUNCTION remove_old_audit_entries(at_most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  head record;
  link record;
  removed bigint[] := '{}';
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  FOR link IN
    SELECT c.position, c.entry_id, c.hash, e.happened_at FROM audit_chain c JOIN audit_entries e USING (entry_id)
    WHERE c.position > head.anchor_position ORDER BY c.position LIMIT at_most
  LOOP
    EXIT WHEN link.happened_at > now() - interval '2557 days';
    removed := removed || link.entry_id;
    head.anchor_position := link.position;
    head.anchor_hash := link.hash;
  END LOOP;
  IF cardinality(removed) = 0 THEN RETURN 0; END IF;
  DELETE FROM audit_chain WHERE entry_id = ANY (removed);
  DELETE FROM audit_texts WHERE entry_id = ANY (removed);
  DELETE FROM audit_entries WHERE entry_id = ANY (removed);
  UPDATE audit_head SET anchor_position = head.anchor_position, anchor_hash = head.anchor_hash;
  RETURN cardinality(removed);
END $$;

-- A link never changes, and goes only with its entry.
CREATE FUNCTION refuse_chain_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM audit_entries WHERE entry_id = OLD.entry_id AND happened_at <= now() - interval '2557 days')
    THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_chain_is_final BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION refuse_chain_change();
CREATE TRIGGER audit_chain_is_not_emptied BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_chain_change();
