-- Refusals belong to parts of the money, and what staff decide about it is stored.

-- How a refusal goes on, and since when it binds no more: staff have started the part again, or its money came
-- another way. Null: it binds.
ALTER TABLE payment_intents
  ADD COLUMN refused_as text CHECK (refused_as IN ('funds', 'card', 'guest', 'amount', 'account')),
  ADD COLUMN settled_at timestamptz;
ALTER TABLE payment_refunds
  ADD COLUMN refused_as text CHECK (refused_as IN ('funds', 'card', 'guest', 'amount', 'account')),
  ADD COLUMN settled_at timestamptz,
  -- What it returns: what is too much (`open`), or what staff have decided to give back (`owed`).
  ADD COLUMN of_account text NOT NULL DEFAULT 'open' CHECK (of_account IN ('open', 'owed'));

-- Staff have stopped collecting; null: they have not.
ALTER TABLE payment_accounts ADD COLUMN stopped_at timestamptz;

-- What a change or a success had cleared before does not bind now.
UPDATE payment_intents i SET settled_at = now() FROM payment_accounts a
  WHERE i.state = 'refused' AND a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    AND a.refusals = 0;
UPDATE payment_refunds f SET settled_at = now() FROM payment_intents i, payment_accounts a
  WHERE f.state IN ('refused', 'failed') AND i.payment_id = f.payment_id
    AND a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    AND a.refusals = 0 AND a.refund_failed_at IS NULL;

-- Each part of the money that waits for staff. The worker writes them when it has decided about the account.
CREATE TABLE payment_waits (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('declined', 'stopped', 'refund_refused', 'refund_failed', 'unknown')),
  part text NOT NULL,
  amount_minor bigint NOT NULL,
  reason text NOT NULL,
  code text,
  since timestamptz NOT NULL,
  PRIMARY KEY (checkout_id, application_id, kind, part),
  FOREIGN KEY (checkout_id, application_id) REFERENCES payment_accounts
);
CREATE INDEX payment_waits_by_time ON payment_waits (since, checkout_id);

-- The ledger knows money that moved elsewhere, what staff give back (`owed` until the guest has it), and what was
-- taken off the price for good.
ALTER TABLE payment_entries DROP CONSTRAINT payment_entries_accounts;
ALTER TABLE payment_entries ADD CONSTRAINT payment_entries_accounts CHECK (CASE kind
  WHEN 'booked' THEN debit IS NOT DISTINCT FROM 'open' AND credit IS NOT DISTINCT FROM 'due'
  WHEN 'raised' THEN debit IS NOT DISTINCT FROM 'open' AND credit IS NOT DISTINCT FROM 'due'
  WHEN 'lowered' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'cancelled' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'reduced' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'written_off' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'uncovered' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'given_back' THEN debit IS NOT DISTINCT FROM 'due' AND credit IS NOT DISTINCT FROM 'owed'
  WHEN 'authorized' THEN debit IS NOT DISTINCT FROM 'authorized' AND credit IS NOT DISTINCT FROM 'holds'
  WHEN 'released' THEN debit IS NOT DISTINCT FROM 'holds' AND credit IS NOT DISTINCT FROM 'authorized'
  WHEN 'captured' THEN debit IS NOT DISTINCT FROM 'collected' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'collected_elsewhere' THEN debit IS NOT DISTINCT FROM 'collected' AND credit IS NOT DISTINCT FROM 'open'
  WHEN 'refunded' THEN debit IN ('open', 'owed') AND debit IS NOT NULL AND credit IS NOT DISTINCT FROM 'refunded'
  WHEN 'refunded_elsewhere' THEN debit IN ('open', 'owed') AND debit IS NOT NULL
    AND credit IS NOT DISTINCT FROM 'refunded'
  WHEN 'charged_back' THEN debit IN ('open', 'owed') AND debit IS NOT NULL
    AND credit IS NOT DISTINCT FROM 'refunded'
  WHEN 'refund_failed' THEN debit IS NOT DISTINCT FROM 'refunded' AND credit IN ('open', 'owed')
    AND credit IS NOT NULL
  WHEN 'dispute_fee' THEN debit IS NOT DISTINCT FROM 'fees' AND credit IS NOT DISTINCT FROM 'provider'
  ELSE kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
      'refund_refused', 'refund_unknown', 'disputed', 'stopped', 'started')
    AND debit IS NULL AND credit IS NULL
END);

-- The balances of a checkout: due = collected + open - refunded. `owed` is a part of `open`: what staff have decided
-- to give back and the guest has not yet got.
DROP FUNCTION payment_balance(uuid, uuid);
CREATE FUNCTION payment_balance(application uuid, checkout uuid)
RETURNS TABLE (due bigint, collected bigint, open bigint, refunded bigint, owed bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'due'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'due'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'collected'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit IN ('open', 'owed')), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.credit IN ('open', 'owed')), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'refunded'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'refunded'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'owed'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'owed'), 0)::bigint
  FROM payment_entries e WHERE e.checkout_id = checkout AND e.application_id = application;
