/** The dependencies of the operations of each API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { registryFreshMs } from '../access/index.ts';
import { basePathOf } from '../api/base-path.ts';
import type { BookingPortalContext } from '../bookings/index.ts';
import { type Config, isLoopbackAllowed } from '../config/config.ts';
import { createLiveReads } from '../inventory/index.ts';
import type { OperatorContext } from '../operator/index.ts';
import { type PartnerContext, servedGrants } from '../surfaces/partner-api.ts';
import { staffContext } from './staff-context.ts';
import { openProvider, signInContext } from '../sign-in/index.ts';
import { contractDigest, type SandboxContext } from '../sandbox/index.ts';
import { listShownDeliveriesOfEvents } from '../webhooks/index.ts';
import { erasuresFile } from '../platform/erasures-file.ts';
import type { OpenedDependencies } from './opened-dependencies.ts';
import { calendarRules } from './calendar-rules.ts';
import { recordsOf, type WorkerRole } from './worker-role.ts';

/** How long a client waits between two reads. Spec: CHECKOUT-11. */
const pollAfterSeconds = { simulation: 1, test: 2, live: 2 } as const;
/** Spec: CHANGE-6. */
const simulatedDecisionSeconds = 5;
const liveReadsAtOnce = 128;

/** The dependencies of the partners' operations. */
export function partnerContext(
  {
    config,
    database,
    catalog,
    availability,
    clock,
    ports,
    provider,
    recent,
    changes,
  }: OpenedDependencies,
  { worker, deliverer }: WorkerRole,
): PartnerContext {
  const { supply, payment, uncertainHours } = ports;
  const { environment } = config;
  const wakeDeliverer = (applicationId: string): void => deliverer.wake(applicationId);
  return {
    executor: database,
    catalog,
    isCurrent: () => changes.isCurrent(),
    availability,
    supply,
    payment,
    uncertainHours,
    records: recordsOf(config),
    liveReads: createLiveReads(liveReadsAtOnce),
    recent,
    now: clock.now,
    askTime: clock.ask,
    confirmsTime: clock.confirms,
    definitionVersion: supply.definitionVersion,
    servedGrants: servedGrants(payment),
    basePath: basePathOf(config.baseUrl),
    pollAfterSeconds: pollAfterSeconds[environment],
    worker,
    wakeDeliverer,
    staff: staffContext(database, environment, wakeDeliverer, provider),
    decidesChangesAfterSeconds: environment === 'simulation' ? simulatedDecisionSeconds : null,
  };
}

/** The dependencies of the portal's operations. */
export const portalContext = (
  { config, database, reads, access, buckets }: OpenedDependencies,
  { deliverer }: WorkerRole,
): BookingPortalContext => ({
  database,
  reads,
  listDeliveries: listShownDeliveriesOfEvents,
  quotas: access.quotas,
  quotasAreShared: () => buckets.areShared(),
  environment: config.environment,
  isCopy: config.isOutsideOff,
  baseUrl: config.baseUrl,
  loopbackAllowed: isLoopbackAllowed(config),
  // A changed endpoint takes effect immediately.
  wakeDeliverer: () => deliverer.wake(),
});

// A read of an application that has begun before can be this late.
const readMs = 200;

/** What the sandbox needs beside the dependencies of the partners' operations. */
export const sandboxContext = (
  { config, database, reads, access, processes, keys }: OpenedDependencies,
  { orderedDeliveries }: WorkerRole,
): Omit<SandboxContext, keyof PartnerContext> => ({
  database,
  reads,
  async takeEffect(applicationId) {
    access.registry.forget(applicationId);
    // The others read the application again by themselves.
    if (processes.serving() > 1) await sleep(registryFreshMs + readMs);
  },
  wakeDeliveries: () => orderedDeliveries.wake(),
  contractDigest: contractDigest(),
  keys,
  baseUrl: config.baseUrl,
});

/** What staff can see of the configuration. */
const shownSettings = (config: Config): OperatorContext['settings'] => ({
  cardProvider: config.cardPayments && 'Stripe',
  recordsHost: config.records?.url.host ?? null,
  sharedQuotas: config.redisUrl !== null,
  calendarMinutes: config.calendarMinutes,
});

/** The dependencies of the operator's operations. */
export async function operatorContext(
  opened: OpenedDependencies,
  { deliverer }: WorkerRole,
): Promise<OperatorContext> {
  const { config, log, database, reads, provider, catalog, availability, clock, buckets } = opened;
  const { environment, baseUrl, signInProvider } = config;
  const wakeDeliverer = (applicationId: string): void => deliverer.wake(applicationId);
  return {
    database,
    reads,
    environment,
    baseUrl,
    bookings: staffContext(database, environment, wakeDeliverer, provider),
    cardProvider: provider,
    catalog,
    pictures: opened.pictures,
    availability,
    now: clock.now,
    loopbackAllowed: isLoopbackAllowed(config),
    calendars: calendarRules(config),
    alerts: config.alerts,
    erasures: erasuresFile(config.dataDir),
    signIn: signInContext({
      database,
      environment,
      isCopy: config.isOutsideOff,
      baseUrl,
      buckets: buckets.make,
      provider:
        signInProvider && (await openProvider(signInProvider, database.vault, baseUrl, log)),
    }),
    quotas: opened.access.quotas,
    settings: shownSettings(config),
  };
}
