import type { Tier } from '../../contract/limits.ts';
import type { Capability } from '../../contract/scopes.ts';
import type { ChangeDecisions } from '../../contract/states.ts';
import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hasRow, manyRows, oneRow, theRow } from '../../platform/postgres/statement-functions.ts';
import { type RunningScenario, runningOf } from '../scenario.ts';

/** What an application has ordered in the sandbox, as far as every call has to know it. */
export interface SandboxOrders {
  /** Whether calls are counted and may fail. */
  plays: boolean;
  /** Tokens that were issued until then have ended, but for one; null: none have. */
  tokensEndAt: EpochMs | null;
  keptToken: string | null;
  /** Whether nights can be taken for it alone. */
  hasNights: boolean;
}

/** A registered partner application. */
export interface Application {
  applicationId: string;
  name: string;
  settlement: Settlement;
  grants: Capability[];
  /** Calls per minute. */
  quotas: Record<Tier, number>;
  /** The catalog that it sells. */
  catalogId: string;
  /** The channel adjustment: changes the price of every night. */
  adjustPercent: number;
  /** The daily limit of reservations; null: none. */
  reservationsPerDay: number | null;
  suspendedAt: EpochMs | null;
  suspendedReason: string | null;
  /** Since when its calls are logged for the portal. Null: they are not. */
  portalEnabledAt: EpochMs | null;
  /** Whether the partner issues and revokes keys in the portal. */
  portalKeys: boolean;
  /** What the partner keeps of what it sells; null: no commission is set. */
  commissionPercent: number | null;
  /** What becomes of its requests for changes. */
  changes: ChangeDecisions;
  /** Whether its first key of `live` needs a report of a conformance run. */
  requireReport: boolean;
  createdAt: EpochMs;
  /** The IDs of its keys and tokens that were revoked within the life of a token; absent: not read. */
  revoked?: ReadonlySet<string>;
  /** The networks of its keys that have such, by their IDs; absent: not read. */
  networksOfKeys?: ReadonlyMap<string, readonly string[]>;
  /** Null: it has ordered nothing; absent: not read. */
  sandbox?: SandboxOrders | null;
  /** Null: it runs none; absent: not read. */
  scenario?: RunningScenario | null;
}

interface ApplicationRow {
  application_id: string;
  name: string;
  settlement: Settlement;
  grants: Capability[];
  read_per_minute: number;
  search_per_minute: number;
  write_per_minute: number;
  signal_per_minute: number;
  catalog_id: string;
  adjust_percent: number;
  reservations_per_day: number | null;
  suspended_at: EpochMs | null;
  suspended_reason: string | null;
  portal_enabled_at: EpochMs | null;
  portal_keys: boolean;
  commission_percent: number | null;
  changes: ChangeDecisions;
  require_report: boolean;
  created_at: EpochMs;
}

const columns = `application_id, name, settlement, grants, read_per_minute, search_per_minute,
  write_per_minute, signal_per_minute, catalog_id, adjust_percent::float8 AS adjust_percent,
  reservations_per_day, suspended_at, suspended_reason, portal_enabled_at,
  portal_keys, commission_percent::float8 AS commission_percent, changes, require_report, created_at`;

const applicationOf = (row: ApplicationRow): Application => ({
  applicationId: row.application_id,
  name: row.name,
  settlement: row.settlement,
  grants: row.grants,
  quotas: {
    read: row.read_per_minute,
    search: row.search_per_minute,
    write: row.write_per_minute,
    signal: row.signal_per_minute,
  },
  catalogId: row.catalog_id,
  adjustPercent: row.adjust_percent,
  reservationsPerDay: row.reservations_per_day,
  suspendedAt: row.suspended_at,
  suspendedReason: row.suspended_reason,
  portalEnabledAt: row.portal_enabled_at,
  portalKeys: row.portal_keys,
  commissionPercent: row.commission_percent,
  changes: row.changes,
  requireReport: row.require_report,
  createdAt: row.created_at,
});