END $$;

CREATE OR REPLACE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  SELECT application_id, checkout_id, payment_id, NEW.refund_id,
    CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
    CASE NEW.state WHEN 'done' THEN NEW.of_account WHEN 'failed' THEN 'refunded' END,
    CASE NEW.state WHEN 'done' THEN 'refunded' WHEN 'failed' THEN NEW.of_account END,
    NEW.amount_minor, currency,
    json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
      'declineCode', NEW.decline_code, 'round', NEW.round))
  FROM payment_intents WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;

-- What we collect of a reservation: all but what is paid at the property.
CREATE FUNCTION collectable_total(charges json) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (charges ->> 'total')::bigint - coalesce((
    SELECT sum((one ->> 'amount')::bigint) FROM json_array_elements(charges -> 'schedule') one
    WHERE one ->> 'at' = 'property'), 0)
$$;

CREATE OR REPLACE FUNCTION open_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint := collectable_total(NEW.charges);
BEGIN
  IF NOT EXISTS (SELECT FROM payment_cards
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = NEW.booking_id AND i.application_id = NEW.application_id
      AND f.state NOT IN ('refused', 'failed')) THEN
    RAISE EXCEPTION 'the payment of % was given back', NEW.booking_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reservations_paid', TABLE = 'reservations';
  END IF;
  INSERT INTO payment_accounts (application_id, checkout_id, reference, currency)
    VALUES (NEW.application_id, NEW.booking_id, NEW.reference, NEW.charges ->> 'currency');
  IF total > 0 THEN
    INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
      VALUES (NEW.application_id, NEW.booking_id, 'booked', 'open', 'due', total, NEW.charges ->> 'currency');
  END IF;
  RETURN NULL;
END $$;

-- What was taken off the price for good is remembered: whatever the price becomes, it is taken off again.
CREATE OR REPLACE FUNCTION enter_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account record;
  balance record;
  forgiven bigint;
  change bigint;
BEGIN
  SELECT * INTO account FROM payment_accounts
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO balance FROM payment_balance(NEW.application_id, NEW.booking_id);
  IF NEW.state = 'cancelled' THEN
    change := least(balance.collected - balance.refunded - balance.owed, balance.due) - coalesce(NEW.refund_minor, 0);
    IF change < 0 THEN
      RAISE EXCEPTION 'the refund of % is more than was collected', NEW.reference
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    change := change - balance.due;
  ELSE
    SELECT coalesce(sum(amount_minor), 0) INTO forgiven FROM payment_entries
      WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id
        AND (kind IN ('reduced', 'written_off', 'uncovered', 'given_back')
          OR kind = 'lowered' AND details ->> 'by' = 'staff');
    change := greatest(collectable_total(NEW.charges) - forgiven, 0) - balance.due;
  END IF;
  IF change <> 0 THEN
    INSERT INTO payment_entries
      (application_id, checkout_id, kind, debit, credit, amount_minor, currency, details)
    VALUES (NEW.application_id, NEW.booking_id,
      CASE WHEN NEW.state = 'cancelled' THEN 'cancelled' WHEN change > 0 THEN 'raised' ELSE 'lowered' END,
      CASE WHEN change > 0 THEN 'open' ELSE 'due' END, CASE WHEN change > 0 THEN 'due' ELSE 'open' END,
      abs(change), account.currency, json_build_object('version', NEW.version));
  END IF;
  PERFORM wake_payment_account(NEW.application_id, NEW.booking_id);
  RETURN NULL;
END $$;

-- A change wakes the account; what was refused or stopped stays so.
CREATE OR REPLACE FUNCTION wake_payment_account(application uuid, checkout uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0
  WHERE checkout_id = checkout AND application_id = application;
END $$;

-- Staff start again what was refused, sent back or stopped: it binds no more.
CREATE FUNCTION start_payment_account(application uuid, checkout uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_intents SET settled_at = now()
    WHERE checkout_id = checkout AND application_id = application AND state = 'refused' AND settled_at IS NULL;
  UPDATE payment_refunds f SET settled_at = now() FROM payment_intents i
    WHERE i.payment_id = f.payment_id AND i.checkout_id = checkout AND i.application_id = application
      AND f.state IN ('refused', 'failed') AND f.settled_at IS NULL;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0, refusals = 0, last_refused_at = NULL,
    refund_failed_at = NULL, attention = NULL, attention_since = NULL, stopped_at = NULL
  WHERE checkout_id = checkout AND application_id = application;
END $$;
