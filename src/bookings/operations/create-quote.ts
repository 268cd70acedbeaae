import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import { findQuote, insertQuote, type NewQuote } from '../store/quotes.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  acceptedPolicies,
  cancellationInstants,
  normaliseParty,
  partyRefusal,
  priceStay,
  stayInputRefusal,
  stayOf,
  stayRuleRefusal,
  todayAt,
} from '../../pricing/index.ts';
import { catalogOf, type PublishedListing } from '../../catalog/index.ts';
import { again } from '../../api/operation.ts';
import { decideInTime } from '../../inventory/index.ts';
import { createFirst, type BookingCreateCall } from '../context.ts';
import { quoteView } from './quote-view.ts';

type CreateCall = BookingCreateCall<'reservation.quote.create'>;

/** Decides a quote for this stay. Party and stay rules come before availability. */
async function decideQuote(
  { context, actor, resourceId, body }: CreateCall,
  published: PublishedListing,
  now: EpochMs,
): Promise<NewQuote | Refusal<'policy_restricted' | 'conflict' | 'unavailable'>> {
  const { listing } = published;
  const today = todayAt(now, listing.timeZone);
  const stay = stayOf(body);
  const party = normaliseParty(body.party);
  const reason = partyRefusal(listing, party) ?? stayRuleRefusal(listing, stay, today);
  if (reason) return refuse('policy_restricted', { reason });
  const nights = stay.checkOut - stay.checkIn;
  const charges = priceStay(listing, stay, party, {
    today,
    adjustmentPercent: actor.application.adjustPercent,
  });
  if (!charges) return refuse('policy_restricted', { reason: 'not_priced' });
  const open = await context.liveReads((signal) =>
    context.supply.openNights(listing.listingId, stay.checkIn, nights, signal),
  );
  if (isRefusal(open)) return open;
  if (open.includes(0)) return refuse('conflict', { reason: 'unavailable' });
  return {
    applicationId: actor.applicationId,
    quoteId: resourceId,
    listingId: listing.listingId,
    checkIn: body.checkIn,
    checkOut: body.checkOut,
    party,
    charges,
    terms: {
      version: published.termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: cancellationInstants(listing, stay, charges, now),
    },
  };
}

/**
 * Writes a new quote without a read first; the kernel looks for an existing one only after a refusal.
 * A repeat returns the stored quote even if the dates have passed or the listing no longer exists.
 * Spec: Per-operation shapes, quotes; Endpoints, common rule 5.
 */
export const createQuote = createFirst('reservation.quote.create', {
  notFound: 'There is no home with this listingId.',
  inputOf({ body }) {
    const { quoteId: _, party, ...rest } = body;
    return { ...rest, party: normaliseParty(party) };
  },
  async load(call) {
    const { context, body } = call;
    const published = catalogOf(call).find(body.listingId);
    const timeZone = published?.listing.timeZone ?? null;
    const fields = await decideInTime(
      context,
      (now) => stayInputRefusal(stayOf(body), todayAt(now, timeZone)),
      (wrong) => wrong.length > 0,
    );
    return fields.length > 0 ? refuse('invalid_input', { fields }) : published;
  },
  decide: (call, published) =>
    decideInTime(
      call.context,
      (now) => decideQuote(call, published, now),
      // Only these refusals depend on today's date at the property.
      (decided) => isRefusal(decided) && decided.refused === 'policy_restricted',
    ),
  async write({ context, actor, inputDigest }, decided) {
    const quote = await insertQuote(context.executor, decided, inputDigest);
    if (!quote) return again;
    context.recent.quotes.remember(actor.applicationId, quote.quoteId, quote);
    return quote;
  },
  reply: (_call, quote) => ({ status: 201, body: quoteView(quote) }),
  async findExisting({ context, actor, resourceId }) {
    const found = await findQuote(context.executor, actor.applicationId, resourceId);
    return found && { existingDigest: found.inputDigest, quote: found.quote };
  },
  repeat: (_call, { quote }) => ({ status: 200, body: quoteView(quote) }),
});
