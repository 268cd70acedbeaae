import { simulationDefinitionVersion } from '../contract/wire.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  decideSimulatedAttempt,
  findSimulatedAttempt,
  type SimulatedAttempt,
} from './store/attempts.ts';
import type { Supply } from '../bookings/index.ts';
import { outcomeOf, suffixOf, type SimulatedOutcome, type Suffix } from './outcomes.ts';
import { openNights } from './pattern.ts';

const ordinary = 'confirmed';

const done = { outcome: 'done' } as const;
const unknown = { outcome: 'unknown' } as const;

/** What was decided, once it is known. */
function known(attempt: SimulatedAttempt): SimulatedOutcome['answer'] | typeof unknown {
  const silent = attempt.knownAt === null || attempt.now < attempt.knownAt;
  if (silent) return unknown;
  const { outcome } = attempt;
  return outcomeOf(outcome === ordinary ? null : (outcome as Suffix)).answer;
}

/**
 * A supplier that reserves nothing: nights follow a fixed pattern, every hold is granted, and the
 * guest's email selects what becomes of it as it is confirmed. It keeps a book of that, so that what it
 * decided outlives a crash of ours.
 * Spec: Environments; Sandbox outcome selection.
 */
export function createSimulatedSupply(executor: Executor): Supply {
  return {
    definitionVersion: simulationDefinitionVersion,
    openNights: async (listingId, from, nights) => openNights(listingId, from, nights),
    async freeListings(listingIds, { checkIn, checkOut }) {
      const isFree = (listingId: string) =>
        openNights(listingId, checkIn, checkOut - checkIn).every((night) => night === 1);
      return new Set(listingIds.filter(isFree));
    },
    hold: async () => done,
    release: async () => done,
    async lookUp({ attemptId }) {
      const attempt = await findSimulatedAttempt(executor, attemptId);
      if (!attempt) return { ...done, stay: 'none' };
      const answer = known(attempt);
      return answer.outcome === 'done' ? { ...answer, stay: 'confirmed' } : answer;
    },
    async confirm(booking) {
      const suffix = suffixOf(booking.guest?.email ?? '');
      const { toldInSeconds } = outcomeOf(suffix);
      const decided = await decideSimulatedAttempt(
        executor,
        booking.attemptId,
        suffix ?? ordinary,
        toldInSeconds,
      );
      return known(decided);
    },
  };
}
