/** What must have happened before an act of staff writes its audit entry: the entry is part of the write. */
import { AsyncLocalStorage } from 'node:async_hooks';

const guards = new AsyncLocalStorage<() => void>();

/** Runs the work of an act. `check` throws if the act may not write yet, and the transaction of the entry rolls back. */
export const guardingEntries = <T>(check: () => void, work: () => T): T => guards.run(check, work);

/** Called for each entry, in its transaction. */
export function checkEntry(): void {
  guards.getStore()?.();
}
