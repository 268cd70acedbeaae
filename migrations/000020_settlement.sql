-- Card payments after the booking: refunds, and one account for each reservation whose money we collect.

-- A refund of a part of a payment. It is committed before the provider is asked.
CREATE TABLE payment_refunds (
  refund_id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id uuid NOT NULL REFERENCES payment_intents,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'done', 'refused', 'unknown')),
  refund_reference text UNIQUE,
  decline_code text,
  reason text NOT NULL,
  -- Part of the provider's idempotency key.
  round smallint NOT NULL DEFAULT 0,
  -- The provider keeps an error under the key of this round, so the next request needs another.
  key_spent boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (state <> 'done' OR refund_reference IS NOT NULL)
);
CREATE INDEX payment_refunds_of_payment ON payment_refunds (payment_id);
ALTER TABLE payment_entries ADD FOREIGN KEY (refund_id) REFERENCES payment_refunds;

CREATE FUNCTION refuse_refund_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refund % cannot go from % to %', OLD.refund_id, OLD.state, NEW.state
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER payment_refunds_transitions BEFORE UPDATE ON payment_refunds FOR EACH ROW
  WHEN (
    NEW.refund_id <> OLD.refund_id OR NEW.payment_id <> OLD.payment_id
    OR NEW.amount_minor <> OLD.amount_minor OR NEW.reason <> OLD.reason
    OR NEW.round < OLD.round
    OR NEW.refund_reference IS DISTINCT FROM coalesce(OLD.refund_reference, NEW.refund_reference)
    OR (OLD.state IN ('done', 'refused') AND NEW.state <> OLD.state)
  ) EXECUTE FUNCTION refuse_refund_change();

-- Refunds of a payment never exceed what it captured: the row of the payment is locked while they are added up.
CREATE FUNCTION check_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
  refunded bigint;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount_minor), 0) INTO refunded FROM payment_refunds
    WHERE payment_id = NEW.payment_id AND state <> 'refused';
  IF payment.state <> 'captured' OR refunded + NEW.amount_minor > payment.amount_minor THEN
    RAISE EXCEPTION 'payment % has not % left to refund', NEW.payment_id, NEW.amount_minor
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_refunds_fit BEFORE INSERT ON payment_refunds FOR EACH ROW
  EXECUTE FUNCTION check_refund();

-- Each change of a refund writes its row of the ledger, whoever makes it.
CREATE FUNCTION enter_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  SELECT application_id, checkout_id, payment_id, NEW.refund_id,
    CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
    CASE NEW.state WHEN 'done' THEN 'open' END,
    CASE NEW.state WHEN 'done' THEN 'refunded' END,
    NEW.amount_minor, currency,
    json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
      'declineCode', NEW.decline_code, 'round', NEW.round))
  FROM payment_intents WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_refunds_insert_entered AFTER INSERT ON payment_refunds FOR EACH ROW
  EXECUTE FUNCTION enter_refund();
CREATE TRIGGER payment_refunds_update_entered AFTER UPDATE ON payment_refunds FOR EACH ROW
  WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION enter_refund();

-- The balances of a checkout. Each row of the ledger with accounts moves an amount between two of them, so
-- due = collected + open - refunded at every moment.
CREATE FUNCTION payment_balance(application uuid, checkout uuid)
RETURNS TABLE (due bigint, collected bigint, open bigint, refunded bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'due'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'due'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'collected'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'open'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'open'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'refunded'), 0)::bigint
  FROM payment_entries e WHERE e.checkout_id = checkout AND e.application_id = application;
END $$;

-- One account for each reservation whose money we collect. The settlement worker claims what is due.
CREATE TABLE payment_accounts (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  reference text NOT NULL UNIQUE REFERENCES reservations,
  currency text NOT NULL,
  -- In milliseconds, as pages of the list name it.
  opened_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  -- When the worker looks at it next; null: only after a change.
  due_at timestamptz DEFAULT now(),
  -- Rises with each claim and each change, so nothing is written that was decided on something older.
  fence bigint NOT NULL DEFAULT 0,
  -- Claims since the last change.
  tries integer NOT NULL DEFAULT 0,
  -- Refusals of the provider since the last success or change.
  refusals integer NOT NULL DEFAULT 0,
  last_refused_at timestamptz,
  -- Why staff have to decide.
  attention text CHECK (attention IN ('declined', 'refund_refused', 'unknown')),
  attention_since timestamptz,
  PRIMARY KEY (checkout_id, application_id),
  CHECK ((attention IS NULL) = (attention_since IS NULL))
);
CREATE INDEX payment_accounts_due ON payment_accounts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payment_accounts_listed ON payment_accounts (opened_at, reference);
CREATE INDEX payment_accounts_of_application ON payment_accounts (application_id, opened_at, reference);
CREATE INDEX payment_accounts_for_staff ON payment_accounts (opened_at, reference)
  WHERE attention IS NOT NULL;

