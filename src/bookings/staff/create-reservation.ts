import type { OperatorBodyOf, OperatorReplyOf } from '../../contract/operator/operations.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { newSessionNonce } from '../../access/index.ts';
import { homeFor, type PublishedListing, readPublished } from '../../catalog/index.ts';
import { isRefusal, refuse, type InvalidField, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { EpochMs } from '../../contract/time.ts';
import { isTaken, takenNights } from '../../inventory/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import {
  acceptedPolicies,
  cancellationInstants,
  cardCharges,
  dateText,
  depositOf,
  fillsGapExactly,
  nightsOf,
  normaliseParty,
  type Party,
  partyProblems,
  priceStay,
  type Promotion,
  type Stay,
  stayInputRefusal,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { findPromotionUse } from '../operations/find-promotion-use.ts';
import type { BookingChange, Checkout } from '../rules/booking.ts';
import { brokenRule } from '../rules/broken-rule.ts';
import { newCheckout } from '../rules/new-checkout.ts';
import { referenceFrom } from '../rules/reference.ts';
import { decideResolution } from '../rules/resolution.ts';
import { decideSubmitByStaff, paidAtProperty } from '../rules/staff-reservation.ts';
import { insertCheckout, isToDecideAgain, transitionBooking } from '../store/bookings.ts';
import { insertQuote, type NewQuote } from '../store/quotes.ts';
import { onFreshData, OvertakenError, type StaffContext } from './context.ts';
import { reservationsDesk } from './reservations-desk.ts';

/** What somebody who phones wants to book. */
export type NewReservation = OperatorBodyOf<'operator.reservation.create'> & {
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
};

/** A reservation of staff, made or as a preview. */
export type CreatedReservation = Omit<
  OperatorReplyOf<'operator.reservation.create'>['body'],
  'url'
>;

type OfferRefusal = Refusal<'invalid_input' | 'not_found' | 'policy_restricted' | 'conflict'>;

/** What is wanted, with the home as its catalog sells it. */
interface Wanted {
  catalogId: string;
  published: PublishedListing;
  stay: Stay;
  party: Party;
  now: EpochMs;
}

/** A stay with its price, that can be booked now. */
interface Offer extends Wanted {
  charges: Charges;
  /** Without the promotion; null: there is none. */
  promoted: { code: string; charges: Charges } | null;
}

const timeStatement: Statement = { name: 'time-of-database', text: 'SELECT now() AS now' };

/** The home in the catalog that sells it; of several, always the same one. */
async function wantedOf(
  executor: Executor,
  { listing: name, party, ...dates }: NewReservation,
): Promise<Wanted | Refusal<'conflict' | 'not_found'>> {
  const [time] = await executor.query<{ now: EpochMs }>(timeStatement);
  const stored = await homeFor(executor, name);
  if (isRefusal(stored)) return stored;
  const { home, places } = stored;
  const [catalogId] = places.map((place) => place.catalogId).toSorted();
  const listingId = home.listingId!;
  const published =
    catalogId === undefined
      ? undefined
      : await readPublished(executor, { baseUrl: '' }, catalogId, listingId);
  if (catalogId === undefined || !published) {
    return refuseConflict(`No catalog sells ${home.slug}.`);
  }
  const stay = stayOf(dates);
  return { catalogId, published, stay, party: normaliseParty(party), now: time!.now };
}

function faultsOf({ party }: NewReservation, { stay, published, now }: Wanted): InvalidField[] {
  const today = todayAt(now, published.listing.timeZone);
  return [...stayInputRefusal(stay, today), ...partyProblems(party)];
}

function chargesOf(
  { published: { listing }, stay, party, now }: Wanted,
  { pay = 'outside', checkIn }: NewReservation,
  promotion: Promotion | null,
): Charges | null {
  const today = todayAt(now, listing.timeZone);
  const priced = priceStay(listing, stay, party, { today, adjustmentPercent: 0, promotion });
  if (!priced || pay === 'outside') return priced;
  return pay === 'property' ? paidAtProperty(priced, checkIn) : cardCharges(priced, today);
}

const notPriced = refuse('policy_restricted', { reason: 'not_priced' });

/** The price, reduced by the promotion if one is wanted. */
async function pricesOf(
  executor: Executor,
  input: NewReservation,
  wanted: Wanted,
): Promise<Pick<Offer, 'charges' | 'promoted'> | Refusal<'policy_restricted'>> {
  const charges = chargesOf(wanted, input, null);
  if (!charges) return notPriced;
  if (input.promotionCode === undefined) return { charges, promoted: null };
  const { catalogId, published, stay, now } = wanted;
  const use = { listing: published.listing, stay, now, held: null };
  const promotion = await findPromotionUse(executor, catalogId, input.promotionCode, use);
  if (typeof promotion === 'string') return refuse('policy_restricted', { reason: promotion });
  const reduced = chargesOf(wanted, input, promotion);
  if (!reduced) return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
  return { charges: reduced, promoted: { code: promotion.code, charges } };
}

/** Reads what has the nights around a stay. */
async function nightsAround({ supplyOn }: StaffContext, executor: Executor, wanted: Wanted) {
  const { published, stay } = wanted;
  const { listingId, stayRules } = published.listing;
  const { preparationNights = 0 } = stayRules;
  const from = stay.checkIn - 1;
  const signal = AbortSignal.timeout(5_000);
  const states = await supplyOn(executor).openNights(
    listingId,
    from,
    nightsOf(stay) + 2 + preparationNights,
    signal,
  );
  const nights = { from, states };
  const taken = takenNights(nights, stay, preparationNights);
  const fillsGap =
    taken.length === 0 && fillsGapExactly(stay, stayRules, (night) => isTaken(nights, night));
  return { taken: taken.map(dateText), fillsGap };
}

const soldOut = (slug: string, nights: string[]): Refusal<'conflict'> => ({
  ...refuse('conflict', { reason: 'unavailable', nights }),
  message: `${slug} is not free: ${nights.join(', ') || 'somebody was faster'}. Nothing was kept.`,
});

/** Decides whether a stay can be booked, and at which price. Rules come before nights. Spec: RESERVATION-9. */
async function offerOf(
  context: StaffContext,
  input: NewReservation,
): Promise<Offer | OfferRefusal> {
  const { database } = context;
  const wanted = await wantedOf(database, input);
  if (isRefusal(wanted)) return wanted;
  const fields = faultsOf(input, wanted);
  if (fields.length > 0) return refuse('invalid_input', { fields });
  const { taken, fillsGap } = await nightsAround(context, database, wanted);
  const { listing } = wanted.published;
  const broken = input.ignoreRules ? null : brokenRule({ ...wanted, listing }, () => fillsGap);
  if (broken) return broken;
  const prices = await pricesOf(database, input, wanted);
  if (isRefusal(prices)) return prices;
  if (taken.length > 0) return soldOut(listing.slug, taken);
  const { total, currency } = prices.charges;
  if (input.expectedTotal !== undefined && input.expectedTotal !== total) {
    const was = input.expectedTotal;
    return {
      refused: 'conflict',
      message: `The total is ${total} ${currency} in minor units, not ${was}. Nothing was kept.`,
      details: { reason: 'price_changed', was, now: total },
    };
  }
  return { ...wanted, ...prices };
}

function quoteOf(offer: Offer, applicationId: string, input: NewReservation): NewQuote {
  const { published, stay, party, charges, promoted, now } = offer;
  const { listing, termsVersion } = published;
  const cancellationOf = (of: Charges) =>
    cancellationInstants(listing, stay, of, { from: now, quotedAt: now });
  return {
    applicationId,
    quoteId: randomUUID(),
    listingId: listing.listingId,
    checkIn: input.checkIn,
    checkOut: input.checkOut,
    party,
    charges,
    terms: {
      version: termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: cancellationOf(charges),
      securityDeposit: depositOf(listing, stay),
    },
    promotion: promoted && {
      code: promoted.code,
      charges: promoted.charges,
      cancellation: cancellationOf(promoted.charges),
    },
    decidedAt: now,
  };
}

const usedUp = refuse('policy_restricted', { reason: 'promotion_ended' });
const digest = (): Buffer => randomBytes(32);

/** Writes the quote and its checkout. No card is asked for. */
async function insertBooking(
  executor: Executor,
  offer: Offer,
  applicationId: string,
  input: NewReservation,
): Promise<Checkout | Refusal<'policy_restricted'>> {
  const quote = await insertQuote(executor, quoteOf(offer, applicationId, input), digest(), null);
  if (!quote) throw new OvertakenError();
  const made = newCheckout(quote, {
    applicationId,
    bookingId: randomUUID(),
    settlement: 'card',
    partnerReference: null,
  });
  const written = await insertCheckout(executor, made, digest(), newSessionNonce());
  if (written === 'promotion_used_up') return usedUp;
  if (!written) throw new OvertakenError();
  return written.checkout;
}

async function transition(executor: Executor, change: BookingChange): Promise<void> {
  const verdict = await transitionBooking(executor, change, {}).catch((error: unknown) => {
    throw isToDecideAgain(error) ? new OvertakenError() : error;
  });
  if (verdict !== 'written') throw new OvertakenError();
}

/** Within a transaction: quote, checkout, nights, reservation; a refusal undoes all of it. */
async function bookOffer(
  { supplyOn }: StaffContext,
  executor: Executor,
  offer: Offer,
  applicationId: string,
  input: NewReservation,
): Promise<Checkout | Refusal<'policy_restricted' | 'conflict'>> {
  const checkout = await insertBooking(executor, offer, applicationId, input);
  if (isRefusal(checkout)) return checkout;
  const submitted = decideSubmitByStaff(checkout, input.guest, checkout.createdAt);
  await transition(executor, submitted);
  const supply = supplyOn(executor);
  const signal = AbortSignal.timeout(5_000);
  const held = await supply.hold(submitted.next, null, signal);
  if (held.outcome === 'unknown') throw new OvertakenError();
  const { slug } = offer.published.listing;
  if (held.outcome === 'refused') return soldOut(slug, []);
  const confirmed = await supply.confirm(submitted.next, signal);
  if (confirmed.outcome !== 'done') return soldOut(slug, []);
  const made = decideResolution(
    submitted.next,
    { result: 'made', announced: null },
    {
      reference: referenceFrom(randomBytes(5)),
      now: checkout.createdAt,
      reconcileInSeconds: 0,
      keepsNights: true,
    },
  )!;
  await transition(executor, made);
  return made.next as Checkout;
}

const viewOf = (
  { currency, total, dueNow, schedule, lines }: Charges,
  reference: string | null,
): CreatedReservation => ({ reference, currency, total, dueNow, schedule, lines });

/**
 * Makes a reservation for somebody who phones, by the same quote, rules, nights and constraint as partners. Nothing is
 * collected by itself. Spec: RESERVATION-9.
 */
export async function createReservation(
  context: StaffContext,
  actor: string,
  input: NewReservation,
): Promise<CreatedReservation | OfferRefusal> {
  const { database } = context;
  if (!context.supplyOn(database).keepsNights) {
    return refuseConflict('In the simulation, only partners make reservations.');
  }
  return onFreshData(async () => {
    const offer = await offerOf(context, input);
    if (isRefusal(offer)) return offer;
    if (input.dryRun) return viewOf(offer.charges, null);
    const applicationId = await reservationsDesk(database, actor, offer.catalogId);
    const booked = await auditedChange(
      database,
      (executor) => bookOffer(context, executor, offer, applicationId, input),
      ({ reference, quote, charges, bookingId }) => ({
        actor,
        action: 'reservation.create',
        applicationId,
        reference: reference!,
        details: {
          reason: input.reason,
          checkoutId: bookingId,
          stay: { listingId: quote.listingId, checkIn: quote.checkIn, checkOut: quote.checkOut },
          party: quote.party,
          total: { amount: charges.total, currency: charges.currency },
          pay: input.pay ?? 'outside',
          ignoredRules: input.ignoreRules ?? false,
          promotionCode: input.promotionCode ?? null,
        },
      }),
    );
    if (isRefusal(booked)) return booked;
    context.wakeDeliverer(applicationId);
    return viewOf(booked.charges, booked.reference);
  });
}
