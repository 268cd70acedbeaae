-- Bearer tokens with which scripts call the operator's API. Only the digest of a token is stored.
CREATE TABLE operator_tokens (
  token_id uuid PRIMARY KEY,
  token_digest bytea NOT NULL UNIQUE CHECK (octet_length(token_digest) = 32),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  role text NOT NULL CHECK (role IN ('administrator', 'reservations', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
