import { again, type Again } from '../../api/operation.ts';
import { refuse, type Refusal } from '../../contract/errors.ts';
import { findCheckoutStatus } from '../store/checkouts.ts';
import { catalogOf, metBy } from '../../catalog/index.ts';
import { type BookingChange, type Checkout, withoutPromotion } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  cancellationInstants,
  cardCharges,
  canonicalCode,
  priceStay,
  samePrice,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { decideApplyPromo } from '../rules/checkout.ts';
import type { BookingContext } from '../context.ts';
import { checkoutCommand, type CheckoutCall } from './checkout-command.ts';
import { checkoutAnswer } from './checkout-view.ts';
import { findPromotionUse } from './find-promotion-use.ts';

/** Whether the checkout has changed since it was read, for example by the same command sent twice. */
async function isOvertaken(
  { executor }: BookingContext,
  { applicationId, bookingId, version }: Checkout,
): Promise<boolean> {
  const found = await findCheckoutStatus(executor, applicationId, bookingId);
  return found?.checkout.version !== version;
}

async function decide(
  call: CheckoutCall<'reservation.checkout.applyPromo'>,
  checkout: Checkout,
  now: EpochMs,
): Promise<BookingChange<Checkout> | Refusal<'policy_restricted'> | Again> {
  const { context, actor, body } = call;
  const { quote } = checkout;
  const published = catalogOf(call).find(quote.listingId);
  const listing = published && metBy(actor, published).listing;
  const stay = stayOf(quote);
  const { catalogId } = actor.application;
  const wanted = { listing, stay, now, held: checkout.promotionCode };
  const promotion = await findPromotionUse(context.executor, catalogId, body.code, wanted);
  if (typeof promotion === 'string' || !listing) {
    // The uses were read after the checkout, so one of them may now be its own.
    if (await isOvertaken(context, checkout)) return again;
    const reason = typeof promotion === 'string' ? promotion : 'promotion_not_applicable';
    return refuse('policy_restricted', { reason });
  }
  const today = todayAt(now, listing.timeZone);
  // A promotion reduces the quoted price, so the rates must still be the same.
  const quotedOn = todayAt(quote.createdAt, listing.timeZone);
  const options = { today, quotedOn, adjustmentPercent: actor.application.adjustPercent };
  const priced = priceStay(listing, stay, quote.party, options);
  const reduced = priceStay(listing, stay, quote.party, { ...options, promotion });
  const charges = reduced && checkout.settlement === 'card' ? cardCharges(reduced, today) : reduced;
  if (!priced || !charges || !samePrice(priced, withoutPromotion(quote).charges)) {
    return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
  }
  const cancellation = cancellationInstants(listing, stay, charges, {
    from: now,
    quotedAt: quote.createdAt,
  });
  return decideApplyPromo(checkout, promotion.code, { charges, cancellation }, now);
}

/** The database enforces the maximum number of uses. Spec: PROMOTION-3. */
export const applyPromo = checkoutCommand('reservation.checkout.applyPromo', {
  // A repeat may write the code differently.
  inputOf: ({ body }) => ({ code: canonicalCode(body.code) }),
  decide,
  promotionUsedUp: refuse('policy_restricted', { reason: 'promotion_ended' }),
  reply: ({ context }, { checkout, now }) => checkoutAnswer(context, checkout, now),
});
