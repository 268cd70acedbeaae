-- What somebody has refunded, or a bank has taken, beyond everything that was collected: no balance has it, but the
-- ledger does, so that each line of the bank is explained.
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
  WHEN 'dispute_fee' THEN debit IS NOT DISTINCT FROM 'fees' AND credit IS NOT DISTINCT FROM 'provider'
  ELSE kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
      'refund_refused', 'refund_unknown', 'disputed', 'stopped', 'started')
    AND debit IS NULL AND credit IS NULL
END) NOT VALID;

CREATE OR REPLACE FUNCTION enter_gone_back(application uuid, checkout uuid, payment uuid, refund uuid, kind_of text,
  gone bigint, of_currency text, about json) RETURNS void LANGUAGE plpgsql AS $$
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
      ('uncovered', 'due', 'open', amount - of_owed - of_surplus),
      ('lost', 'losses', 'provider', gone - amount)) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
END  $$;
