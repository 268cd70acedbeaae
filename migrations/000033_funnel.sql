-- From search to reservation, by week (its Monday, in UTC), application and home. The nil UUID stands for all
-- homes, so that a question about a whole application does not read the rows of ten thousand homes. One index
-- serves all questions: weeks and applications are few, so it can skip from one to the next.
CREATE TABLE funnel_weeks (
  week date NOT NULL,
  application_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  searches bigint NOT NULL,
  views bigint NOT NULL,
  quotes bigint NOT NULL,
  checkouts bigint NOT NULL,
  submitted bigint NOT NULL,
  confirmed bigint NOT NULL,
  PRIMARY KEY (week, application_id, listing_id)
);

-- Why calls were refused and bookings failed.
CREATE TABLE funnel_refusals (
  week date NOT NULL,
  application_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  step text NOT NULL CHECK (step IN ('search', 'quote', 'checkout', 'submit', 'confirm')),
  reason text NOT NULL,
  refusals bigint NOT NULL,
  PRIMARY KEY (week, application_id, listing_id, step, reason)
);

-- Up to when a background task has counted. Older rows are counted once, from the oldest that is kept.
CREATE TABLE funnel_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  counted_until timestamptz NOT NULL
);
INSERT INTO funnel_progress (counted_until)
SELECT coalesce(least(
    (SELECT min(observed_at) FROM search_observations),
    (SELECT min(received_at) FROM signals),
    (SELECT min(expires_at) FROM quotes WHERE expires_at > now() - interval '90 days')), now());
