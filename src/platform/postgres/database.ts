import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EpochMs } from '../../contract/time.ts';
import { isNewCall, markBegun, remainingMs } from './deadline.ts';
import { createConnectionQueue, type NoSlot, type ConnectionQueue } from './connection-queue.ts';
import type { Vault } from '../vault.ts';

/** A named statement: prepared once per connection. */
export interface Statement {
  name: string;
  /** Tells texts of one name apart that were put together from different parts. */
  variant?: string;
  text: string;
}

type Row = Record<string, unknown>;

/** What every function of this room takes first. */
export interface Executor {
  query<R = Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
  /** Seals what must not stand in clear in the database. */
  vault: Vault;
}

/** The pool of connections to PostgreSQL. */
export interface Database extends Executor {
  /** Runs the work in one transaction, on one connection. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>;
  /**
   * A connection of its own, outside the pool, for work that may take its time. Throws
   * `DatabaseUnavailableError`.
   */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** PostgreSQL cannot be reached, or did not answer in time. What was asked may have been done. */
export class DatabaseUnavailableError extends Error {}

/** Too many wait for a connection, or have waited for too long: PostgreSQL was not asked at all. */
export class DatabaseBusyError extends DatabaseUnavailableError {}

/** Where PostgreSQL is: a URL, or the parts of an embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

export interface PoolLimits {
  connections: number;
  /** To get a connection. */
  waitMs: number;
  /** Calls that wait for their first connection; the next is refused at once. */
  newCallsWaiting: number;
  /** For one statement. */
  statementMs: number;
}

export const defaultPoolLimits: PoolLimits = {
  connections: 10,
  waitMs: 2_000,
  newCallsWaiting: 512,
  statementMs: 3_500,
};

const connectAloneMs = 10_000;
// PostgreSQL gives up first where it is there to do so, and the connection stays.
const answerGraceMs = 250;
// A limit below the usual one is set in such steps: it costs a round trip each time it changes.
const statementStepMs = 250;
// How much longer the connection waits for an answer when its caller has gone.
const lateAnswerMs = 1_000;

/** No statement is begun for a call that has less time left than this. */
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

// Rolled back by PostgreSQL to end a deadlock or a conflict: one statement can simply go again.
const retriable = new Set(['40P01', '40001']);
const attemptsOnConflict = 4;
// A statement that PostgreSQL has ended, by its time limit too, leaves its connection as it was.
const endedAlone = new Set(['57014', ...retriable]);

// Classes of SQLSTATE that speak of the server's condition, not of what was asked.
const unavailableClasses = new Set(['08', '28', '3D', '53', '57', '58', 'XX', 'F0']);
// A server that does not write just now, and sessions that it has ended for idling in a transaction.
const unavailableCodes = new Set(['25006', '25P03', '25P04', ...retriable]);
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !isFault(error);
  const code = error.code ?? '';
  return unavailableClasses.has(code.slice(0, 2)) || unavailableCodes.has(code);
}

// A mistake of ours, not a condition of the network or the server.
const isFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;

// Node tries several addresses, and puts the reasons into one error without a message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !isUnavailable(error)) return error;
  return new DatabaseUnavailableError(reasonOf(error), { cause: error });
}

// What went wrong between us and the server leaves a connection of which nothing is known.
function isBroken(error: unknown): boolean {
  if (error === undefined || error instanceof DatabaseUnavailableError) return false;
  if (!(error instanceof pg.DatabaseError)) return true;
  return isUnavailable(error) && !endedAlone.has(error.code ?? '');
}

/** The connections of a process. */
interface Connections {
  pool: pg.Pool;
  queue: ConnectionQueue;
  limits: PoolLimits;
}

/** A connection of the pool while it is borrowed. */
interface Borrowed {
  client: pg.PoolClient;
  /** The statement that it still runs when its caller no longer waits. */
  unanswered: Promise<unknown> | null;
}

const tooLate = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('the time of the call is over');

const noAnswer = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('PostgreSQL did not answer in time');

/** The time that a call can spend before its next statement must begin. */
const spareMs = (): number => remainingMs() - leastStatementMs;

const whyNoSlot: Readonly<Record<NoSlot, string>> = {
  'line is full': 'too many calls wait for a connection',
  'waited in vain': 'no connection was free in time',
};

/** What was begun or accepted goes on before new calls begin. */
async function takeSlot({ queue, limits }: Connections): Promise<void> {
  const left = spareMs();
  if (left < 0) throw tooLate();
  const standing = isNewCall() ? 'new' : 'begun';
  const noSlot = await queue.take(standing, Math.min(limits.waitMs, left));
  if (noSlot) throw new DatabaseBusyError(whyNoSlot[noSlot]);
  markBegun();
}

async function connectInSlot({ pool, queue }: Connections): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
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
 * Nobody gets the place of a statement while PostgreSQL is still at work on it, so that no more work at
 * once than the pool has connections. Whoever does not answer at all is given up.
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

