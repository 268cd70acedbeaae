-- Disputes from their notice to their end. The order of the provider's events is not trusted: an end is final.
CREATE TABLE payment_disputes (
  dispute_reference text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment_intents,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  reason text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('open', 'won', 'lost')),
  evidence_due_at timestamptz,
  fee_minor bigint,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- Staff have started collecting again since; null: nothing is charged to the card, unless the dispute is won.
  released_at timestamptz
);
CREATE INDEX payment_disputes_of_payment ON payment_disputes (payment_id);
CREATE INDEX payment_disputes_open ON payment_disputes (opened_at) WHERE outcome = 'open';

-- A dispute that is lost: what it takes covers what the guest is owed; the rest is taken off the price, so that nothing
-- is collected again.
CREATE FUNCTION enter_lost_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  balance record;
  begun record;
  amount bigint;
  of_owed bigint;
  of_surplus bigint;
BEGIN
  IF NEW.outcome <> 'lost' OR TG_OP = 'UPDATE' AND OLD.outcome = 'lost' THEN RETURN NULL; END IF;
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  PERFORM FROM payment_accounts
    WHERE checkout_id = payment.checkout_id AND application_id = payment.application_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO balance FROM payment_balance(payment.application_id, payment.checkout_id);
  SELECT coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0) AS owed,
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0) AS surplus INTO begun
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = payment.checkout_id AND i.application_id = payment.application_id
      AND f.state IN ('requested', 'unknown');
  amount := least(NEW.amount_minor, greatest(balance.collected - balance.refunded - begun.owed - begun.surplus, 0));
  of_owed := least(amount, greatest(balance.owed - begun.owed, 0));
  of_surplus := least(amount - of_owed, greatest(-(balance.open + balance.owed) - begun.surplus, 0));
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, details)
  SELECT payment.application_id, payment.checkout_id, payment.payment_id, one.kind, one.debit, one.credit,
    one.amount, NEW.currency, json_build_object('disputeReference', NEW.dispute_reference)
  FROM (VALUES ('charged_back', 'owed', 'refunded', of_owed),
      ('charged_back', 'open', 'refunded', amount - of_owed),
      ('uncovered', 'due', 'open', amount - of_owed - of_surplus),
      ('dispute_fee', 'fees', 'provider', coalesce(NEW.fee_minor, 0))) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
  PERFORM wake_payment_account(payment.application_id, payment.checkout_id);
  RETURN NULL;
END $$;
CREATE TRIGGER payment_disputes_entered AFTER INSERT OR UPDATE ON payment_disputes FOR EACH ROW
  EXECUTE FUNCTION enter_lost_dispute();

-- Staff start again what was refused, sent back, stopped or disputed: it binds no more.
CREATE OR REPLACE FUNCTION start_payment_account(application uuid, checkout uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_intents SET settled_at = now()
    WHERE checkout_id = checkout AND application_id = application AND state = 'refused' AND settled_at IS NULL;
  UPDATE payment_refunds f SET settled_at = now() FROM payment_intents i
    WHERE i.payment_id = f.payment_id AND i.checkout_id = checkout AND i.application_id = application
      AND f.state IN ('refused', 'failed') AND f.settled_at IS NULL;
  UPDATE payment_disputes d SET released_at = now() FROM payment_intents i
    WHERE i.payment_id = d.payment_id AND i.checkout_id = checkout AND i.application_id = application
      AND d.released_at IS NULL;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0, refusals = 0, last_refused_at = NULL,
    refund_failed_at = NULL, attention = NULL, attention_since = NULL, stopped_at = NULL
  WHERE checkout_id = checkout AND application_id = application;
END $$;
