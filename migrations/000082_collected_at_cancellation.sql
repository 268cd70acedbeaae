-- What had been collected when staff cancelled is written by the service, which knows the day at the property by its own
-- rules of time zones. Those of PostgreSQL can be older. Null: a cancellation of before, or of the version before.
ALTER TABLE reservations ADD COLUMN collected_minor bigint CHECK (collected_minor >= 0);

CREATE OR REPLACE FUNCTION kept_of(cancelled_reference text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  cancelled record;
  collected bigint;
BEGIN
  SELECT * INTO cancelled FROM reservations WHERE reference = cancelled_reference;
  IF cancelled.kind = 'checkout' THEN
    PERFORM FROM payment_accounts
      WHERE checkout_id = cancelled.booking_id AND application_id = cancelled.application_id;
    IF FOUND THEN
      RETURN (SELECT due FROM payment_balance(cancelled.application_id, cancelled.booking_id));
    END IF;
  END IF;
  collected := cancelled.collected_minor;
  IF collected IS NULL THEN
    collected := scheduled_by(cancelled.charges, (cancelled.cancelled_at AT TIME ZONE coalesce(
      (SELECT time_zone FROM listings WHERE listing_id = cancelled.listing_id), 'UTC'))::date);
  END IF;
  RETURN greatest(collected - coalesce(cancelled.refund_minor, collected), 0);
END $$;
