/**
 * Keeps a second service out of a data folder.
 *
 * A pid file is unreliable: the process may no longer be the one that wrote it, and two processes may take
 * over a stale file. The kernel releases a file lock when its holder dies, and other containers on the
 * same machine see it. Node offers such locks only through SQLite, so the lock is an open transaction on
 * an empty database. The pid file beside it is only for the error message.
 */
import type { StartLog } from '../log.ts';
import { chmodSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { commandLine, isAlive } from './process-table.ts';

const sqliteBusy = 5;

/** A lock on the data folder. It is held until `release` or the end of this process. */
export interface DataFolderLock {
  /** Safe to call twice. */
  release(): void;
}

// A command that runs while the service is killed keeps the folder until it has stopped PostgreSQL.
const waitMs = 15_000;
const againMs = 250;
const mostShown = 120;

/**
 * Locks the data folder, and waits for a process that is about to leave it. Throws EmbeddedPostgresError with the
 * process that holds the lock.
 */
export async function lockDataFolder(
  folder: string,
  log: StartLog,
  within = waitMs,
): Promise<DataFolderLock> {
  const holderFile = join(folder, 'postgres.lock-holder');
  const lock = await takeLockWithin(folder, holderFile, { log, within });
  return {
    release() {
      if (!lock.isOpen) return;
      try {
        // Removed before the lock is released, so that the pid file of the next holder stays.
        rmSync(holderFile, { force: true });
      } finally {
        lock.close();
      }
    },
  };
}

/** The folder is held by another process. */
class HeldError extends EmbeddedPostgresError {}

async function takeLockWithin(
  folder: string,
  holderFile: string,
  { log, within }: { log: StartLog; within: number },
): Promise<DatabaseSync> {
  const end = performance.now() + within;
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeLock(folder, holderFile);
    } catch (error) {
      if (!(error instanceof HeldError) || performance.now() >= end) throw error;
      if (tries === 1) log('the data folder is in use; waiting', { by: await holder(holderFile) });
      await sleep(againMs);
    }
  }
}

async function takeLock(folder: string, holderFile: string): Promise<DatabaseSync> {
  const path = join(folder, 'postgres.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    // Without this, SQLite would leave a journal file after a kill -9.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    // Any account that can read the file can lock it. Uses the path, because closing a descriptor releases our lock.
    chmodSync(path, 0o600);
    await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 });
    return lock;
  } catch (cause) {
    lock?.close();
    if ((cause as { errcode?: number }).errcode === sqliteBusy) {
      throw new HeldError(
        `The data folder ${folder} is in use by ${await holder(holderFile)}. ` +
          'Stop that one first, or set LATCHKEY_DATA_DIR to another folder.',
        { cause },
      );
    }
    throw new EmbeddedPostgresError(
      `The data folder ${folder} cannot be locked (${(cause as Error).message}): ` +
        'the files postgres.lock and postgres.lock-holder in it must be writable for this account.',
      { cause },
    );
  }
}

/** Describes the holder of the lock. Retries, because the holder writes its pid shortly after it gets the lock. */
async function holder(holderFile: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = Number(await readFile(holderFile, 'utf8').catch(() => ''));
    if (pid > 0 && isAlive(pid)) return `the process ${pid}${await commandOf(pid)}`;
    await sleep(10);
  }
  return 'another process';
}

/** What a process runs, in brackets, where the system says so. */
async function commandOf(pid: number): Promise<string> {
  const line = (await commandLine(pid)).replaceAll('\0', ' ').trim();
  const shown = line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
  return shown === '' ? '' : ` (${shown})`;
}
