-- A guest who has to authenticate has an hour: a jump of the clock neither ends nor prolongs it by more.
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
END $$;
