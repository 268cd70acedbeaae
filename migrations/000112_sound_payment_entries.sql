-- As in the migrations before, for the ledger.
CREATE FUNCTION payment_entry_is_sound(e payment_entries) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN (e.amount_minor IS NULL OR e.amount_minor > 0)
    AND (e.amount_minor IS NULL) = (e.currency IS NULL)
    AND (e.debit IS NULL OR e.amount_minor IS NOT NULL)
    AND CASE e.kind
      WHEN 'booked' THEN e.debit IS NOT DISTINCT FROM 'open' AND e.credit IS NOT DISTINCT FROM 'due'
      WHEN 'raised' THEN e.debit IS NOT DISTINCT FROM 'open' AND e.credit IS NOT DISTINCT FROM 'due'
      WHEN 'lowered' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'cancelled' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'reduced' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'written_off' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'uncovered' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'given_back' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'owed'
      WHEN 'authorized' THEN e.debit IS NOT DISTINCT FROM 'authorized' AND e.credit IS NOT DISTINCT FROM 'holds'
      WHEN 'released' THEN e.debit IS NOT DISTINCT FROM 'holds' AND e.credit IS NOT DISTINCT FROM 'authorized'
      WHEN 'captured' THEN e.debit IS NOT DISTINCT FROM 'collected' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'collected_elsewhere' THEN e.debit IS NOT DISTINCT FROM 'collected' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'refunded' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'refunded_elsewhere' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL
        AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'charged_back' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL
        AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'refund_failed' THEN e.debit IS NOT DISTINCT FROM 'refunded' AND e.credit IN ('open', 'owed')
        AND e.credit IS NOT NULL
      WHEN 'lost' THEN e.debit IS NOT DISTINCT FROM 'losses' AND e.credit IS NOT DISTINCT FROM 'provider'
      WHEN 'recovered' THEN e.debit IS NOT DISTINCT FROM 'provider' AND e.credit IS NOT DISTINCT FROM 'losses'
      WHEN 'dispute_fee' THEN e.debit IS NOT DISTINCT FROM 'fees' AND e.credit IS NOT DISTINCT FROM 'provider'
      ELSE e.kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
          'refund_refused', 'refund_unknown', 'disputed', 'stopped', 'started')
        AND e.debit IS NULL AND e.credit IS NULL
    END;
END $$;
ALTER TABLE payment_entries
  DROP CONSTRAINT payment_entries_accounts, DROP CONSTRAINT payment_entries_amount_minor_check,
  DROP CONSTRAINT payment_entries_check, DROP CONSTRAINT payment_entries_check1,
  ADD CONSTRAINT payment_entries_sound CHECK (payment_entry_is_sound(payment_entries)) NOT VALID;

CREATE OR REPLACE FUNCTION enter_payment_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A decline before there is a reservation is the guest's own try: the checkout has failed.
  IF NEW.amount_minor IS NULL OR NOT (NEW.kind IN ('captured', 'collected_elsewhere', 'refunded',
      'refunded_elsewhere', 'refund_refused', 'refund_failed', 'charged_back', 'written_off')
    OR NEW.kind = 'refused' AND NEW.details ->> 'purpose' IS DISTINCT FROM 'booking') THEN
    RETURN NULL;
  END IF;
  INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
  VALUES (NEW.application_id, NEW.checkout_id,
    CASE NEW.kind WHEN 'captured' THEN 'collected' WHEN 'collected_elsewhere' THEN 'collected'
      WHEN 'refused' THEN 'declined' WHEN 'refunded_elsewhere' THEN 'refunded'
      WHEN 'refund_refused' THEN 'refund_failed' ELSE NEW.kind END,
    concat_ws(' ', NEW.kind, coalesce(NEW.debit, ''), coalesce(NEW.details ->> 'refundReference',
      NEW.details ->> 'disputeReference', NEW.details ->> 'providerReference', NEW.at::text),
      NEW.details ->> 'round'),
    NEW.amount_minor, NEW.currency,
    CASE WHEN (NEW.details ->> 'happenedOn')::date < (NEW.at AT TIME ZONE 'UTC')::date
      THEN (NEW.details ->> 'happenedOn')::timestamp AT TIME ZONE 'UTC' ELSE NEW.at END);
  RETURN NULL;
END $$;
DROP TRIGGER payment_entries_recorded ON payment_entries;
CREATE TRIGGER payment_entries_recorded AFTER INSERT ON payment_entries FOR EACH ROW
  EXECUTE FUNCTION enter_payment_record();
