import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import pg from 'pg';
import type { EpochMs } from '../../contract/time.ts';
import { isNewCall, markBegun, remainingMs } from './deadline.ts';
import {
  createConnectionQueue,
  type ConnectionQueue,
  type NoSlot,
  type QueueUsage,
} from './connection-queue.ts';
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  isBroken,
  isRetriable,
  reasonOf,
  translated,
} from './database-errors.ts';
import { readServers, Servers } from './hosts.ts';
import type { Vault } from '../vault.ts';

/** A named statement: prepared once per connection. */
export interface Statement {
  name: string;
  /** Distinguishes texts with the same name that are built from different parts. */
  variant?: string;
  text: string;
}

type Row = Record<string, unknown>;

/** Runs statements. The first parameter of every function in a `store` folder. */
export interface Executor {
  query<R = Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
  /** Seals values that the database must not contain in clear. */
  vault: Vault;
}

/** The pool of connections to PostgreSQL. */
export interface Database extends Executor {
  /** Runs the work in a transaction. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /**
   * Opens a connection outside the pool, for work without a time limit. Throws
   * `DatabaseUnavailableError`.
   */
  connect(): Promise<pg.Client>;
  /** How many connections are in use, and how many callers wait for one. */
  usage(): QueueUsage;
  close(): Promise<void>;
}

/** The address of PostgreSQL: a URL, or the settings of an embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

export interface PoolLimits {
  connections: number;
  /** The time to get a connection. */
  waitMs: number;
  /** The maximum number of calls that wait for their first connection. Further calls are refused. */
  newCallsWaiting: number;
  /** The time of one statement. */
  statementMs: number;
}

export const defaultPoolLimits: PoolLimits = {
  connections: 10,
  waitMs: 2_000,
  newCallsWaiting: 512,
  statementMs: 3_500,
};

const connectAloneMs = 10_000;
const attemptsOnConflict = 4;
// PostgreSQL's own limit ends a statement first, so that the connection stays usable.
const answerGraceMs = 250;
// Shorter limits are multiples of this, because each change costs a round trip.
const statementStepMs = 250;
// How long the connection waits for a late answer after its caller has left.
const lateAnswerMs = 1_000;

/** No statement starts for a call that has less time left than this. */
export const leastStatementMs = statementStepMs + answerGraceMs;

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

/** The servers of a connection. */
function serversOf(connection: Connection): Servers<pg.ClientConfig> {
  if (!('connectionString' in connection)) return new Servers([connection], false);
  const single = { urls: [connection.connectionString], mustWrite: false };
  const { urls, mustWrite } = readServers(connection.connectionString) ?? single;
  return new Servers(
    urls.map((connectionString) => ({ connectionString })),
    mustWrite,
  );
}

/** A standby accepts no writes, and neither does a server that is being taken out of service. */
async function checkWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'SHOW transaction_read_only',
  );
  if (rows[0]?.transaction_read_only === 'on') {
    throw new DatabaseUnavailableError('the server accepts no writes');
  }
}

