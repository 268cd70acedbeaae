-- Conformance runs of the simulation. A table without rows for an application changes nothing.
CREATE TABLE conformance_runs (
  run_id uuid PRIMARY KEY DEFAULT uuidv7(),
  application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  profile text NOT NULL CHECK (profile IN ('checkout', 'card', 'request')),
  wire_version text NOT NULL,
  scenario_set integer NOT NULL,
  contract_digest text NOT NULL,
  seed bigint NOT NULL,
  state text NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'passed', 'failed', 'incomplete', 'abandoned')),
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK ((state = 'open') = (finished_at IS NULL))
);
CREATE UNIQUE INDEX conformance_runs_open ON conformance_runs (application_id) WHERE state = 'open';
CREATE INDEX conformance_runs_newest ON conformance_runs (application_id, run_id);

CREATE TABLE conformance_scenarios (
  run_id uuid NOT NULL REFERENCES conformance_runs ON DELETE CASCADE,
  scenario text NOT NULL,
  -- The application of the run, so that one index finds what it runs now.
  application_id uuid NOT NULL,
  -- Its place in the list of scenarios.
  place integer NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'judged', 'skipped')),
  result text CHECK (result IN ('passed', 'failed', 'warned', 'skipped')),
  skipped_for text,
  attempts integer NOT NULL DEFAULT 0,
  findings json NOT NULL DEFAULT '[]',
  request_ids json NOT NULL DEFAULT '[]',
  started_at timestamptz,
  finished_at timestamptz,
  -- The attempt that runs, or was the last one.
  attempt_id uuid,
  ends_at timestamptz,
  -- What the partner's program has to do.
  task json,
  -- What the judge has to know of the start.
  setting json,
  -- What this application meets while the scenario runs.
  effects jsonb,
  -- When the booking was first submitted, and when what is played once was played.
  submitted_at timestamptz,
  provoked_at timestamptz,
  -- When the events of a scenario are due; null: it has none, or they have happened.
  plays_at timestamptz,
  PRIMARY KEY (run_id, scenario),
  CHECK (state <> 'running' OR (attempt_id IS NOT NULL AND ends_at IS NOT NULL AND task IS NOT NULL)),
  CHECK ((state IN ('judged', 'skipped')) = (result IS NOT NULL))
);
-- One at a time.
CREATE UNIQUE INDEX conformance_scenarios_running ON conformance_scenarios (application_id)
  WHERE state = 'running';

-- The calls of an application during an attempt at a scenario, as the service saw them.
CREATE TABLE conformance_calls (
  attempt_id uuid NOT NULL,
  request_id uuid NOT NULL,
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  call json NOT NULL,
  PRIMARY KEY (attempt_id, request_id)
);

-- A delivery of a conformance run: in place of its event's ID, the receiver gets one that does not exist.
ALTER TABLE sandbox_deliveries ADD COLUMN attempt_id uuid, ADD COLUMN forged_id uuid;
