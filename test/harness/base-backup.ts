/** What `pg_basebackup` does, with the means that are here: PostgreSQL's low-level interface. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { superuserOf } from './superuser.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';

const run = promisify(execFile);

/** Runs the work between `pg_backup_start` and `pg_backup_stop`; returns the label of the backup. */
async function backingUp(dataDir: string, work: () => Promise<unknown>): Promise<string> {
  const connection = await findRunningPostgres(dataDir);
  assert.ok(connection);
  const client = new pg.Client(await superuserOf({ ...connection, database: 'postgres' }));
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('a test', fast => true)`);
    await work();
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    return rows[0]!.labelfile;
  } finally {
    await client.end();
  }
}

/** Copies files that change meanwhile: those that have gone are of no matter. */
async function copyInUse(from: string, to: string): Promise<void> {
  await run('cp', ['-pR', from, to]).catch(({ stderr }: { stderr: string }) => {
    for (const line of stderr.trim().split('\n')) assert.match(line, /No such file or directory$/);
  });
}

/** Copies the database of a data folder while it is in use, to a data folder that does not exist yet. */
export async function backUpRunning(dataDir: string, copy: string): Promise<void> {
  await mkdir(copy, { mode: 0o711 });
  const from = path.join(dataDir, 'postgres');
  const to = path.join(copy, 'postgres');
  const label = await backingUp(dataDir, () => copyInUse(from, to));
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal']) {
    await rm(path.join(to, name), { recursive: true, force: true });
  }
  // Only now does the write-ahead log reach to the end of the backup.
  await copyInUse(path.join(from, 'pg_wal'), path.join(to, 'pg_wal'));
  const { uid, gid } = await stat(to);
  await writeFile(path.join(to, 'backup_label'), label, { mode: 0o600 });
  await chown(path.join(to, 'backup_label'), uid, gid);
}
