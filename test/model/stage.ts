/** The service that the sessions are played on, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { openTestWorker } from '../harness/test-worker.ts';
import type { Partner } from '../harness/partner.ts';
import { newPromotion } from '../harness/promotions.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { Cast } from './cast.ts';
import { Difference } from './difference.ts';
import { findStays, findTerms, type Stays, type TermsVersions } from './stays.ts';
import { smallQuotas } from './world.ts';

/**
 * Where the worker is: `apart`, in a process of its own that works only when a session says so; or
 * `inside`, in the process that answers the calls, as in production: it takes up at once what is due.
 */
export const workerPlaces = ['apart', 'inside'] as const;
export type WorkerPlace = (typeof workerPlaces)[number];

/** The service, its worker, and the clock of the quotas. */
export interface Stage {
  service: TestService;
  workerPlace: WorkerPlace;
  /** Returns when all that is due for these applications is done. */
  workDone(applicationIds: readonly string[]): Promise<void>;
  /** Moves the time that quotas flow back by. */
  passSeconds(seconds: number): void;
  /** New partners, who know nothing yet. */
  cast(limitedUses: number): Promise<Cast>;
  /** Returns when the service has done with every call, also with those whose callers hung up. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const aDaySeconds = 86_400;

const longestWorkMs = 40_000;
const workLookMs = 3;

/** A supplier tells late what it tells late, and does nothing by itself: only when a session says so. */
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

// What a worker goes on with by itself: it is claimed by then, or its time has come.
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

/** Counts the calls that the service has begun and not answered. */
function countCalls({ service }: TestService): () => number {
  let open = 0;
  service.app.server.on('request', (_request, response) => {
    open += 1;
    // The answer is written also where nobody is there to take it.
    const end = response.end.bind(response) as typeof response.end;
    response.end = ((...args: Parameters<typeof end>) => {
      open -= 1;
      return end(...args);
    }) as typeof response.end;
  });
  return () => open;
}

// What a session leaves is counted by its applications, of thousands.
const indexTexts = ['quotes', 'bookings', 'checkout_commands', 'reservations', 'signals'].map(
  (table) => `CREATE INDEX ON ${table} (application_id)`,
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const quietQueue = 10;
const longestCallMs = 30_000;

const roles: Record<WorkerPlace, string> = { apart: 'api', inside: 'api,worker' };

/** Opens the stage; `damage` is done to its database first. */
export async function openStage(
  workerPlace: WorkerPlace,
  damage: readonly string[] = [],
): Promise<Stage> {
  let elapsedMs = 0;
  const clock = { elapsedMs: () => elapsedMs };
  const changeSupply = patient(() => service.database);
  const env = { LATCHKEY_ROLES: roles[workerPlace] };
  const service: TestService = await startTestService(env, { ...clock, changeSupply });
  for (const text of [...indexTexts, ...damage]) await sql(service.database, text);
  const openCalls = countCalls(service);
  const scout = await service.partner();
  const stays: Stays = await findStays(scout);
  const terms: TermsVersions = await findTerms(scout, stays);
  const testWorker = await openTestWorker(service.database, { supply: changeSupply });
  return {
    service,
    workerPlace,
    workDone: (applicationIds) =>
      workerPlace === 'inside' ? settled(service.database, applicationIds) : testWorker.runDue(),
    passSeconds(seconds) {
      elapsedMs += seconds * 1_000;
    },
    async cast(limitedUses) {
      const [card, partner, thrifty, limitedCode] = await Promise.all([
        service.partner({ settlement: 'card' }),
        service.partner(),
        service.partner({ quotas: smallQuotas }),
        newPromotion(service, { maxUses: limitedUses }),
      ]);
      const partners: Partner[] = [card, partner, thrifty];
      await Promise.all(partners.map((one) => one.token()));
      return new Cast({ partners: { card, partner, thrifty }, stays, terms, limitedCode });
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
