/** Whether a stay can be booked: the rules of the home, then its nights. */
import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import { isTaken, takenNights } from '../../inventory/index.ts';
import {
  dateText,
  fillsGapExactly,
  nightsOf,
  partyRefusal,
  type StayRefusal,
  stayRefusals,
} from '../../pricing/index.ts';
import type { BookingContext } from '../context.ts';
import { brokenRule } from '../rules/broken-rule.ts';
import { findAlternatives, type WantedStay } from './alternatives.ts';

const reasonOf = (refusal: Refusal | null): string | undefined =>
  (refusal?.details as { reason?: string } | undefined)?.reason;

/** The refusals that another stay of the home can avoid. */
const avoidable: ReadonlySet<string> = new Set<StayRefusal | 'unavailable'>([
  ...stayRefusals,
  'unavailable',
]);

/** Adds stays nearby to a refusal that they can avoid. `wanted` has the time of now. */
export async function withAlternatives<R>(
  context: BookingContext,
  decided: R,
  wantedAt: (now: EpochMs) => WantedStay,
): Promise<R> {
  if (!isRefusal(decided)) return decided;
  const { details } = decided as Refusal;
  if (!avoidable.has(reasonOf(decided as Refusal) ?? '')) return decided;
  const wanted = wantedAt(context.now());
  if (partyRefusal(wanted.listing, wanted.party)) return decided;
  const alternatives = await findAlternatives(context, wanted);
  return alternatives ? { ...decided, details: { ...details, alternatives } } : decided;
}

/**
 * What has the nights of a stay, the night before it, and those of its own preparation and the one after it.
 * Spec: QUOTE-4.
 */
async function readNightsAround(context: BookingContext, { listing, stay, own }: WantedStay) {
  const { listingId, stayRules } = listing;
  const { preparationNights = 0 } = stayRules;
  const before = stay.checkIn - 1;
  const states = await context.liveReads((signal) =>
    context.supply.openNights(
      listingId,
      before,
      nightsOf(stay) + 2 + preparationNights,
      signal,
      own,
    ),
  );
  if (isRefusal(states)) return states;
  const nights = { from: before, states };
  const taken = takenNights(nights, stay, preparationNights);
  const isFree = taken.length === 0;
  return {
    taken: taken.map(dateText),
    fillsGap: isFree && fillsGapExactly(stay, stayRules, (night) => isTaken(nights, night)),
  };
}

const notPriced = refuse('policy_restricted', { reason: 'not_priced' });

/**
 * Decides whether a stay can be booked, but for its taken nights, which it returns. Party and stay rules come before
 * availability. Spec: QUOTE-2, QUOTE-6.
 */
export async function decideBookable(
  context: BookingContext,
  wanted: WantedStay,
  isPriced: boolean,
): Promise<{ taken: string[] } | Refusal<'policy_restricted' | 'unavailable'>> {
  // The nights are read only where they can matter.
  const inGap = brokenRule(wanted, () => true);
  const elsewhere = brokenRule(wanted, () => false);
  if (inGap && reasonOf(inGap) === reasonOf(elsewhere)) return inGap;
  if (!isPriced && !elsewhere) return notPriced;
  const around = await readNightsAround(context, wanted);
  if (isRefusal(around)) return around;
  const refused = around.fillsGap ? inGap : elsewhere;
  if (refused) return refused;
  return isPriced ? { taken: around.taken } : notPriced;
}

/** The refusal of a stay whose nights are taken; null: they are free. */
export const takenRefusal = (nights: string[]): Refusal<'conflict'> | null =>
  nights.length === 0 ? null : refuse('conflict', { reason: 'unavailable', nights });
