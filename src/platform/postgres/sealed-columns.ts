/** The columns that hold sealed values, and how they are sealed with another master key. */
import type { Purpose, Vault } from '../vault.ts';
import type { Executor, Statement } from './database.ts';

/** A column whose values are sealed. A test finds those that no subject declares. */
export interface SealedColumn {
  table: string;
  column: string;
  purpose: Purpose;
  /** The columns of the primary key, with their types, in its order. */
  key: Readonly<Record<string, 'uuid' | 'text' | 'bigint' | 'daterange'>>;
  /** What a value is bound to, from the key as texts and from `bound`. */
  context(key: readonly string[], bound: string | null): string;
  /** A SQL expression of the row `t` that the context needs besides the key. */
  bound?: string;
  /** The function of the owner that writes a value: entry, what it was, what it is. Absent: the service may. */
  writer?: string;
}

interface SealedRow {
  key: string[];
  /** Null: nothing is sealed here. */
  sealed: Buffer | null;
  bound: string | null;
}

const columnsOf = ({ key }: SealedColumn, prefix = ''): string =>
  Object.keys(key)
    .map((name) => `${prefix}${name}`)
    .join(', ');

const parametersOf = ({ key }: SealedColumn, suffix = ''): string =>
  Object.values(key)
    .map((type, at) => `$${at + 1}::${type}${suffix}`)
    .join(', ');

/** Reads the values of the next rows in the order of the key, also of rows without one: they are bounded, too. */
export function readStatement(sealed: SealedColumn, isFirst: boolean): Statement {
  const { table, column, key, bound } = sealed;
  const count = Object.keys(key).length;
  const after = isFirst ? '' : ` WHERE (${columnsOf(sealed, 't.')}) > (${parametersOf(sealed)})`;
  const texts = Object.keys(key).map((name) => `t.${name}::text`);
  return {
    name: 'read-sealed',
    variant: `${table}-${column}-${isFirst ? 'first' : 'next'}`,
    text: `SELECT ARRAY[${texts.join(', ')}] AS key, t.${column} AS sealed, ${bound ?? 'NULL::text'} AS bound
    FROM ${table} t${after}
    ORDER BY ${columnsOf(sealed, 't.')} LIMIT $${isFirst ? 1 : count + 1}`,
  };
}

/** Writes values that are still what was read. Rows that somebody has locked are left for the next pass. */
export function writeStatement(sealed: SealedColumn): Statement {
  const { table, column, key, writer } = sealed;
  const names = Object.keys(key);
  const count = names.length;
  const made = `unnest(${parametersOf(sealed, '[]')}, $${count + 1}::bytea[], $${count + 2}::bytea[])
      AS made (${columnsOf(sealed)}, before, sealed)`;
  const name = 'reseal';
  const variant = `${table}-${column}`;
  if (writer !== undefined) {
    return {
      name,
      variant,
      text: `SELECT ${writer}(${columnsOf(sealed)}, before, sealed) FROM ${made}`,
    };
  }
  return {
    name,
    variant,
    text: `WITH made AS (
      SELECT * FROM ${made}
    ), locked AS (
      SELECT ${columnsOf(sealed, 't.')} FROM ${table} t JOIN made USING (${columnsOf(sealed)})
      WHERE t.${column} = made.before ORDER BY ${columnsOf(sealed, 't.')} FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE ${table} t SET ${column} = made.sealed FROM made JOIN locked USING (${columnsOf(sealed)})
    WHERE ${names.map((one) => `t.${one} = made.${one}`).join(' AND ')}`,
  };
}

/** What a pass over a column has found. */
export interface Resealed {
  /** Sealed with another key than the first when they were read. */
  earlier: number;
  /** Sealed with none of the keys. */
  unreadable: number;
}

interface OpenedRow {
  row: SealedRow & { sealed: Buffer };
  /** Null: no key opens it. */
  text: string | null;
}

function openedEarlier(vault: Vault, { purpose, context }: SealedColumn, row: OpenedRow['row']) {
  const bindTo = context(row.key, row.bound);
  const [first, ...others] = vault.keys;
  const texts = function* (): Generator<string> {
    for (const key of others) {
      try {
        yield key.open(purpose, row.sealed, bindTo);
      } catch {
        // Another key may have sealed it.
      }
    }
  };
  try {
    first!.open(purpose, row.sealed, bindTo);
    return null;
  } catch {
    return { row, text: texts().next().value ?? null } satisfies OpenedRow;
  }
}

async function write(executor: Executor, sealed: SealedColumn, found: readonly OpenedRow[]) {
  const readable = found.filter((one) => one.text !== null);
  if (readable.length === 0) return;
  const { purpose, context, key } = sealed;
  await executor.query(writeStatement(sealed), [
    ...Object.keys(key).map((_, at) => readable.map(({ row }) => row.key[at])),
    readable.map(({ row }) => row.sealed),
    readable.map(({ row, text }) =>
      executor.vault.seal(purpose, text!, context(row.key, row.bound)),
    ),
  ]);
}

/** How many rows a step of a pass reads, and writes at most. */
export const rowsOfPass = 500;

const isSealed = (row: SealedRow): row is OpenedRow['row'] => row.sealed !== null;

/**
 * Goes once over a column. Each batch is written by itself, so a pass that ends in the middle has lost nothing, and the
 * next one finds the rest.
 *
 * @param change whether values of earlier keys are sealed with the first one, or only counted
 */
export async function passOver(
  executor: Executor,
  sealed: SealedColumn,
  change: 'reseal' | 'count',
): Promise<Resealed> {
  const total: Resealed = { earlier: 0, unreadable: 0 };
  let after: readonly string[] | null = null;
  for (;;) {
    const values: unknown[] = [...(after ?? []), rowsOfPass];
    const rows: SealedRow[] = await executor.query<SealedRow>(
      readStatement(sealed, after === null),
      values,
    );
    const found = rows
      .filter(isSealed)
      .map((row) => openedEarlier(executor.vault, sealed, row))
      .filter((one) => one !== null);
    if (change === 'reseal') await write(executor, sealed, found);
    total.unreadable += found.filter(({ text }) => text === null).length;
    total.earlier += found.filter(({ text }) => text !== null).length;
    if (rows.length < rowsOfPass) return total;
    after = rows.at(-1)!.key;
  }
}
