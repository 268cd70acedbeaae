/** What Prometheus reads of a process. docs/operators/metrics.md explains each metric. */
import type { Log } from '../platform/log.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { countWaitingBookings, readOverdueWork, type Worker } from '../bookings/index.ts';
import type { OpenBuckets } from '../access/index.ts';
import type { Catalog } from '../catalog/index.ts';
import { countCalendarAlarms, readOverdueCalendars } from '../channels/index.ts';
import type { LiveProcess } from '../platform/postgres/live-processes.ts';
import { countEvents } from '../events/index.ts';
import type { Availability } from '../inventory/index.ts';
import {
  calendarsBeforeConfirm,
  nightReadings,
  servedRequests,
  taskRuns,
} from '../platform/diagnostics.ts';
import type { TimeCheck } from '../platform/clock.ts';
import type { Database } from '../platform/postgres/database.ts';
import { readPaymentWorkload } from '../payments/index.ts';
import type { Reads } from '../platform/postgres/replica.ts';
import { readWebhookWorkload } from '../webhooks/index.ts';

/** What of a process is measured. */
export interface MetricsContext {
  database: Database;
  clock: Pick<TimeCheck, 'isHeld'>;
  reads: Pick<Reads, 'lag'>;
  catalog: Pick<Catalog, 'knownUntil' | 'revision'>;
  availability: Pick<Availability, 'knownUntil' | 'size'>;
  worker: Pick<Worker, 'slots'>;
  buckets: Pick<OpenBuckets, 'areShared'>;
  processes: Pick<LiveProcess, 'serving'>;
  /** The usual time between two reads of a calendar of another channel. */
  calendarSeconds: number;
  /** The database's time, in this process. */
  now(): number;
  log: Pick<Log, 'warn'>;
}

/** The metrics of this process. */
export interface Metrics {
  contentType: string;
  /** The metrics as text. What cannot be read now is left out and logged. */
  text(): Promise<string>;
  stop(): void;
}

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const taskSeconds = [0.001, 0.01, 0.1, 1, 10];

function countRequests(registers: Registry[]): () => void {
  const seconds = new Histogram({
    name: 'latchkey_request_duration_seconds',
    help: 'Responses and their time, by operation. `code` is that of an error, or empty.',
    labelNames: ['operation', 'status', 'code'],
    buckets: requestSeconds,
    registers,
  });
  return servedRequests.subscribe(({ operation, status, code, ms }) => {
    seconds.observe({ operation: operation ?? 'none', status, code: code ?? '' }, ms / 1_000);
  });
}

function countTasks(registers: Registry[]): () => void {
  const labelNames = ['task'];
  const seconds = new Histogram({
    name: 'latchkey_task_duration_seconds',
    help: 'Runs of background tasks and their time.',
    labelNames,
    buckets: taskSeconds,
    registers,
  });
  const failures = new Counter({
    name: 'latchkey_task_failures_total',
    help: 'Runs of background tasks that failed.',
    labelNames,
    registers,
  });
  const rows = new Counter({
    name: 'latchkey_task_rows_total',
    help: 'Rows that background tasks have processed.',
    labelNames,
    registers,
  });
  const lastSuccess = new Gauge({
    name: 'latchkey_task_last_success_timestamp_seconds',
    help: 'When a background task last succeeded, by the clock of this machine.',
    labelNames,
    registers,
  });
  return taskRuns.subscribe(({ task, ms, failed, rows: processed }) => {
    seconds.observe({ task }, ms / 1_000);
    failures.inc({ task }, failed ? 1 : 0);
    if (processed !== undefined) rows.inc({ task }, processed);
    if (!failed) lastSuccess.setToCurrentTime({ task });
  });
}

function countNightReadings(registers: Registry[]): () => void {
  const changes = new Counter({
    name: 'latchkey_nights_changes_total',
    help: 'Changes of taken nights that this process has followed.',
    registers,
  });
  const loads = new Counter({
    name: 'latchkey_nights_loads_total',
    help: 'How often this process had to load all taken nights again.',
    registers,
  });
  return nightReadings.subscribe(({ changes: count, isLoad }) => {
    changes.inc(count);
    loads.inc(Number(isLoad));
  });
}

function countCalendarsBeforeConfirm(registers: Registry[]): () => void {
  const calendars = new Counter({
    name: 'latchkey_calendars_before_confirm_total',
    help: 'Calendars that a booking needed to be read: whole, failed, or late.',
    labelNames: ['outcome'],
    registers,
  });
  return calendarsBeforeConfirm.subscribe(({ outcome }) => calendars.inc({ outcome }));
}

/** A value that the process knows. */
type Reading = readonly [name: string, help: string, read: (context: MetricsContext) => number];

