-- A refund that was under way when a reservation was cancelled may give back more than the cancellation does. Nothing is
-- collected of a cancelled reservation, so what it takes beyond lowers what is due.
CREATE OR REPLACE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  lost bigint := 0;
  beyond bigint;
  about json := json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
    'declineCode', NEW.decline_code, 'round', NEW.round));
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  IF NEW.state = 'done' AND NEW.made_elsewhere THEN
    PERFORM enter_gone_back(payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id,
      'refunded', NEW.amount_minor, payment.currency, about);
    RETURN NULL;
  END IF;
  IF NEW.state = 'failed' AND NEW.made_elsewhere THEN
    SELECT coalesce(sum(amount_minor), 0) INTO lost FROM payment_entries
      WHERE payment_id = NEW.payment_id AND refund_id = NEW.refund_id AND kind = 'lost';
  END IF;
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  SELECT payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id, one.kind, one.debit,
    one.credit, one.amount, payment.currency, about
  FROM (VALUES (CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
      CASE NEW.state WHEN 'done' THEN NEW.of_account WHEN 'failed' THEN 'refunded' END,
      CASE NEW.state WHEN 'done' THEN 'refunded' WHEN 'failed' THEN NEW.of_account END, NEW.amount_minor - lost),
    ('recovered', 'provider', 'losses', lost)) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
  IF NEW.state = 'done' AND EXISTS (SELECT FROM reservations r
      WHERE r.booking_id = payment.checkout_id AND r.application_id = payment.application_id AND r.state = 'cancelled') THEN
    SELECT least(NEW.amount_minor, balance.open + balance.owed) INTO beyond
      FROM payment_balance(payment.application_id, payment.checkout_id) balance;
    INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
      amount_minor, currency, details)
    SELECT payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id, 'uncovered', 'due', 'open',
      beyond, payment.currency, about
    WHERE beyond > 0;
  END IF;
  RETURN NULL;
END $$;
