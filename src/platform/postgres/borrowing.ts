/** Connections of the pool: who waits for one, and when it is given back. */
import type pg from 'pg';
import { onSomeServer } from './connecting.ts';
import type { ConnectionQueue, NoSlot } from './connection-queue.ts';
import type { ClockShift } from './clock-shift.ts';
import { DatabaseBusyError, DatabaseUnavailableError, isBroken } from './database-errors.ts';
import { isNewCall, markBegun, remainingMs } from './deadline.ts';
import type { Servers } from './hosts.ts';
import { late, withinTime } from '../sleeper.ts';
import { leastStatementMs } from './statement-limit.ts';
import type { WaitingBackends } from './waiting-backends.ts';

export interface PoolLimits {
  connections: number;
  /** The time to get a connection. */
  waitMs: number;
  /** The maximum number of calls that wait for their first connection. Further calls are refused. */
  newCallsWaiting: number;
  /** The time of one statement. */
  statementMs: number;
}

// How long the connection waits for a late answer after its caller has left.
const lateAnswerMs = 1_000;

/** The connections of a process. */
export interface Connections {
  servers: Servers<pg.ClientConfig>;
  pool: pg.Pool;
  queue: ConnectionQueue;
  limits: PoolLimits;
  /** What the statements mean by `now()`. */
  shift: ClockShift;
  /** Those that still work although nobody waits for them. */
  waiting: WaitingBackends;
}

/** A connection of the pool while it is borrowed. */
export interface Borrowed {
  client: pg.PoolClient;
  /** Its slot is one of those of work that may write. */
  mayWrite: boolean;
  /** The statement that still runs after its caller has left. */
  unanswered: Promise<unknown> | null;
}

/** There is not enough time left for a statement. */
export const tooLate = (): DatabaseUnavailableError =>
  new DatabaseUnavailableError('the time of the call is over');

/** The time that a call can wait before its next statement must start. */
const spareMs = (): number => remainingMs() - leastStatementMs;

const whyNoSlot: Readonly<Record<NoSlot, string>> = {
  'queue is full': 'too many calls wait for a connection',
  'timed out': 'no connection was free in time',
};

/** Waits for a slot. Work that has begun or was accepted goes before new calls. */
async function takeSlot(connections: Connections, mayWrite: boolean): Promise<void> {
  const { queue, limits } = connections;
  const left = spareMs();
  if (left < 0) throw tooLate();
  const standing = isNewCall() ? 'new' : 'begun';
  const noSlot = await queue.take(standing, Math.min(limits.waitMs, left), mayWrite);
  if (noSlot) throw new DatabaseBusyError(whyNoSlot[noSlot]);
  markBegun();
}

async function connectInSlot(connections: Connections, mayWrite: boolean): Promise<pg.PoolClient> {
  const { servers, pool } = connections;
  try {
    return await onSomeServer(servers, () => pool.connect());
  } catch (error) {
    connections.queue.end(mayWrite);
    throw error;
  }
}

function endBorrowing(
  connections: Connections,
  { client, mayWrite }: Pick<Borrowed, 'client' | 'mayWrite'>,
  broken: boolean,
): void {
  client.release(broken);
  connections.queue.end(mayWrite);
}

/**
 * Releases the slot only after PostgreSQL has finished the statement, so that it never runs more statements
 * than the pool has connections. Drops a connection that does not answer.
 */
async function endBorrowingLater(
  connections: Connections,
  borrowed: Borrowed,
  unanswered: Promise<unknown>,
  broken: boolean,
): Promise<void> {
  const answered = unanswered.then(
    () => !broken,
    (error: unknown) => !broken && !isBroken(error),
  );
  const isUsable = await withinTime(lateAnswerMs, answered, () => undefined);
  if (isUsable === late) await waitForBackend(connections, borrowed.client, answered);
  endBorrowing(connections, borrowed, isUsable !== true);
}

/** The connection is useless, but its backend may go on, and count among those of the server. */
async function waitForBackend(
  { pool, waiting }: Connections,
  client: pg.PoolClient,
  answered: Promise<unknown>,
): Promise<void> {
  dropIdle(pool);
  const { processID } = client as pg.PoolClient & { processID?: number };
  await waiting.untilOver(processID ?? undefined, answered);
}

/** Gives a connection back, at once or when its statement has ended. */
export function giveBack(connections: Connections, borrowed: Borrowed, broken: boolean): void {
  const { unanswered } = borrowed;
  if (unanswered) void endBorrowingLater(connections, borrowed, unanswered, broken);
  else endBorrowing(connections, borrowed, broken);
}

/**
 * Borrows a connection of the pool, within the remaining time of the call. Return it with `giveBack`.
 *
 * @param mayWrite whether the work may write
 */
export async function borrow(connections: Connections, mayWrite: boolean): Promise<Borrowed> {
  await takeSlot(connections, mayWrite);
  const connecting = connectInSlot(connections, mayWrite);
  const left = spareMs();
  if (left >= connections.limits.waitMs) {
    return { client: await connecting, mayWrite, unanswered: null };
  }
  // The remaining time is negative if the process was busy while it waited for the slot.
  const client = await withinTime(Math.max(0, left), connecting, () => {
    connecting
      .then((unused) => endBorrowing(connections, { client: unused, mayWrite }, false))
      .catch(() => undefined);
  });
  if (client === late) throw tooLate();
  return { client, mayWrite, unanswered: null };
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
export async function onConnection<T>(
  connections: Connections,
  mayWrite: boolean,
  work: (borrowed: Borrowed) => Promise<T>,
): Promise<T> {
  const borrowed = await borrow(connections, mayWrite);
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
