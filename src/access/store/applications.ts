import type { Tier } from '../../contract/limits.ts';
import type { Capability } from '../../contract/scopes.ts';
import type { ChangeDecisions } from '../../contract/states.ts';
import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  hasRow,
  manyRows,
  oneRow,
  theRow,
  valuesByKey,
} from '../../platform/postgres/statement-functions.ts';
import { nilUuid } from '../../platform/uuid.ts';
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

const columns = `application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt"`;

const runningColumns = `json_build_object('runId', running.run_id, 'scenario', running.scenario,
        'attemptId', running.attempt_id, 'effects', running.effects)`;

/** Reads an application. */
export const findApplication = oneRow<
  [applicationId: string],
  Application & { revoked: string[]; networksOfKeys: [string, string[]][] },
  Application
>({
  name: 'find-application',
  // A token lives for a quarter of an hour; clocks of processes differ by less than the rest.
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
  result: ({ revoked, networksOfKeys, ...application }) => ({
    ...application,
    revoked: new Set(revoked),
    networksOfKeys: new Map(networksOfKeys),
  }),
});

/** Lists the applications with a name, oldest first. */
export const findApplicationsByName = manyRows<[name: string], Application>({
  name: 'find-applications-by-name',
  text: `SELECT ${columns} FROM applications WHERE name = $1 ORDER BY created_at, application_id`,
});

/** Reads the names of applications, by their IDs. */
export const readApplicationNames = valuesByKey<[ids: readonly string[]], string, string>({
  name: 'read-application-names',
  text: `SELECT application_id AS "applicationId", name FROM applications
    WHERE application_id = ANY ($1)`,
});

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

/** Lists applications, oldest first: those after one; null: from the first. */
export const listApplications = manyRows<[after: string | null, atMost: number], Application>({
  name: 'list-applications',
  text: `SELECT ${columns} FROM applications
    WHERE (created_at, application_id) > (
      coalesce((SELECT created_at FROM applications WHERE application_id = $1), '-infinity'), coalesce($1, '${nilUuid}'))
    ORDER BY created_at, application_id LIMIT $2`,
});

/** Locks the row of an application until the transaction ends. False: there is none. */
export const lockApplication = hasRow<[applicationId: string]>({
  name: 'hold-application',
  text: 'SELECT application_id FROM applications WHERE application_id = $1 FOR NO KEY UPDATE',
});

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
export const insertApplication = theRow<[application: NewApplicationRow], Application>({
  name: 'insert-application',
  text: `WITH application AS (
      INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
        search_per_minute, write_per_minute, signal_per_minute, catalog_id, adjust_percent,
        reservations_per_day, portal_keys, commission_percent, changes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, (SELECT catalog_id FROM catalogs)), $10, $11, $12, $13, $14)
      RETURNING ${columns}
    ), counter AS (
      INSERT INTO event_counters (application_id) SELECT "applicationId" FROM application
    )
    SELECT * FROM application`,
  values: ({ quotas, ...application }) => [
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
  ],
});

/** Changes quotas; missing tiers keep theirs. */
export const writeQuotas = oneRow<
  [applicationId: string, quotas: Partial<Record<Tier, number>>],
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
});

/** Suspends an application. Repeating it keeps the first time and takes the new reason. */
export const suspendApplication = oneRow<
  [applicationId: string, reason: string | null],
  Application
>({
  name: 'suspend-application',
  text: `UPDATE applications SET suspended_at = coalesce(suspended_at, now()),
      suspended_reason = coalesce($2, suspended_reason)
    WHERE application_id = $1 RETURNING ${columns}`,
});

/** Resumes a suspended application. */
export const resumeApplication = oneRow<[applicationId: string], Application>({
  name: 'resume-application',
  text: `UPDATE applications SET suspended_at = NULL, suspended_reason = NULL
    WHERE application_id = $1 RETURNING ${columns}`,
});
