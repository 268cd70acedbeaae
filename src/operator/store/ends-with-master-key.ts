/** What ends when a master key is retired. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { nilUuid } from '../../platform/uuid.ts';

const endsStatement: Statement = {
  name: 'count-ends-with-master-key',
  text: `SELECT (SELECT count(*) FROM keyed_creates
      WHERE created_at < $1 AND created_at > now() - interval '1 day')::integer AS "keyedCreates",
    (SELECT count(*) FROM quotes WHERE created_at < $1 AND expires_at > now())::integer AS quotes`,
};

// No index has the ends of sessions: each booking would write it for this alone. So they are counted in steps.
const sessionsStatement: Statement = {
  name: 'count-sessions-in-step',
  text: `SELECT count(*) FILTER (WHERE created_at < $1 AND session_expires_at > now())::integer AS sessions,
      count(*)::integer AS rows, max(booking_id::text) AS last
    FROM (
      SELECT booking_id, created_at, session_expires_at FROM bookings WHERE booking_id > $2
      ORDER BY booking_id FETCH FIRST $3 ROWS WITH TIES) step`,
};

/** Counts of what was handed out before an instant, and is still used. */
export interface HandedOut {
  /** Sessions of checkouts: their capabilities no longer open them. */
  sessions: number;
  /** Answers to calls with `Idempotency-Key` of the last day: a repeat would create again. */
  keyedCreates: number;
  /** Quotes that can still be used: a repeat of their call is other input. */
  quotes: number;
}

const bookingsAtOnce = 5_000;

async function countSessions(executor: Executor, before: EpochMs): Promise<number> {
  let sessions = 0;
  let after = nilUuid;
  for (;;) {
    const [step] = await executor.query<{ sessions: number; rows: number; last: string }>(
      sessionsStatement,
      [new Date(before), after, bookingsAtOnce],
    );
    sessions += step!.sessions;
    if (step!.rows < bookingsAtOnce) return sessions;
    after = step!.last;
  }
}

/** Counts what was handed out before a master key was new, and is still used. */
export async function countHandedOut(executor: Executor, before: EpochMs): Promise<HandedOut> {
  type Others = Omit<HandedOut, 'sessions'>;
  const [others] = await executor.query<Others>(endsStatement, [new Date(before)]);
  return { sessions: await countSessions(executor, before), ...others! };
}
