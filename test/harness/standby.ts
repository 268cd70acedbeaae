/**
 * A primary and its hot standby: two embedded PostgreSQL servers. The standby starts on a cold copy of the
 * primary's files and receives its WAL through the primary's Unix socket.
 */
import { execFile } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { PostgresServer } from './postgres-server.ts';
import { eventually } from './eventually.ts';
import { superuserOf } from './superuser.ts';

/** The standby in `pg_stat_replication` and in `synchronous_standby_names`. */
const standbyName = 'latchkey_standby';

/** Runs one statement as the superuser, outside any pool. */
export async function asSuperuser(
  { connection: { host, port, database } }: PostgresServer,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(await superuserOf({ host, port, database }));
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Both servers. */
export interface StandbyPair {
  primary: PostgresServer;
  standby: PostgresServer;
  /** From now on a commit waits until the standby has written it to disk. */
  replicateSynchronously(): Promise<void>;
  /** Waits until the standby has replayed what is committed on the primary now. */
  caughtUp(): Promise<void>;
  /** Stops the replay on the standby; it goes on receiving. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes the standby a primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Stops the servers that still run. */
  stop(): Promise<void>;
}

/** Copies the files of a stopped cluster, with their owner, and makes the copy a standby. */
async function copyCold(primaryDir: string, standbyDir: string): Promise<void> {
  await mkdir(standbyDir, { mode: 0o711 });
  const cluster = path.join(standbyDir, 'postgres');
  await promisify(execFile)('cp', ['-pR', path.join(primaryDir, 'postgres'), cluster]);
  await writeFile(path.join(cluster, 'standby.signal'), '');
}

async function followPrimary(standbyDir: string, { connection }: PostgresServer): Promise<void> {
  const { host, port, user, password } = await superuserOf(connection);
  const address = `host=${host} port=${port} user=${user} password=${password} application_name=${standbyName}`;
  const settings = `primary_conninfo = '${address}'\nwal_retrieve_retry_interval = '100ms'\n`;
  await appendFile(path.join(standbyDir, 'postgres/postgresql.conf'), settings);
}

/**
 * Starts both. `primaryDir` is a data folder whose PostgreSQL is stopped, as `usedFolder()` returns it;
 * `standbyDir` does not exist yet.
 */
export async function openStandbyPair(
  primaryDir: string,
  standbyDir: string,
): Promise<StandbyPair> {
  await copyCold(primaryDir, standbyDir);
  const primary = await PostgresServer.start(primaryDir);
  await followPrimary(standbyDir, primary);
  const standby = await PostgresServer.start(standbyDir).catch(async (error: unknown) => {
    await primary.stop();
    throw error;
  });

  return {
    primary,
    standby,
    async replicateSynchronously() {
      await asSuperuser(primary, `ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
      await asSuperuser(primary, 'SELECT pg_reload_conf()');
      await eventually(async () => {
        const [row] = await asSuperuser(primary, 'SELECT sync_state FROM pg_stat_replication');
        return row?.['sync_state'] === 'sync';
      }, 20_000);
    },
    async caughtUp() {
      const [at] = await asSuperuser(primary, 'SELECT pg_current_wal_lsn()::text AS lsn');
      const replayed = `SELECT pg_last_wal_replay_lsn() >= '${String(at!['lsn'])}' AS done`;
      await eventually(
        async () => (await asSuperuser(standby, replayed))[0]!['done'] === true,
        20_000,
      );
    },
    pauseReplay: async () => void (await asSuperuser(standby, 'SELECT pg_wal_replay_pause()')),
    resumeReplay: async () => void (await asSuperuser(standby, 'SELECT pg_wal_replay_resume()')),
    promote: async () => void (await asSuperuser(standby, 'SELECT pg_promote()')),
    async stop() {
      // The standby first: a primary that stops waits for its WAL to be received.
      await standby.stop();
      await primary.stop();
    },
  };
}
