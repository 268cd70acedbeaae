/** The system under test: sessions run on it one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { openTestWorker } from '../harness/test-worker.ts';
import type { Partner } from '../harness/partner.ts';
import { newPromotion } from '../harness/promotions.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { SessionClients } from './session-clients.ts';
import { Difference } from './difference.ts';
import { findStays, findTerms, type Stays, type TermsVersions } from './stays.ts';
import { smallQuotas } from './world.ts';

/**
 * Where the worker is: `apart`, outside the service, running only when a session says so; or
 * `inside`, in the process that serves the calls, as in production: it claims due work at once.
 */
export const workerPlaces = ['apart', 'inside'] as const;
export type WorkerPlace = (typeof workerPlaces)[number];

/** The service, its worker, and the clock of the quotas. */
export interface TestSystem {
  service: TestService;
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
const workLookMs = 3;

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
function countCalls({ service }: TestService): () => number {
  let open = 0;
  service.app.server.on('request', (_request, response) => {
    open += 1;
    // The response is written even if the caller has disconnected.
    const end = response.end.bind(response) as typeof response.end;
    response.end = ((...args: Parameters<typeof end>) => {
      open -= 1;
      return end(...args);
    }) as typeof response.end;
  });
  return () => open;
}

// Rows of a session are counted per application, among thousands of applications.
const indexTexts = ['quotes', 'bookings', 'checkout_commands', 'reservations', 'signals'].map(
  (table) => `CREATE INDEX ON ${table} (application_id)`,
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const quietQueue = 10;
const longestCallMs = 30_000;

const roles: Record<WorkerPlace, string> = { apart: 'api', inside: 'api,worker' };

/** Opens the system after the statements of `damage` on its database. */
export async function openTestSystem(
  workerPlace: WorkerPlace,
  damage: readonly string[] = [],
): Promise<TestSystem> {
  let elapsedMs = 0;
  const clock = { elapsedMs: () => elapsedMs };
  const changeSupply = patient(() => service.database);
  const env = { LATCHKEY_ROLES: roles[workerPlace] };
  const service: TestService = await startTestService(env, { ...clock, changeSupply });
  for (const text of [...indexTexts, ...damage]) await sql(service.database, text);
  const openCalls = countCalls(service);
  const searcher = await service.partner();
  const stays: Stays = await findStays(searcher);
  const terms: TermsVersions = await findTerms(searcher, stays);
  const testWorker = await openTestWorker(service.database, { supply: changeSupply });
  return {
    service,
    workerPlace,
    workDone: (applicationIds) =>
      workerPlace === 'inside' ? settled(service.database, applicationIds) : testWorker.runDue(),
    passSeconds(seconds) {
      elapsedMs += seconds * 1_000;
    },
    async sessionClients(limitedUses) {
      const [card, partner, thrifty, limitedCode] = await Promise.all([
        service.partner({ settlement: 'card' }),
        service.partner(),
        service.partner({ quotas: smallQuotas }),
        newPromotion(service, { maxUses: limitedUses }),
      ]);
      const partners: Partner[] = [card, partner, thrifty];
      await Promise.all(partners.map((one) => one.token()));
      return new SessionClients({
        partners: { card, partner, thrifty },
        stays,
        terms,
        limitedCode,
      });
    },
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
