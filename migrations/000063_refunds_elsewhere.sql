-- Refunds that were made in the card provider's dashboard are rows of ours, too.
ALTER TABLE payment_refunds ADD COLUMN made_elsewhere boolean NOT NULL DEFAULT false;

-- Since when the provider may have refunds of a payment that our rows do not have; null: they have been compared.
ALTER TABLE payment_intents ADD COLUMN refunds_changed_at timestamptz;

-- Money that went back without us: it covers what the guest is owed, then what is too much; the rest is taken off the
-- price, so that nothing is collected again. Never more than was kept.
CREATE FUNCTION enter_gone_back(
  application uuid, checkout uuid, payment uuid, refund uuid, kind_of text, gone bigint, of_currency text, about json
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  balance record;
  begun record;
  amount bigint;
  of_owed bigint;
  of_surplus bigint;
BEGIN
  PERFORM FROM payment_accounts WHERE checkout_id = checkout AND application_id = application FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
      amount_minor, currency, details)
    VALUES (application, checkout, payment, refund, kind_of, 'open', 'refunded', gone, of_currency, about);
    RETURN;
  END IF;
  SELECT * INTO balance FROM payment_balance(application, checkout);
  SELECT coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0) AS owed,
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0) AS surplus INTO begun
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = checkout AND i.application_id = application AND f.state IN ('requested', 'unknown');
  amount := least(gone, greatest(balance.collected - balance.refunded - begun.owed - begun.surplus, 0));
  of_owed := least(amount, greatest(balance.owed - begun.owed, 0));
  of_surplus := least(amount - of_owed, greatest(-(balance.open + balance.owed) - begun.surplus, 0));
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, refund_id, kind, debit, credit, amount_minor, currency, details)
  SELECT application, checkout, payment, refund, one.kind, one.debit, one.credit, one.amount, of_currency, about
  FROM (VALUES (kind_of, 'owed', 'refunded', of_owed),
      (kind_of, 'open', 'refunded', amount - of_owed),
      ('uncovered', 'due', 'open', amount - of_owed - of_surplus)) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
END $$;

CREATE OR REPLACE FUNCTION enter_lost_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  about json := json_build_object('disputeReference', NEW.dispute_reference);
BEGIN
  IF NEW.outcome <> 'lost' OR TG_OP = 'UPDATE' AND OLD.outcome = 'lost' THEN RETURN NULL; END IF;
  SELECT i.* INTO payment FROM payment_intents i
    JOIN payment_accounts a ON a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    WHERE i.payment_id = NEW.payment_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM enter_gone_back(payment.application_id, payment.checkout_id, payment.payment_id, NULL, 'charged_back',
    NEW.amount_minor, NEW.currency, about);
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, details)
  SELECT payment.application_id, payment.checkout_id, payment.payment_id, 'dispute_fee', 'fees', 'provider',
    NEW.fee_minor, NEW.currency, about
  WHERE NEW.fee_minor > 0;
  PERFORM wake_payment_account(payment.application_id, payment.checkout_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  about json := json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
    'declineCode', NEW.decline_code, 'round', NEW.round));
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  IF NEW.state = 'done' AND NEW.made_elsewhere THEN
    PERFORM enter_gone_back(payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id,
      'refunded', NEW.amount_minor, payment.currency, about);
    RETURN NULL;
  END IF;
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  VALUES (payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id,
    CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
    CASE NEW.state WHEN 'done' THEN NEW.of_account WHEN 'failed' THEN 'refunded' END,
    CASE NEW.state WHEN 'done' THEN 'refunded' WHEN 'failed' THEN NEW.of_account END,
    NEW.amount_minor, payment.currency, about);
  RETURN NULL;
END $$;

-- A refund that the provider refuses because of its amount: somebody may have refunded the payment in its dashboard.
CREATE FUNCTION note_refunds_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_intents SET refunds_changed_at = now() WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;
-- By its name, it fires when the account is locked.
CREATE TRIGGER payment_refunds_settled_amount AFTER UPDATE ON payment_refunds FOR EACH ROW
  WHEN (NEW.state = 'refused' AND OLD.state <> 'refused' AND NEW.refused_as = 'amount')
  EXECUTE FUNCTION note_refunds_changed();

-- Staff have said what they did about an effect without a place in our rows; null: it waits for them.
ALTER TABLE adopted_effects ADD COLUMN closed_at timestamptz;
