/** What statements cost, by the names that the service gives them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { superuserOf } from '../../test/harness/superuser.ts';
import type { BenchSystem } from '../bench-system.ts';

/** One statement of PostgreSQL's statistics, since they were reset. */
export interface StatementCost {
  name: string;
  calls: number;
  /** In milliseconds of its execution, all calls together. */
  ms: number;
  rows: number;
  walBytes: number;
}

/** A superuser's connection to the embedded PostgreSQL of a service. */
export async function connectSuperuser({
  dataDir,
}: Pick<BenchSystem, 'dataDir'>): Promise<pg.Client> {
  const host = path.join(dataDir, 'postgres');
  const client = new pg.Client(await superuserOf({ host, port: 5432, database: 'latchkey' }));
  await client.connect();
  return client;
}

// PostgreSQL keeps a text with its constants replaced.
const withoutConstants = (text: string): string =>
  text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$\d+|'[^']*'|\b\d+(\.\d+)?\b/g, '?')
    .replaceAll(/[\s()]+/g, '')
    .toLowerCase();

async function namesByText(): Promise<Map<string, string>> {
  const file = path.join(import.meta.dirname, '../../statements.sql');
  const texts = (await readFile(file, 'utf8')).matchAll(/PREPARE "([^"]+)" AS\n(.*?);\n(?=\n)/gs);
  return new Map([...texts].map(([, name, text]) => [withoutConstants(text!), name!]));
}

/** Reads the costs since the reset, the dearest first. */
export async function statementCosts(client: pg.Client): Promise<StatementCost[]> {
  const names = await namesByText();
  const { rows } = await client.query<Omit<StatementCost, 'name'> & { text: string }>(
    `SELECT query AS text, calls::float8, total_exec_time AS ms, rows::float8, wal_bytes::float8 AS "walBytes"
      FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname <> 'postgres'
      ORDER BY total_exec_time DESC`,
  );
  return rows.map(({ text, ...cost }) => ({
    ...cost,
    name: names.get(withoutConstants(text)) ?? text.replaceAll(/\s+/g, ' ').slice(0, 40),
  }));
}
