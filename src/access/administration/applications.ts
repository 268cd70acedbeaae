/** Administration of partner applications by staff. */
import { instant } from '../../contract/time.ts';
import type { AuditAction } from '../../contract/operator/audit-actions.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { defaultQuotas, type Tier } from '../../contract/limits.ts';
import type { Capability } from '../../contract/scopes.ts';
import type { Environment, Settlement } from '../../contract/wire.ts';
import {
  findApplication,
  findApplicationsByName,
  insertApplication,
  lockApplication,
  resumeApplication as resume,
  writeApplication,
  writeQuotas,
  suspendApplication as suspend,
  type Application,
  type ChangeableMember,
} from '../store/applications.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { DatabaseBusyError } from '../../platform/postgres/database-errors.ts';
import { insertNewKey, keyIssuedEntry, type IssuedKey } from './application-keys.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { isUuid } from '../../platform/uuid.ts';
import { OperatorRefusal, unknownApplication } from './operator-refusal.ts';

export { listApplications } from '../store/applications.ts';

/** The maximum quota in calls per minute. A larger number is probably a typing error. */
export const largestQuota = operatorLimits.quota.max;

/** The bounds of the channel adjustment in percent; it has at most two decimals. */
export const adjustPercentBounds = operatorLimits.adjustPercent;

/** The largest daily limit of reservations. A larger number is probably a typing error. */
export const largestDailyLimit = operatorLimits.reservationsPerDay.max;

/**
 * Finds an application by its ID, or by its name if no other has that name. Throws `OperatorRefusal`.
 * Spec: outside, "An application is identified by".
 */
export async function findApplicationByIdOrName(
  executor: Executor,
  text: string,
): Promise<Application> {
  const id = text.toLowerCase();
  const byId = isUuid(id) ? await findApplication(executor, id) : undefined;
  const [named, ...others] = byId ? [byId] : await findApplicationsByName(executor, text);
  if (!named) throw unknownApplication(isUuid(id) ? id : `"${text}"`);
  if (others.length === 0) return named;
  const ids = [named, ...others].map(({ applicationId }) => applicationId).join(', ');
  throw new OperatorRefusal(
    `There are ${others.length + 1} applications named "${text}"; choose one by its ID: ${ids}.`,
  );
}

/** The input of a new application. */
export interface ApplicationInput {
  name: string;
  settlement: Settlement;
  grants: readonly Capability[];
  /** Calls per minute. Missing tiers get the default. */
  quotas: Partial<Record<Tier, number>>;
  /** The catalog that it sells; absent: the only one. */
  catalogId?: string;
  /** The channel adjustment of prices; absent: none. */
  adjustPercent?: number | undefined;
  /** The daily limit of reservations; null or absent: none. */
  reservationsPerDay?: number | null | undefined;
  /** Whether the partner issues and revokes keys in the portal. */
  portalKeys: boolean;
}

/** Writes an application. The caller audits it. */
export const registerApplication = (
  executor: Executor,
  applicationId: string,
  { grants, quotas, adjustPercent = 0, reservationsPerDay = null, ...input }: ApplicationInput,
): Promise<Application> =>
  insertApplication(executor, {
    ...input,
    applicationId,
    adjustPercent,
    reservationsPerDay,
    grants: [...grants],
    quotas: { ...defaultQuotas, ...quotas },
  });

/** What the audit trail says of a new application. */
export const applicationCreatedEntry = (actor: string, application: Application): AuditEntry => {
  const { applicationId, name, settlement, grants, quotas } = application;
  const { catalogId, adjustPercent, reservationsPerDay, portalKeys } = application;
  return {
    actor,
    action: 'application.create',
    applicationId,
    details: {
      name,
      settlement,
      grants,
      quotas,
      catalogId,
      adjustPercent,
      reservationsPerDay,
      portalKeys,
    },
  };
};

/** A new application with its first key. */
export type NewApplication = Application & IssuedKey;

/** Registers an application and issues its first key. A running service serves it at once. */
export async function createApplication(
  database: Database,
  actor: string,
  {
    environment,
    portalKeys = environment === 'simulation',
    ...rest
  }: Omit<ApplicationInput, 'portalKeys'> & {
    environment: Environment;
    /** Absent: only in the simulation. */
    portalKeys?: boolean | undefined;
  },
): Promise<NewApplication> {
  const input = { ...rest, portalKeys };
  const applicationId = randomUUID();
  const { application, key } = await auditedChange(
    database,
    async (executor) => {
      const made = await registerApplication(executor, applicationId, input);
      return {
        application: made,
        key: await insertNewKey(executor, { environment, applicationId }),
      };
    },
    (made) => [
      applicationCreatedEntry(actor, made.application),
      keyIssuedEntry(actor, applicationId, made.key),
    ],
  );
  return { ...application, ...key };
}

