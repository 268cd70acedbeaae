import { limits } from '../contract/limits.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import {
  digestGuestEmails,
  digestGuests,
  releaseAbandonedHolds,
  releaseExpiredPromotions,
  queueEarlierGuests,
  removeGuestsOfFailedRequests,
  sweepAbandonedCheckouts,
  sumUpBookings,
  sweepQuotes,
} from '../bookings/index.ts';
import { sweepPictures } from '../catalog/index.ts';
import { sweepChannelEvents } from '../channels/index.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import type { EpochMs } from '../contract/time.ts';
import type { TimeCheck } from '../platform/clock.ts';
import type { Database, Executor, Statement } from '../platform/postgres/database.ts';
import { sweepEvents } from '../events/index.ts';
import { sweepChanges, sweepNightChanges } from '../inventory/index.ts';
import { sweepByAge, type AgedTable } from '../platform/postgres/sweep-by-age.ts';
import { countFunnel } from '../signals/index.ts';
import { exhaustEventless, sweepDeletedEndpoints, sweepDeliveries } from '../webhooks/index.ts';
import { inBatches, startLoop, type LoopTask } from '../platform/loop.ts';
import { chainAuditEntries, removeOldAuditEntries } from '../platform/audit/audit-chain.ts';

/** A task that processes due rows in batches until none is due. */
interface BackgroundTask {
  name: string;
  everyMs: number;
  /** The maximum number of rows of one batch. It takes well below the statement timeout. */
  atMost: number;
  run(executor: Executor, atMost: number, pictures: FileStorage): Promise<number>;
  /** It removes files, too, so its rows are committed one after the other. */
  removesFiles?: true;
}

const aSecond = 1_000;
const aMinute = 60_000;

/** Retention periods in days. docs/operators/retention.md gives the reasons. Spec: GUEST-2. */
const retentionDays = {
  events: limits.eventFeedDays,
  unusedQuotes: 30,
  withoutReservation: 30,
  commands: 7,
  reservationDays: 7,
  requestLog: portalLimits.requestLogDays,
  deliveries: portalLimits.deliveryDays,
  searchObservations: 90,
  signals: 90,
  simulatedAttempts: 30,
  traces: 1,
  keyedCreates: 1,
  closedAlerts: 90,
  paymentRecords: 30,
  bookedDays: 400,
  funnel: 400,
  channelEvents: 30,
  staffNetworks: 30,
  undos: 1,
} as const;

type Sweep = (executor: Executor, days: number, atMost: number) => Promise<number>;

const sweep = (name: string, days: number, atMost: number, run: Sweep): BackgroundTask => ({
  name,
  everyMs: aMinute,
  atMost,
  run: (executor, rows) => run(executor, days, rows),
});

const sweepTable = (name: string, days: number, table: AgedTable): BackgroundTask =>
  sweep(name, days, 5_000, (executor, age, rows) => sweepByAge(executor, table, age, rows));

