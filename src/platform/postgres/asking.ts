/** Statements on a borrowed connection, each with a limit that PostgreSQL knows and a time to answer. */
import pg from 'pg';
import { type Borrowed, type Connections, type PoolLimits, tooLate } from './borrowing.ts';
import { shiftText } from './clock-shift.ts';
import { DatabaseUnavailableError } from './database-errors.ts';
import { remainingMs } from './deadline.ts';
import { type Answered, NamedQuery } from './named-query.ts';
import { preparedName } from './prepared-name.ts';
import { answerGraceMs, statementLimit } from './statement-limit.ts';

/** A named statement: prepared once per connection. */
export interface Statement {
  name: string;
  /** Distinguishes texts with the same name that are built from different parts. */
  variant?: string;
  text: string;
}

const noAnswer = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('PostgreSQL did not answer in time');

/** Makes the query of a statement for the driver, which calls `answered` at its end. */
type MakeQuery = (answered: Answered) => pg.Submittable;

/** Waits for an answer. A statement that answers later is left to `giveBack`. Every statement comes here. */
const answerWithin = (
  borrowed: Borrowed,
  makeQuery: MakeQuery,
  ms: number,
): Promise<readonly object[]> =>
  new Promise((resolve, reject) => {
    let outcome = { resolve, reject };
    let isAnswered = false;
    const leave = (): void => {
      if (isAnswered) return;
      reject(noAnswer());
      borrowed.unanswered = new Promise<readonly object[]>((resolveLate, rejectLate) => {
        outcome = { resolve: resolveLate, reject: rejectLate };
      });
      // `giveBack` may wait for an earlier statement of this connection.
      borrowed.unanswered.catch(() => undefined);
    };
    // If the process was busy, the timer can fire before it reads an answer that came in time.
    const timer = setTimeout(() => setImmediate(leave), ms);
    const query = makeQuery((error, rows) => {
      isAnswered = true;
      clearTimeout(timer);
      if (error) outcome.reject(error);
      else outcome.resolve(rows);
    });
    borrowed.client.query(query);
  });

const named =
  ({ client }: Borrowed, statement: Statement, values: readonly unknown[]): MakeQuery =>
  (answered) =>
    new NamedQuery(
      { name: preparedName(statement), text: statement.text, values },
      client,
      answered,
    );

/** A statement that is too rare to be prepared. Without values, the text may be several statements: no rows then. */
const unnamed =
  (text: string, values: unknown[] = []): MakeQuery =>
  (answered) =>
    new pg.Query(
      text,
      values,
      (error: Error | null | undefined, result?: Partial<pg.QueryResult>) =>
        answered(error, result?.rows ?? []),
    );

// The limits of connections that differ from the usual one. Null: unknown, because setting it has not been confirmed.
const limitsSet = new WeakMap<pg.PoolClient, number | null>();

const limitStatement: Statement = {
  name: 'set-statement-timeout',
  text: `SELECT set_config('statement_timeout', $1, false)`,
};

/** Sets the limit. This costs a round trip, but only late calls and the first call after one need it. */
async function setLimit(borrowed: Borrowed, limitMs: number): Promise<void> {
  limitsSet.set(borrowed.client, null);
  const query = named(borrowed, limitStatement, [String(limitMs)]);
  await answerWithin(borrowed, query, limitMs + answerGraceMs);
  limitsSet.set(borrowed.client, limitMs);
}

async function setShift({ shift, limits }: Connections, borrowed: Borrowed): Promise<void> {
  const { byMs } = shift;
  const values = [byMs === 0, `${byMs} milliseconds`];
  await answerWithin(borrowed, unnamed(shiftText, values), limits.statementMs + answerGraceMs);
  shift.noteMeant(borrowed.client, byMs);
}

/**
 * Makes the statements of a connection mean by `now()` what those of this process mean. Null: they do, as long as the
 * server's clock is believed.
 */
export const meanTime = (borrowed: Borrowed, connections: Connections): Promise<void> | null =>
  connections.shift.isMeantBy(borrowed.client) ? null : setShift(connections, borrowed);

/** Runs a statement within the time of the call. */
export async function ask<R>(
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
  const query = statement.name
    ? named(borrowed, statement, values)
    : unnamed(statement.text, [...values]);
  return (await answerWithin(borrowed, query, withinMs)) as R[];
}

/** Rolls a failed transaction back, so that its connection stays usable. False: the connection must be dropped. */
export async function rollBack(borrowed: Borrowed): Promise<boolean> {
  if (borrowed.unanswered) return false;
  // The rollback also reverts a limit that was set inside the transaction.
  if (limitsSet.has(borrowed.client)) limitsSet.set(borrowed.client, null);
  return answerWithin(borrowed, unnamed('ROLLBACK'), answerGraceMs).then(
    () => true,
    () => false,
  );
}
