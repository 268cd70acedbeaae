/** The system under test: sessions run on it one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createInventorySupply } from '../../src/bookings/index.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { openTestWorker } from '../harness/test-worker.ts';
import type { Partner } from '../harness/partner.ts';
import type { Availability } from '../../src/inventory/index.ts';
import { keepConnections } from '../harness/kept-connections.ts';
import { newPromotion } from '../harness/promotions.ts';
import { sql } from '../harness/rows.ts';
import type { TestApplication } from '../harness/registration.ts';
import { startTestPair, startTestService, type TestService } from '../harness/service.ts';
import { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import { selling } from './homes.ts';
import { Operator, stayWithinToday } from './operator.ts';
import { findStays, staysOf } from './stays.ts';
import {
  accountNames,
  limitedCode,
  smallQuotas,
  type AccountName,
  type ModelEnvironment,
} from './world.ts';

/**
 * Where the worker is: `apart`, outside the service, running only when a session says so; or
 * `inside`, in the process that serves the calls, as in production: it claims due work at once.
 */
export const workerPlaces = ['apart', 'inside'] as const;

/** `pair`: inside each of two services on one database, which get the calls alternately. */
export type WorkerPlace = (typeof workerPlaces)[number] | 'pair';

/** The service, its worker, and the clock of the quotas. */
export interface TestSystem {
  service: TestService;
  environment: ModelEnvironment;
  workerPlace: WorkerPlace;
  /** Resolves when all due work of these applications is done. */
  workDone(applicationIds: readonly string[]): Promise<void>;
  /** Advances the clock of the quotas. */
  passSeconds(seconds: number): void;
  /** New partners without any resources. */
  sessionClients(limitedUses: number): Promise<SessionClients>;
  /** Resolves when the service has finished every call, including those of disconnected callers. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const aDaySeconds = 86_400;

const longestWorkMs = 40_000;
const workLookMs = 10;

/** Delays late outcomes and announcements until a session makes them due. */
const patient =
  (database: () => Executor) =>
  (real: Supply): Supply => ({
    ...real,
    async confirm(booking, signal) {
      const answer = await real.confirm(booking, signal);
      const text = `UPDATE simulated_attempts SET known_at = now() + make_interval(secs => $2)
        WHERE attempt_id = $1 AND known_at > now()`;
      await sql(database(), text, [booking.attemptId, aDaySeconds]);
      if (answer.outcome !== 'done' || !answer.announced) return answer;
      return { ...answer, announced: { ...answer.announced, inSeconds: aDaySeconds } };
    },
  });

// Work that a worker continues without a wake: claimed, or due.
const openText = `SELECT 1 FROM bookings b LEFT JOIN simulated_attempts s USING (attempt_id)
  WHERE b.application_id = ANY ($1) AND b.due_at IS NOT NULL AND (b.state = 'pending'
    OR (b.state = 'needs_payment' AND b.payment_state = 'pending')
    OR (b.state = 'requires_action' AND b.due_at < now() + interval '1 minute')
    OR (b.state IN ('uncertain', 'unresolved') AND s.known_at <= now())) LIMIT 1`;

/** Waits until the worker of the service has nothing to do for these applications. */
async function settled(database: Executor, applicationIds: readonly string[]): Promise<void> {
  const end = performance.now() + longestWorkMs;
  while ((await sql(database, openText, [applicationIds])).length > 0) {
    if (performance.now() > end) throw new Difference('a worker never brings its work to an end');
    await sleep(workLookMs);
  }
}

/** Counts the calls in progress in the service. */
function countCalls({ services }: TestService): () => number {
  let open = 0;
  for (const { app } of services) {
    app.server.on('request', (_request, response) => {
      open += 1;
      // The response is written even if the caller has disconnected.
      const end = response.end.bind(response) as typeof response.end;
      response.end = ((...args: Parameters<typeof end>) => {
        open -= 1;
        return end(...args);
      }) as typeof response.end;
    });
  }
  return () => open;
}

// Rows of a session are counted per application, among thousands of applications.
const indexTexts = ['quotes', 'bookings', 'checkout_commands', 'reservations', 'signals'].map(
  (table) => `CREATE INDEX ON ${table} (application_id)`,
);

// The simulation decides five seconds after the creation: only when the session lets an hour pass.
const patientRequests = [
  `CREATE FUNCTION patient() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN NEW.created_at := now() + interval '30 minutes'; RETURN NEW; END $$`,
  'CREATE TRIGGER patient BEFORE INSERT ON change_requests FOR EACH ROW EXECUTE FUNCTION patient()',
];

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const quietQueue = 10;
const longestCallMs = 30_000;

const roles: Record<WorkerPlace, string> = {
  apart: 'api',
  inside: 'api,worker',
  pair: 'api,worker',
};

/** Makes the clients of a new session. */
type Opening = (limitedUses: number) => Promise<SessionClients>;

const applications: Readonly<Record<AccountName, TestApplication>> = {
  card: { settlement: 'card' },
  partner: {},
  thrifty: { quotas: smallQuotas },
};

async function partnersOf(
  service: TestService,
  sold: (by: AccountName) => TestApplication = () => ({}),
): Promise<Record<AccountName, Partner>> {
  const partners = await Promise.all(
    accountNames.map(async (by) => {
      const partner = await service.partner({ ...applications[by], ...sold(by) });
      await partner.token();
      return [by, partner] as const;
    }),
  );
  return Object.fromEntries(partners) as Record<AccountName, Partner>;
}

/** Sessions on the simulated homes, which they share. */
async function onSimulatedHomes(service: TestService): Promise<Opening> {
  const stays = await findStays(await service.partner());
  return async (limitedUses) => {
    const limited = await newPromotion(service, { maxUses: limitedUses });
    return new SessionClients({
      partners: await partnersOf(service),
      stays,
      codes: { [limitedCode]: limited },
      pollAfterSeconds: 1,
      operator: null,
    });
  };
}

/** Sessions on homes of their own. */
async function onOwnHomes(service: TestService): Promise<Opening> {
  let sessions = 0;
  const database = keepConnections(service.database);
  return async (limitedUses) => {
    await stayWithinToday();
    sessions += 1;
    const operator = await Operator.open(service, database, `s${sessions}`, limitedUses);
    const partners = await partnersOf(service, (by) => {
      const { catalog, reservationsPerDay, adjustPercent } = selling[by];
      const daily = reservationsPerDay === null ? {} : { reservationsPerDay };
      return { catalogId: operator.catalogId(catalog), adjustPercent, ...daily };
    });
    return new SessionClients({
      partners,
      stays: staysOf(operator),
      codes: operator.codes(),
      pollAfterSeconds: 2,
      operator,
    });
  };
}

const openingIn: Readonly<Record<ModelEnvironment, (service: TestService) => Promise<Opening>>> = {
  simulation: onSimulatedHomes,
  test: onOwnHomes,
};

/** Free nights that are never old: the model has no delay between a change and the searches that show it. */
const followedFirst = (real: Availability): Availability => ({
  prepare: (listings) => real.prepare(listings),
  async freeHomes(...asked) {
    await real.follow();
    return real.freeHomes(...asked);
  },
  async openNights(...asked) {
    await real.follow();
    return real.openNights(...asked);
  },
  knownUntil: () => real.knownUntil(),
  follow: () => real.follow(),
  took: (...taken) => real.took(...taken),
  size: () => real.size(),
  changed: () => real.changed(),
});

/** Opens the system after the statements of `damage` on its database. */
export async function openTestSystem(
  environment: ModelEnvironment,
  workerPlace: WorkerPlace,
  damage: readonly string[] = [],
): Promise<TestSystem> {
  let elapsedMs = 0;
  const clock = { elapsedMs: () => elapsedMs };
  const changeSupply = environment === 'test' ? undefined : patient(() => service.database);
  const start = workerPlace === 'pair' ? startTestPair : startTestService;
  const env = { LATCHKEY_ROLES: roles[workerPlace], LATCHKEY_ENVIRONMENT: environment };
  const service: TestService = await start(env, {
    ...clock,
    changeAvailability: followedFirst,
    ...(changeSupply && { changeSupply }),
  });
  for (const text of [...indexTexts, ...patientRequests, ...damage])
    await sql(service.database, text);
  const openCalls = countCalls(service);
  const sessionClients = await openingIn[environment](service);
  const testWorker = await openTestWorker(service.database, {
    supply: changeSupply ?? ((_simulated, database) => createInventorySupply(database)),
  });
  return {
    service,
    environment,
    workerPlace,
    workDone: (applicationIds) =>
      workerPlace !== 'apart' ? settled(service.database, applicationIds) : testWorker.runDue(),
    passSeconds(seconds) {
      elapsedMs += seconds * 1_000;
    },
    sessionClients,
    async quiet() {
      const end = performance.now() + longestCallMs;
      for (let quiet = 0; quiet < quietQueue; quiet += 1) {
        await turn();
        if (openCalls() === 0) continue;
        quiet = 0;
        if (performance.now() > end) throw new Difference('a call is never brought to an end');
      }
    },
    close: () => service.stop(),
  };
}
