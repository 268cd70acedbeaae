import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import { findQuote, insertQuote, type NewQuote } from '../store/quotes.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  acceptedPolicies,
  cancellationInstants,
  canonicalCode,
  cardCharges,
  type Listing,
  comparableParty,
  depositOf,
  normaliseParty,
  partyProblems,
  priceStay,
  type Promotion,
  stayInputRefusal,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { writeInTime } from '../../platform/clock.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import {
  catalogOf,
  followTold,
  untilKnown,
  type PublishedListing,
  metBy,
} from '../../catalog/index.ts';
import { again } from '../../api/operation.ts';
import { decideInTime } from '../../inventory/index.ts';
import { createFirst, type BookingCreateCall } from '../context.ts';
import type { WantedStay } from './alternatives.ts';
import { decideBookable, takenRefusal, withAlternatives } from './bookable-stay.ts';
import { findPromotionUse } from './find-promotion-use.ts';
import { quoteView } from './quote-view.ts';

type CreateCall = BookingCreateCall<'reservation.quote.create'>;

const wantedOf = ({ actor, body }: CreateCall, listing: Listing, now: EpochMs): WantedStay => ({
  listing,
  stay: stayOf(body),
  party: normaliseParty(body.party),
  now,
  adjustmentPercent: actor.application.adjustPercent,
});

/** The charges of a stay for the application that asks; null: it has none. */
function chargesOf(
  { actor }: CreateCall,
  { listing, stay, party, now }: WantedStay,
  promotion: Promotion | null = null,
): Charges | null {
  const today = todayAt(now, listing.timeZone);
  const { adjustPercent: adjustmentPercent, settlement } = actor.application;
  const priced = priceStay(listing, stay, party, { today, adjustmentPercent, promotion });
  return priced && settlement === 'card' ? cardCharges(priced, today) : priced;
}

/** The promotion of the code that the call names, with the reduced charges; null: it names none. */
async function promotionOf(
  call: CreateCall,
  wanted: WantedStay,
): Promise<{ promotion: Promotion; charges: Charges } | Refusal<'policy_restricted'> | null> {
  const { context, actor, body } = call;
  if (body.promotionCode === undefined) return null;
  const { catalogId } = actor.application;
  const use = { ...wanted, held: null };
  const promotion = await findPromotionUse(context.executor, catalogId, body.promotionCode, use);
  if (typeof promotion === 'string') return refuse('policy_restricted', { reason: promotion });
  const charges = chargesOf(call, wanted, promotion);
  if (charges) return { promotion, charges };
  return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
}

/** Decides a quote for this stay. Party and stay rules come before availability. Spec: QUOTE-2, QUOTE-6. */
async function decideQuote(
  call: CreateCall,
  published: PublishedListing,
  now: EpochMs,
): Promise<NewQuote | Refusal<'policy_restricted' | 'conflict' | 'unavailable'>> {
  const { actor, resourceId, body } = call;
  const { listing } = published;
  const wanted = wantedOf(call, listing, now);
  const { stay, party } = wanted;
  const charges = chargesOf(call, wanted);
  const bookable = await decideBookable(call.context, wanted, charges !== null);
  if (isRefusal(bookable)) return bookable;
  if (!charges) throw new Error('a stay without a price is refused');
  const promoted = await promotionOf(call, wanted);
  if (isRefusal(promoted)) return promoted;
  const taken = takenRefusal(bookable.taken);
  if (taken) return taken;
  const cancellationOf = (of: Charges) =>
    cancellationInstants(listing, stay, of, { from: now, quotedAt: now });
  const cancellation = cancellationOf(charges);
  return {
    applicationId: actor.applicationId,
    quoteId: resourceId,
    listingId: listing.listingId,
    checkIn: body.checkIn,
    checkOut: body.checkOut,
    party,
    charges: promoted?.charges ?? charges,
    terms: {
      version: published.termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: promoted ? cancellationOf(promoted.charges) : cancellation,
      securityDeposit: depositOf(listing, stay),
    },
    promotion: promoted && { code: promoted.promotion.code, charges, cancellation },
    decidedAt: now,
  };
}

/**
 * Writes a new quote without a read first; the kernel looks for an existing one only after a refusal.
 * A repeat returns the stored quote even if the dates have passed or the listing no longer exists.
 * Spec: QUOTE-1, REPEAT-6.
 */
export const createQuote = createFirst('reservation.quote.create', {
  notFound: 'There is no home with this listingId.',
  inputOf({ body }) {
    const { quoteId: _, party, promotionCode, ...rest } = body;
    return {
      ...rest,
      party: comparableParty(normaliseParty(party)),
      // A repeat may write the code differently.
      ...(promotionCode !== undefined && { promotionCode: canonicalCode(promotionCode) }),
    };
  },
  async load(call) {
    const { context, actor, body } = call;
    const tooOld = await followTold(context);
    if (tooOld) return tooOld;
    // The database may have been replaced since the call was admitted.
    await untilKnown(context.catalog, actor.application.catalogId);
    const found = catalogOf(call).find(body.listingId);
    const published = found && metBy(actor, found);
    const server = context.catalog.server();
    const timeZone = published?.listing.timeZone ?? null;
    const fields = await decideInTime(
      context,
      (now) => [
        ...stayInputRefusal(stayOf(body), todayAt(now, timeZone)),
        ...partyProblems(body.party),
      ],
      (wrong) => wrong.length > 0,
    );
    return fields.length > 0
      ? refuse('invalid_input', { fields })
      : published && { ...published, server };
  },
  async decide(call, published) {
    const decided = await decideInTime(
      call.context,
      (now) => decideQuote(call, published, now),
      // Only these refusals depend on today's date at the property.
      (one) => isRefusal(one) && one.refused === 'policy_restricted',
    );
    const answered = await withAlternatives(call.context, decided, (now) =>
      wantedOf(call, published.listing, now),
    );
    return isRefusal(answered) ? answered : { quote: answered, server: published.server };
  },
  async write({ context, actor, inputDigest }, decided) {
    const { quote: priced, server } = decided;
    const quote = await writeInTime(context, (line) =>
      insertQuote(context.executor, priced, inputDigest, server, line),
    );
    if (!quote) {
      const { catalog } = context;
      const isSame = catalog.has(actor.application.catalogId) && catalog.server() === server;
      // Its price may no longer exist.
      if (!isSame) throw new DatabaseUnavailableError('the database is another one now');
      return again;
    }
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
