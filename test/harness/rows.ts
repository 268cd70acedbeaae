import type { Executor } from '../../src/platform/postgres/database.ts';

type Row = Record<string, unknown>;

const names = new Map<string, string>();

// A named statement is planned once per connection. Without values a text may be several statements.
const nameOf = (text: string, values: readonly unknown[]): string =>
  values.length === 0 ? '' : names.getOrInsertComputed(text, () => `of-a-test-${names.size}`);

/** Runs SQL of a test's own. */
export const sql = <R = Row>(
  database: Executor,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> => database.query<R>({ name: nameOf(text, values), text }, values);

const bookingText = `SELECT to_jsonb(b) AS booking,
    (SELECT coalesce(jsonb_agg(c ORDER BY c.operation, c.expected_version, c.input_digest), '[]')
      FROM checkout_commands c WHERE c.checkout_id = b.booking_id) AS commands,
    (SELECT coalesce(jsonb_agg(r), '[]') FROM reservations r WHERE r.booking_id = b.booking_id)
      AS reservations,
    (SELECT coalesce(jsonb_agg(e ORDER BY e.sequence), '[]') FROM events e
      WHERE e.application_id = b.application_id) AS events,
    (SELECT coalesce(jsonb_agg(p ORDER BY p.code), '[]') FROM promotions p) AS promotions
  FROM bookings b WHERE b.booking_id = $1`;

/** All columns of all rows of a checkout or request, to compare before and after. */
export const allOf = async (database: Executor, bookingId: string): Promise<Row> => {
  const [row] = await sql(database, bookingText, [bookingId]);
  if (!row) throw new Error(`there is no booking ${bookingId}`);
  return row;
};

/** Makes rows older, so that a test need not wait. Seconds are added to the age. */
export const aged = {
  // A minute more than it lives: it was made by a clock that only follows the database's.
  quote: (database: Executor, quoteId: string, seconds = 16 * 60) =>
    sql(
      database,
      `UPDATE quotes SET created_at = created_at - make_interval(secs => $2),
        expires_at = expires_at - make_interval(secs => $2) WHERE quote_id = $1`,
      [quoteId, seconds],
    ),
  session: (database: Executor, checkoutId: string, seconds = 24 * 3_600) =>
    sql(
      database,
      `UPDATE bookings SET session_expires_at = session_expires_at - make_interval(secs => $2)
        WHERE booking_id = $1`,
      [checkoutId, seconds],
    ),
  setup: (database: Executor, checkoutId: string, seconds = 60) =>
    sql(
      database,
      `UPDATE bookings SET payment_requested_at = payment_requested_at - make_interval(secs => $2)
        WHERE booking_id = $1`,
      [checkoutId, seconds],
    ),
  /** The next due time: a lease, a retry, the timeout of an authentication. */
  due: (database: Executor, bookingId: string, seconds: number) =>
    sql(
      database,
      `UPDATE bookings SET due_at = due_at - make_interval(secs => $2) WHERE booking_id = $1`,
      [bookingId, seconds],
    ),
  /** The result and the announcement of a simulated attempt. */
  supplier: async (database: Executor, bookingId: string, seconds = 5) => {
    await sql(
      database,
      `UPDATE simulated_attempts SET known_at = known_at - make_interval(secs => $2)
        WHERE attempt_id = (SELECT attempt_id FROM bookings WHERE booking_id = $1)`,
      [bookingId, seconds],
    );
    await sql(
      database,
      `UPDATE reservations SET announced_for = announced_for - make_interval(secs => $2)
        WHERE booking_id = $1`,
      [bookingId, seconds],
    );
  },
} as const;

/** The events of an application, oldest first, as `type state` and complete. */
export const eventsOf = (database: Executor, applicationId: string) =>
  sql<{ sequence: number; type: string; data: Row }>(
    database,
    'SELECT sequence, type, data FROM events WHERE application_id = $1 ORDER BY sequence',
    [applicationId],
  );
