-- The portal: how a partner gets in, and what the partner's program has called.

-- A link that the operator hands over. It opens one session; only its digest is kept.
CREATE TABLE portal_links (
  link_digest bytea PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX portal_links_by_expiry ON portal_links (expires_at);

CREATE TABLE portal_sessions (
  session_digest bytea PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX portal_sessions_by_expiry ON portal_sessions (expires_at);

-- Calls that were answered: no query, no body, nothing of a guest. It points to nothing, so that
-- writing it holds no row that others wait for.
CREATE TABLE request_log (
  application_id uuid NOT NULL,
  -- No finer than an instant is told: lists go on after one.
  at timestamptz(3) NOT NULL,
  request_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  operation text,
  status integer NOT NULL,
  code text,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  PRIMARY KEY (application_id, at, request_id)
);
CREATE INDEX request_log_by_age ON request_log (at);

-- Set when the first link is issued: only then are the application's calls logged.
ALTER TABLE applications ADD COLUMN portal_enabled_at timestamptz;
