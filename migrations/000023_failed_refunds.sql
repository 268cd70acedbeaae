-- A refund that the guest's bank sends back days later, and what metrics count.

ALTER TABLE payment_refunds
  -- When the provider is asked next whether the refund still stands; null: no more.
  ADD COLUMN check_at timestamptz,
  -- How often it has been asked.
  ADD COLUMN checks smallint NOT NULL DEFAULT 0,
  DROP CONSTRAINT payment_refunds_state_check,
  ADD CONSTRAINT payment_refunds_state_check
    CHECK (state IN ('requested', 'done', 'refused', 'unknown', 'failed'));
UPDATE payment_refunds SET check_at = now()
  WHERE state = 'done' AND updated_at > now() - interval '30 days';
CREATE INDEX payment_refunds_to_check ON payment_refunds (check_at) WHERE check_at IS NOT NULL;

DROP TRIGGER payment_refunds_transitions ON payment_refunds;
CREATE TRIGGER payment_refunds_transitions BEFORE UPDATE ON payment_refunds FOR EACH ROW
  WHEN (
    NEW.refund_id <> OLD.refund_id OR NEW.payment_id <> OLD.payment_id
    OR NEW.amount_minor <> OLD.amount_minor OR NEW.reason <> OLD.reason
    OR NEW.round < OLD.round
    OR NEW.refund_reference IS DISTINCT FROM coalesce(OLD.refund_reference, NEW.refund_reference)
    OR NOT CASE OLD.state
      WHEN 'requested' THEN NEW.state <> 'failed'
      WHEN 'unknown' THEN NEW.state <> 'failed'
      WHEN 'done' THEN NEW.state IN ('done', 'failed')
      ELSE NEW.state = OLD.state
    END
  ) EXECUTE FUNCTION refuse_refund_change();

-- A refund that has failed counts no more: its payment has the amount again.
CREATE OR REPLACE FUNCTION check_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  refunded bigint;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount_minor), 0) INTO refunded FROM payment_refunds
    WHERE payment_id = NEW.payment_id AND state NOT IN ('refused', 'failed');
  IF payment.state <> 'captured' OR refunded + NEW.amount_minor > payment.amount_minor THEN
    RAISE EXCEPTION 'payment % has not % left to refund', NEW.payment_id, NEW.amount_minor
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE payment_entries
  DROP CONSTRAINT payment_entries_accounts,
  ADD CONSTRAINT payment_entries_accounts CHECK (CASE kind
    WHEN 'booked' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'due')
    WHEN 'raised' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'due')
    WHEN 'lowered' THEN (debit, credit) IS NOT DISTINCT FROM ('due', 'open')
    WHEN 'cancelled' THEN (debit, credit) IS NOT DISTINCT FROM ('due', 'open')
    WHEN 'authorized' THEN (debit, credit) IS NOT DISTINCT FROM ('authorized', 'holds')
    WHEN 'released' THEN (debit, credit) IS NOT DISTINCT FROM ('holds', 'authorized')
    WHEN 'captured' THEN (debit, credit) IS NOT DISTINCT FROM ('collected', 'open')
    WHEN 'refunded' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'refunded')
    WHEN 'refund_failed' THEN (debit, credit) IS NOT DISTINCT FROM ('refunded', 'open')
    ELSE kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
        'refund_refused', 'refund_unknown', 'disputed')
      AND debit IS NULL AND credit IS NULL
  END);

CREATE OR REPLACE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  SELECT application_id, checkout_id, payment_id, NEW.refund_id,
    CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
    CASE NEW.state WHEN 'done' THEN 'open' WHEN 'failed' THEN 'refunded' END,
    CASE NEW.state WHEN 'done' THEN 'refunded' WHEN 'failed' THEN 'open' END,
    NEW.amount_minor, currency,
    json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
      'declineCode', NEW.decline_code, 'round', NEW.round))
  FROM payment_intents WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION payment_balance(application uuid, checkout uuid)
RETURNS TABLE (due bigint, collected bigint, open bigint, refunded bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'due'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'due'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'collected'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'open'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'open'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'refunded'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'refunded'), 0)::bigint
  FROM payment_entries e WHERE e.checkout_id = checkout AND e.application_id = application;
END $$;

ALTER TABLE payment_accounts
  -- A refund has failed, and nobody has decided since: it is not paid again to the same card.
  ADD COLUMN refund_failed_at timestamptz,
  DROP CONSTRAINT payment_accounts_attention_check,
  ADD CONSTRAINT payment_accounts_attention_check
    CHECK (attention IN ('declined', 'refund_refused', 'refund_failed', 'unknown'));

CREATE OR REPLACE FUNCTION wake_payment_account(application uuid, checkout uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0, refusals = 0,
    last_refused_at = NULL, refund_failed_at = NULL, attention = NULL, attention_since = NULL
  WHERE checkout_id = checkout AND application_id = application;
END $$;

CREATE OR REPLACE FUNCTION settle_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0,
    refusals = CASE NEW.state WHEN 'refused' THEN refusals + 1 WHEN 'failed' THEN refusals ELSE 0 END,
    last_refused_at = CASE NEW.state WHEN 'refused' THEN now() WHEN 'failed' THEN last_refused_at END,
    refund_failed_at = CASE NEW.state WHEN 'failed' THEN now() ELSE refund_failed_at END,
    attention = NULL, attention_since = NULL
  WHERE checkout_id = payment.checkout_id AND application_id = payment.application_id;
  RETURN NULL;
END $$;
DROP TRIGGER payment_refunds_settled ON payment_refunds;
CREATE TRIGGER payment_refunds_settled AFTER UPDATE ON payment_refunds FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('done', 'refused', 'failed'))
  EXECUTE FUNCTION settle_payment_account();

-- The payments and refunds whose outcome is not known yet.
CREATE INDEX payment_intents_under_way ON payment_intents (created_at, state)
  WHERE state NOT IN ('captured', 'voided', 'refused');
CREATE INDEX payment_refunds_under_way ON payment_refunds (created_at, state)
  WHERE state IN ('requested', 'unknown');
