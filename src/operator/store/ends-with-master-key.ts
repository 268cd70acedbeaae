/** What ends when a master key is retired. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

const endsStatement: Statement = {
  name: 'count-ends-with-master-key',
  text: `SELECT (SELECT count(*) FROM bookings
      WHERE created_at < $1 AND session_expires_at > now())::integer AS sessions,
    (SELECT count(*) FROM keyed_creates
      WHERE created_at < $1 AND created_at > now() - interval '1 day')::integer AS "keyedCreates",
    (SELECT count(*) FROM quotes WHERE created_at < $1 AND expires_at > now())::integer AS quotes`,
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

/** Counts what was handed out before a master key was new, and is still used. */
export async function countHandedOut(executor: Executor, before: EpochMs): Promise<HandedOut> {
  const [row] = await executor.query<HandedOut>(endsStatement, [new Date(before)]);
  return row!;
}