/** A change of an application: what it does, and what the audit trail says about it. */
interface ApplicationChange {
  action: AuditAction;
  change(executor: Executor, before: Application): Promise<Application | undefined>;
  /** Null: nothing has changed, so there is no entry. */
  detailsOf(before: Application, after: Application): Record<string, unknown> | null;
}

async function changedApplication(
  database: Database,
  actor: string,
  applicationId: string,
  { action, change, detailsOf }: ApplicationChange,
): Promise<Application> {
  const changed = await auditedChange(
    database,
    async (executor) => {
      await lockApplication(executor, applicationId);
      const before = await findApplication(executor, applicationId);
      const after = before && (await change(executor, before));
      return before && after && { before, after };
    },
    ({ before, after }) => {
      const details = detailsOf(before, after);
      return details === null ? [] : { actor, action, applicationId, details };
    },
  );
  if (!changed) throw unknownApplication(applicationId);
  return changed.after;
}

const standingOf = ({ suspendedAt, suspendedReason }: Application) => ({
  suspendedAt: instant(suspendedAt),
  suspendedReason,
});

const standings = (before: Application, after: Application) => ({
  before: standingOf(before),
  after: standingOf(after),
});

/** Suspends an application until it is resumed. Throws `OperatorRefusal`. */
export const suspendApplication = (
  database: Database,
  actor: string,
  applicationId: string,
  reason: string | null,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.suspend',
    change: (executor) => suspend(executor, applicationId, reason),
    detailsOf: (before, after) => ({ reason, ...standings(before, after) }),
  });

/** Resumes a suspended application. Throws `OperatorRefusal`. */
export const resumeApplication = (
  database: Database,
  actor: string,
  applicationId: string,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.resume',
    change: (executor) => resume(executor, applicationId),
    detailsOf: standings,
  });

/** Changes quotas; missing tiers keep theirs. Throws `OperatorRefusal`. */
export const setQuotas = (
  database: Database,
  actor: string,
  applicationId: string,
  quotas: Partial<Record<Tier, number>>,
): Promise<Application> =>
  changedApplication(database, actor, applicationId, {
    action: 'application.set-quota',
    change: (executor) => writeQuotas(executor, applicationId, quotas),
    detailsOf: (before, after) => ({
      before: { quotas: before.quotas },
      after: { quotas: after.quotas },
    }),
  });

/** The members to change; absent ones stay. `reservationsPerDay: null` removes the limit. */
export type ApplicationChanges = {
  [Member in ChangeableMember]?: Application[Member] | undefined;
};

const changeable = [
  'name',
  'grants',
  'catalogId',
  'adjustPercent',
  'reservationsPerDay',
  'portalKeys',
] as const satisfies readonly ChangeableMember[];

/** The changed members, as they were and as they are. Null: there is none. */
function differenceOf(before: Application, after: Application) {
  const changed = changeable.filter((member) => !isDeepStrictEqual(before[member], after[member]));
  if (changed.length === 0) return null;
  const valuesIn = (application: Application) =>
    Object.fromEntries(changed.map((member) => [member, application[member]]));
  return { before: valuesIn(before), after: valuesIn(after) };
}

// Longer than a statement can hold a lock.
const countWithinMs = 5_000;
const countAgainMs = 20;

/** Counts the reservations of this day that were made without a limit. Returns whether it has skipped some. */
type CountToday = (executor: Executor, applicationId: string) => Promise<boolean>;

/** Counts what was skipped, each time in a transaction of its own. Throws `DatabaseBusyError`. */
async function countSkipped(
  database: Database,
  applicationId: string,
  countToday: CountToday,
): Promise<void> {
  const end = performance.now() + countWithinMs;
  do {
    if (performance.now() > end) {
      throw new DatabaseBusyError(
        'the bookings of the application are locked; set the limit again',
      );
    }
    await sleep(countAgainMs);
  } while (await database.transaction((executor) => countToday(executor, applicationId)));
}

/**
 * Changes an application; an audit entry has each changed member before and after. A daily limit that is set
 * includes the reservations of this day. Throws `OperatorRefusal` and, if bookings stay locked,
 * `DatabaseBusyError`: then the limit is set, and setting it again counts the rest.
 */
export async function setApplication(
  database: Database,
  actor: string,
  applicationId: string,
  { changes, countToday }: { changes: ApplicationChanges; countToday: CountToday },
): Promise<Application> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  let hasSkipped = false;
  const changed = await changedApplication(database, actor, applicationId, {
    action: 'application.set',
    async change(executor, before) {
      const after = await writeApplication(executor, { ...before, ...Object.fromEntries(given) });
      const isLimitSet = typeof changes.reservationsPerDay === 'number';
      hasSkipped = isLimitSet && (await countToday(executor, applicationId));
      return after;
    },
    detailsOf: differenceOf,
  });
  if (hasSkipped) await countSkipped(database, applicationId, countToday);
  return changed;
}
