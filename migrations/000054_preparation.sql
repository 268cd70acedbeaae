-- Preparation: nights after each stay, and after each event of another channel, that partners do not get. They are
-- derived from the home's rule of now, and never stored.

-- Whether nights are followed by a preparation: stays and what was sold elsewhere, but no blocks of the operator.
CREATE FUNCTION has_preparation(kind text, source text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$ SELECT kind <> 'block' OR source NOT IN ('file', 'staff') $$;

-- A hold is not inserted where it would have the preparation of something, or its own preparation on something. The
-- exclusion constraint cannot say so, because staff and channels may shorten a preparation. Holds at such a home wait
-- for each other, so that each sees the one before; what staff or channels take meanwhile only shortens it.
CREATE FUNCTION keep_preparation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  preparation integer;
BEGIN
  SELECT preparation_nights INTO preparation FROM listing_members WHERE listing_id = NEW.listing_id;
  IF coalesce(preparation, 0) = 0 THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('preparation ' || NEW.listing_id, 0));
  PERFORM FROM occupancies WHERE listing_id = NEW.listing_id AND has_preparation(kind, source)
    AND nights && daterange(lower(NEW.nights) - preparation, upper(NEW.nights) + preparation);
  IF FOUND THEN RETURN NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER occupancies_keep_preparation BEFORE INSERT ON occupancies
  FOR EACH ROW WHEN (NEW.kind = 'held') EXECUTE FUNCTION keep_preparation();

-- What partners can book changes as far around changed nights as a preparation reaches.
CREATE FUNCTION with_preparation(listing uuid, nights daterange) RETURNS daterange LANGUAGE sql STABLE AS $$
  SELECT daterange(lower(nights) - p.nights_each_side, upper(nights) + p.nights_each_side)
  FROM (SELECT coalesce((SELECT preparation_nights FROM listing_members WHERE listing_id = listing), 0)
    AS nights_each_side) p
$$;

CREATE OR REPLACE FUNCTION log_changed_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    SELECT listing_id, with_preparation(listing_id, daterange(min(lower(nights)), max(upper(nights))))
    FROM changed GROUP BY listing_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION log_moved_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (OLD.listing_id, with_preparation(OLD.listing_id, OLD.nights)),
      (NEW.listing_id, with_preparation(NEW.listing_id, NEW.nights));
  RETURN NULL;
END $$;

-- Another rule changes all nights of a home that anybody can ask for.
CREATE FUNCTION log_changed_preparation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (coalesce(NEW.listing_id, OLD.listing_id), daterange(current_date - 10, current_date + 1000));
  RETURN NULL;
END $$;
CREATE TRIGGER listing_members_preparation AFTER INSERT ON listing_members
  FOR EACH ROW WHEN (NEW.preparation_nights > 0) EXECUTE FUNCTION log_changed_preparation();
CREATE TRIGGER listing_members_other_preparation AFTER UPDATE ON listing_members
  FOR EACH ROW WHEN (NEW.preparation_nights <> OLD.preparation_nights)
  EXECUTE FUNCTION log_changed_preparation();
CREATE TRIGGER listing_members_no_preparation AFTER DELETE ON listing_members
  FOR EACH ROW WHEN (OLD.preparation_nights > 0) EXECUTE FUNCTION log_changed_preparation();
