-- The feed of an application begins with its registration. Until now it began with the next numbering, up to a fifth of a
-- second later, and what had changed meanwhile for this application alone was not told.
CREATE FUNCTION begin_application_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO application_changes (application_id, sequence, run, changed_at, kind, catalog_id, catalog_sequence)
    VALUES (NEW.application_id, 0, 0, clock_timestamp(), NULL, NEW.catalog_id,
      coalesce((SELECT told FROM change_counters WHERE catalog_id = NEW.catalog_id), 0));
  RETURN NULL;
END $$;
DROP TRIGGER applications_new_for_feed ON applications;
CREATE TRIGGER applications_new_for_feed AFTER INSERT ON applications
  FOR EACH ROW EXECUTE FUNCTION begin_application_feed();
