/** Errors of PostgreSQL: which of them mean that it is unavailable, and what the others say. */

import pg from 'pg';

/** PostgreSQL cannot be reached or did not answer in time. The statement may have been executed. */
export class DatabaseUnavailableError extends Error {}

/** The connection queue is full, or the wait was too long. No statement was sent. */
export class DatabaseBusyError extends DatabaseUnavailableError {}

const retriable = new Set(['40P01', '40001']);
const lockNotAvailable = '55P03';
// The connection stays usable after PostgreSQL has cancelled a statement.
const endedAlone = new Set(['57014', lockNotAvailable, ...retriable]);

// Classes of SQLSTATE that report the server's condition, not a fault of the statement.
const unavailableClasses = new Set(['08', '28', '3D', '53', '57', '58', 'XX', 'F0']);
// A read-only server, and sessions that it ended because they idled in a transaction.
const unavailableCodes = new Set(['25006', '25P03', '25P04', lockNotAvailable, ...retriable]);

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return !isFault(error);
  const code = error.code ?? '';
  return unavailableClasses.has(code.slice(0, 2)) || unavailableCodes.has(code);
}

/** Whether PostgreSQL rolled back a deadlock or conflict: a single statement can be retried. */
export const isRetriable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && retriable.has(error.code ?? '');

// A fault of our code, not a condition of the network or the server.
const isFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;

/** The message of an error. When Node tries several addresses, it throws an AggregateError without one. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** An error of PostgreSQL as `DatabaseUnavailableError`, if it is not a fault of the statement. */
export function translated(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !isUnavailable(error)) return error;
  return new DatabaseUnavailableError(reasonOf(error), { cause: error });
}

/** Whether a connection cannot be used after this error: its state is unknown. */
export function isBroken(error: unknown): boolean {
  if (error === undefined || error instanceof DatabaseUnavailableError) return false;
  if (!(error instanceof pg.DatabaseError)) return true;
  return isUnavailable(error) && !endedAlone.has(error.code ?? '');
}

const uniqueViolation = '23505';

/** Whether a write violated this unique constraint. */
export const isTaken = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === uniqueViolation &&
  error.constraint === constraint;

const checkViolation = '23514';

/** Whether a write violated this check constraint. */
export const breaksCheck = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === checkViolation &&
  error.constraint === constraint;

/** Whether PostgreSQL ended a transaction because of a deadlock or a conflict: it can be repeated. */
export const isConflict = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError && isRetriable(error.cause);

/** Whether a lock did not become free within the time limit of the transaction: it can be repeated. */
export const isLockTimeout = (error: unknown): boolean => {
  const reason = error instanceof DatabaseUnavailableError ? error.cause : error;
  return reason instanceof pg.DatabaseError && reason.code === lockNotAvailable;
};
