import { basePathOf } from './api/base-path.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  createAccessTokens,
  createApplicationRegistry,
  createQuotas,
  type OpenBuckets,
  openBuckets,
  createTokenExchange,
  openSigningKeys,
  type SigningKeys,
} from './access/index.ts';
import { buildApp } from './app.ts';
import { openCardProvider, paymentOf } from './card-provider.ts';
import { type Catalog, openCatalog } from './catalog/index.ts';
import type { Certificate } from './certificate.ts';
import { startPolling } from './channels/index.ts';
import { isLoopbackSimulation, isLoopbackTest, type Config } from './config.ts';
import type { Environment } from './contract/wire.ts';
import { startDatabaseClock, type DatabaseClock } from './platform/clock.ts';
import type { Database } from './platform/postgres/database.ts';
import { joinProcesses, type LiveProcess } from './platform/postgres/live-processes.ts';
import { primaryReads, type Reads } from './platform/postgres/replica.ts';
import { openRedis } from './platform/redis/scripts.ts';
import { type Deliverer, listShownDeliveriesOfEvents, startDeliverer } from './webhooks/index.ts';
import { closeGracefully } from './api/listening.ts';
import {
  type BookingPortalContext,
  createInventorySupply,
  createRecentBookings,
  ownRecords,
  postedRecords,
  type ReconcileInSeconds,
  reconcileEagerly,
  reconcilePatiently,
  startWorker,
  type Supply,
  type Worker,
  type WorkerLog,
} from './bookings/index.ts';
import { type PartnerContext, servedGrants } from './partner-api.ts';
import {
  type CardProvider,
  startSettler,
  stripeEvents,
  stripeTryPage,
  takePaymentNotice,
  type TryPage,
} from './payments/index.ts';
import type { PaymentEvents } from './payment-routes.ts';
import { startRequestRecorder } from './request-log/index.ts';
import { startRefusalRecorder } from './signals/index.ts';
import {
  createSimulatedSupply,
  picturesFolder,
  seedSimulation,
  simulatedAvailability,
} from './simulation/index.ts';
import { staffContext } from './staff-context.ts';
import { startLoop } from './platform/loop.ts';
import { tracedPort, useTracer } from './platform/tracing/tracing.ts';
import { startBackgroundTasks } from './background-tasks.ts';
import { type Metrics, startMetrics } from './metrics.ts';
import type { Health } from './api/health.ts';
import { type Availability, createLiveReads, openNightsIndex } from './inventory/index.ts';
import { stayOf } from './pricing/index.ts';
import type { OperatorContext } from './operator/index.ts';
import { openProvider, signInContext } from './staff/index.ts';

/** A running service, without its database and sockets. */
export interface Service {
  app: FastifyInstance;
  /** Null: they are not wanted. */
  metrics: Metrics | null;
  health: Health;
  /** Makes `/readyz` fail from now on. */
  beginStop(): void;
  /** Finishes calls and steps in flight. */
  stop(): Promise<void>;
}

interface Ports {
  supply(database: Database): Supply;
  reconcileInSeconds: ReconcileInSeconds;
}

/** The operator's own homes. */
const ownHomes: Ports = {
  supply: createInventorySupply,
  reconcileInSeconds: reconcilePatiently,
};

const portsOf: Readonly<Record<Environment, Ports>> = {
  simulation: { supply: createSimulatedSupply, reconcileInSeconds: reconcileEagerly },
  test: ownHomes,
  live: ownHomes,
};

/** The dependencies of the service. */
export interface ServiceParts {
  config: Config;
  /** Absent: plain HTTP. */
  certificate?: Certificate | null;
  database: Database;
  /** Absent: all reads go to the database. */
  reads?: Reads;
  /** Absent: that of the environment. */
  supply?: Supply;
  /** Absent: that of the configuration. */
  cardProvider?: CardProvider | null;
  /** Absent: that of the environment. */
  availability?: Availability;
  /** Absent: it is opened. */
  catalog?: Catalog;
  logger: false | object;
  log: WorkerLog;
  /** The clock of quota refills. Absent: the time since the process started. */
  elapsedMs?: () => number;
  /** Absent: those of this process, or of Redis. */
  buckets?: OpenBuckets;
}

/** Opens the free nights of the environment. */
export const openAvailability = async (
  environment: Environment,
  database: Database,
  catalog: Catalog,
  reads = primaryReads(database),
): Promise<Availability> =>
  environment === 'simulation'
    ? simulatedAvailability
    : openNightsIndex(
        database,
        () => Array.from(catalog.views(), ({ listings }) => listings),
        reads,
      );

/** A supply whose holds are known to the searches of this process at once. */
const withKnownHolds = (supply: Supply, availability: Availability): Supply => ({
  ...supply,
  async hold(booking, fence, signal) {
    const held = await supply.hold(booking, fence, signal);
    const { listingId } = booking.quote;
    if (held.outcome === 'done') availability.took(listingId, stayOf(booking.quote));
    return held;
  },
});

