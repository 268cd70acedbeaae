-- How far the sweep of the applications' own entries in the feed of changes has come. The newest of each application
-- stays, however old: without the mark, each run would read all of these anew.
CREATE TABLE application_changes_sweep (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  looked_until timestamptz NOT NULL
);
INSERT INTO application_changes_sweep (looked_until) VALUES ('-infinity');
