-- Whether the first key of `live` needs a report of a conformance run.
ALTER TABLE applications ADD COLUMN require_report boolean NOT NULL DEFAULT false;

-- Reports that staff have verified, of runs in the sandbox.
CREATE TABLE conformance_reports (
  application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  run_id uuid NOT NULL,
  profile text NOT NULL,
  state text NOT NULL,
  wire_version text NOT NULL,
  contract_digest text NOT NULL,
  finished_at timestamptz NOT NULL,
  verified_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, run_id)
);