// Of another system, as far as the trace of a booking is concerned.
const supplyCalls = ['hold', 'confirm', 'release', 'lookUp'] as const;
const paymentCalls = [
  'setup',
  'verify',
  'authorize',
  'capture',
  'void',
  'refund',
  'lookUp',
] as const;

const pollAfterSeconds = { simulation: 1, test: 2, live: 2 } as const;
const liveReadsAtOnce = 32;
// A call waits this long for its quota; then this process decides alone.
const redisWaitMs = 50;
const ignore = (): void => undefined;
const project = path.join(import.meta.dirname, '..');
const noWorker: Worker & Deliverer = {
  leaseSeconds: () => null,
  slots: () => ({ used: 0, all: 0 }),
  start: () => undefined,
  wake: () => undefined,
  stop: () => Promise.resolve(),
};

interface Followed {
  log: WorkerLog;
  catalog: Catalog;
  availability: Availability;
  clock: DatabaseClock;
  keys: SigningKeys;
  processes: LiveProcess;
}

function follow(followed: Followed): () => Promise<void> {
  const { log, catalog, availability, clock, keys, processes } = followed;
  const loops = [
    startLoop({ name: 'beat', everyMs: 2_000, log, work: processes.beat }),
    startLoop({
      name: 'follow the catalog',
      everyMs: 1_000,
      log,
      work: () => catalog.follow(),
    }),
    startLoop({
      name: 'follow the taken nights',
      everyMs: 250,
      log,
      work: () => availability.follow(),
    }),
    startLoop({ name: 'adjust the clock', everyMs: 10_000, log, work: () => clock.adjust() }),
    startLoop({
      name: 'follow the signing keys',
      everyMs: 30_000,
      log,
      work: () => keys.refresh(),
    }),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    // The others notice it in any case, ten seconds later.
    await processes.end().catch(ignore);
  };
}

async function openPaymentEvents(
  { cardPayments }: Config,
  database: Database,
): Promise<PaymentEvents | null> {
  if (!cardPayments) return null;
  const events = await stripeEvents(cardPayments.webhookSecret);
  return { ...events, take: (notice) => takePaymentNotice(database, notice) };
}

/** The card fields are tried only with test keys, and so only in `test`. */
const openTryPage = async ({ environment, cardPayments }: Config): Promise<TryPage | null> =>
  environment === 'test' && cardPayments ? stripeTryPage(cardPayments) : null;

/** Opens the tracer of this process. Its libraries are loaded only for that. */
async function startTracing({ config, log }: ServiceParts): Promise<() => Promise<void>> {
  const { traces, environment, roles } = config;
  if (!traces) return () => Promise.resolve();
  const { openTracer } = await import('./platform/tracing/open-telemetry.ts');
  const process = {
    'service.name': 'latchkey',
    'service.instance.id': randomUUID(),
    'deployment.environment.name': environment,
    'latchkey.roles': roles.join(),
  };
  const tracer = openTracer({ ...traces, process, log });
  useTracer(tracer);
  return async () => {
    useTracer(null);
    await tracer.stop();
  };
}

/** What staff can see of the configuration. */
const shownSettings = (config: Config): OperatorContext['settings'] => ({
  cardProvider: config.cardPayments && 'Stripe',
  recordsHost: config.records?.url.host ?? null,
  sharedQuotas: config.redisUrl !== null,
  calendarMinutes: config.calendarMinutes,
});

