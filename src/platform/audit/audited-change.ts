import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { insertAuditEntry, type AuditEntry } from './audit-entries.ts';
import type { Database, Executor } from '../postgres/database.ts';

/**
 * Makes a change and writes its audit entry in one transaction. A change that is refused, or that finds
 * nothing to change, leaves no entry. Every audited change uses this function.
 */
export function auditedChange<T extends object>(
  database: Database,
  change: (executor: Executor) => Promise<T | undefined>,
  entryOf: (changed: Exclude<T, Refusal>) => AuditEntry,
): Promise<T | undefined> {
  return database.transaction(async (executor) => {
    const changed = await change(executor);
    if (changed && !isRefusal(changed)) {
      await insertAuditEntry(executor, entryOf(changed as Exclude<T, Refusal>));
    }
    return changed;
  });
}
