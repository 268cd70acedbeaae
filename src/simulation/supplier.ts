import { simulationDefinitionVersion } from '../contract/wire.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  decideSimulatedAttempt,
  findSimulatedAttempt,
  type SimulatedAttempt,
} from './store/attempts.ts';
import type { Supply } from '../bookings/index.ts';
import {
  outcomeOf,
  suffixOf,
  suffixOutcomes,
  type SimulatedOutcome,
  type Suffix,
} from './outcomes.ts';
import { openNights } from './pattern.ts';

const withoutSuffix = 'confirmed';

const done = { outcome: 'done' } as const;
const unknown = { outcome: 'unknown' } as const;

/** A total and 10 %. Spec: SIMULATION-6. */
const raised = (total: number): number => total + Math.round(total / 10);

/** What the statement that decides an attempt has to know of each outcome. */
const outcomeFacts = Object.fromEntries(
  [withoutSuffix, ...(Object.keys(suffixOutcomes) as Suffix[])].map((name) => {
    const { answer, knownInSeconds } = outcomeOf(name === withoutSuffix ? null : (name as Suffix));
    return [name, { isMade: answer.outcome === 'done', knownInSeconds }];
  }),
);

/** The decision of an attempt, or `unknown` until `knownAt`. */
function answerOf(attempt: SimulatedAttempt): SimulatedOutcome['answer'] | typeof unknown {
  if (attempt.knownAt === null || attempt.now < attempt.knownAt) return unknown;
  const { outcome } = attempt;
  return outcomeOf(outcome === withoutSuffix ? null : (outcome as Suffix)).answer;
}

/**
 * A simulated supplier: nights follow a fixed pattern, every hold succeeds, and the guest's email selects
 * the outcome of the confirmation. The decision is stored, so that it survives a crash of the service.
 * Spec: SIMULATION-1.
 */
export function createSimulatedSupply(executor: Executor): Supply {
  return {
    definitionVersion: simulationDefinitionVersion,
    keepsNights: false,
    async openNights(listingId, from, nights, _signal, own) {
      const states = openNights(listingId, from, nights);
      if (!own) return states;
      const { checkIn, checkOut } = own.stay;
      return states.fill(1, Math.max(0, checkIn - from), Math.max(0, checkOut - from));
    },
    async explain(booking, reason) {
      const { quote, charges } = booking;
      if (reason === 'price_changed') {
        const attempt = await findSimulatedAttempt(executor, booking.attemptId);
        return { was: charges.total, now: attempt?.price ?? raised(charges.total) };
      }
      if (reason !== 'policy_changed') return null;
      return { changed: quote.terms.policies.slice(0, 1).map(({ label }) => label) };
    },
    hold: async () => done,
    recheck: async () => done,
    release: async () => done,
    async lookUp({ attemptId }) {
      const attempt = await findSimulatedAttempt(executor, attemptId);
      if (!attempt) return { ...done, stay: 'none' };
      const answer = answerOf(attempt);
      return answer.outcome === 'done' ? { ...answer, stay: 'confirmed' } : answer;
    },
    async confirm(booking) {
      const suffix = suffixOf(booking.guest?.email ?? '');
      return answerOf(
        await decideSimulatedAttempt(executor, booking, suffix ?? withoutSuffix, outcomeFacts),
      );
    },
  };
}
