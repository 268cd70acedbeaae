-- Money that we collect and for which no card is on file: it waits for staff, who send a payment link or record what was
-- paid outside. A payment link makes the provider's customer of such a checkout.
ALTER TABLE payment_cards ALTER COLUMN setup_reference DROP NOT NULL,
  ALTER COLUMN payment_method_reference DROP NOT NULL,
  ADD CONSTRAINT payment_cards_whole_check CHECK ((setup_reference IS NULL) = (payment_method_reference IS NULL)) NOT VALID;

ALTER TABLE payment_waits DROP CONSTRAINT payment_waits_kind_check,
  ADD CONSTRAINT payment_waits_kind_check CHECK (kind IN
    ('declined', 'stopped', 'no_card', 'refund_refused', 'refund_failed', 'unknown', 'adopted')) NOT VALID;

-- In the simulation no money is collected later.
CREATE OR REPLACE FUNCTION open_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint := collectable_total(NEW.charges);
BEGIN
  IF NOT EXISTS (SELECT FROM payment_cards
      WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id)
    AND NOT EXISTS (SELECT FROM bookings b JOIN installation i ON i.environment <> 'simulation'
      WHERE b.booking_id = NEW.booking_id AND b.application_id = NEW.application_id AND b.kind = 'checkout'
        AND b.settlement = 'card') THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = NEW.booking_id AND i.application_id = NEW.application_id
      AND f.state NOT IN ('refused', 'failed')) THEN
    RAISE EXCEPTION 'the payment of % was given back', NEW.booking_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reservations_paid', TABLE = 'reservations';
  END IF;
  INSERT INTO payment_accounts (application_id, checkout_id, reference, currency)
    VALUES (NEW.application_id, NEW.booking_id, NEW.reference, NEW.charges ->> 'currency');
  IF total > 0 THEN
    INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
      VALUES (NEW.application_id, NEW.booking_id, 'booked', 'open', 'due', total, NEW.charges ->> 'currency');
  END IF;
  RETURN NULL;
END $$;
