import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../postgres/database.ts';
import { sourceText } from './origin.ts';

/** An action of staff. */
export interface AuditEntry {
  /** Who did it: `cli:` and an operating system account, `staff` and an email address, or `token` and a name. */
  actor: string;
  /** The action, as noun and verb: `application.suspend`. */
  action: string;
  applicationId: string | null;
  /** The reservation that it is about; absent: none. */
  reference?: string | null;
  details: Record<string, unknown>;
}

const insertStatement: Statement = {
  name: 'insert-audit-entry',
  text: `INSERT INTO audit_entries (actor, action, application_id, details, reference, source)
    VALUES ($1, $2, $3, $4, $5, $6)`,
};

/** Adds an entry to the audit trail, with the origin of the current work as its source. */
export async function insertAuditEntry(executor: Executor, entry: AuditEntry): Promise<void> {
  await executor.query(insertStatement, [
    entry.actor,
    entry.action,
    entry.applicationId,
    JSON.stringify(entry.details),
    entry.reference ?? null,
    sourceText(),
  ]);
}

/** An entry of the audit trail, as it was written. */
export interface StoredAuditEntry extends AuditEntry {
  entryId: number;
  happenedAt: EpochMs;
  /** From where it was done; null: an earlier version did not record it. */
  source: string | null;
}

/** The entries to list; absent members: all. */
export interface AuditFilter {
  actor?: string | undefined;
  reference?: string | undefined;
  applicationId?: string | undefined;
}

const filterColumns = {
  actor: 'actor',
  reference: 'reference',
  applicationId: 'application_id',
} as const satisfies Record<keyof AuditFilter, string>;

const filterNames = Object.keys(filterColumns) as (keyof AuditFilter)[];

// Each combination of filters has a text of its own, so that it uses the index of one of them.
function listStatement(given: readonly (keyof AuditFilter)[]): Statement {
  const conditions = given.map((name, at) => ` AND ${filterColumns[name]} = $${at + 3}`);
  return {
    name: 'list-audit-entries',
    variant: given.join('-') || 'all',
    text: `SELECT entry_id AS "entryId", happened_at AS "happenedAt", actor, action,
        application_id AS "applicationId", reference, details, source
      FROM audit_entries WHERE entry_id < $1${conditions.join('')}
      ORDER BY entry_id DESC LIMIT $2`,
  };
}

/** Lists entries of the audit trail before an ID, newest first. */
export function listAuditEntries(
  executor: Executor,
  filter: AuditFilter,
  before: number,
  atMost: number,
): Promise<StoredAuditEntry[]> {
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const values = given.map((name) => filter[name]);
  return executor.query<StoredAuditEntry>(listStatement(given), [before, atMost, ...values]);
}
