import { refuse, type Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  allowedParty,
  allowedStay,
  type Listing,
  type Party,
  partyRefusal,
  type Stay,
  stayRuleRefusal,
} from '../../pricing/index.ts';

/** A stay that somebody wants. */
interface StayToSell {
  listing: Listing;
  stay: Stay;
  party: Party;
  now: EpochMs;
}

/** The first rule of the home that party or stay break; null: none. Spec: QUOTE-5. */
export function brokenRule(
  { listing, stay, party, now }: StayToSell,
  fillsGap: () => boolean,
): Refusal<'policy_restricted'> | null {
  const ofParty = partyRefusal(listing, party);
  if (ofParty) {
    const allowed = allowedParty(listing, party, ofParty);
    return refuse('policy_restricted', { reason: ofParty, ...allowed });
  }
  const ofStay = stayRuleRefusal(listing, stay, now, fillsGap);
  if (ofStay === null) return null;
  return refuse('policy_restricted', { reason: ofStay, ...allowedStay(listing, stay, ofStay) });
}