const readings: readonly Reading[] = [
  [
    'latchkey_database_connections_used',
    'Connections of the pool that are in use.',
    ({ database }) => database.usage().used,
  ],
  [
    'latchkey_database_connections',
    'Connections that the pool can open.',
    ({ database }) => database.usage().all,
  ],
  [
    'latchkey_database_new_calls_waiting',
    'Calls that wait for their first connection. Above 512 further calls are refused.',
    ({ database }) => database.usage().waiting.new,
  ],
  [
    'latchkey_database_begun_work_waiting',
    'Work in progress that waits for a connection.',
    ({ database }) => database.usage().waiting.begun,
  ],
  [
    'latchkey_clock_held',
    "1: the database's clock has jumped and is not believed: nothing is swept or collected.",
    ({ clock }) => Number(clock.isHeld()),
  ],
  [
    'latchkey_worker_slots_used',
    'Bookings that this worker is resolving.',
    ({ worker }) => worker.slots().used,
  ],
  [
    'latchkey_worker_slots',
    'Bookings that this worker can resolve at once. 0: the process is no worker.',
    ({ worker }) => worker.slots().all,
  ],
  [
    'latchkey_processes',
    'Live processes that serve calls, as this process knows them.',
    ({ processes }) => processes.serving(),
  ],
  [
    'latchkey_quotas_exact',
    '1: quotas are exact across processes. 0: each process applies its share.',
    ({ buckets }) => Number(buckets.areShared()),
  ],
  [
    'latchkey_catalog_age_seconds',
    'Time since this process last knew all changes of the catalogs.',
    ({ catalog, now }) => Math.max(0, now() - catalog.knownUntil()) / 1_000,
  ],
  [
    'latchkey_catalog_revision',
    'The last revision of the catalogs that this process knows.',
    ({ catalog }) => catalog.revision(),
  ],
  [
    'latchkey_nights_age_seconds',
    'Time since this process last knew all changes of the taken nights.',
    ({ availability, now }) => Math.max(0, now() - availability.knownUntil()) / 1_000,
  ],
  [
    'latchkey_nights_homes',
    'Homes whose taken nights this process has in memory. 0: the process answers no searches.',
    ({ availability }) => availability.size().homes,
  ],
  [
    'latchkey_nights_bytes',
    'Memory of these nights.',
    ({ availability }) => availability.size().bytes,
  ],
];

/** Metrics of the installation, read from the database: the same in every process. */
type Measurement = (
  registry: Registry,
  database: Database,
  context: Pick<MetricsContext, 'reads' | 'calendarSeconds'>,
) => Promise<void>;

const gauge = (registry: Registry, name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name, help, labelNames, registers: [registry] });

/** A gauge without labels. */
const set = (registry: Registry, name: string, help: string, value: number): void =>
  gauge(registry, name, help).set(value);

