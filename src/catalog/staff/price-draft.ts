import { isRefusal, reasonMessages, refuse, type Refusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { OperatorBodyOf, OperatorReplyOf } from '../../contract/operator/operations.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  brokenPartyRules,
  brokenStayRules,
  cancellationInstants,
  dayNumber,
  depositOf,
  explainStay,
  nightsOf,
  normaliseParty,
  partyProblems,
  priceStay,
  todayAt,
} from '../../pricing/index.ts';
import { checkedListing } from '../write-listing.ts';

const messages: Readonly<Record<string, string>> = reasonMessages.policy_restricted;

/** Prices a stay at a home that need not be stored, and says what each line comes from. */
export function priceDraft(
  {
    adjustPercent = 0,
    checkIn,
    checkOut,
    listing: draft,
    party: guests,
  }: OperatorBodyOf<'operator.listing.price'>,
  now: EpochMs,
): OperatorReplyOf<'operator.listing.price'>['body'] | Refusal<'invalid_input'> {
  const stay = { checkIn: dayNumber(checkIn), checkOut: dayNumber(checkOut) };
  const nights = nightsOf(stay);
  if (nights < limits.nightsPerStay.min || nights > limits.nightsPerStay.max) {
    const message = `must be 1 to ${limits.nightsPerStay.max} nights after checkIn`;
    return refuse('invalid_input', { fields: [{ path: '/checkOut', message }] });
  }
  const wrong = partyProblems(guests);
  if (wrong.length > 0) return refuse('invalid_input', { fields: wrong });
  const read = checkedListing(draft);
  if (isRefusal(read)) return read;
  const { listingId: _, ...listing } = read;
  const party = normaliseParty(guests);
  const options = { today: todayAt(now, listing.timeZone), adjustmentPercent: adjustPercent };
  const rules = [
    ...brokenPartyRules(listing, party),
    ...brokenStayRules(listing, stay, now, () => false),
  ];
  const charges = priceStay(listing, stay, party, options);
  const moments = { from: now, quotedAt: now };
  return {
    charges,
    explained: explainStay(listing, stay, party, options),
    cancellation: charges ? cancellationInstants(listing, stay, charges, moments) : [],
    securityDeposit: depositOf(listing, stay),
    broken: rules.map((rule) => ({ rule, message: messages[rule] ?? rule })),
  };
}