-- An account is open from the confirmation on, if the guest left a card.
CREATE FUNCTION open_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint := NEW.charges ->> 'total';
BEGIN
  IF NOT EXISTS (SELECT FROM payment_cards
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO payment_accounts (application_id, checkout_id, reference, currency)
    VALUES (NEW.application_id, NEW.booking_id, NEW.reference, NEW.charges ->> 'currency');
  IF total > 0 THEN
    INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
      VALUES (NEW.application_id, NEW.booking_id, 'booked', 'open', 'due', total, NEW.charges ->> 'currency');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER reservations_open_payment_account AFTER INSERT ON reservations FOR EACH ROW
  WHEN (NEW.kind = 'checkout') EXECUTE FUNCTION open_payment_account();

-- What an account has to do changes at once: a new claim decides on what is true now.
CREATE FUNCTION wake_payment_account(application uuid, checkout uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0, refusals = 0,
    last_refused_at = NULL, attention = NULL, attention_since = NULL
  WHERE checkout_id = checkout AND application_id = application;
END $$;

-- A change of the price or a cancellation changes what is due. The account is locked first, so a payment
-- or refund that ends at the same time is counted. A cancellation leaves what was collected less the refund.
CREATE FUNCTION enter_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account record;
  balance record;
  change bigint;
BEGIN
  SELECT * INTO account FROM payment_accounts
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO balance FROM payment_balance(NEW.application_id, NEW.booking_id);
  IF NEW.state = 'cancelled' THEN
    change := least(balance.collected - balance.refunded, balance.due) - coalesce(NEW.refund_minor, 0);
    IF change < 0 THEN
      RAISE EXCEPTION 'the refund of % is more than was collected', NEW.reference
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    change := change - balance.due;
  ELSE
    change := greatest((NEW.charges ->> 'total')::bigint - (OLD.charges ->> 'total')::bigint, -balance.due);
  END IF;
  IF change <> 0 THEN
    INSERT INTO payment_entries
      (application_id, checkout_id, kind, debit, credit, amount_minor, currency, details)
    VALUES (NEW.application_id, NEW.booking_id,
      CASE WHEN NEW.state = 'cancelled' THEN 'cancelled' WHEN change > 0 THEN 'raised' ELSE 'lowered' END,
      CASE WHEN change > 0 THEN 'open' ELSE 'due' END, CASE WHEN change > 0 THEN 'due' ELSE 'open' END,
      abs(change), account.currency, json_build_object('version', NEW.version));
  END IF;
  PERFORM wake_payment_account(NEW.application_id, NEW.booking_id);
  RETURN NULL;
END $$;
CREATE TRIGGER reservations_enter AFTER UPDATE OF version ON reservations FOR EACH ROW
  WHEN (NEW.kind = 'checkout' AND NEW.version > OLD.version) EXECUTE FUNCTION enter_reservation();

-- The end of a payment or refund makes its account due: there may be more to do. A refusal counts.
CREATE FUNCTION settle_payment_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0,
    refusals = CASE NEW.state WHEN 'refused' THEN refusals + 1 ELSE 0 END,
    last_refused_at = CASE NEW.state WHEN 'refused' THEN now() END,
    attention = NULL, attention_since = NULL
  WHERE checkout_id = payment.checkout_id AND application_id = payment.application_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_intents_settled AFTER UPDATE ON payment_intents FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('captured', 'voided', 'refused'))
  EXECUTE FUNCTION settle_payment_account();
CREATE TRIGGER payment_refunds_settled AFTER UPDATE ON payment_refunds FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('done', 'refused'))
  EXECUTE FUNCTION settle_payment_account();

-- The payments of a time, to compare them with the provider's.
CREATE INDEX payment_intents_by_time ON payment_intents (created_at, payment_id);
