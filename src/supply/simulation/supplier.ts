import { simulationDefinitionVersion } from '../../contract/wire.ts';
import type { Executor } from '../../db/database.ts';
import {
  decideSimulatedAttempt,
  findSimulatedAttempt,
  type SimulatedAttempt,
} from '../../db/simulated-attempts.ts';
import type { Outcome } from '../../domain/resolution.ts';
import type { Supply } from '../port.ts';
import { outcomeOf, suffixOf, type Suffix } from './outcomes.ts';
import { openNights } from './pattern.ts';

const ordinary = 'confirmed';

function told(attempt: SimulatedAttempt): Outcome {
  const silent = attempt.knownAt === null || attempt.present < attempt.knownAt;
  if (silent) return { result: 'unknown' };
  const { outcome } = attempt;
  return outcomeOf(outcome === ordinary ? null : (outcome as Suffix)).outcome;
}

/**
 * A supplier that reserves nothing: nights follow a fixed pattern, the guest's email selects the
 * outcome. It keeps a book of its own, so that what it decided outlives a crash of ours.
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
    async findAttempt(attemptId) {
      const attempt = await findSimulatedAttempt(executor, attemptId);
      return attempt && told(attempt);
    },
    async reserve(booking) {
      const suffix = suffixOf(booking.guest?.email ?? '');
      const { toldInSeconds } = outcomeOf(suffix);
      const decided = await decideSimulatedAttempt(
        executor,
        booking.attemptId,
        suffix ?? ordinary,
        toldInSeconds,
      );
      return told(decided);
    },
  };
}
