/**
 * Keeps a second service out of a data folder.
 *
 * A pid file needs guessing: is that process still the one that wrote it, and who takes over a stale one
 * first? The kernel's file lock needs none of it: it ends with its holder, however that dies, and is seen
 * by other containers on the same machine. Node offers that lock only through SQLite, so an empty
 * database with an open transaction is the lock; the pid beside it serves the message alone.
 */
import { chmodSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.ts';
import { isAlive } from './process-table.ts';

const sqliteBusy = 5;

/** The folder is ours until release, or until this process ends in whatever way. */
export interface DataFolderLock {
  /** Safe to call twice. */
  release(): void;
}

/** Takes the data folder for this process; throws EmbeddedPostgresError naming the process that has it. */
export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  const holderFile = join(folder, 'postgres.lock-holder');
  const lock = await takeLock(folder, holderFile);
  await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release() {
      if (!lock.isOpen) return;
      try {
        // First, so that the next holder's pid is not the one that is removed.
        rmSync(holderFile, { force: true });
      } finally {
        lock.close();
      }
    },
  };
}

async function takeLock(folder: string, holderFile: string): Promise<DatabaseSync> {
  const path = join(folder, 'postgres.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path);
    // Nothing is ever written; without this, SQLite would leave a journal file after a kill -9.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    // Whoever can read it could lock it. By path: closing a descriptor of it would end our own lock.
    chmodSync(path, 0o600);
    return lock;
  } catch (cause) {
    lock?.close();
    if ((cause as { errcode?: number }).errcode === sqliteBusy) {
      throw new EmbeddedPostgresError(
        `The data folder ${folder} is in use by ${await holder(holderFile)}. ` +
          'Stop that one first, or set LATCHKEY_DATA_DIR to another folder.',
        { cause },
      );
    }
    throw new EmbeddedPostgresError(
      `The data folder ${folder} cannot be locked (${(cause as Error).message}): ` +
        'the file postgres.lock in it must be writable for this account.',
      { cause },
    );
  }
}

/** The holder writes its pid just after it has the lock, so a start at the same moment looks a few times. */
async function holder(holderFile: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = Number(await readFile(holderFile, 'utf8').catch(() => ''));
    if (pid > 0 && isAlive(pid)) return `the process ${pid}`;
    await sleep(10);
  }
  return 'another process';
}