/** A connection of the pool, within the time that the call has left; to be given back. */
async function borrow(connections: Connections): Promise<Borrowed> {
  await takeSlot(connections);
  const connecting = connectInSlot(connections);
  const left = spareMs();
  if (left >= connections.limits.waitMs) return { client: await connecting, unanswered: null };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), left);
  try {
    return { client: await Promise.race([connecting, late]), unanswered: null };
  } catch (error) {
    // Nobody waits for it any more when it comes.
    connecting.then((client) => endBorrowing(connections, client, false)).catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Connections that were idle while one got no answer are not to be trusted either. */
function dropIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

/** Runs the work on a connection of the pool. What broke a connection ends it. */
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

/** Waits for an answer; a statement whose answer comes later is left to `giveBack`. */
async function answerWithin(
  borrowed: Borrowed,
  config: pg.QueryConfig,
  ms: number,
): Promise<pg.QueryResult> {
  const answer = borrowed.client.query(config);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    borrowed.unanswered = answer;
    reject(noAnswer());
  }, ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The time limit that PostgreSQL gets for a statement, so that it ends before its caller leaves: the
 * usual one, or the call's remaining time in steps. 0: there is too little to begin.
 */
export function statementLimit(usualMs: number, leftMs: number): number {
  const mostMs = leftMs - answerGraceMs;
  if (mostMs >= usualMs) return usualMs;
  return Math.max(0, Math.floor(mostMs / statementStepMs) * statementStepMs);
}

// Of connections whose limit is not the usual one; null: it is being set, or that had no answer.
const limitsSet = new WeakMap<pg.PoolClient, number | null>();

/** Costs a round trip where the limit changes: for calls that are late already, and for the next after one. */
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
  // Setting it may have taken what was left.
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
      const again = error instanceof pg.DatabaseError && retriable.has(error.code ?? '');
      if (!again || attempt === attemptsOnConflict) throw translated(error);
    }
  }
}

// Every statement in the way of a call finds its rows by an index, whatever its values: one plan
// serves all, and one that was made while a table was still small must not read all of it later.
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
  const settings: pg.ClientConfig = {
    ...connection,
    application_name: 'latchkey',
    keepAlive: true,
    options: sessionSettings.map((setting) => `-c ${setting}`).join(' '),
    types,
  };
  const pool = new pg.Pool({
    ...settings,
    max: poolLimits.connections,
    connectionTimeoutMillis: poolLimits.waitMs,
    statement_timeout: poolLimits.statementMs,
    idle_in_transaction_session_timeout: poolLimits.statementMs * 2,
  });
  let closing = false;
  pool.on('error', (error) => {
    // The pool ends sooner than its connections: an embedded PostgreSQL that is stopped next cuts them.
    if (!closing) onLost(error);
  });
  // An error of a connection in use reaches its statement. Without a listener from the first moment on it
  // would end the process: a server that is killed may say so in the packet in which it says hello.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const queue = createConnectionQueue(poolLimits.connections, poolLimits.newCallsWaiting);
  const connections: Connections = { pool, queue, limits: poolLimits };

  return {
    vault,
    query: (statement, values = []) => run(connections, statement, values),
    transaction: (work) => inTransaction(connections, vault, work),
    connect: () => connectAlone(settings, onLost),
    close() {
      closing = true;
      return pool.end();
    },
  };
}

/** One connection outside any pool; whoever asks for it ends it. Throws `DatabaseUnavailableError`. */
export const connectOnce = (connection: Connection): Promise<pg.Client> =>
  connectAlone({ ...connection, application_name: 'latchkey' }, () => undefined);

async function connectAlone(
  settings: pg.ClientConfig,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: connectAloneMs });
  client.on('error', onLost);
  try {
    await client.connect();
    return client;
  } catch (error) {
    // Whatever it is: a wrong password, no such database, nobody there.
    throw new DatabaseUnavailableError(`PostgreSQL cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Ends what has failed, so that its connection can go on. False: only the end of the connection ends it. */
async function rollBack(borrowed: Borrowed): Promise<boolean> {
  if (borrowed.unanswered) return false;
  // A limit that was set inside is as it was before.
  if (limitsSet.has(borrowed.client)) limitsSet.set(borrowed.client, null);
  return answerWithin(borrowed, { text: 'ROLLBACK' }, answerGraceMs).then(
    () => true,
    () => false,
  );
}

/** What the work throws comes out as it is: only what PostgreSQL says is put into our words. */
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

const uniqueViolation = '23505';

/** Whether a write failed because of a name that is taken. */
export const isTaken = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === uniqueViolation &&
  error.constraint === constraint;

/** An instant as PostgreSQL takes it. */
export const instant = (at: EpochMs): string => new Date(at).toISOString();

/** The same, or null. */
export const instantOrNull = (at: EpochMs | null): string | null =>
  at === null ? null : instant(at);
