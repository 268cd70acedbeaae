-- What was put off with a wrong clock becomes due in batches: a million rows at once would exceed the time of a statement,
-- be tried again for ever, and the clock would never be believed. The function of before stays for processes of before.

-- Makes at most so many rows due now that are due in a time. Returns whether more may be.
CREATE FUNCTION make_due(
  of_table regclass, of_column name, due_from timestamptz, due_until timestamptz, at_most integer,
  only_where text DEFAULT 'true'
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  changed integer;
BEGIN
  EXECUTE format(
    'UPDATE %1$s SET %2$I = now() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM %1$s WHERE %2$I BETWEEN $1 AND $2 AND %3$s LIMIT $3 FOR UPDATE))',
    of_table, of_column, only_where) USING due_from, due_until, at_most;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed = at_most;
END $$;

CREATE FUNCTION look_again(shown_from timestamptz, shown_until timestamptz, at_most integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
  made_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '30 seconds');
  made_until timestamptz := shown_until + interval '1 minute';
  invited_from timestamptz := greatest(shown_from, now() + interval '2 days');
  changed integer;
  more boolean;
BEGIN
  -- What is due at the right time is in no batch again.
  UPDATE bookings SET due_at = CASE state WHEN 'requires_action' THEN now() + interval '1 hour' ELSE now() END
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM bookings WHERE due_at BETWEEN made_from AND due_until
      AND (state <> 'requires_action' OR due_at > now() + interval '1 hour') LIMIT at_most FOR UPDATE));
  GET DIAGNOSTICS changed = ROW_COUNT;
  more := changed = at_most;
  more := make_due('payment_links', 'look_at', due_from, due_until, at_most, 'ended_at IS NULL') OR more;
  more := make_due('payment_accounts', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('payment_returns', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('payment_records', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('customer_erasures', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('reservations', 'records_due_at', due_from, due_until, at_most) OR more;
  more := make_due('channel_calendars', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('channel_calendars', 'reading_until', due_from, due_until, at_most) OR more;
  more := make_due('attention_items', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('webhook_deliveries', 'due_at', due_from, due_until, at_most, $q$state = 'pending'$q$) OR more;
  more := make_due('sandbox_deliveries', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('audit_receivers', 'due_at', due_from, due_until, at_most) OR more;

  -- What was made within two minutes is no more than people and programs can do in them.
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
  RETURN more;
END $$;
