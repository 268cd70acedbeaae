-- What a partner sold, changed and cancelled is a statement by month. A confirmation is read from the reservation and its
-- booking; what changes its price later is a row here, entered by a trigger, so that no code path can forget one.
ALTER TABLE applications ADD COLUMN commission_percent numeric(5,2)
  CHECK (commission_percent BETWEEN 0 AND 100);

CREATE TABLE reservation_price_changes (
  reference text NOT NULL REFERENCES reservations,
  -- The version of the reservation that it led to; 1: found when these rows were introduced.
  version integer NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('changed', 'cancelled')),
  -- The difference. Of a cancellation: what was kept less the total.
  amount_minor bigint NOT NULL,
  -- What of it is paid at the property.
  property_minor bigint NOT NULL,
  currency text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (reference, version, currency)
);
CREATE INDEX reservation_price_changes_by_time ON reservation_price_changes (application_id, at, reference);

-- What a partner has collected by a day, by the schedule.
CREATE FUNCTION scheduled_by(charges json, day date) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum((one ->> 'amount')::bigint), 0)::bigint FROM json_array_elements(charges -> 'schedule') one
  WHERE one ->> 'at' IS DISTINCT FROM 'property' AND (one ->> 'dueOn')::date <= day
$$;

-- What is kept of a cancelled reservation: by the ledger where we collect, else by the schedule. A cancellation without a
-- decision about the refund, which only the simulation has, keeps nothing.
CREATE FUNCTION kept_of(cancelled_reference text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
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
  collected := scheduled_by(cancelled.charges, (cancelled.cancelled_at AT TIME ZONE coalesce(
    (SELECT time_zone FROM listings WHERE listing_id = cancelled.listing_id), 'UTC'))::date);
  RETURN greatest(collected - coalesce(cancelled.refund_minor, collected), 0);
END $$;

CREATE FUNCTION enter_price_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid_there bigint := (OLD.charges ->> 'total')::bigint - collectable_total(OLD.charges);
BEGIN
  IF NEW.state = 'cancelled' THEN
    INSERT INTO reservation_price_changes VALUES (NEW.reference, NEW.version, NEW.application_id, 'cancelled',
      kept_of(NEW.reference) - (OLD.charges ->> 'total')::bigint, -paid_there, OLD.charges ->> 'currency', NEW.updated_at);
    RETURN NULL;
  END IF;
  -- A change of the currency takes one price back and adds another.
  INSERT INTO reservation_price_changes
  SELECT NEW.reference, NEW.version, NEW.application_id, 'changed', sum(one.amount), sum(one.property), one.currency,
    NEW.updated_at
  FROM (VALUES (-(OLD.charges ->> 'total')::bigint, -paid_there, OLD.charges ->> 'currency'),
      ((NEW.charges ->> 'total')::bigint, (NEW.charges ->> 'total')::bigint - collectable_total(NEW.charges),
        NEW.charges ->> 'currency')) AS one (amount, property, currency)
  GROUP BY one.currency HAVING sum(one.amount) <> 0 OR sum(one.property) <> 0;
  RETURN NULL;
END $$;
-- After `reservations_enter`, so that the ledger knows what is kept: triggers fire in the order of their names.
CREATE TRIGGER reservations_enter_price_change AFTER UPDATE OF version ON reservations FOR EACH ROW
  WHEN (NEW.version > OLD.version) EXECUTE FUNCTION enter_price_change();
