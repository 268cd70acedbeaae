/** The epoch of the database, and what a new one waits for. */
import { isRefusal } from '../contract/errors.ts';
import { repeatErasures } from '../operator/index.ts';
import { adoptEffects, type CardProvider } from '../payments/index.ts';
import type { ErasuresFile } from '../platform/erasures-file.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import type { Database, Statement } from '../platform/postgres/database.ts';
import {
  currentEpoch,
  enterEpoch,
  noteAdopted,
  noteNothingToCompare,
} from '../platform/postgres/epochs.ts';
import type { Log } from '../platform/log.ts';

const followStatement: Statement = {
  name: 'follow-epoch',
  text: 'SELECT may_move_money() AS "mayMove", (SELECT max(epoch) FROM epochs) AS epoch',
};

/** What a process knows of the epoch. */
export interface Epochs {
  /** The start of the server whose epoch this process has looked for; null: it has not looked yet. */
  server(): string | null;
  /** Whether money may move, as this process last read it. The claims ask the database themselves. */
  mayMoveMoney(): boolean;
}

interface EpochContext {
  database: Database;
  /** Who was erased before. */
  erasures: ErasuresFile;
  isOutsideOff: boolean;
  /** Whether there is a card provider to compare. */
  hasProvider: boolean;
  log: Log;
}

const followMs = 1_000;
const erasuresMs = 10_000;
const ignore = (): void => undefined;

/**
 * Looks for the epoch of the database now, and again when a connection reaches another server. In each that it finds,
 * also at a start, those who were erased before stay erased. Spec: RESTORE-6.
 */
export async function openEpochs(
  { database, erasures, isOutsideOff, hasProvider, log }: EpochContext,
  ends: AsyncDisposableStack,
): Promise<Epochs> {
  let server: string | null = null;
  let mayMove = false;
  let epoch = 0;
  /** The epoch in which the erasures were carried out. */
  let erased: number | null = null;
  async function follow(): Promise<void> {
    if (server === null) {
      const entered = await enterEpoch(database, isOutsideOff);
      const { begun } = entered;
      if (begun) log.warn({ epoch: begun.epoch, reason: begun.reason }, 'a new epoch has begun');
      ({ server } = entered);
    }
    if (!hasProvider && !mayMove) await noteNothingToCompare(database);
    const [row] = await database.query<{ mayMove: boolean; epoch: number }>(followStatement);
    ({ mayMove, epoch } = row!);
  }
  async function repeat(): Promise<void> {
    const of = epoch;
    if (of === erased) return;
    const guests = await repeatErasures({ database, erasures, cardProvider: null });
    if (isRefusal(guests)) {
      log.warn(
        { epoch: of, problem: guests.message },
        'erasures of before could not be repeated yet',
      );
      return;
    }
    if (guests > 0) log.warn({ epoch: of, bookings: guests }, 'guests were erased again');
    erased = of;
  }
  await follow();
  await repeat();
  database.onOtherServer(() => {
    server = null;
    mayMove = false;
    following.wake();
  });
  const erasing = startLoop({
    name: 'repeat erasures',
    everyMs: erasuresMs,
    afterMs: erasuresMs,
    work: repeat,
    log,
  });
  ends.defer(() => erasing.stop());
  const following: Loop = startLoop({
    name: 'follow the epoch',
    everyMs: followMs,
    afterMs: followMs,
    async work() {
      const before = epoch;
      // Until the database answers, others say so.
      await follow().catch(ignore);
      if (epoch !== before) erasing.wake();
    },
    log,
  });
  ends.defer(() => following.stop());
  return { server: () => server, mayMoveMoney: () => mayMove };
}

/** Compares the provider with a database that has begun a new epoch. Any number of processes may run it. */
export const startAdoption = (context: {
  database: Database;
  provider: CardProvider;
  log: Log;
}): Loop =>
  startLoop({
    name: 'adopt effects',
    everyMs: followMs,
    log: context.log,
    async work(signal) {
      const epoch = await currentEpoch(context.database);
      if (!epoch || epoch.adoptedAt !== null) return;
      await adoptEffects({ ...context, signal }, epoch);
      await noteAdopted(context.database, epoch.epoch);
      context.log.info({ epoch: epoch.epoch }, 'the card provider was compared; money may move');
    },
  });
