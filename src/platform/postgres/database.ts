/** The database as the code uses it: statements, transactions, and how both are retried. */
import { callbackify } from 'node:util';
import pg from 'pg';
import { isRefusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import { ask, meanTime, rollBack, type Statement } from './asking.ts';
import { borrow, type Connections, giveBack, onConnection, type PoolLimits } from './borrowing.ts';
import { checkWrites, connectAlone, type Connection, serversOf } from './connecting.ts';
import { createConnectionQueue, type QueueUsage } from './connection-queue.ts';
import { isRetriable, translated } from './database-errors.ts';
import { WaitingBackends } from './waiting-backends.ts';
import { ClockShift } from './clock-shift.ts';
import { beginSession, ServerWatch } from './session.ts';
import type { Vault } from '../vault.ts';

export type { Statement } from './asking.ts';

type Row = Record<string, unknown>;

/** Runs statements. The first parameter of every function in a `store` folder. */
export interface Executor {
  query<R = Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
  /** Seals values that the database must not contain in clear. */
  vault: Vault;
}

/** The pool of connections to PostgreSQL. */
export interface Database extends Executor {
  /** Runs the work in a transaction. Work that throws, or returns a refusal, is rolled back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /**
   * Opens a connection outside the pool, for work without a time limit. Throws
   * `DatabaseUnavailableError`.
   */
  connect(): Promise<pg.Client>;
  /**
   * Calls a listener when a connection reaches another server, or the same one with other data: before the
   * connection is used. What the process has in memory may be of data that no longer exists.
   */
  onOtherServer(listener: () => void): void;
  /**
   * Sets what the statements of this process mean by `now()`: the server's clock and this many milliseconds. Statements
   * in progress, and connections outside the pool, keep what they mean.
   */
  shiftClock(byMs: number): void;
  /** How many connections are in use, and how many callers wait for one. */
  usage(): QueueUsage;
  close(): Promise<void>;
}

/** The limits of a process. */
export const defaultPoolLimits: PoolLimits = {
  connections: 10,
  waitMs: 2_000,
  newCallsWaiting: 512,
  statementMs: 3_500,
};

const attemptsOnConflict = 4;
// When commits wait for a lost standby, reads go on with these.
const shareOfReads = 1 / 5;
const withoutLimits = { statementMs: 0, idleInTransactionMs: 0 };
const connectedWithinMs = 10_000;

const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.DATE]: String,
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: epochMs,
};

// The session's zone is UTC, so the text always ends in +00.
function epochMs(text: string): EpochMs {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

const writing = /\b(?:insert|update|delete|merge)\b/i;
const known = new WeakMap<Statement, boolean>();

/** Whether a statement may write. One that locks rows counts, too: it waits for what writes. */
function mayWrite(statement: Statement): boolean {
  const found = known.get(statement);
  if (found !== undefined) return found;
  const may = writing.test(statement.text);
  known.set(statement, may);
  return may;
}

async function run<R>(
  connections: Connections,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onConnection(connections, mayWrite(statement), (borrowed) => {
        const asked = () => ask<R>(borrowed, connections.limits, statement, values);
        const meaning = meanTime(borrowed, connections);
        return meaning === null ? asked() : meaning.then(asked);
      });
    } catch (error) {
      if (!isRetriable(error) || attempt === attemptsOnConflict) throw translated(error);
    }
  }
}

/** Opens the pool. Nothing is connected until the first statement. */
export function openDatabase(
  connection: Connection,
  vault: Vault,
  poolLimits: PoolLimits,
  onLost: (error: Error) => void,
): Database {
  const servers = serversOf(connection);
  const settings: pg.ClientConfig = {
    application_name: 'latchkey',
    keepAlive: true,
    types,
  };
  const watch = new ServerWatch();
  const sessionLimits = {
    statementMs: poolLimits.statementMs,
    idleInTransactionMs: poolLimits.statementMs * 2,
  };
  const verify = async (client: pg.ClientBase): Promise<void> => {
    watch.seen(await beginSession(client, sessionLimits, poolLimits.waitMs));
    if (servers.mustWrite) await checkWrites(client);
  };
  const pool = new pg.Pool({
    ...settings,
    ...servers.current,
    ...(servers.mustWrite && {
      // The pool has one set of settings: each new connection is to the server that is tried now.
      Client: class extends pg.Client {
        constructor(config?: pg.ClientConfig) {
          super({ ...config, ...servers.current });
        }
      },
    }),
    verify: callbackify(verify) as NonNullable<pg.PoolConfig['verify']>,
    max: poolLimits.connections,
    connectionTimeoutMillis: poolLimits.waitMs,
  });
  let closing = false;
  pool.on('error', (error) => {
    // The pool ends before its connections do, and an embedded PostgreSQL that stops next cuts them.
    if (!closing) onLost(error);
  });
  // A statement receives the error of its connection. Without a listener from the start, the error would also
  // end the process: a killed server can send an error together with its first message.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const queue = createConnectionQueue(
    poolLimits.connections,
    poolLimits.newCallsWaiting,
    Math.floor(poolLimits.connections * shareOfReads),
  );
  const shift = new ClockShift();
  const waiting = new WaitingBackends((withinMs) =>
    connectAlone(servers, { ...settings, connectionTimeoutMillis: withinMs }, () => undefined),
  );
  const connections: Connections = {
    servers,
    pool,
    queue,
    limits: poolLimits,
    shift,
    waiting,
  };

  return {
    vault,
    query: (statement, values = []) => run(connections, statement, values),
    transaction: (work) => inTransaction(connections, vault, work),
    async connect() {
      const client = await connectAlone(servers, settings, onLost);
      try {
        watch.seen(await beginSession(client, withoutLimits, connectedWithinMs));
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        throw translated(error);
      }
    },
    onOtherServer: (listener) => watch.onOther(listener),
    shiftClock: (byMs) => shift.set(byMs),
    usage: () => queue.usage(),
    close() {
      closing = true;
      return pool.end();
    },
  };
}

/**
 * Runs the work in a transaction, and rolls back what it has written if it returns a refusal. Errors of the work are
 * rethrown unchanged; errors of PostgreSQL are translated.
 */
async function inTransaction<T>(
  connections: Connections,
  vault: Vault,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const borrowed = await borrow(connections, true).catch((error: unknown) => {
    throw translated(error);
  });
  const query: Executor['query'] = <R>(statement: Statement, values: readonly unknown[] = []) =>
    ask<R>(borrowed, connections.limits, statement, values).catch((error: unknown) => {
      throw translated(error);
    });
  let isOver = false;
  try {
    await meanTime(borrowed, connections)?.catch((error: unknown) => {
      throw translated(error);
    });
    await query({ name: '', text: 'BEGIN' });
    const result = await work({ vault, query });
    if (isRefusal(result)) return result;
    await query({ name: '', text: 'COMMIT' });
    isOver = true;
    return result;
  } finally {
    isOver ||= await rollBack(borrowed);
    giveBack(connections, borrowed, !isOver);
  }
}
