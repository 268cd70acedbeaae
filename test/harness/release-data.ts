/** The data of a release as SQL, small enough to keep: the text of its migrations, and the rows of its tables. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { Credentials } from './partner.ts';

interface Table {
  name: string;
  columns: string;
  identity: string | null;
  /** The tables that its foreign keys refer to. */
  needs: string[];
}

const tablesOf = `SELECT relname AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attgenerated = '') AS columns,
    max(attname) FILTER (WHERE attidentity <> '') AS identity,
    ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
      WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS needs
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' GROUP BY pg_class.oid, relname ORDER BY relname`;

async function migrationsOf(project: string): Promise<string> {
  const folder = path.join(project, 'migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  // All of it runs as one transaction, on tables that nobody else uses.
  return texts.join('\n').replaceAll(/\bINDEX CONCURRENTLY\b/g, 'INDEX');
}

async function rowsOf(client: pg.Client, { name, columns, identity }: Table): Promise<string> {
  const { rows } = await client.query<{ row: string }>(
    `SELECT row_to_json(kept)::text AS row FROM (SELECT ${columns} FROM ${name}) AS kept`,
  );
  if (rows.length === 0) return '';
  const json = pg.escapeLiteral(`[${rows.map(({ row }) => row).join(',\n')}]`);
  const insert = `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
  SELECT ${columns} FROM json_populate_recordset(NULL::${name}, ${json});`;
  return identity === null
    ? insert
    : `${insert}\nSELECT setval(pg_get_serial_sequence('${name}', '${identity}'), max(${identity})) FROM ${name};`;
}

/** Each table after those that it refers to. */
function inOrder(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  const add = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const needed of tables.filter(({ name }) => table.needs.includes(name))) add(needed);
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}

const triggers = (tables: Table[], act: 'ENABLE' | 'DISABLE'): string =>
  tables.map(({ name }) => `ALTER TABLE ${name} ${act} TRIGGER USER;`).join('\n');

/** Writes the data of a release, whose project folder has its migrations, as one SQL text. */
export async function dumpRelease(client: pg.Client, project: string): Promise<string> {
  const { rows } = await client.query<Table>(tablesOf);
  const tables = inOrder(rows);
  const data: string[] = [];
  for (const table of tables) data.push(await rowsOf(client, table));
  return [
    'CREATE TABLE schema_migrations (name text PRIMARY KEY, digest text NOT NULL,',
    '  applied_at timestamptz NOT NULL DEFAULT now());',
    await migrationsOf(project),
    // The rows are those that the triggers left.
    triggers(tables, 'DISABLE'),
    `TRUNCATE ${tables.map(({ name }) => name).join(', ')};`,
    ...data.filter((text) => text !== ''),
    triggers(tables, 'ENABLE'),
    '',
  ].join('\n');
}

/** The folder with the data of each release that is kept. */
export const releasesFolder = path.join(import.meta.dirname, '../fixtures/releases');

/** A release that is kept: the applications of its simulation, with their keys, and its data as SQL. */
export interface KeptRelease {
  applications: Credentials[];
  sql: string;
}

/** Reads what `npm run keep-release-data` has written. */
export async function readRelease(file: string): Promise<KeptRelease> {
  const sql = gunzipSync(await readFile(path.join(releasesFolder, file))).toString();
  const heading = sql.slice('-- '.length, sql.indexOf('\n'));
  return { applications: JSON.parse(heading) as Credentials[], sql };
}
