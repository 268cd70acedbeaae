/** Queries of the audit trail. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { instant } from '../../contract/time.ts';
import {
  listAuditEntries,
  type AuditFilter,
  type StoredAuditEntry,
} from '../../platform/audit/audit-entries.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { pageForStaff, type PageOfStaff, type PageRequest } from './staff-page.ts';

const entryView = ({ entryId, happenedAt, reference, source, ...entry }: StoredAuditEntry) => ({
  entryId,
  happenedAt: instant(happenedAt),
  actor: entry.actor,
  source,
  action: entry.action,
  applicationId: entry.applicationId,
  reference: reference ?? null,
  details: entry.details,
});

/** An entry of the audit trail; `details` has what changed, with its reason. */
export type AuditTrail = PageOfStaff<ReturnType<typeof entryView>>;

/** Lists entries of the audit trail, newest first. */
export async function listAuditTrail(
  executor: Executor,
  filter: AuditFilter,
  page: PageRequest,
): Promise<AuditTrail | Refusal<'invalid_input'>> {
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.audit.list',
      filters: { ...filter },
      read: (before: number | null, atMost) => listAuditEntries(executor, filter, before, atMost),
      placeOf: ({ entryId }) => entryId,
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(entryView) };
}
