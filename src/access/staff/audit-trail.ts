/** Queries of the audit trail. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { instant } from '../../contract/time.ts';
import {
  listAuditEntries,
  type AuditFilter,
  type StoredAuditEntry,
} from '../../platform/audit/audit-entries.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { sparsePageForStaff, type PageOfStaff, type PageRequest } from './staff-page.ts';

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

/** Which entries staff ask for. */
export interface AuditWanted extends AuditFilter {
  /** The first and the last day, as `YYYY-MM-DD`. */
  from?: string | undefined;
  until?: string | undefined;
  /** The time zone of these days. Absent: UTC. */
  timeZone?: string | undefined;
}

/** The instant at which a day begins in a time zone. Throws a RangeError for an unknown zone. */
const beginOf = (day: Temporal.PlainDate, timeZone: string): string =>
  day.toZonedDateTime(timeZone).toInstant().toString();

/** The filter with instants in place of days. Spec: OPERATOR-21. */
function filterOf({
  from,
  until,
  timeZone = 'UTC',
  ...filter
}: AuditWanted): AuditFilter | Refusal<'invalid_input'> {
  const dayOf = (date: string) => Temporal.PlainDate.from(date);
  try {
    return {
      ...filter,
      ...(from !== undefined && { from: beginOf(dayOf(from), timeZone) }),
      ...(until !== undefined && { until: beginOf(dayOf(until).add({ days: 1 }), timeZone) }),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const field = { path: 'query/timeZone', message: 'must be a time zone, as Europe/Lisbon' };
    return refuseStaff('invalid_input', `There is no time zone ${timeZone}.`, field);
  }
}

/** Lists entries of the audit trail, newest first. */
export async function listAuditTrail(
  executor: Executor,
  wanted: AuditWanted,
  page: PageRequest,
): Promise<AuditTrail | Refusal<'invalid_input'>> {
  const filter = filterOf(wanted);
  if (isRefusal(filter)) return filter;
  const found = await sparsePageForStaff(
    executor.vault,
    {
      operation: 'staff.audit.list',
      filters: { ...filter },
      read: (before: number | null, atMost) =>
        listAuditEntries(executor, filter, { before, atMost }),
      positionOf: ({ entryId }) => entryId,
    },
    page,
  );
  return isRefusal(found) ? found : { ...found, items: found.items.map(entryView) };
}
