import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Connection } from '../platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase } from '../platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { dumpSchema } from '../platform/postgres/schema-dump.ts';
import { openVault } from '../platform/vault.ts';

async function schemaIn(connection: Connection): Promise<string> {
  const vault = openVault(randomBytes(32));
  const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
  try {
    await migrate(database);
    return await dumpSchema(database);
  } finally {
    await database.close();
  }
}

/** Returns the schema that the migrations create in an empty database of a temporary PostgreSQL. */
export async function freshSchema(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-schema-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return await schemaIn(postgres.connection);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
