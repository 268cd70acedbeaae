import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { insertAuditEntry, type AuditEntry } from './audit-entries.ts';
import type { Database, Executor } from '../postgres/database.ts';

/**
 * Makes a change and writes its audit entries in one transaction. A change that is refused is rolled back; one that
 * finds nothing to change leaves no entry. What has a transaction of its own kind (an import, nights of a channel) writes
 * its entry there. Spec: OPERATOR-4.
 */
export function auditedChange<T extends object | undefined>(
  database: Database,
  change: (executor: Executor) => Promise<T>,
  entryOf: (changed: Exclude<T, Refusal | undefined>) => AuditEntry | readonly AuditEntry[],
): Promise<T> {
  return database.transaction(async (executor) => {
    const changed: T = await change(executor);
    if (changed && !isRefusal(changed)) {
      const entries = [entryOf(changed as Exclude<T, Refusal | undefined>)].flat();
      for (const entry of entries) await insertAuditEntry(executor, entry);
    }
    return changed;
  });
}
