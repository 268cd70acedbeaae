-- As in the migrations before, for payments.
CREATE FUNCTION payment_is_sound(p payment_intents) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN p.amount_minor > 0
    AND p.purpose IN ('booking', 'instalment', 'difference', 'link')
    AND p.state IN ('requested', 'action_needed', 'authorized', 'captured', 'voided', 'refused', 'unknown')
    AND (p.provider_reference IS NOT NULL OR p.state NOT IN ('action_needed', 'authorized', 'captured'))
    AND (p.first_try IS NULL OR p.first_try > 0)
    AND (p.refused_as IS NULL OR p.refused_as IN ('funds', 'card', 'guest', 'amount', 'account'));
END $$;
ALTER TABLE payment_intents
  DROP CONSTRAINT payment_intents_amount_minor_check, DROP CONSTRAINT payment_intents_check,
  DROP CONSTRAINT payment_intents_first_try_check, DROP CONSTRAINT payment_intents_purpose_check,
  DROP CONSTRAINT payment_intents_refused_as_check, DROP CONSTRAINT payment_intents_state_check,
  ADD CONSTRAINT payment_intents_sound CHECK (payment_is_sound(payment_intents)) NOT VALID;

CREATE OR REPLACE FUNCTION refuse_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.payment_id <> OLD.payment_id OR NEW.application_id <> OLD.application_id
    OR NEW.checkout_id <> OLD.checkout_id OR NEW.attempt_id <> OLD.attempt_id
    OR NEW.purpose <> OLD.purpose OR NEW.due_on <> OLD.due_on OR NEW.amount_minor <> OLD.amount_minor
    OR NEW.currency <> OLD.currency OR NEW.provider <> OLD.provider
    OR NEW.round < OLD.round
    OR NEW.provider_reference IS DISTINCT FROM coalesce(OLD.provider_reference, NEW.provider_reference)
    OR NOT (CASE OLD.state
      WHEN 'requested' THEN true
      WHEN 'unknown' THEN true
      WHEN 'action_needed' THEN NEW.state <> 'requested'
      WHEN 'authorized' THEN NEW.state IN ('authorized', 'captured', 'voided', 'refused', 'unknown')
      WHEN 'voided' THEN NEW.state = 'voided' OR (OLD.provider_reference IS NULL
        AND NEW.provider_reference IS NOT NULL AND NEW.state IN ('action_needed', 'authorized', 'captured'))
      ELSE NEW.state = OLD.state
    END)
  THEN
    RAISE EXCEPTION 'payment % cannot go from % to %', OLD.payment_id, OLD.state, NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER payment_intents_transitions ON payment_intents;
CREATE TRIGGER payment_intents_transitions BEFORE UPDATE ON payment_intents FOR EACH ROW
  EXECUTE FUNCTION refuse_payment_change();
