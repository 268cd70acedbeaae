import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Seen } from '../../api/seen.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { DatabaseBusyError } from '../../platform/postgres/database-errors.ts';
import {
  type Application,
  type ChangeableMember,
  changeableMembers,
  writeApplication,
} from '../store/applications.ts';
import { givesMore } from './gives-more.ts';
import { changedApplication, versionRefusal } from './change-application.ts';

/** The members to change; absent ones stay. `reservationsPerDay: null` removes the limit. */
export type ApplicationChanges = {
  [Member in ChangeableMember]?: Application[Member] | undefined;
};

/** The changed members, as they were and as they are. Null: there is none. */
function differenceOf(before: Application, after: Application) {
  const changed = changeableMembers.filter(
    (member) => !isDeepStrictEqual(before[member], after[member]),
  );
  if (changed.length === 0) return null;
  const valuesIn = (application: Application) =>
    Object.fromEntries(changed.map((member) => [member, application[member]]));
  return { before: valuesIn(before), after: valuesIn(after) };
}

// Longer than a statement can hold a lock.
const countWithinMs = 5_000;
const countAgainMs = 20;

/** Counts the reservations of this day that were made without a limit, in pieces of work. */
type CountToday = (
  executor: Executor,
  applicationId: string,
  since: EpochMs,
  within: <T>(work: (executor: Executor) => Promise<T>) => Promise<T>,
) => Promise<{ began: EpochMs; hasSkipped: boolean }>;

/** Counts what was skipped. Throws `DatabaseBusyError`. */
async function countSkipped(
  database: Database,
  applicationId: string,
  countToday: CountToday,
): Promise<void> {
  const end = performance.now() + countWithinMs;
  let hasSkipped = true;
  while (hasSkipped) {
    if (performance.now() > end) {
      throw new DatabaseBusyError(
        'the bookings of the application are locked; set the limit again',
      );
    }
    await sleep(countAgainMs);
    ({ hasSkipped } = await countToday(database, applicationId, 0, database.transaction));
  }
}

/**
 * Changes an application; an audit entry has each changed member before and after. A daily limit that is set
 * includes the reservations of this day. Throws `DatabaseBusyError` if bookings stay
 * locked: then the limit is set, and setting it again counts the rest.
 */
export async function setApplication(
  database: Database,
  actor: string,
  applicationId: string,
  {
    changes,
    seen,
    countToday,
    refuseMore = null,
  }: {
    changes: ApplicationChanges;
    seen?: Seen | undefined;
    countToday: CountToday;
    /** What an actor gets who must not give a partner more than it has. Null: this one may. */
    refuseMore?: Refusal<'forbidden'> | null;
  },
): Promise<Application | Refusal<'not_found' | 'precondition_failed' | 'forbidden'>> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const isLimitSet = typeof changes.reservationsPerDay === 'number';
  // Nearly all are counted here, some in a transaction each: one that counted them all would lock them for long.
  const counted = isLimitSet
    ? await countToday(database, applicationId, 0, database.transaction)
    : null;
  let hasSkipped = counted?.hasSkipped ?? false;
  const changed = await changedApplication(database, actor, applicationId, {
    action: 'application.set',
    async change(
      executor,
      before,
    ): Promise<Application | undefined | Refusal<'precondition_failed' | 'forbidden'>> {
      const refusal = versionRefusal(seen, before);
      if (refusal) return refusal;
      const wanted: Application = { ...before, ...Object.fromEntries(given) };
      if (refuseMore && givesMore(before, wanted)) return refuseMore;
      const after = await writeApplication(executor, wanted);
      if (counted) {
        const here = <T>(work: (within: Executor) => Promise<T>): Promise<T> => work(executor);
        const rest = await countToday(executor, applicationId, counted.began, here);
        hasSkipped ||= rest.hasSkipped;
      }
      return after;
    },
    detailsOf: differenceOf,
  });
  if (!isRefusal(changed) && hasSkipped) await countSkipped(database, applicationId, countToday);
  return changed;
}
