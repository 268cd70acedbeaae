-- What the texts of homes said before a text was replaced in many of them, for a day: it is undone at all its homes.
CREATE TABLE text_undos (
  change_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  texts_before jsonb NOT NULL,
  texts_after jsonb NOT NULL,
  PRIMARY KEY (change_id, listing_id)
);

CREATE INDEX text_undos_by_age ON text_undos (made_at);
