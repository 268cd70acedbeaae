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

/** By what entries are found: the first of these that is given. */
const paths = {
  listing: { table: 'audit_homes', column: 'listing', type: 'text' },
  reference: { table: 'audit_entries', column: 'reference', type: 'text' },
  applicationId: { table: 'audit_entries', column: 'application_id', type: 'uuid' },
  actor: { table: 'audit_entries', column: 'actor', type: 'text' },
  action: { table: 'audit_entries', column: 'action', type: 'text' },
} as const;

/** What bounds the numbers of the entries of a period. */
const bounds = {
  from: (value: string) => `l.entry_id > COALESCE(${numberBefore(instantOf(value))}, 0)`,
  until: (value: string) => `l.entry_id < COALESCE(${numberAfter(instantOf(value))}, ${newest})`,
} as const;

const comparisons = {
  listing: (value) =>
    `EXISTS (SELECT FROM audit_homes h WHERE h.listing = ${value} AND h.entry_id = e.entry_id)`,
  reference: (value) => `e.reference = ${value}`,
  applicationId: (value) => `e.application_id = ${value}`,
  actor: (value) => `e.actor = ${value}`,
  action: (value) => `e.action = ${value}`,
  from: (value) => `e.happened_at >= ${instantOf(value)}`,
  until: (value) => `e.happened_at < ${instantOf(value)}`,
} as const satisfies Record<keyof AuditFilter, (value: string) => string>;

type FilterName = keyof typeof comparisons;
const filterNames = Object.keys(comparisons) as FilterName[];

const isPath = (name: FilterName): name is keyof typeof paths => name in paths;
const isBound = (name: FilterName): name is keyof typeof bounds => name in bounds;

/** The given filters in two parts: by what entries are looked at, and what these are compared with besides. */
function dividedOf(given: readonly FilterName[]) {
  const path = given.find(isPath);
  const lookedBy = [...(path ? [path] : []), ...given.filter(isBound)];
  return { path, lookedBy, others: given.filter((name) => !lookedBy.includes(name)) };
}

type Divided = ReturnType<typeof dividedOf>;

const valueAt = (at: number): string => `$${at + 3}`;

// The numbers that are looked at, newest first. An array, and its column first in the order: only the index of this column
// has the order. With `=`, the planner may go through all entries, and passes over millions for the few of one actor.
function lookedText({ path, lookedBy }: Divided): string {
  const conditions = lookedBy
    .filter(isBound)
    .map((name) => bounds[name](valueAt(lookedBy.indexOf(name))));
  const all = ['l.entry_id < $1', ...conditions].join(' AND ');
  if (!path) return `SELECT l.entry_id FROM audit_entries l WHERE ${all} ORDER BY l.entry_id DESC`;
  const { table, column, type } = paths[path];
  return `SELECT l.entry_id, l.${column} AS path FROM ${table} l
        WHERE l.${column} = ANY (ARRAY[${valueAt(0)}::${type}]) AND ${all}
        ORDER BY l.${column} DESC, l.entry_id DESC`;
}

// Each combination of filters has a text of its own, so that it uses the index of one of them.
const variantOf = (given: readonly FilterName[]): string =>
  given.length === 0 ? 'all' : given.join('-');

function listStatement(given: readonly FilterName[]): Statement {
  const divided = dividedOf(given);
  const { path, lookedBy, others } = divided;
  const values = [...lookedBy, ...others];
  const compared = values.filter((name) => name !== path);
  const conditions = compared.map((name) => comparisons[name](valueAt(values.indexOf(name))));
  return {
    name: 'list-audit-entries',
    variant: variantOf(given),
    text: `SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (${lookedText(divided)} LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE ${['true', ...conditions].join(' AND ')}
      ORDER BY ${path ? 'looked.path DESC, ' : ''}looked.entry_id DESC LIMIT ${valueAt(given.length)}`,
  };
}

const untilStatement = (given: readonly FilterName[]): Statement => ({
  name: 'find-audit-entry-looked-at',
  variant: variantOf(given),
  text: `${lookedText(dividedOf(given))} OFFSET $2 LIMIT 1`,
});

/** The part of the audit trail to read. */
interface AuditSlice {
  /** The number of the last entry of the part before; null: from the newest. */
  before: number | null;
  atMost: number;
  /** The maximum number of compared entries, so that a rare filter does not read all of them at once. */
  lookAtMost?: number;
}

/** A part of the audit trail. */
interface ListedEntries {
  items: StoredAuditEntry[];
  /** The oldest compared entry, if older ones may match. Null: all were compared, or the page is full. */
  lookedUntil: number | null;
}

const lookedAtMost = 20_000;

/** Lists entries of the audit trail, newest first. */
export async function listAuditEntries(
  executor: Executor,
  filter: AuditFilter,
  { before, atMost, lookAtMost = lookedAtMost }: AuditSlice,
): Promise<ListedEntries> {
  const given = filterNames.filter((name) => filter[name] !== undefined);
  const { lookedBy, others } = dividedOf(given);
  const valuesOf = (names: readonly FilterName[]) => names.map((name) => filter[name]);
  const from = before ?? newest;
  const rows = await executor.query<StoredAuditEntry & { sealed: Buffer | null }>(
    listStatement(given),
    [from, lookAtMost, ...valuesOf(lookedBy), ...valuesOf(others), atMost],
  );
  const items = rows.map(({ sealed, ...entry }) => ({
    ...entry,
    details: joinDetails(executor.vault, entry.details, sealed),
  }));
  if (items.length === atMost) return { items, lookedUntil: null };
  const passed = [from, lookAtMost - 1, ...valuesOf(lookedBy)];
  const [last] = await executor.query<{ entry_id: number }>(untilStatement(given), passed);
  return { items, lookedUntil: last?.entry_id ?? null };
}
