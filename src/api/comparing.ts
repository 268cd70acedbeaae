import { isRefusal } from '../contract/errors.ts';
import type { Row } from '../contract/rows.ts';
import { guardingEntries } from '../platform/audit/entry-guard.ts';
import type { AnyCall } from './call.ts';
import { after, type MaybePromise } from './maybe-promise.ts';

/**
 * Runs the handler of a row with `seen`. If it writes without having compared what the caller has seen, its audit
 * entry throws, and the transaction of the write rolls back. Throws, too, if it compares nothing at all.
 */
export function comparing<T>(
  row: Row,
  { operation, seen }: AnyCall,
  work: () => MaybePromise<T>,
): MaybePromise<T> {
  if (seen === null) return work();
  const check = (): void => {
    if (seen.isCompared) return;
    throw new Error(`${operation} has not compared ${row.seen} with what is stored`);
  };
  return after(guardingEntries(check, work), (returned) => {
    if (!isRefusal(returned)) check();
    return returned;
  });
}