/** Builds the service and starts the roles of this process. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, database, log } = parts;
  const { environment, baseUrl } = config;
  // Before the parts are built, which ask whether there is a tracer.
  const endTracing = await startTracing(parts);
  if (environment === 'simulation') await seedSimulation(database);
  const reads = parts.reads ?? primaryReads(database);
  const catalog = parts.catalog ?? (await openCatalog(database, { environment, baseUrl }, reads));
  const clock = await startDatabaseClock(database);
  const keys = await openSigningKeys(database);
  const provider = parts.cardProvider ?? (await openCardProvider(config.cardPayments));
  const payment = tracedPort('payment', paymentOf(environment, database, provider), paymentCalls);
  const { reconcileInSeconds, ...ports } = portsOf[environment];
  const servesCalls = config.roles.includes('api');
  const availability =
    parts.availability ??
    (servesCalls
      ? await openAvailability(environment, database, catalog, reads)
      : simulatedAvailability);
  const supply = tracedPort(
    'supply',
    withKnownHolds(parts.supply ?? ports.supply(database), availability),
    supplyCalls,
  );
  const tokens = createAccessTokens(keys, baseUrl, clock);
  const registry = createApplicationRegistry(database);
  const processes = await joinProcesses(database, config);
  const { redisUrl } = config;
  const redis = redisUrl === null ? null : await openRedis(redisUrl, redisWaitMs, ignore);
  const buckets =
    parts.buckets ??
    openBuckets({
      redis,
      prefix: `latchkey:${database.vault.mac('redis', '').toString('hex', 0, 8)}`,
      processes: processes.serving,
      log,
      elapsedMs: parts.elapsedMs,
    });
  const access = { tokens, registry, quotas: createQuotas(buckets.make('quota')) };
  const works = config.roles.includes('worker');
  const rules = { loopbackAllowed: isLoopbackSimulation(config) };
  const deliverer = works ? startDeliverer({ executor: database, log, rules }) : noWorker;
  const wakeDeliverer = (applicationId: string): void => deliverer.wake(applicationId);
  const steps = { executor: database, catalog, supply, payment, reconcileInSeconds };
  const onChangedNights = (): void => availability.changed();
  const worker = works
    ? startWorker({ ...steps, log, onEvents: wakeDeliverer, onFreedNights: onChangedNights })
    : noWorker;
  const records = config.records ? postedRecords({ environment, ...config.records }) : ownRecords;
  const recording = works ? records.start({ executor: database, log }) : noWorker;
  const settler =
    works && provider ? startSettler({ executor: database, provider, log }) : noWorker;
  // The simulation invents its nights.
  const polls = works && environment !== 'simulation';
  const calendars = {
    rules: { loopbackAllowed: isLoopbackTest(config) },
    everySeconds: config.calendarMinutes * 60,
  };
  const polling = polls
    ? startPolling({
        database,
        log,
        ...calendars,
        onChangedNights,
      })
    : noWorker;
  const background = works ? startBackgroundTasks({ executor: database, log }) : noWorker;
  const context: PartnerContext = {
    executor: database,
    catalog,
    availability,
    supply,
    payment,
    records,
    liveReads: createLiveReads(liveReadsAtOnce),
    recent: createRecentBookings(),
    now: clock.now,
    askTime: clock.ask,
    definitionVersion: supply.definitionVersion,
    servedGrants: servedGrants(payment),
    basePath: basePathOf(baseUrl),
    pollAfterSeconds: pollAfterSeconds[environment],
    worker,
    wakeDeliverer,
  };
  const portal: BookingPortalContext = {
    database,
    environment,
    baseUrl,
    ...rules,
    listDeliveries: listShownDeliveriesOfEvents,
    quotas: access.quotas,
    quotasAreShared: () => buckets.areShared(),
    // A changed endpoint takes effect immediately.
    wakeDeliverer: () => deliverer.wake(),
  };
  const recorder = startRequestRecorder({ executor: database, log });
  const refusals = startRefusalRecorder({ executor: database, log });
  let stopping = false;
  const health: Health = {
    // One round trip, because under overload each one waits long in the connection queue.
    readyCheck: async () => void (await clock.ask()),
    isStopping: () => stopping,
  };
  const app = await buildApp({
    context,
    access,
    exchange: createTokenExchange({
      executor: database,
      registry,
      tokens,
      environment,
      baseUrl,
      buckets: buckets.make,
    }),
    buckets: buckets.make,
    keys,
    pages: { baseUrl, environment, project, consoleFolder: path.join(project, 'console/dist') },
    pictures:
      environment === 'simulation' ? picturesFolder : path.resolve(config.dataDir, 'pictures'),
    portal,
    operator: {
      database,
      reads,
      environment,
      baseUrl,
      bookings: staffContext(database, environment, wakeDeliverer, provider),
      cardProvider: provider,
      catalog,
      availability,
      now: clock.now,
      ...rules,
      calendars,
      signIn: signInContext({
        database,
        environment,
        baseUrl,
        buckets: buckets.make,
        provider:
          config.signInProvider && openProvider(config.signInProvider, database.vault, baseUrl),
      }),
      quotas: access.quotas,
      settings: shownSettings(config),
    },
    recorder,
    refusals,
    paymentEvents: await openPaymentEvents(config, database),
    tryPage: await openTryPage(config),
    server: {
      tls: parts.certificate ?? null,
      trustedProxy: config.trustedProxy,
      connections: config.httpConnections,
      basePath: basePathOf(baseUrl),
      logger: parts.logger,
    },
    health,
  });
  const endFollowing = follow({ log, catalog, availability, clock, keys, processes });
  const measured = {
    database,
    reads,
    catalog,
    availability,
    worker,
    buckets,
    processes,
    now: clock.now,
    log,
  };
  const metrics = config.metricsPort === null ? null : startMetrics(measured);
  return {
    app,
    metrics,
    health,
    beginStop() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await Promise.all([
        closeGracefully(app),
        worker.stop(),
        background.stop(),
        recording.stop(),
        settler.stop(),
        polling.stop(),
        deliverer.stop(),
        endFollowing(),
      ]);
      // All calls have been answered here.
      await Promise.all([recorder.stop(), refusals.stop()]);
      metrics?.stop();
      await endTracing();
      redis?.close();
    },
  };
}
