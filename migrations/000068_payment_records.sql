-- What the operator's own system is told of money: a row for each collection, refund, decline and dispute, entered by
-- triggers, so that no code path can forget one. A row gets its place in the sequence of the epoch before it is sent.
CREATE TABLE payment_records (
  record_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('collected', 'declined', 'refunded', 'refund_failed', 'disputed', 'charged_back', 'written_off')),
  -- What it is called wherever it is found: the provider's name, or the time of staff's act. After a restore the same
  -- effect has the same name.
  name text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  happened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Null: not numbered yet.
  epoch bigint,
  sequence bigint,
  -- Null: it was accepted.
  due_at timestamptz DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  problem text,
  CHECK ((epoch IS NULL) = (sequence IS NULL)),
  UNIQUE (epoch, sequence)
);
CREATE INDEX payment_records_unnumbered ON payment_records (record_id) WHERE sequence IS NULL;
CREATE INDEX payment_records_due ON payment_records (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payment_records_by_age ON payment_records (created_at);

CREATE TABLE payment_record_counters (
  epoch bigint PRIMARY KEY,
  last_sequence bigint NOT NULL
);

CREATE FUNCTION enter_payment_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
-- A decline before there is a reservation is the guest's own try: the checkout has failed.
CREATE TRIGGER payment_entries_recorded AFTER INSERT ON payment_entries FOR EACH ROW
  WHEN (NEW.amount_minor IS NOT NULL AND (NEW.kind IN ('captured', 'collected_elsewhere', 'refunded',
      'refunded_elsewhere', 'refund_refused', 'refund_failed', 'charged_back', 'written_off')
    OR NEW.kind = 'refused' AND NEW.details ->> 'purpose' IS DISTINCT FROM 'booking'))
  EXECUTE FUNCTION enter_payment_record();

CREATE FUNCTION enter_dispute_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
  SELECT application_id, checkout_id, 'disputed', 'disputed ' || NEW.dispute_reference, NEW.amount_minor, NEW.currency,
    NEW.opened_at
  FROM payment_intents WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_disputes_recorded AFTER INSERT ON payment_disputes FOR EACH ROW
  EXECUTE FUNCTION enter_dispute_record();