/** Tries each server once, beginning with the one that worked last. */
async function onSomeServer<T>(
  servers: Servers<pg.ClientConfig>,
  connect: (settings: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  for (let left = servers.count - 1; ; left -= 1) {
    const tried = servers.current;
    try {
      return await connect(tried);
    } catch (error) {
      servers.failed(tried);
      if (left === 0) throw error;
    }
  }
}

/** The connections of a process. */
interface Connections {
  servers: Servers<pg.ClientConfig>;
  pool: pg.Pool;
  queue: ConnectionQueue;
  limits: PoolLimits;
}

/** A connection of the pool while it is borrowed. */
interface Borrowed {
  client: pg.PoolClient;
  /** The statement that still runs after its caller has left. */
  unanswered: Promise<unknown> | null;
}

const tooLate = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('the time of the call is over');

const noAnswer = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('PostgreSQL did not answer in time');

/** The time that a call can wait before its next statement must start. */
const spareMs = (): number => remainingMs() - leastStatementMs;

const whyNoSlot: Readonly<Record<NoSlot, string>> = {
  'queue is full': 'too many calls wait for a connection',
  'timed out': 'no connection was free in time',
};

/** Waits for a slot. Work that has begun or was accepted goes before new calls. */
async function takeSlot({ queue, limits }: Connections): Promise<void> {
  const left = spareMs();
  if (left < 0) throw tooLate();
  const standing = isNewCall() ? 'new' : 'begun';
  const noSlot = await queue.take(standing, Math.min(limits.waitMs, left));
  if (noSlot) throw new DatabaseBusyError(whyNoSlot[noSlot]);
  markBegun();
}

async function connectInSlot({ servers, pool, queue }: Connections): Promise<pg.PoolClient> {
  try {
    return await onSomeServer(servers, () => pool.connect());
  } catch (error) {
    queue.end();
    throw error;
  }
}

function endBorrowing({ queue }: Connections, client: pg.PoolClient, broken: boolean): void {
  client.release(broken);
  queue.end();
}

/**
 * Releases the slot only after PostgreSQL has finished the statement, so that it never runs more statements
 * than the pool has connections. Drops a connection that does not answer.
 */
async function endBorrowingLater(
  connections: Connections,
  client: pg.PoolClient,
  unanswered: Promise<unknown>,
  broken: boolean,
): Promise<void> {
  const answered = unanswered.then(
    () => !broken,
    (error: unknown) => !broken && !isBroken(error),
  );
  const isUsable = await Promise.race([answered, sleep(lateAnswerMs, 'no answer')]);
  if (isUsable === 'no answer') dropIdle(connections.pool);
  endBorrowing(connections, client, isUsable !== true);
}

function giveBack(
  connections: Connections,
  { client, unanswered }: Borrowed,
  broken: boolean,
): void {
  if (unanswered) void endBorrowingLater(connections, client, unanswered, broken);
  else endBorrowing(connections, client, broken);
}

/** Borrows a connection of the pool, within the remaining time of the call. Return it with `giveBack`. */
async function borrow(connections: Connections): Promise<Borrowed> {
  await takeSlot(connections);
  const connecting = connectInSlot(connections);
  const left = spareMs();
  if (left >= connections.limits.waitMs) return { client: await connecting, unanswered: null };
  const { promise: late, reject } = Promise.withResolvers<never>();
  // The remaining time is negative if the process was busy while it waited for the slot.
  const timer = setTimeout(() => reject(tooLate()), Math.max(0, left));
  try {
    return { client: await Promise.race([connecting, late]), unanswered: null };
  } catch (error) {
    // The caller has left, so a late error has no receiver.
    connecting.then((client) => endBorrowing(connections, client, false)).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Drops idle connections: after one got no answer, the others are probably broken too. */
function dropIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

/** Runs the work on a connection of the pool. Drops the connection if it breaks. */
async function onConnection<T>(
  connections: Connections,
  work: (borrowed: Borrowed) => Promise<T>,
): Promise<T> {
  const borrowed = await borrow(connections);
  let failure: unknown;
  try {
    return await work(borrowed);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    giveBack(connections, borrowed, isBroken(failure));
  }
}

/**
 * Waits for an answer. A statement that answers later is left to `giveBack`. Every statement comes here, so it makes
 * one promise and a `Query`: the driver copies a configuration into an object that is slow to read.
 */
const answerWithin = (
  borrowed: Borrowed,
  { name, text, values }: pg.QueryConfig,
  ms: number,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    let outcome = { resolve, reject };
    let isAnswered = false;
    const leave = (): void => {
      if (isAnswered) return;
      reject(noAnswer());
      borrowed.unanswered = new Promise<pg.QueryResult>((resolveLate, rejectLate) => {
        outcome = { resolve: resolveLate, reject: rejectLate };
      });
    };
    // If the process was busy, the timer can fire before it reads an answer that came in time.
    const timer = setTimeout(() => setImmediate(leave), ms);
    const query = new pg.Query(text, values, (error: Error | null | undefined, result) => {
      isAnswered = true;
      clearTimeout(timer);
      if (error) outcome.reject(error);
      else outcome.resolve(result);
    });
    borrowed.client.query(Object.assign(query, { name }));
  });

/**
 * Returns PostgreSQL's time limit for a statement, so that it ends before its caller leaves: the usual
 * limit, or the remaining time of the call in steps. 0: too little time is left to start.
 */
export function statementLimit(usualMs: number, leftMs: number): number {
  const mostMs = leftMs - answerGraceMs;
  if (mostMs >= usualMs) return usualMs;
  return Math.max(0, Math.floor(mostMs / statementStepMs) * statementStepMs);
}

// The limits of connections that differ from the usual one. Null: unknown, because setting it has not been confirmed.
const limitsSet = new WeakMap<pg.PoolClient, number | null>();

/** Sets the limit. This costs a round trip, but only late calls and the first call after one need it. */
async function setLimit(borrowed: Borrowed, limitMs: number): Promise<void> {
  limitsSet.set(borrowed.client, null);
  const config = {
    name: 'set-statement-timeout',
    text: `SELECT set_config('statement_timeout', $1, false)`,
    values: [String(limitMs)],
  };
  await answerWithin(borrowed, config, limitMs + answerGraceMs);
  limitsSet.set(borrowed.client, limitMs);
}

async function ask<R>(
  borrowed: Borrowed,
  { statementMs }: PoolLimits,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  const limitMs = statementLimit(statementMs, remainingMs());
  if (limitMs === 0) throw tooLate();
  const known = limitsSet.get(borrowed.client);
  if ((known === undefined ? statementMs : known) !== limitMs) await setLimit(borrowed, limitMs);
  const withinMs = Math.min(limitMs + answerGraceMs, remainingMs());
  // Setting the limit may have used up the remaining time.
  if (withinMs < limitMs) throw tooLate();
  const { name, variant, text } = statement;
  const config = {
    name: variant === undefined ? name : `${name}-${variant}`,
    text,
    values: values as unknown[],
  };
  return (await answerWithin(borrowed, config, withinMs)).rows as R[];
}

async function run<R>(
  connections: Connections,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onConnection(connections, (borrowed) =>
        ask<R>(borrowed, connections.limits, statement, values),
      );
    } catch (error) {
      if (!isRetriable(error) || attempt === attemptsOnConflict) throw translated(error);
    }
  }
}

