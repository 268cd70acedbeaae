-- Live processes: each writes its row every few seconds, and shares quotas with the others.
CREATE TABLE processes (
  process_id uuid PRIMARY KEY,
  roles text[] NOT NULL,
  host text NOT NULL,
  port integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
