-- What a scenario of a conformance run changes for its application is in the feed of changes of that application.
ALTER TABLE application_changes DROP CONSTRAINT application_changes_kind_check,
  ADD CONSTRAINT application_changes_kind_check
    CHECK (kind IN ('added', 'rates', 'availability', 'content', 'removed')) NOT VALID;

CREATE FUNCTION log_scenario_for_feed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := coalesce(OLD.effects, '{}');
  after jsonb := coalesce(NEW.effects, '{}');
BEGIN
  INSERT INTO pending_changes (application_id, kinds)
    SELECT NEW.application_id, array_agg(DISTINCT kind)
    FROM (VALUES ('raisePercent', 'rates'), ('currency', 'rates'), ('terms', 'content')) AS told (member, kind)
    WHERE before -> member IS DISTINCT FROM after -> member
    HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER scenarios_for_feed AFTER UPDATE OF effects ON conformance_scenarios FOR EACH ROW
  WHEN (OLD.effects IS DISTINCT FROM NEW.effects) EXECUTE FUNCTION log_scenario_for_feed();
