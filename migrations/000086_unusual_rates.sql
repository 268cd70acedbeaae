-- Calls of pricing tools that have set unusual prices, until staff say that they are meant.
CREATE TABLE unusual_rates (
  change_id uuid PRIMARY KEY DEFAULT uuidv7(),
  set_at timestamptz NOT NULL DEFAULT now(),
  -- The first of the homes, which may be gone.
  listing_id uuid NOT NULL,
  -- What its first unusual night costs now.
  price_minor bigint NOT NULL,
  currency text NOT NULL,
  about text NOT NULL
);

CREATE INDEX unusual_rates_by_age ON unusual_rates (set_at, change_id);
