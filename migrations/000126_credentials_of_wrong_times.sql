-- Whatever is looked at next at a wrong time, and whatever was made at one: a session, link, token or key that was made
-- in the moment before a jump was noticed ends when it would have ended if it had been made now.
CREATE OR REPLACE FUNCTION look_again(shown_from timestamptz, shown_until timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
  made_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '30 seconds');
  made_until timestamptz := shown_until + interval '1 minute';
  invited_from timestamptz := greatest(shown_from, now() + interval '2 days');
BEGIN
  UPDATE bookings SET due_at = CASE state WHEN 'requires_action' THEN least(due_at, now() + interval '1 hour')
      ELSE now() END
    WHERE due_at BETWEEN greatest(shown_from - interval '1 minute', now() + interval '30 seconds') AND due_until;
  UPDATE payment_links SET look_at = now() WHERE ended_at IS NULL AND look_at BETWEEN due_from AND due_until;
  UPDATE payment_accounts SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_returns SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_records SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE customer_erasures SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE reservations SET records_due_at = now() WHERE records_due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET reading_until = now() WHERE reading_until BETWEEN due_from AND due_until;
  UPDATE attention_items SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending' AND due_at BETWEEN due_from AND due_until;
  UPDATE sandbox_deliveries SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE audit_receivers SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;

  UPDATE staff_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET confirmed_at = now() WHERE confirmed_at BETWEEN made_from AND made_until;
  UPDATE operator_tokens SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_links SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE application_keys SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_invitations SET expires_at = now() + interval '1 day'
    WHERE expires_at BETWEEN invited_from AND shown_until + interval '2 days';
  DELETE FROM staff_challenges WHERE expires_at BETWEEN due_from AND due_until;
END $$;
