import { limits } from './contract/limits.ts';
import { portalLimits } from './contract/portal/limits.ts';
import {
  materializeReservations,
  releaseExpiredPromotions,
  removeGuestsOfFailedRequests,
  sweepAbandonedCheckouts,
  sweepQuotes,
} from './bookings/index.ts';
import type { Executor } from './platform/postgres/database.ts';
import { sweepEvents } from './events/index.ts';
import { sweepByAge, type AgedTable } from './platform/postgres/sweep-by-age.ts';
import { exhaustEventless, sweepDeletedEndpoints, sweepDeliveries } from './webhooks/index.ts';
import { inBatches, startLoop, type LoopParts } from './platform/loop.ts';

/** Something that is done with rows that are due, in batches, until none is. */
interface BackgroundTask {
  name: string;
  everyMs: number;
  /** Rows of one batch: well within the time of a statement. */
  atMost: number;
  run(executor: Executor, atMost: number): Promise<number>;
}

const aSecond = 1_000;
const aMinute = 60_000;

/** For how many days what is removed by itself is kept. docs/guides/retention.md says why. */
const retentionDays = {
  events: limits.eventFeedDays,
  unusedQuotes: 30,
  withoutReservation: 30,
  commands: 7,
  requestLog: portalLimits.requestLogDays,
  deliveries: portalLimits.deliveryDays,
  searchObservations: 90,
  signals: 90,
  simulatedAttempts: 30,
  auditEntries: 2_557,
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

/** What workers do beside bookings. Each runs on its own: one that fails holds up no other. */
export const backgroundTasks: readonly BackgroundTask[] = [
  { name: 'materialize', everyMs: aSecond, atMost: 1_000, run: materializeReservations },
  { name: 'release promotions', everyMs: aMinute, atMost: 500, run: releaseExpiredPromotions },
  sweep('sweep events', retentionDays.events, 5_000, sweepEvents),
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
  sweepTable('sweep the request log', retentionDays.requestLog, 'request_log'),
  sweep('give up deliveries without event', retentionDays.deliveries, 1_000, exhaustEventless),
  sweep('sweep deliveries', retentionDays.deliveries, 1_000, sweepDeliveries),
  {
    name: 'sweep deleted endpoints',
    everyMs: aMinute,
    atMost: 1_000,
    run: sweepDeletedEndpoints,
  },
  sweepTable('sweep portal links', 0, 'portal_links'),
  sweepTable('sweep portal sessions', 0, 'portal_sessions'),
  sweepTable('sweep search observations', retentionDays.searchObservations, 'search_observations'),
  sweepTable('sweep signals', retentionDays.signals, 'signals'),
  sweepTable('sweep simulated attempts', retentionDays.simulatedAttempts, 'simulated_attempts'),
  sweepTable('sweep audit entries', retentionDays.auditEntries, 'audit_entries'),
];

/** Starts the background tasks of this process. Any number of processes may have them. */
export function startBackgroundTasks(parts: {
  executor: Executor;
  log: LoopParts['log'];
  /** Part of its interval, 0 to 1, that each task waits before its first run; absent: by chance. */
  phase?: number;
}): { stop(): Promise<void> } {
  const { executor, log, phase } = parts;
  const loops = backgroundTasks.map(({ name, everyMs, atMost, run }) => {
    const work = inBatches(atMost, (rows) => run(executor, rows));
    // Processes that start together, and the tasks of one, do not all ask the database at once.
    return startLoop({ name, everyMs, afterMs: (phase ?? Math.random()) * everyMs, work, log });
  });
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
