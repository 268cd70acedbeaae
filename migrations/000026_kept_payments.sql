-- A reservation keeps its payment: of a worker that gives the payment of an attempt back, and somebody who
-- confirms it at the same time, only one succeeds. The refund holds the booking, and is not written after its
-- outcome; the reservation is not written after the refund.
CREATE OR REPLACE FUNCTION open_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint := NEW.charges ->> 'total';
BEGIN
  IF NOT EXISTS (SELECT FROM payment_cards
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id) THEN
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
