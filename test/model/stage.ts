/** The service that the sessions are played on, one after the other. */
import { openHand, type Hand } from '../harness/hand.ts';
import type { Partner } from '../harness/partner.ts';
import { newPromotion } from '../harness/promotions.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { Cast } from './cast.ts';
import { Difference } from './difference.ts';
import { findStays, findTerms, type Stays, type TermsVersions } from './stays.ts';
import { smallQuotas } from './world.ts';

/** The service, a worker that works when told to, and the clock of the quotas. */
export interface Stage {
  service: TestService;
  hand: Hand;
  /** Moves the time that quotas flow back by. */
  passSeconds(seconds: number): void;
  /** New partners, who know nothing yet. */
  cast(limitedUses: number): Promise<Cast>;
  /** Returns when the service has done with every call, also with those whose callers hung up. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const aDaySeconds = 86_400;

/** A supplier tells late what it tells late, and does nothing by itself: only when a session says so. */
async function patientHand(service: TestService): Promise<Hand> {
  return openHand(service.database, {
    supply: (real) => ({
      ...real,
      async reserve(booking) {
        const outcome = await real.reserve(booking);
        const text = `UPDATE simulated_attempts SET known_at = now() + make_interval(secs => $2)
          WHERE attempt_id = $1 AND known_at > now()`;
        await sql(service.database, text, [booking.attemptId, aDaySeconds]);
        if (outcome.result !== 'made' || !outcome.announced) return outcome;
        return { ...outcome, announced: { ...outcome.announced, inSeconds: aDaySeconds } };
      },
    }),
  });
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
const quietTurns = 10;
const longestCallMs = 30_000;

/** Opens the stage; `damage` is done to its database first. */
export async function openStage(damage: readonly string[] = []): Promise<Stage> {
  let elapsedMs = 0;
  const clock = { elapsedMs: () => elapsedMs };
  const service = await startTestService({ LATCHKEY_ROLES: 'api' }, clock);
  for (const text of [...indexTexts, ...damage]) await sql(service.database, text);
  const openCalls = countCalls(service);
  const scout = await service.partner();
  const stays: Stays = await findStays(scout);
  const terms: TermsVersions = await findTerms(scout, stays);
  return {
    service,
    hand: await patientHand(service),
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
      for (let quiet = 0; quiet < quietTurns; quiet += 1) {
        await turn();
        if (openCalls() === 0) continue;
        quiet = 0;
        if (performance.now() > end) throw new Difference('a call is never brought to an end');
      }
    },
    close: () => service.stop(),
  };
}
