-- The clock of this server can jump. The processes carry the time on by their monotonic clocks, and while the clock is
-- more than a minute away from that line, their sessions use the line.

-- One row: what the processes say of the clock.
CREATE TABLE clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Since when the clock is not believed, by the line; null: it is believed.
  held_since timestamptz,
  -- The line less the wall clock of the process that wrote it: a process that starts finds the line with it.
  line_less_wall_ms bigint,
  -- The earliest and the latest time that the clock has shown meanwhile: what was written with them is looked at again.
  shown_from timestamptz,
  shown_until timestamptz,
  -- Since when the clock is near the line again, by the line.
  near_since timestamptz,
  -- Rises when the clock is believed again. Then every process takes it as its line.
  accepted bigint NOT NULL DEFAULT 0,
  CHECK (num_nulls(held_since, line_less_wall_ms, shown_from, shown_until) IN (0, 4)),
  CHECK (near_since IS NULL OR held_since IS NOT NULL)
);
INSERT INTO clock DEFAULT VALUES;

-- What a session whose `search_path` names `pg_catalog` last means by `now()`: the line. All other sessions mean the
-- function of PostgreSQL, which is found first.
CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT pg_catalog.now() + current_setting('latchkey.clock_shift')::interval $$;
CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
  AS $$ SELECT pg_catalog.clock_timestamp() + current_setting('latchkey.clock_shift')::interval $$;

-- Makes due now what was put off with a clock that was wrong: more than an hour from now, and within a day and a few
-- hours (the longest usual wait) after a time that the wrong clock has shown.
CREATE FUNCTION look_again(shown_from timestamptz, shown_until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
BEGIN
  UPDATE bookings SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_accounts SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_returns SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE reservations SET records_due_at = now() WHERE records_due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE attention_items SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending' AND due_at BETWEEN due_from AND due_until;
END $$;