// Every statement of a call finds its rows by an index, whatever its values. So one generic plan is enough,
// and a plan that was made while a table was small must not scan it later.
const sessionSettings = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'TimeZone=UTC',
  'client_min_messages=warning',
  'default_transaction_isolation=read\\ committed',
];

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
    options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
    types,
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
      verify: callbackify(checkWrites) as NonNullable<pg.PoolConfig['verify']>,
    }),
    max: poolLimits.connections,
    connectionTimeoutMillis: poolLimits.waitMs,
    statement_timeout: poolLimits.statementMs,
    idle_in_transaction_session_timeout: poolLimits.statementMs * 2,
  });
  let closing = false;
  pool.on('error', (error) => {
    // The pool ends before its connections do, and an embedded PostgreSQL that stops next cuts them.
    if (!closing) onLost(error);
  });
  // A statement receives the error of its connection. Without a listener from the start, the error would also
  // end the process: a killed server can send an error together with its first message.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const queue = createConnectionQueue(poolLimits.connections, poolLimits.newCallsWaiting);
  const connections: Connections = { servers, pool, queue, limits: poolLimits };

  return {
    vault,
    query: (statement, values = []) => run(connections, statement, values),
    transaction: (work) => inTransaction(connections, vault, work),
    connect: () => connectAlone(servers, settings, onLost),
    usage: queue.usage,
    close() {
      closing = true;
      return pool.end();
    },
  };
}

/** Opens a connection outside any pool. The caller must end it. Throws `DatabaseUnavailableError`. */
export const connectOnce = (connection: Connection): Promise<pg.Client> =>
  connectAlone(serversOf(connection), { application_name: 'latchkey' }, () => undefined);

async function connectTo(
  settings: pg.ClientConfig,
  mustWrite: boolean,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: connectAloneMs });
  client.on('error', onLost);
  try {
    await client.connect();
    if (mustWrite) await checkWrites(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function connectAlone(
  servers: Servers<pg.ClientConfig>,
  settings: pg.ClientConfig,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  try {
    return await onSomeServer(servers, (server) =>
      connectTo({ ...settings, ...server }, servers.mustWrite, onLost),
    );
  } catch (error) {
    // Any reason: a wrong password, a missing database, no server.
    throw new DatabaseUnavailableError(`PostgreSQL cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Rolls a failed transaction back, so that its connection stays usable. False: the connection must be dropped. */
async function rollBack(borrowed: Borrowed): Promise<boolean> {
  if (borrowed.unanswered) return false;
  // The rollback also reverts a limit that was set inside the transaction.
  if (limitsSet.has(borrowed.client)) limitsSet.set(borrowed.client, null);
  return answerWithin(borrowed, { text: 'ROLLBACK' }, answerGraceMs).then(
    () => true,
    () => false,
  );
}

/** Runs the work in a transaction. Errors of the work are rethrown unchanged; errors of PostgreSQL are translated. */
async function inTransaction<T>(
  connections: Connections,
  vault: Vault,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const borrowed = await borrow(connections).catch((error: unknown) => {
    throw translated(error);
  });
  const query: Executor['query'] = <R>(statement: Statement, values: readonly unknown[] = []) =>
    ask<R>(borrowed, connections.limits, statement, values).catch((error: unknown) => {
      throw translated(error);
    });
  let isOver = false;
  try {
    await query({ name: '', text: 'BEGIN' });
    const result = await work({ vault, query });
    await query({ name: '', text: 'COMMIT' });
    isOver = true;
    return result;
  } finally {
    isOver ||= await rollBack(borrowed);
    giveBack(connections, borrowed, !isOver);
  }
}

/** Formats an instant for PostgreSQL. */
export const instant = (at: EpochMs): string => new Date(at).toISOString();

/** Formats an instant for PostgreSQL, or returns null. */
export const instantOrNull = (at: EpochMs | null): string | null =>
  at === null ? null : instant(at);
