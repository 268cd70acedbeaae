/** Long changes of catalogs: what they change is compared while others change catalogs, and written while nobody does. */

import type { EpochMs } from '../../contract/time.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { longTransaction } from '../../platform/postgres/long-transaction.ts';
import { lockRevision, readRevision } from '../store/revision.ts';

/** What a change is compared with. */
export interface Comparison {
  /** The time of the database when it began. */
  now: EpochMs;
  /** Keeps others from changing a catalog. False: somebody has changed one since the comparison began. */
  lock(): Promise<boolean>;
}

/** Begins to compare. `alone`: from now on nobody else changes a catalog. */
export async function beginComparison(executor: Executor, alone: boolean): Promise<Comparison> {
  const begun = await (alone ? lockRevision : readRevision)(executor);
  const lock = async () => (await lockRevision(executor)).revision === begun.revision;
  return { now: begun.now, lock };
}

/** The result of a change. `overtaken`: somebody has changed a catalog since it began to compare. */
export type ComparedChange<T> = { commit: boolean; result: T } | 'overtaken';

/**
 * Runs a change in one transaction. If somebody was faster, it is compared again while others wait.
 *
 * @param isShort others wait for it from the start, so that many short changes at once are each compared once
 */
export async function compareThenWrite<T>(
  database: Database,
  work: (executor: Executor, comparison: Comparison) => Promise<ComparedChange<T>>,
  isShort = false,
): Promise<T> {
  const once = (alone: boolean) =>
    longTransaction<T | 'overtaken'>(database, 'read write', async (executor) => {
      const outcome = await work(executor, await beginComparison(executor, alone));
      return outcome === 'overtaken' ? { commit: false, result: outcome } : outcome;
    });
  const result = isShort ? 'overtaken' : await once(false);
  if (result !== 'overtaken') return result;
  return (await once(true)) as T;
}
