-- Pictures that staff have uploaded. Their files are in the data folder or in a bucket; homes name them in `images`.
CREATE TABLE pictures (
  -- A digest of its files, in whose names it is.
  picture_id text PRIMARY KEY CHECK (picture_id ~ '^[0-9a-f]{32}$'),
  -- At the last look: a home had it, none had it, or its files are being removed.
  state text NOT NULL CHECK (state IN ('used', 'unused', 'removing')),
  look_at timestamptz NOT NULL
);
CREATE INDEX pictures_by_look ON pictures (look_at);
