/** The PostgreSQL server from npm, for installations without their own: durable, with its files in the data folder. */
import { readdir } from 'node:fs/promises';
import { clusterFolder } from './data-folder.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { startServerIn } from './start.ts';

export type { EmbeddedPostgres } from './embedded-postgres.ts';
export { EmbeddedPostgresError } from './embedded-postgres.ts';
export { findRunningPostgres } from './running-server.ts';

/**
 * Whether the data folder contains PostgreSQL files, also unusable ones: a start then reports what is wrong
 * with them.
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
 * Throws EmbeddedPostgresError with a message that tells the operator what to do.
 */
export function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return startServerIn(options, process.platform === 'win32' ? 'loopback' : 'socket');
}
