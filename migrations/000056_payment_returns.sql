-- Money that must not be kept: of an attempt to book that ended without a reservation, or that turned up after it
-- had been given up. It goes back by itself, whenever it becomes known.
CREATE TABLE payment_returns (
  payment_id uuid PRIMARY KEY REFERENCES payment_intents,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- When the provider is asked next; null: nothing is held or kept.
  due_at timestamptz DEFAULT now(),
  fence bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  -- Why staff have to know; null: they need not.
  attention text CHECK (attention IN ('refund_refused', 'refund_failed', 'unknown')),
  attention_since timestamptz,
  CHECK ((attention IS NULL) = (attention_since IS NULL))
);
CREATE INDEX payment_returns_due ON payment_returns (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payment_returns_for_staff ON payment_returns (attention_since, payment_id)
  WHERE attention IS NOT NULL;

-- Whoever ends a booking without a reservation: its payment goes back, unless it is known to have no effect.
CREATE FUNCTION open_payment_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_returns (payment_id)
    SELECT payment_id FROM payment_intents
    WHERE attempt_id = NEW.attempt_id AND purpose = 'booking' AND state NOT IN ('voided', 'refused')
    ON CONFLICT (payment_id) DO UPDATE SET due_at = now(), fence = payment_returns.fence + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_return_payment AFTER UPDATE ON bookings FOR EACH ROW
  WHEN (NEW.resolved_at IS NOT NULL AND OLD.resolved_at IS NULL AND NEW.reference IS NULL
    AND NEW.settlement = 'card' AND NEW.submitted_at IS NOT NULL)
  EXECUTE FUNCTION open_payment_return();

-- What becomes known of a payment or a refund is acted on at once.
CREATE FUNCTION wake_payment_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_returns SET due_at = now(), fence = fence + 1 WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_intents_return AFTER UPDATE ON payment_intents FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state NOT IN ('requested', 'unknown'))
  EXECUTE FUNCTION wake_payment_return();
CREATE TRIGGER payment_refunds_return AFTER UPDATE ON payment_refunds FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state NOT IN ('requested', 'unknown'))
  EXECUTE FUNCTION wake_payment_return();

-- A payment that was given up because the provider did not have it may still arrive there.
DROP TRIGGER payment_intents_transitions ON payment_intents;
CREATE TRIGGER payment_intents_transitions BEFORE UPDATE ON payment_intents FOR EACH ROW
  WHEN (
    NEW.payment_id <> OLD.payment_id OR NEW.application_id <> OLD.application_id
    OR NEW.checkout_id <> OLD.checkout_id OR NEW.attempt_id <> OLD.attempt_id
    OR NEW.purpose <> OLD.purpose OR NEW.due_on <> OLD.due_on OR NEW.amount_minor <> OLD.amount_minor
    OR NEW.currency <> OLD.currency OR NEW.provider <> OLD.provider
    OR NEW.round < OLD.round
    OR NEW.provider_reference IS DISTINCT FROM coalesce(OLD.provider_reference, NEW.provider_reference)
    OR NOT CASE OLD.state
      WHEN 'requested' THEN true
      WHEN 'unknown' THEN true
      WHEN 'action_needed' THEN NEW.state <> 'requested'
      WHEN 'authorized' THEN NEW.state IN ('authorized', 'captured', 'voided', 'refused', 'unknown')
      WHEN 'voided' THEN NEW.state = 'voided' OR (OLD.provider_reference IS NULL
        AND NEW.provider_reference IS NOT NULL AND NEW.state IN ('action_needed', 'authorized', 'captured'))
      ELSE NEW.state = OLD.state
    END
  ) EXECUTE FUNCTION refuse_payment_change();
