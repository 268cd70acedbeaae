/** How many rows work reads and writes: a measure of its cost that no other load changes. */
import assert from 'node:assert/strict';
import type pg from 'pg';
import type { Database, Statement } from '../../src/platform/postgres/database.ts';
import { isRefusal } from '../../src/contract/errors.ts';

/** A database whose transactions are all parts of one, which is rolled back at the end. */
class OneTransaction {
  readonly database: Database;
  readonly #client: pg.Client;
  #depth = 0;

  constructor(database: Database, client: pg.Client) {
    this.#client = client;
    const { vault } = database;
    const query = <R>(statement: Statement, values: readonly unknown[] = []) =>
      this.#run({ text: statement.text, values: values as unknown[] }) as Promise<R[]>;
    this.database = {
      ...database,
      vault,
      query,
      transaction: async (work) => {
        await this.#run({ text: 'BEGIN' });
        let isDone = false;
        try {
          const result = await work({ vault, query });
          isDone = !isRefusal(result);
          return result;
        } finally {
          await this.#run({ text: isDone ? 'COMMIT' : 'ROLLBACK' });
        }
      },
      connect: async () =>
        ({
          query: async (config: pg.QueryConfig) => ({ rows: await this.#run(config) }),
          end: async () => undefined,
        }) as unknown as pg.Client,
    };
  }

  /** Transactions within the one are savepoints. */
  async #run({ text, values }: pg.QueryConfig): Promise<unknown[]> {
    const parts: Readonly<Record<string, () => string>> = {
      BEGIN: () => `SAVEPOINT part_${(this.#depth += 1)}`,
      COMMIT: () => `RELEASE part_${this.#depth--}`,
      ROLLBACK: () => `ROLLBACK TO part_${this.#depth--}`,
    };
    const part = parts[text];
    return (await this.#client.query(part ? part() : text, part ? [] : values)).rows as unknown[];
  }
}

const rowsText = `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows
  FROM pg_stat_xact_user_tables`;

async function rowsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(rowsText);
  return rows[0]!.rows;
}

/** What would have been dropped at the end of the transaction, which is none here. */
async function dropTemporary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = (
      SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema())`,
  );
  for (const { name } of rows) await client.query(`DROP TABLE pg_temp."${name}"`);
}

/** A part of some work, of so many items. */
export type Part = (database: Database, items: number) => Promise<unknown>;

/** How many rows each part reads and writes, one after the other on a database that is as before at the end. */
export async function rowsTouched(
  database: Database,
  parts: Readonly<Record<string, Part>>,
  items: number,
): Promise<Record<string, number>> {
  const client = await database.connect();
  const touched: Record<string, number> = {};
  try {
    await client.query('BEGIN');
    const one = new OneTransaction(database, client);
    for (const [name, part] of Object.entries(parts)) {
      const before = await rowsOf(client);
      await part(one.database, items);
      touched[name] = (await rowsOf(client)) - before;
      await dropTemporary(client);
    }
    await client.query('ROLLBACK');
    return touched;
  } finally {
    await client.end();
  }
}

/** Asserts that each part touches at least a row an item, and with four times the items four times the rows. */
export async function assertLinear(
  database: Database,
  parts: Readonly<Record<string, Part>>,
  items: number,
): Promise<void> {
  const few = await rowsTouched(database, parts, items);
  const many = await rowsTouched(database, parts, 4 * items);
  for (const [name, rows] of Object.entries(few)) {
    assert.ok(rows >= items, `${name}: ${rows} rows for ${items} items`);
    assert.ok(many[name]! <= rows * 4 * 1.2, `${name}: ${rows} rows, then ${many[name]}`);
  }
}
