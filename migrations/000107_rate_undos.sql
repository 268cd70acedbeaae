-- What the dates of homes said before changes of rates, for a day: a change is undone at all its homes.
CREATE TABLE rate_undos (
  change_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  dates_before jsonb NOT NULL,
  dates_after jsonb NOT NULL,
  PRIMARY KEY (change_id, listing_id)
);

CREATE INDEX rate_undos_by_age ON rate_undos (made_at);