const runningColumns = `json_build_object('runId', running.run_id, 'scenario', running.scenario,
        'attemptId', running.attempt_id, 'effects', running.effects)`;

// A token lives for a quarter of an hour; clocks of processes differ by less than the rest.
const findStatement: Statement = {
  name: 'find-application',
  text: `SELECT ${columns}, ARRAY(
      SELECT key_id FROM application_keys k WHERE k.application_id = a.application_id
        AND k.revoked_at > now() - interval '20 minutes'
      UNION ALL
      SELECT token_id::text FROM revoked_tokens t
      WHERE t.application_id = a.application_id AND t.expires_at > now() - interval '5 minutes'
    ) AS revoked, ARRAY(
      SELECT json_build_array(key_id, networks::text[]) FROM application_keys k
      WHERE k.application_id = a.application_id AND networks IS NOT NULL
    ) AS "networksOfKeys", (
      SELECT json_build_object('plays', fault_rules IS NOT NULL,
        'tokensEndAt', extract(epoch FROM tokens_end_at) * 1000, 'keptToken', kept_token,
        'hasNights', occupies_since IS NOT NULL
          OR EXISTS (SELECT FROM sandbox_nights n WHERE n.application_id = s.application_id))
      FROM sandbox_states s WHERE s.application_id = a.application_id
    ) AS sandbox, ${runningOf('a.application_id', runningColumns)} AS scenario
    FROM applications a WHERE application_id = $1`,
};

/** Reads an application. */
export async function findApplication(
  executor: Executor,
  applicationId: string,
): Promise<Application | undefined> {
  type Row = ApplicationRow & {
    revoked: string[];
    networksOfKeys: [string, string[]][];
    sandbox: SandboxOrders | null;
    scenario: RunningScenario | null;
  };
  const [row] = await executor.query<Row>(findStatement, [applicationId]);
  if (!row) return undefined;
  const { revoked, networksOfKeys, sandbox, scenario } = row;
  return {
    ...applicationOf(row),
    scenario,
    sandbox,
    revoked: new Set(revoked),
    networksOfKeys: new Map(networksOfKeys),
  };
}

/** Lists the applications with a name, oldest first. */
export const findApplicationsByName = manyRows<[name: string], ApplicationRow, Application>({
  name: 'find-applications-by-name',
  text: `SELECT ${columns} FROM applications WHERE name = $1 ORDER BY created_at, application_id`,
  result: applicationOf,
});

const namesStatement: Statement = {
  name: 'read-application-names',
  text: `SELECT application_id AS "applicationId", name FROM applications
    WHERE application_id = ANY ($1)`,
};

/** Reads the names of applications, by their IDs. */
export async function readApplicationNames(
  executor: Executor,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await executor.query<{ applicationId: string; name: string }>(namesStatement, [ids]);
  return new Map(rows.map(({ applicationId, name }) => [applicationId, name]));
}

/** Finds applications whose name contains a text, or whose ID it is, by name. */
export const searchApplications = manyRows<
  [text: string, atMost: number],
  { applicationId: string; name: string }
>({
  name: 'search-applications',
  text: `SELECT application_id AS "applicationId", name FROM applications
    WHERE strpos(lower(name), lower($1)) > 0 OR application_id::text = lower($1)
    ORDER BY lower(name), application_id LIMIT $2`,
});

/** Lists all applications, oldest first. */
export const listApplications = manyRows<[], ApplicationRow, Application>({
  name: 'list-applications',
  text: `SELECT ${columns} FROM applications ORDER BY created_at, application_id`,
  result: applicationOf,
});

/** Locks the row of an application until the transaction ends. False: there is none. */
export const lockApplication = hasRow<[applicationId: string]>({
  name: 'hold-application',
  text: 'SELECT application_id FROM applications WHERE application_id = $1 FOR NO KEY UPDATE',
});

