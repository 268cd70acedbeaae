import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { insertAuditEntry, type AuditEntry } from './audit-entries.ts';
import type { Database, Executor } from '../postgres/database.ts';

/**
 * THE way to change something that is audited: the change and its entry in the audit trail are one
 * transaction. A change that is refused, or finds nothing to change, leaves no entry; one that does
 * several things leaves several.
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
