/** The PostgreSQL that comes from npm, for whoever has none of their own: a real, durable server whose files lie in the data folder. */
import { readdir } from 'node:fs/promises';
import { clusterFolder } from './data-folder.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { startServerIn } from './start.ts';

export type { EmbeddedPostgres } from './embedded-postgres.ts';
export { EmbeddedPostgresError } from './embedded-postgres.ts';
export { findRunningPostgres } from './running-server.ts';

/**
 * Whether the data folder holds files of a PostgreSQL. Files that cannot be used count too: a start says what is
 * wrong with them.
 */
export async function hasDatabaseFiles(dataDir: string): Promise<boolean> {
  try {
    return (await readdir(clusterFolder(dataDir))).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * Starts (initialising on first use) the PostgreSQL whose files are under `<dataDir>/postgres`.
 * Throws EmbeddedPostgresError with a message a person can act on.
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return startServerIn(options, process.platform === 'win32' ? 'loopback' : 'socket');
}
