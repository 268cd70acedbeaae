/** Indexes that are built outside a transaction, while other processes write to the table. */
import type pg from 'pg';

/** One index to build, and its statement. */
export interface IndexBuild {
  index: string;
  statement: string;
}

const isConcurrent = /\bCONCURRENTLY\b/i;
const build = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)\s+ON\s/;

function readBuild(statement: string): IndexBuild {
  const index = build.exec(statement)?.[1];
  if (index !== undefined) return { index, statement };
  throw new Error(
    `A migration that builds indexes concurrently has only CREATE INDEX CONCURRENTLY IF NOT EXISTS, not: ${statement}`,
  );
}

/**
 * Reads the index builds of a migration. Null: it builds none concurrently, so it runs in a transaction. Throws
 * an `Error` if it has other statements, too: they could not be repeated after a crash.
 */
export function readIndexBuilds(sql: string): IndexBuild[] | null {
  const code = sql.replaceAll(/--.*$/gm, '');
  if (!isConcurrent.test(code)) return null;
  const statements = code.split(';').map((statement) => statement.trim());
  return statements.filter((statement) => statement !== '').map(readBuild);
}

/** An interrupted build leaves an index that costs writes, serves no reads, and can still refuse duplicates. */
async function dropUnfinished(client: pg.Client, index: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [index],
  );
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

/** Builds an index that is missing or unfinished. A build that fails leaves nothing if the connection lasts. */
export async function buildIndex(
  client: pg.Client,
  { index, statement }: IndexBuild,
): Promise<void> {
  await dropUnfinished(client, index);
  try {
    await client.query(statement);
  } catch (error) {
    // The cause is the error to report; what is left is dropped by the next start, too.
    await dropUnfinished(client, index).catch(() => undefined);
    throw error;
  }
}
