-- Access tokens that their application has revoked (RFC 7009), until they would have ended by themselves.

CREATE TABLE revoked_tokens (
  application_id uuid NOT NULL REFERENCES applications (application_id),
  token_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, token_id)
);
CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens (expires_at);
