import type { Executor } from '../platform/postgres/database.ts';
import { epochMsAt, todayAt } from '../pricing/index.ts';
import { type DueAccount, listDueLater, wakeDueLater } from './store/due-days.ts';

const atOnce = 1_000;

/** Whether an account waits for a day that begins, by the rules of time zones that this process has, just then. */
const beginsThen = ({ dueAt, timeZone }: DueAccount): boolean =>
  epochMsAt(todayAt(dueAt, timeZone), '00:00', timeZone) === dueAt;

/**
 * Looks again at all accounts whose next day does not begin when they are due: it was computed by other rules of time
 * zones. Whatever else they wait for is decided again, too. Returns how many. Spec: CLOCK-3.
 */
export async function computeDueDaysAgain(
  executor: Executor,
  signal: AbortSignal,
): Promise<number> {
  let after: DueAccount | null = null;
  let woken = 0;
  while (!signal.aborted) {
    const page: DueAccount[] = await listDueLater(executor, after, atOnce);
    const moved = page.filter((account) => !beginsThen(account));
    if (moved.length > 0) {
      await wakeDueLater(
        executor,
        moved.map(({ reference }) => reference),
      );
    }
    woken += moved.length;
    after = page.at(-1) ?? null;
    if (page.length < atOnce) break;
  }
  return woken;
}
