import { to } from 'pg-copy-streams';
import type { Database } from './database.ts';
import { DatabaseUnavailableError, translated } from './database-errors.ts';

const silenceAtMostMs = 30_000;

/**
 * Runs a `COPY … TO STDOUT` on a connection of its own and yields its bytes. No time limit, but an error
 * when nothing has come for 30 seconds. Throws `DatabaseUnavailableError`.
 */
export async function* copyOut(database: Database, text: string): AsyncGenerator<Buffer> {
  const client = await database.connect();
  try {
    // The pool's sessions avoid sequential scans; a copy is one.
    await client.query('SET enable_seqscan = on');
    const copied = client.query(to(text));
    const noAnswer = new DatabaseUnavailableError('PostgreSQL did not answer in time');
    const timer = setTimeout(() => copied.destroy(noAnswer), silenceAtMostMs);
    try {
      for await (const bytes of copied) {
        timer.refresh();
        yield bytes as Buffer;
      }
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    throw translated(error);
  } finally {
    // Also cancels a copy that is not complete.
    await client.end().catch(() => undefined);
  }
}
