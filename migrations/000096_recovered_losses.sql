-- A refund of the dashboard went back beyond everything that was collected, and the bank has sent it back: what was
-- entered as lost is lost no more, and only the rest is owed to the guest again.
ALTER TABLE payment_entries DROP CONSTRAINT payment_entries_accounts,
  ADD CONSTRAINT payment_entries_accounts CHECK (CASE kind
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
  WHEN 'lost' THEN debit IS NOT DISTINCT FROM 'losses' AND credit IS NOT DISTINCT FROM 'provider'
  WHEN 'recovered' THEN debit IS NOT DISTINCT FROM 'provider' AND credit IS NOT DISTINCT FROM 'losses'
  WHEN 'dispute_fee' THEN debit IS NOT DISTINCT FROM 'fees' AND credit IS NOT DISTINCT FROM 'provider'
  ELSE kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
      'refund_refused', 'refund_unknown', 'disputed', 'stopped', 'started')
    AND debit IS NULL AND credit IS NULL
END) NOT VALID;

CREATE OR REPLACE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  lost bigint := 0;
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
  RETURN NULL;
END $$;
