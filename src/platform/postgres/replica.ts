/**
 * Reads from a replica. A read goes there only after the replica has replayed everything that is committed on
 * the primary when the read begins. So a read never sees less than it would on the primary.
 */
import type { Log } from '../log.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from './database.ts';
import { DatabaseUnavailableError, reasonOf } from './database-errors.ts';
import { remainingMs } from './deadline.ts';

/** Where reads go that can be large and decide nothing: loads and lists. */
export interface Reads {
  /** The replica, if it has everything that is committed now; otherwise the primary. Only for reading. */
  fresh(): Promise<Database>;
  /**
   * Runs reads on `fresh()`. If the replica becomes unavailable meanwhile, runs them again on the primary.
   * Errors of the work are rethrown unchanged.
   */
  run<T>(work: (from: Database) => Promise<T>): Promise<T>;
  /** Null: there is no replica. */
  lag(): Promise<ReplicaLag | null>;
  close(): Promise<void>;
}

/** Where people's acts write and read. */
export interface WithReads {
  database: Database;
  /** Where lists read: a replica that has everything, or the database. */
  reads: Pick<Reads, 'run'>;
}

/** How far the replica is behind the primary. */
export interface ReplicaLag {
  /** False: it cannot be reached, or it is no replica of this primary. */
  isReplica: boolean;
  /** What it has not replayed; null if `isReplica` is false. */
  bytes: number | null;
  /** The age of what it has replayed last, 0 if it has everything; null if `isReplica` is false. */
  seconds: number | null;
}

/** A place in the log of changes of one cluster, timeline and database, and when it was read. */
interface Position {
  lsn: string;
  system: string;
  timeline: number;
  database: string;
  /** The time of the primary, in seconds. */
  time: number;
  /** The same moment by the monotonic clock of this process, in milliseconds. */
  readAt: number;
}

/** A replica at one moment. */
interface ReplicaState extends ReplicaLag {
  /** How far its time is from that of the primary. */
  clockSeconds: number;
}

// The insert position, because with `synchronous_commit = off` a commit is visible before it is written.
const positionStatement: Statement = {
  name: 'primary-position',
  text: `SELECT lsn::text, system_identifier::text AS system, current_database() AS database,
      ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer AS timeline,
      extract(epoch FROM line_now())::float8 AS time
    FROM pg_current_wal_insert_lsn() AS lsn, pg_control_system()`,
};

// The timeline of the last checkpoint: a replica that follows a new primary is used after its next one.
const replayedStatement: Statement = {
  name: 'replica-position',
  text: `SELECT pg_is_in_recovery() AND system_identifier::text = $2 AND timeline_id = $3
        AND current_database() = $4 AS "isReplica",
      greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS bytes,
      coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
        AS seconds,
      abs(extract(epoch FROM line_now()) - $5)::float8 AS "clockSeconds"
    FROM pg_control_system(), pg_control_checkpoint()`,
};

const unreachable: ReplicaLag = { isReplica: false, bytes: null, seconds: null };

async function readPosition(primary: Database): Promise<Position> {
  const [position] = await primary.query<Omit<Position, 'readAt'>>(positionStatement);
  return { ...position!, readAt: performance.now() };
}

async function stateAt(replica: Database, position: Position): Promise<ReplicaState> {
  const { lsn, system, timeline, database, time, readAt } = position;
  const now = time + (performance.now() - readAt) / 1_000;
  const values = [lsn, system, timeline, database, now];
  const [row] = await replica.query<ReplicaState>(replayedStatement, values);
  return row!;
}

async function lagBehind(replica: Database, position: Position): Promise<ReplicaLag> {
  const { isReplica, bytes, seconds } = await stateAt(replica, position);
  if (!isReplica) return unreachable;
  // The last transaction of an idle primary is old, and nothing is missing.
  return { isReplica, bytes, seconds: bytes === 0 ? 0 : seconds };
}

const pollMs = 25;
/** Lists say what has ended by the time of the server that they read. */
const clockToleranceSeconds = 60;

/** Why a read goes to the primary; null: the replica has everything. */
async function whyNot(
  primary: Database,
  replica: Database,
  waitMs: number,
): Promise<string | null> {
  // A call needs the rest of its time for the read itself.
  const until = performance.now() + Math.min(waitMs, remainingMs() / 4);
  try {
    const position = await readPosition(primary);
    for (;;) {
      const { isReplica, bytes, clockSeconds } = await stateAt(replica, position);
      if (!isReplica) return 'it is no replica of this primary';
      if (clockSeconds > clockToleranceSeconds) {
        return `its clock is ${Math.round(clockSeconds)} s from that of the primary`;
      }
      if (bytes === 0) return null;
      if (performance.now() >= until) return `it is ${bytes} bytes behind`;
      await sleep(pollMs);
    }
  } catch (error) {
    return reasonOf(error);
  }
}

/** All reads go to the primary: there is no replica. */
export const primaryReads = (primary: Database): Reads => ({
  fresh: () => Promise.resolve(primary),
  run: (work) => work(primary),
  lag: () => Promise.resolve(null),
  close: () => Promise.resolve(),
});

/** The dependencies of reads from a replica. */
export interface ReplicaContext {
  primary: Database;
  /** Closed together with the reads. */
  replica: Database;
  /** How long a read waits for the replica to catch up. */
  waitMs: number;
  /** How long reads use the primary after one that could not use the replica. */
  pauseMs: number;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Reads from the replica while it keeps up. At any time the replica may be unreachable, lag behind, or belong to
 * another database.
 */
export function replicaReadsOf(context: ReplicaContext): Reads {
  const { primary, replica, waitMs, pauseMs, log } = context;
  let isUsed = true;
  let pausedUntil = 0;

  function note(reason: string | null): void {
    const wasUsed = isUsed;
    isUsed = reason === null;
    pausedUntil = isUsed ? 0 : performance.now() + pauseMs;
    if (isUsed === wasUsed) return;
    if (isUsed) log.info({}, 'reads use the replica again');
    else log.warn({ reason }, 'reads use the primary instead of the replica');
  }

  async function fresh(): Promise<Database> {
    if (performance.now() < pausedUntil) return primary;
    const reason = await whyNot(primary, replica, waitMs);
    note(reason);
    return reason === null ? replica : primary;
  }

  return {
    fresh,
    async run(work) {
      const from = await fresh();
      if (from === primary) return work(primary);
      try {
        return await work(replica);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        note(reasonOf(error));
        return work(primary);
      }
    },
    async lag() {
      const position = await readPosition(primary);
      return lagBehind(replica, position).catch(() => unreachable);
    },
    close: () => replica.close(),
  };
}
