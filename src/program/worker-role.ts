import { startAlerts } from '../attention/index.ts';
import { startBackgroundTasks } from './background-tasks.ts';
import { ownRecords, postedRecords, startWorker, type Worker } from '../bookings/index.ts';
import { startLayerComparison } from '../catalog/index.ts';
import { startPolling } from '../channels/index.ts';
import { startTeller } from '../inventory/index.ts';
import { type Config, isLoopbackAllowed } from '../config/config.ts';
import { startCustomerErasures, startPaymentRecords, startCollection } from '../payments/index.ts';
import { startConformancePlayer } from '../sandbox/index.ts';
import { startAuditPosting } from '../platform/audit/post-audit-trail.ts';
import { type Deliverer, startDeliverer, startOrderedDeliveries } from '../webhooks/index.ts';
import { calendarRules } from './calendar-rules.ts';
import { startAdoption } from './epochs.ts';
import type { OpenedDependencies } from './opened-dependencies.ts';
import { startZoneRules } from './zone-rules.ts';

/** The work that this process does by itself, and how calls tell it that there is some. */
export interface WorkerRole {
  worker: Worker;
  deliverer: Pick<Deliverer, 'wake'>;
  /** What partners order in the sandbox. */
  orderedDeliveries: { wake(): void };
  stop(): Promise<unknown>;
}

/** The operator's records of reservations. */
export const recordsOf = ({ environment, records }: Config): typeof ownRecords =>
  records ? postedRecords({ environment, ...records }) : ownRecords;

const noWorker: WorkerRole = {
  worker: {
    leaseSeconds: () => null,
    slots: () => ({ used: 0, all: 0 }),
    start: () => undefined,
    stepOf: () => undefined,
    wake: () => undefined,
    stop: () => Promise.resolve(),
  },
  deliverer: { wake: () => undefined },
  orderedDeliveries: { wake: () => undefined },
  stop: () => Promise.resolve(),
};

const noDeliverer: Pick<Deliverer, 'wake' | 'stop'> = {
  wake: () => undefined,
  stop: () => Promise.resolve(),
};

const alertsOf = ({ config: { alerts }, database, log }: OpenedDependencies) =>
  alerts ? [startAlerts({ executor: database, log, receiver: alerts })] : [];

const auditPostingOf = ({
  config: { auditTrail, environment },
  database,
  log,
}: OpenedDependencies) =>
  auditTrail
    ? [startAuditPosting({ executor: database, environment, receiver: auditTrail, log })]
    : [];

/** Starts the work of the role `worker`, if this process has it. Spec: RESTORE-4. */
function startWorkerRole(opened: OpenedDependencies): WorkerRole {
  const { config, database, clock, catalog, availability, provider, ports, pictures, log } = opened;
  const { environment, records } = config;
  if (!config.roles.includes('worker')) return noWorker;
  const common = { executor: database, log };
  const onChangedNights = (): void => availability.changed();
  const rules = { loopbackAllowed: isLoopbackAllowed(config) };
  const deliverer = config.isOutsideOff ? noDeliverer : startDeliverer({ ...common, rules });
  const onEvents = (applicationId: string): void => deliverer.wake(applicationId);
  const worker = startWorker({
    ...common,
    ...ports,
    catalog,
    clock,
    onEvents,
    onFreedNights: onChangedNights,
  });
  const parts: { stop(): Promise<unknown> }[] = [
    deliverer,
    worker,
    startBackgroundTasks({ database, clock, pictures, log, isCopy: config.isOutsideOff }),
    startTeller(common),
    startLayerComparison({ database, log }),
    startZoneRules(common),
  ];
  const isSandbox = environment === 'simulation' && !config.isOutsideOff;
  const orderedDeliveries = isSandbox ? startOrderedDeliveries({ ...common, rules }) : null;
  if (orderedDeliveries) {
    parts.push(
      orderedDeliveries,
      startConformancePlayer({
        ...common,
        catalog,
        wakeDeliverer: onEvents,
        wakeDeliveries: () => orderedDeliveries.wake(),
        isAlone: () => opened.processes.serving() <= 1,
      }),
    );
  }
  if (config.isOutsideOff) log.warn({}, 'this copy calls nothing outside');
  else {
    parts.push(
      recordsOf(config).start(common),
      startPaymentRecords(common, records && { environment, ...records }),
      ...alertsOf(opened),
      ...auditPostingOf(opened),
    );
  }
  if (provider) {
    parts.push(
      startCollection({ ...common, clock, provider }),
      startCustomerErasures({ ...common, provider }),
      startAdoption({ database, provider, log }),
    );
  }
  // Availability in the simulation is artificial.
  if (config.environment !== 'simulation' && !config.isOutsideOff) {
    parts.push(startPolling({ database, log, ...calendarRules(config), onChangedNights }));
  }
  return {
    worker,
    deliverer,
    orderedDeliveries: orderedDeliveries ?? noWorker.orderedDeliveries,
    stop: () => Promise.all(parts.map((part) => part.stop())),
  };
}

/**
 * The role `worker` of this process, which begins its work with `begin`. Building the API keeps a process busy, and
 * connections that the work opens meanwhile time out on a slow machine. Until then it claims nothing.
 */
export function openWorkerRole(opened: OpenedDependencies): WorkerRole & { begin(): void } {
  let role = noWorker;
  return {
    begin() {
      role = startWorkerRole(opened);
    },
    worker: {
      // Otherwise a submit would claim its booking itself.
      leaseSeconds: () => (opened.epochs.mayMoveMoney() ? role.worker.leaseSeconds() : null),
      slots: () => role.worker.slots(),
      start: (claim) => role.worker.start(claim),
      stepOf: (booking) => role.worker.stepOf(booking),
      wake: () => role.worker.wake(),
      stop: () => role.worker.stop(),
    },
    deliverer: { wake: (applicationId) => role.deliverer.wake(applicationId) },
    orderedDeliveries: { wake: () => role.orderedDeliveries.wake() },
    stop: () => role.stop(),
  };
}