/** The background tasks of workers. Each runs separately, so that a failing task does not delay another. */
export const backgroundTasks: readonly BackgroundTask[] = [
  { name: 'release holds', everyMs: 10 * aSecond, atMost: 500, run: releaseAbandonedHolds },
  { name: 'release promotions', everyMs: aMinute, atMost: 500, run: releaseExpiredPromotions },
  {
    name: 'sum up bookings',
    everyMs: aMinute,
    atMost: 1,
    run: (executor, days) => sumUpBookings(executor, days),
  },
  {
    name: 'count the funnel',
    everyMs: aMinute,
    atMost: 1,
    run: (executor) => countFunnel(executor),
  },
  { name: 'digest guest emails', everyMs: aMinute, atMost: 500, run: digestGuestEmails },
  { name: 'sweep changed nights', everyMs: aMinute, atMost: 5_000, run: sweepNightChanges },
  sweep('sweep events', retentionDays.events, 5_000, sweepEvents),
  sweep('sweep the feed of changes', retentionDays.events, 5_000, sweepChanges),
  sweep('sweep unused quotes', retentionDays.unusedQuotes, 5_000, sweepQuotes),
  sweep(
    'sweep abandoned checkouts',
    retentionDays.withoutReservation,
    1_000,
    sweepAbandonedCheckouts,
  ),
  sweep(
    'remove guests of failed requests',
    retentionDays.withoutReservation,
    1_000,
    removeGuestsOfFailedRequests,
  ),
  sweepTable('sweep commands', retentionDays.commands, 'checkout_commands'),
  sweepTable('sweep reservation days', retentionDays.reservationDays, 'reservation_days'),
  sweepTable('sweep the request log', retentionDays.requestLog, 'request_log'),
  sweep('give up deliveries without event', retentionDays.deliveries, 1_000, exhaustEventless),
  sweep('sweep deliveries', retentionDays.deliveries, 1_000, sweepDeliveries),
  {
    name: 'sweep deleted endpoints',
    everyMs: aMinute,
    atMost: 1_000,
    run: sweepDeletedEndpoints,
  },
  {
    name: 'sweep pictures',
    everyMs: aMinute,
    atMost: 100,
    run: (executor, rows, pictures) => sweepPictures(executor, pictures, rows),
    removesFiles: true,
  },
  sweep('sweep events of channels', retentionDays.channelEvents, 5_000, sweepChannelEvents),
  sweepTable('sweep portal links', 0, 'portal_links'),
  sweepTable('sweep portal sessions', 0, 'portal_sessions'),
  sweepTable('sweep revoked tokens', 0, 'revoked_tokens'),
  sweepTable('sweep keys of creates', retentionDays.keyedCreates, 'keyed_creates'),
  sweepTable('sweep staff invitations', 0, 'staff_invitations'),
  sweepTable('sweep staff sessions', 0, 'staff_sessions'),
  sweepTable('sweep networks of staff', retentionDays.staffNetworks, 'staff_networks'),
  sweepTable('sweep search observations', retentionDays.searchObservations, 'search_observations'),
  sweepTable('sweep rates to undo', retentionDays.undos, 'rate_undos'),
  sweepTable('sweep texts to undo', retentionDays.undos, 'text_undos'),
  sweepTable('sweep signals', retentionDays.signals, 'signals'),
  sweepTable('sweep simulated attempts', retentionDays.simulatedAttempts, 'simulated_attempts'),
  sweepTable('sweep traces', retentionDays.traces, 'booking_traces'),
  sweepTable('sweep bookings by day', retentionDays.bookedDays, 'booked_days'),
  sweepTable('sweep the funnel', retentionDays.funnel, 'funnel_weeks'),
  sweepTable('sweep refusals of the funnel', retentionDays.funnel, 'funnel_refusals'),
  sweepTable('sweep alerts', retentionDays.closedAlerts, 'attention_items'),
  sweepTable('sweep payment records', retentionDays.paymentRecords, 'payment_records'),
  // As long as a row can be kept that has such a time.
  sweepTable('sweep wrong times', Math.max(...Object.values(retentionDays)), 'wrong_times'),
  {
    name: 'sweep audit entries',
    everyMs: aMinute,
    atMost: 5_000,
    run: removeOldAuditEntries,
  },
  { name: 'chain audit entries', everyMs: aSecond, atMost: 500, run: chainAuditEntries },
  { name: 'digest guests', everyMs: aMinute, atMost: 200, run: digestGuests },
  {
    name: 'queue guests of earlier versions',
    everyMs: aMinute,
    atMost: 2_000,
    run: queueEarlierGuests,
  },
];

const timeStatement: Statement = { name: 'transaction-time', text: 'SELECT now() AS now' };

/** Runs a batch unless the database's clock has jumped: what it compares with `now()` is not due then. */
async function runByTime(
  { database, clock, pictures }: BackgroundContext,
  { run, removesFiles }: BackgroundTask,
  atMost: number,
): Promise<number> {
  const believes = async (executor: Executor): Promise<boolean> => {
    const [time] = await executor.query<{ now: EpochMs }>(timeStatement);
    return !clock.isHeld() && clock.isNear(time!.now);
  };
  if (removesFiles) return (await believes(database)) ? run(database, atMost, pictures) : 0;
  // `now()` is the same for all statements of a transaction.
  return database.transaction(async (executor) =>
    (await believes(executor)) ? run(executor, atMost, pictures) : 0,
  );
}

/** What background tasks work with. */
export interface BackgroundContext {
  database: Executor & Pick<Database, 'transaction'>;
  clock: TimeCheck;
  /** Where uploaded pictures are. */
  pictures: FileStorage;
  /** A copy that calls nothing outside removes no files: the original may have the same bucket, and need them. */
  isCopy: boolean;
  log: LoopTask['log'];
  /** The fraction of its interval, 0 to 1, that each task waits before its first run. Absent: random. */
  phase?: number;
}

/** Starts the background tasks of this process. Any number of processes can run them. */
export function startBackgroundTasks(context: BackgroundContext): { stop(): Promise<void> } {
  const { log, phase, isCopy } = context;
  const tasks = backgroundTasks.filter(({ removesFiles }) => !(removesFiles && isCopy));
  const loops = tasks.map((task) => {
    const { name, everyMs, atMost } = task;
    const work = inBatches(atMost, (rows) => runByTime(context, task, rows));
    // Spreads the first runs, so that tasks and processes that start together do not query at once.
    return startLoop({ name, everyMs, afterMs: (phase ?? Math.random()) * everyMs, work, log });
  });
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
