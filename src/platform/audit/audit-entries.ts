import pg from 'pg';
import type { AuditAction } from '../../contract/operator/audit-actions.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../postgres/database.ts';
import { joinDetails, splitDetails } from './audit-texts.ts';
import { checkEntry } from './entry-guard.ts';
import { homesOfDetails } from './homes-of-entry.ts';
import { sourceText } from './origin.ts';

/** An action of staff. */
export interface AuditEntry {
  /** Who did it: `cli:` and an operating system account, `staff` and an email address, or `token` and a name. */
  actor: string;
  /** The action, as noun and verb: `application.suspend`. */
  action: AuditAction;
  /** The application and the reservation that it is about; absent: none. */
  applicationId?: string | null;
  reference?: string | null;
  details: Record<string, unknown>;
  /** The slugs of all homes that it is about, where its details name only some. */
  homes?: readonly string[];
}

const insertStatement: Statement = {
  name: 'insert-audit-entry',
  text: `WITH entered AS (
      INSERT INTO audit_entries (actor, action, application_id, details, reference, source)
      VALUES ($1, $2, $3, $4, $5, $6) RETURNING entry_id
    ), homes AS (
      INSERT INTO audit_homes (listing, entry_id)
      SELECT DISTINCT unnest($8::text[]), entry_id FROM entered
    )
    INSERT INTO audit_texts (entry_id, text_sealed) SELECT entry_id, $7 FROM entered WHERE $7::bytea IS NOT NULL`,
};

/** Adds an entry to the audit trail, with the origin of the current work as its source. */
export async function insertAuditEntry(executor: Executor, entry: AuditEntry): Promise<void> {
  checkEntry();
  const { details, sealed } = splitDetails(executor.vault, entry.action, entry.details);
  await executor.query(insertStatement, [
    entry.actor,
    entry.action,
    entry.applicationId ?? null,
    JSON.stringify(details),
    entry.reference ?? null,
    sourceText(),
    sealed,
    entry.homes ?? homesOfDetails(details),
  ]);
}

/** An entry of the audit trail, as it was written. */
export interface StoredAuditEntry extends AuditEntry {
  entryId: number;
  applicationId: string | null;
  happenedAt: EpochMs;
  /** From where it was done; null: an earlier version did not record it. */
  source: string | null;
}

/** Larger than every entry ID. */
const newest = Number.MAX_SAFE_INTEGER;

/** The entries to list; absent members: all. */
export interface AuditFilter {
  actor?: string | undefined;
  reference?: string | undefined;
  applicationId?: string | undefined;
  /** The slug of a home. */
  listing?: string | undefined;
  action?: AuditAction | undefined;
  /** The first instant, as ISO 8601 in UTC. */
  from?: string | undefined;
  /** The instant after the last. */
  until?: string | undefined;
}

/*
 * The time of an entry is when its transaction began; its number is the next one when it is written. So numbers
 * and times have the same order, except for concurrent transactions, and no transaction takes a day. The number of
 * an entry that is a day outside the period therefore bounds the numbers inside it, and every index with numbers
 * can also be used for periods.
 */
const numberBefore = (instant: string): string =>
  `(SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ${instant} - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1)`;
const numberAfter = (instant: string): string =>
  `(SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ${instant} + interval '1 day'
    ORDER BY e.happened_at LIMIT 1)`;

// Dearer for the planner than a number, so that it bounds by numbers.
const instantOf = (value: string): string => `(${value}::text::timestamp AT TIME ZONE 'UTC')`;

function since(value: string): string {
  const first = instantOf(value);
  return `happened_at >= ${first} AND entry_id > COALESCE(${numberBefore(first)}, 0)`;
}

function until(value: string): string {
  const end = instantOf(value);
  return `happened_at < ${end} AND entry_id < COALESCE(${numberAfter(end)}, ${newest})`;
}

const conditions = {
  actor: (value) => `actor = ${value}`,
  reference: (value) => `reference = ${value}`,
  applicationId: (value) => `application_id = ${value}`,
  listing: (value) =>
    `entry_id = ANY (ARRAY(SELECT h.entry_id FROM audit_homes h WHERE h.listing = ${value}))`,
  from: since,
  until,
} as const satisfies Record<keyof Omit<AuditFilter, 'action'>, (value: string) => string>;

type FilterName = keyof typeof conditions;
const filterNames = Object.keys(conditions) as FilterName[];

// Each combination of filters has a text of its own, so that it uses the index of one of them. The action is in
// the text, because the planner knows only then that it is rare: it would look for a rare one in all entries.
function listStatement(given: readonly FilterName[], action: AuditAction | undefined): Statement {
  const wanted = given.map((name, at) => ` AND ${conditions[name](`$${at + 3}`)}`);
  if (action !== undefined) wanted.push(` AND action = ${pg.escapeLiteral(action)}`);
  return {
    name: 'list-audit-entries',
    variant: [...given.map((name) => filterNames.indexOf(name)), action ?? 'all'].join('-'),
    text: `SELECT entry_id AS "entryId", happened_at AS "happenedAt", actor, action,
        application_id AS "applicationId", reference, details, source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = audit_entries.entry_id) AS sealed
      FROM audit_entries WHERE entry_id < $1${wanted.join('')}
      ORDER BY entry_id DESC LIMIT $2`,
  };
}

/** Lists entries of the audit trail before an ID, newest first; null: the newest. */
export async function listAuditEntries(
  executor: Executor,
  filter: AuditFilter,
  before: number | null,
  atMost: number,
): Promise<StoredAuditEntry[]> {
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const values = given.map((name) => filter[name]);
  const rows = await executor.query<StoredAuditEntry & { sealed: Buffer | null }>(
    listStatement(given, filter.action),
    [before ?? newest, atMost, ...values],
  );
  return rows.map(({ sealed, ...entry }) => ({
    ...entry,
    details: joinDetails(executor.vault, entry.details, sealed),
  }));
}
