import { isRefusal, refuse, refuseBecause, type Refusal } from '../../../contract/errors.ts';
import type { Quote as QuoteOnWire } from '../../../contract/schemas/quote.ts';
import { findQuote, insertQuote, type NewQuote } from '../../../db/quotes.ts';
import type { EpochMs, Quote } from '../../../domain/booking.ts';
import { todayAt } from '../../../domain/calendar-date.ts';
import { acceptedPolicies, cancellationInstants } from '../../../domain/cancellation.ts';
import { normaliseParty, partyRefusal } from '../../../domain/party.ts';
import { priceStay } from '../../../domain/pricing.ts';
import { stayInputRefusal, stayRuleRefusal } from '../../../domain/stay.ts';
import type { SoldListing } from '../../../catalog/index.ts';
import type { Call, House, Operation } from '../../call.ts';
import { inputDigest } from '../../identity.ts';
import { decideInTime } from '../../in-time.ts';
import { stayOf } from '../../stay-input.ts';

type CreateCall = Call<'reservation.quote.create'>;

/** A quote as partners read it. Spec: Resources, Quote. */
function quoteView(quote: Quote): QuoteOnWire {
  return {
    quoteId: quote.quoteId,
    listingId: quote.listingId,
    checkIn: quote.checkIn,
    checkOut: quote.checkOut,
    party: quote.party,
    charges: quote.charges,
    terms: quote.terms,
    expiresAt: new Date(quote.expiresAt).toISOString(),
    createdAt: new Date(quote.createdAt).toISOString(),
  };
}

/** The quote for this stay now, or why there is none. Party and stay rules come before the nights. */
async function decideQuote(
  house: House,
  call: CreateCall,
  sold: SoldListing,
  now: EpochMs,
): Promise<NewQuote | Refusal<'policy_restricted' | 'conflict' | 'unavailable'>> {
  const { listing } = sold;
  const { body } = call;
  const today = todayAt(now, listing.timeZone);
  const stay = stayOf(body);
  const party = normaliseParty(body.party);
  const reason = partyRefusal(listing, party) ?? stayRuleRefusal(listing, stay, today);
  if (reason) return refuse('policy_restricted', { reason });
  const nights = stay.checkOut - stay.checkIn;
  const charges = priceStay(listing, stay, party, { today });
  if (!charges) return refuse('policy_restricted', { reason: 'not_priced' });
  const open = await house.liveReads((signal) =>
    house.supply.openNights(listing.listingId, stay.checkIn, nights, signal),
  );
  if (isRefusal(open)) return open;
  if (open.includes(0)) return refuse('conflict', { reason: 'unavailable' });
  return {
    applicationId: call.application.applicationId,
    quoteId: call.resourceId,
    listingId: listing.listingId,
    checkIn: body.checkIn,
    checkOut: body.checkOut,
    party,
    charges,
    terms: {
      version: sold.termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: cancellationInstants(listing, stay, charges, now),
    },
  };
}

/** What is asked for, and whether it can be: in the order in which refusals come. */
async function decideNew(
  house: House,
  call: CreateCall,
  now: EpochMs,
): Promise<NewQuote | Refusal<QuoteRefusal>> {
  const { body } = call;
  const sold = house.catalog.current().find(body.listingId);
  const today = todayAt(now, sold?.listing.timeZone ?? null);
  const fields = stayInputRefusal(stayOf(body), today);
  if (fields.length > 0) return refuse('invalid_input', { fields });
  if (!sold) return refuseBecause('not_found', 'There is no home with this listingId.');
  return call.meter() ?? decideQuote(house, call, sold, now);
}

type QuoteRefusal =
  | 'invalid_input'
  | 'not_found'
  | 'rate_limited'
  | 'policy_restricted'
  | 'conflict'
  | 'unavailable';

/** What "today at the property" can refuse. Both come before the nights are asked for. */
const byDate: ReadonlySet<string> = new Set(['invalid_input', 'policy_restricted']);

/** These come before the question whether the ID is taken by another input. */
const beforeConflict: ReadonlySet<string> = new Set(['invalid_input', 'not_found', 'rate_limited']);

/**
 * A new quote is written at once; only where that is refused is it looked whether it is there already.
 * A repeat is answered whatever time has changed: the day at the property may have passed since, and
 * the home may have gone.
 * Spec: Per-operation shapes, quotes; Endpoints, common rule 5.
 */
export const createQuote: Operation<'reservation.quote.create'> = async (house, call) => {
  const { executor, recent } = house;
  const { applicationId } = call.application;
  const { quoteId: _, party, ...rest } = call.body;
  const digest = inputDigest(executor.vault, { ...rest, party: normaliseParty(party) });

  const decided = await decideInTime(
    house,
    (now) => decideNew(house, call, now),
    (refusal) => isRefusal(refusal) && byDate.has(refusal.refused),
  );
  const quote = isRefusal(decided) ? null : await insertQuote(executor, decided, digest);
  if (quote) {
    recent.quotes.remember(applicationId, quote.quoteId, quote);
    return { status: 201, body: quoteView(quote) };
  }
  const existing = await findQuote(executor, applicationId, call.resourceId);
  if (existing?.inputDigest.equals(digest)) {
    call.exempt();
    return { status: 200, body: quoteView(existing.quote) };
  }
  if (isRefusal(decided) && (!existing || beforeConflict.has(decided.refused))) return decided;
  return refuse('conflict', { reason: 'different_input' });
};