const insertStatement: Statement = {
  name: 'insert-application',
  text: `WITH application AS (
      INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
        search_per_minute, write_per_minute, signal_per_minute, catalog_id, adjust_percent,
        reservations_per_day, portal_keys, commission_percent, changes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, (SELECT catalog_id FROM catalogs)), $10, $11, $12, $13, $14)
      RETURNING ${columns}
    ), counter AS (
      INSERT INTO event_counters (application_id) SELECT application_id FROM application
    )
    SELECT ${columns} FROM application`,
};

/** An application to register; without a catalog it sells the only one. */
export type NewApplicationRow = Pick<
  Application,
  'applicationId' | 'name' | 'settlement' | 'grants' | 'quotas'
> & {
  [Member in Exclude<ChangeableMember, 'name' | 'grants' | 'requireReport'>]?:
    | Application[Member]
    | undefined;
};

/** Registers an application, and creates the counter of its events. */
export async function insertApplication(
  executor: Executor,
  application: NewApplicationRow,
): Promise<Application> {
  const { quotas } = application;
  const [row] = await executor.query<ApplicationRow>(insertStatement, [
    application.applicationId,
    application.name,
    application.settlement,
    application.grants,
    quotas.read,
    quotas.search,
    quotas.write,
    quotas.signal,
    application.catalogId,
    application.adjustPercent ?? 0,
    application.reservationsPerDay,
    application.portalKeys ?? false,
    application.commissionPercent,
    application.changes ?? 'ask',
  ]);
  return applicationOf(row!);
}

/** Changes quotas; missing tiers keep theirs. */
export const writeQuotas = oneRow<
  [applicationId: string, quotas: Partial<Record<Tier, number>>],
  ApplicationRow,
  Application
>({
  name: 'write-quotas',
  text: `UPDATE applications SET read_per_minute = coalesce($2, read_per_minute),
      search_per_minute = coalesce($3, search_per_minute),
      write_per_minute = coalesce($4, write_per_minute),
      signal_per_minute = coalesce($5, signal_per_minute)
    WHERE application_id = $1 RETURNING ${columns}`,
  values: (applicationId, quotas) => [
    applicationId,
    quotas.read,
    quotas.search,
    quotas.write,
    quotas.signal,
  ],
  result: applicationOf,
});

/** The members of an application that staff can change, in the order of the statement that writes them. */
export const changeableMembers = [
  'name',
  'grants',
  'catalogId',
  'adjustPercent',
  'reservationsPerDay',
  'portalKeys',
  'commissionPercent',
  'changes',
  'requireReport',
] as const satisfies readonly (keyof Application)[];
export type ChangeableMember = (typeof changeableMembers)[number];

/** Writes the changeable members of an application that the transaction has locked. */
export const writeApplication = theRow<
  [application: Pick<Application, 'applicationId' | ChangeableMember>],
  ApplicationRow,
  Application
>({
  name: 'write-application',
  text: `UPDATE applications SET name = $2, grants = $3, catalog_id = $4, adjust_percent = $5,
      reservations_per_day = $6, portal_keys = $7, commission_percent = $8, changes = $9, require_report = $10
    WHERE application_id = $1 RETURNING ${columns}`,
  values: (application) => [
    application.applicationId,
    ...changeableMembers.map((member) => application[member]),
  ],
  result: applicationOf,
});

/** Suspends an application. Repeating it keeps the first time and takes the new reason. */
export const suspendApplication = oneRow<
  [applicationId: string, reason: string | null],
  ApplicationRow,
  Application
>({
  name: 'suspend-application',
  text: `UPDATE applications SET suspended_at = coalesce(suspended_at, now()),
      suspended_reason = coalesce($2, suspended_reason)
    WHERE application_id = $1 RETURNING ${columns}`,
  result: applicationOf,
});

/** Resumes a suspended application. */
export const resumeApplication = oneRow<[applicationId: string], ApplicationRow, Application>({
  name: 'resume-application',
  text: `UPDATE applications SET suspended_at = NULL, suspended_reason = NULL
    WHERE application_id = $1 RETURNING ${columns}`,
  result: applicationOf,
});