const measurements: Readonly<Record<string, Measurement>> = {
  async bookings(registry, database) {
    const waiting = await countWaitingBookings(database);
    const count = gauge(
      registry,
      'latchkey_bookings_waiting',
      'Bookings that wait for a worker, by state. Counts up to 10,000 in all.',
      ['state'],
    );
    const oldest = gauge(
      registry,
      'latchkey_bookings_oldest_seconds',
      'Time since the oldest waiting booking was submitted, by state.',
      ['state'],
    );
    for (const state of ['pending', 'uncertain', 'unresolved', 'requires_action']) {
      const found = waiting.find((row) => row.state === state);
      count.set({ state }, found?.count ?? 0);
      oldest.set({ state }, found?.oldestSeconds ?? 0);
    }
  },
  async 'overdue work'(registry, database) {
    const overdue = await readOverdueWork(database);
    set(
      registry,
      'latchkey_bookings_overdue_seconds',
      'For how long the most overdue booking has been waiting for a worker.',
      overdue.bookingsSeconds,
    );
    set(
      registry,
      'latchkey_records_overdue_seconds',
      'For how long the most overdue record has been waiting for a worker.',
      overdue.recordsSeconds,
    );
    set(
      registry,
      'latchkey_records_waiting',
      'Reservations that have not reached the records of the operator. Counts up to 10,000.',
      overdue.recordsWaiting,
    );
    set(
      registry,
      'latchkey_records_failing',
      'Those of them whose latest attempt has failed.',
      overdue.recordsFailing,
    );
  },
  async calendars(registry, database, { calendarSeconds }) {
    set(
      registry,
      'latchkey_calendars_overdue_seconds',
      'For how long the most overdue calendar of another channel has been waiting to be read.',
      await readOverdueCalendars(database),
    );
    const { conflicts, ...calendars } = await countCalendarAlarms(database, calendarSeconds);
    const count = gauge(
      registry,
      'latchkey_calendars_for_staff',
      'Calendars of other channels that fail, are shrunk, or had no whole read for three intervals.',
      ['state'],
    );
    for (const [state, found] of Object.entries(calendars)) count.set({ state }, found);
    set(
      registry,
      'latchkey_calendar_conflicts',
      'Nights that another channel has sold as well as we, and that are not over.',
      conflicts,
    );
  },
  async replica(registry, _database, { reads }) {
    const lag = await reads.lag();
    if (lag === null) return;
    const { isReplica, seconds, bytes } = lag;
    set(
      registry,
      'latchkey_replica_connected',
      '1: the replica can be reached and is one of this primary. 0: reads use the primary.',
      Number(isReplica),
    );
    if (seconds === null || bytes === null) return;
    set(
      registry,
      'latchkey_replica_lag_seconds',
      'The age of the last transaction that the replica has replayed. 0: it has everything.',
      seconds,
    );
    set(registry, 'latchkey_replica_lag_bytes', 'What the replica has not replayed.', bytes);
  },
  async webhooks(registry, database) {
    const workload = await readWebhookWorkload(database);
    const endpoints = gauge(
      registry,
      'latchkey_webhook_endpoints',
      'Webhook endpoints, by state.',
      ['state'],
    );
    for (const state of ['active', 'paused', 'disabled'] as const) {
      endpoints.set({ state }, workload[state]);
    }
    set(
      registry,
      'latchkey_webhook_endpoints_failing',
      'Active endpoints whose latest attempts have failed.',
      workload.failing,
    );
    set(
      registry,
      'latchkey_webhook_events_behind',
      'Events that no delivery exists for yet, over all active endpoints.',
      workload.eventsBehind,
    );
    set(
      registry,
      'latchkey_webhook_oldest_due_seconds',
      'For how long the oldest due delivery has been waiting.',
      workload.oldestDueSeconds,
    );
  },
  async payments(registry, database) {
    const { payments, refunds, forStaff, oldestDueSeconds } = await readPaymentWorkload(database);
    const count = gauge(
      registry,
      'latchkey_payments_under_way',
      'Card payments without an outcome, by state. Counts up to 10,000 in all.',
      ['state'],
    );
    const oldest = gauge(
      registry,
      'latchkey_payments_oldest_seconds',
      'Time since the oldest card payment without an outcome was made, by state.',
      ['state'],
    );
    for (const [state, found] of Object.entries(payments)) {
      count.set({ state }, found.count);
      oldest.set({ state }, found.oldestSeconds);
    }
    gauge(
      registry,
      'latchkey_refunds_under_way',
      'Refunds without an outcome. Counts up to 10,000.',
    ).set(refunds.count);
    gauge(
      registry,
      'latchkey_refunds_oldest_seconds',
      'Time since the oldest refund without an outcome was made.',
    ).set(refunds.oldestSeconds);
    const attention = gauge(
      registry,
      'latchkey_payments_for_staff',
      'Reservations whose money waits for staff, by reason. Counts up to 10,000 in all.',
      ['reason'],
    );
    for (const [reason, found] of Object.entries(forStaff)) attention.set({ reason }, found.count);
    gauge(
      registry,
      'latchkey_payments_oldest_due_seconds',
      'For how long the money of a reservation has been waiting for a worker.',
    ).set(oldestDueSeconds);
  },
  async events(registry, database) {
    const events = new Counter({
      name: 'latchkey_events_total',
      help: 'Events of all applications since the installation began.',
      registers: [registry],
    });
    events.inc(await countEvents(database));
  },
};

/** Measures this process until it is stopped. Only then do requests and tasks cost anything. */
export function startMetrics(context: MetricsContext): Metrics {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  const endings = [
    countRequests([own]),
    countTasks([own]),
    countNightReadings([own]),
    countCalendarsBeforeConfirm([own]),
  ];
  for (const [name, help, read] of readings) {
    const reading = gauge(own, name, help);
    Object.assign(reading, { collect: () => reading.set(read(context)) });
  }

  async function ofInstallation(): Promise<string> {
    const registry = new Registry();
    const measured = Object.entries(measurements).map(async ([subject, measure]) => {
      try {
        await measure(registry, context.database, context);
      } catch (error) {
        context.log.warn({ err: error, subject }, 'metrics cannot be read');
      }
    });
    await Promise.all(measured);
    return registry.metrics();
  }

  return {
    contentType: own.contentType,
    async text() {
      // One after the other: the gauges of the process must not show the connections of this read.
      return `${await own.metrics()}\n${await ofInstallation()}`;
    },
    stop() {
      for (const end of endings) end();
    },
  };
}
