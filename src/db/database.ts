import pg from 'pg';
import type { EpochMs } from '../domain/booking.ts';
import type { Vault } from './vault.ts';

/** A named statement: prepared once per connection. */
export interface Statement {
  name: string;
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

/** Where PostgreSQL is: a URL, or the parts of an embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

export interface PoolLimits {
  connections: number;
  /** To get a connection. */
  waitMs: number;
  /** For one statement. */
  statementMs: number;
}

export const defaultPoolLimits: PoolLimits = { connections: 10, waitMs: 2_000, statementMs: 3_500 };

const connectAloneMs = 10_000;

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

// Classes of SQLSTATE that speak of the server's condition, not of what was asked.
const unavailableClasses = new Set(['08', '53', '57', '58', 'XX', 'F0']);
const readOnly = '25006';

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  const code = error.code ?? '';
  return unavailableClasses.has(code.slice(0, 2)) || code === readOnly || retriable.has(code);
}

// Node tries several addresses, and puts the reasons into one error without a message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || error instanceof TypeError) return error;
  if (!isUnavailable(error)) return error;
  return new DatabaseUnavailableError(reasonOf(error), { cause: error });
}

async function run<R>(
  client: pg.Pool | pg.ClientBase,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await client.query({ ...statement, values: values as unknown[] });
      return result.rows as R[];
    } catch (error) {
      const again =
        client instanceof pg.Pool &&
        error instanceof pg.DatabaseError &&
        retriable.has(error.code ?? '');
      if (!again || attempt === attemptsOnConflict) throw translated(error);
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
  const settings: pg.ClientConfig = {
    ...connection,
    application_name: 'latchkey',
    keepAlive: true,
    options:
      '-c TimeZone=UTC -c client_min_messages=warning -c default_transaction_isolation=read\\ committed',
    types,
  };
  const pool = new pg.Pool({
    ...settings,
    max: poolLimits.connections,
    connectionTimeoutMillis: poolLimits.waitMs,
    query_timeout: poolLimits.statementMs,
    statement_timeout: poolLimits.statementMs,
    idle_in_transaction_session_timeout: poolLimits.statementMs * 2,
  });
  pool.on('error', onLost);

  return {
    vault,
    query: (statement, values = []) => run(pool, statement, values),
    transaction: (work) => inTransaction(pool, vault, work),
    connect: () => connectAlone(settings, onLost),
    close: () => pool.end(),
  };
}

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

async function inTransaction<T>(
  pool: pg.Pool,
  vault: Vault,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translated(error);
  });
  try {
    await client.query('BEGIN');
    const done = await work({
      vault,
      query: (statement, values = []) => run(client, statement, values),
    });
    await client.query('COMMIT');
    client.release();
    return done;
  } catch (error) {
    // Closing the connection rolls back, also when it no longer answers.
    client.release(true);
    throw translated(error);
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
