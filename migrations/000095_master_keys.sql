-- The master keys that this database has seen, by a digest that tells them apart. What one of them has made can be read
-- until it is retired; a start needs each that is not.
CREATE TABLE master_keys (
  key_check bytea PRIMARY KEY CHECK (octet_length(key_check) = 32),
  -- Since when it is used for everything new.
  added_at timestamptz NOT NULL DEFAULT line_now(),
  retired_at timestamptz
);
INSERT INTO master_keys (key_check) SELECT master_key_check FROM installation;

-- The key with which a process seals; null: it is of a release before.
ALTER TABLE processes ADD COLUMN master_key bytea;
