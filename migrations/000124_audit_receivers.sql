-- How far each receiver of the audit trail has accepted it.
CREATE TABLE audit_receivers (
  -- The SHA-256 of its address, in hex: an address may have a secret.
  receiver text PRIMARY KEY,
  -- The last link of the chain that it has accepted.
  position bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- Why it did not accept what follows. Null: nothing was refused.
  problem text,
  failing_since timestamptz,
  CHECK ((problem IS NULL) = (failing_since IS NULL))
);

CREATE OR REPLACE FUNCTION look_again(shown_from timestamptz, shown_until timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
BEGIN
  UPDATE bookings SET due_at = CASE state WHEN 'requires_action' THEN least(due_at, now() + interval '1 hour')
      ELSE now() END
    WHERE due_at BETWEEN greatest(shown_from - interval '1 minute', now() + interval '30 seconds') AND due_until;
  UPDATE payment_accounts SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_returns SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE reservations SET records_due_at = now() WHERE records_due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE attention_items SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending' AND due_at BETWEEN due_from AND due_until;
  UPDATE audit_receivers SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
END $$;
