import { insertAuditEntry, type AuditEntry } from './audit-entries.ts';
import type { Database, Executor } from './database.ts';

/**
 * Makes a change and its entry in the audit trail in one transaction. A change that finds nothing to
 * change leaves no entry.
 */
export function auditedChange<T extends object>(
  database: Database,
  change: (executor: Executor) => Promise<T | undefined>,
  entryOf: (changed: T) => AuditEntry,
): Promise<T | undefined> {
  return database.transaction(async (executor) => {
    const changed = await change(executor);
    if (changed) await insertAuditEntry(executor, entryOf(changed));
    return changed;
  });
}
