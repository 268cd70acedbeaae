-- A database can be put back from a backup, copied, or lose its last commits in a failover. Then the outside has what
-- our rows have lost. An epoch is a time without such a loss; in a new one, no money moves before the card provider's
-- payments, refunds and disputes have been compared with our rows.

ALTER TABLE installation
  -- When a process last wrote that it runs; null: none has yet.
  ADD COLUMN alive_at timestamptz,
  -- The start of the server at which the epoch was last looked at: another one can have other data.
  ADD COLUMN server_started_at timestamptz,
  -- The last start was with `LATCHKEY_OUTSIDE=off`: nothing outside is called.
  ADD COLUMN outside_off boolean NOT NULL DEFAULT false;

CREATE TABLE epochs (
  -- Seconds since 1970 or more, so that an epoch that a restore has lost never comes again.
  epoch bigint PRIMARY KEY,
  began_at timestamptz NOT NULL DEFAULT now(),
  reason text NOT NULL CHECK (reason IN ('first', 'gap', 'server', 'outside_off', 'declared')),
  -- What staff said when they declared it.
  explanation text,
  system_identifier text NOT NULL,
  timeline text NOT NULL,
  -- From when on the provider's effects are listed: an hour before our last row.
  listed_since timestamptz NOT NULL,
  -- When all of them were compared; null: no money moves yet.
  adopted_at timestamptz,
  CHECK ((reason = 'declared') = (explanation IS NOT NULL))
);

-- What the provider had and our rows had lost.
CREATE TABLE adopted_effects (
  provider_reference text PRIMARY KEY,
  epoch bigint NOT NULL REFERENCES epochs,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  application_id uuid,
  checkout_id uuid,
  part text,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  -- `booked`: our rows have it now. `unmatched`: they have no place for it, and staff decide.
  outcome text NOT NULL CHECK (outcome IN ('booked', 'unmatched')),
  noticed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX adopted_effects_by_epoch ON adopted_effects (epoch, provider_reference);

-- Whether money may move: not in a copy that calls nothing outside, and not before the epoch of this server was
-- looked at and the provider compared.
CREATE FUNCTION may_move_money() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  current record;
BEGIN
  SELECT i.outside_off, i.server_started_at, e.adopted_at INTO current
    FROM installation i CROSS JOIN LATERAL (SELECT adopted_at FROM epochs ORDER BY epoch DESC LIMIT 1) e;
  IF NOT FOUND THEN RETURN NOT EXISTS (SELECT FROM installation WHERE outside_off); END IF;
  RETURN NOT current.outside_off AND current.adopted_at IS NOT NULL
    AND current.server_started_at = pg_postmaster_start_time();
END $$;

-- Since when what an adoption has left open waits for staff; null: nothing waits.
ALTER TABLE payment_accounts ADD COLUMN held_since timestamptz;
ALTER TABLE payment_waits DROP CONSTRAINT payment_waits_kind_check;
ALTER TABLE payment_waits ADD CONSTRAINT payment_waits_kind_check
  CHECK (kind IN ('declined', 'stopped', 'refund_refused', 'refund_failed', 'unknown', 'adopted'));
