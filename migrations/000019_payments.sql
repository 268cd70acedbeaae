-- Card payments: the card of a checkout, each attempt to take money, and the ledger.

-- What a later charge needs. Nothing from which a card could be read.
CREATE TABLE payment_cards (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text NOT NULL DEFAULT 'checkout' CHECK (kind = 'checkout'),
  customer_reference text NOT NULL,
  setup_reference text NOT NULL,
  payment_method_reference text NOT NULL,
  PRIMARY KEY (checkout_id, application_id),
  -- It is removed with a checkout that never became a reservation.
  FOREIGN KEY (checkout_id, application_id, kind) REFERENCES bookings (booking_id, application_id, kind)
    ON DELETE CASCADE
);

-- An attempt to take money. It is committed before the provider is asked.
CREATE TABLE payment_intents (
  payment_id uuid PRIMARY KEY DEFAULT uuidv7(),
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  attempt_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('booking', 'instalment', 'difference')),
  due_on date NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN
    ('requested', 'action_needed', 'authorized', 'captured', 'voided', 'refused', 'unknown')),
  provider text NOT NULL,
  provider_reference text UNIQUE,
  decline_code text,
  -- Part of the provider's idempotency key.
  round smallint NOT NULL DEFAULT 0,
  -- The provider keeps an error under the key of this round, so the next request needs another.
  key_spent boolean NOT NULL DEFAULT false,
  -- When the provider was last asked for money: until some time later, the request may still take effect.
  asked_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (provider_reference IS NOT NULL OR state NOT IN ('action_needed', 'authorized', 'captured'))
);
-- At most one charge for each due amount.
CREATE UNIQUE INDEX payment_intents_live ON payment_intents (checkout_id, application_id, purpose, due_on)
  WHERE state NOT IN ('refused', 'voided');
-- An attempt to book takes money once, whatever became of it.
CREATE UNIQUE INDEX payment_intents_of_attempt ON payment_intents (attempt_id) WHERE purpose = 'booking';
CREATE INDEX payment_intents_of_checkout ON payment_intents (checkout_id, application_id);

CREATE FUNCTION refuse_payment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment % cannot go from % to %', OLD.payment_id, OLD.state, NEW.state
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
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
      ELSE NEW.state = OLD.state
    END
  ) EXECUTE FUNCTION refuse_payment_change();

-- The ledger. A row with accounts moves an amount from one to another, so double entry always holds; a row
-- without accounts notes an attempt without effect.
CREATE TABLE payment_entries (
  entry_id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  payment_id uuid REFERENCES payment_intents,
  refund_id uuid,
  kind text NOT NULL,
  debit text,
  credit text,
  amount_minor bigint CHECK (amount_minor > 0),
  currency text,
  at timestamptz NOT NULL DEFAULT now(),
  details json,
  CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CHECK (debit IS NULL OR amount_minor IS NOT NULL),
  CONSTRAINT payment_entries_accounts CHECK (CASE kind
    WHEN 'booked' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'due')
    WHEN 'raised' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'due')
    WHEN 'lowered' THEN (debit, credit) IS NOT DISTINCT FROM ('due', 'open')
    WHEN 'cancelled' THEN (debit, credit) IS NOT DISTINCT FROM ('due', 'open')
    WHEN 'authorized' THEN (debit, credit) IS NOT DISTINCT FROM ('authorized', 'holds')
    WHEN 'released' THEN (debit, credit) IS NOT DISTINCT FROM ('holds', 'authorized')
    WHEN 'captured' THEN (debit, credit) IS NOT DISTINCT FROM ('collected', 'open')
    WHEN 'refunded' THEN (debit, credit) IS NOT DISTINCT FROM ('open', 'refunded')
    ELSE kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
        'refund_refused', 'refund_unknown', 'disputed')
      AND debit IS NULL AND credit IS NULL
  END)
);
CREATE INDEX payment_entries_of_checkout ON payment_entries (checkout_id, application_id, entry_id);
CREATE INDEX payment_entries_of_payment ON payment_entries (payment_id) WHERE payment_id IS NOT NULL;

CREATE FUNCTION refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of the ledger never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER payment_entries_unchanged BEFORE UPDATE OR DELETE ON payment_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_entry_change();

-- Each change of a payment writes its rows of the ledger, whoever makes it. What ends a hold releases it.
CREATE FUNCTION enter_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IN ('captured', 'voided', 'refused') THEN
    INSERT INTO payment_entries
      (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency)
    SELECT application_id, checkout_id, payment_id, 'released', 'holds', 'authorized', amount_minor, currency
    FROM payment_entries WHERE payment_id = NEW.payment_id AND kind = 'authorized';
  END IF;
  -- A capture that is not known leaves the hold as it is.
  IF NEW.state = 'authorized' AND EXISTS
    (SELECT FROM payment_entries WHERE payment_id = NEW.payment_id AND kind = 'authorized') THEN
    RETURN NULL;
  END IF;
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, details)
  VALUES (NEW.application_id, NEW.checkout_id, NEW.payment_id, NEW.state,
    CASE NEW.state WHEN 'authorized' THEN 'authorized' WHEN 'captured' THEN 'collected' END,
    CASE NEW.state WHEN 'authorized' THEN 'holds' WHEN 'captured' THEN 'open' END,
    NEW.amount_minor, NEW.currency,
    json_strip_nulls(json_build_object('purpose', NEW.purpose, 'dueOn', NEW.due_on,
      'providerReference', NEW.provider_reference, 'declineCode', NEW.decline_code, 'round', NEW.round)));
  RETURN NULL;
END $$;
CREATE TRIGGER payment_intents_insert_entered AFTER INSERT ON payment_intents FOR EACH ROW
  EXECUTE FUNCTION enter_payment();
CREATE TRIGGER payment_intents_update_entered AFTER UPDATE ON payment_intents FOR EACH ROW
  WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION enter_payment();
