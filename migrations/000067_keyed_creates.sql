-- What calls with `Idempotency-Key` have created, for a day: a repeat gets it again, without secrets.
CREATE TABLE keyed_creates (
  actor text NOT NULL,
  operation text NOT NULL,
  key_digest bytea NOT NULL,
  input_digest bytea NOT NULL,
  -- Null only until the transaction that creates it ends.
  reply_sealed bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor, operation, key_digest)
);
CREATE INDEX keyed_creates_by_age ON keyed_creates (created_at);
