import { again, type Again } from '../../api/operation.ts';
import { refuse, type Refusal } from '../../contract/errors.ts';
import { findCheckoutStatus } from '../store/checkouts.ts';
import { catalogOf, findPromotion } from '../../catalog/index.ts';
import type { BookingChange, Checkout } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  cancellationInstants,
  cardCharges,
  canonicalCode,
  priceStay,
  promotionRefusal,
  samePrice,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import { decideApplyPromo } from '../rules/checkout.ts';
import type { BookingContext } from '../context.ts';
import { checkoutCommand, type CheckoutCall } from './checkout-command.ts';
import { checkoutAnswer } from './checkout-view.ts';

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
  const code = canonicalCode(body.code);
  const found = await findPromotion(context.executor, actor.application.catalogId, code);
  if (!found) return refuse('policy_restricted', { reason: 'promotion_unknown' });
  const { quote } = checkout;
  const published = catalogOf(call).find(quote.listingId);
  if (!published) return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
  const { listing } = published;
  const stay = stayOf(quote);
  // A use that this checkout already holds does not count against it.
  const { promotion } = found;
  const uses = found.uses - (checkout.promotionCode === promotion.code ? 1 : 0);
  const reason = found.withdrawn
    ? 'promotion_ended'
    : promotionRefusal(promotion, { listing, stay, now, uses });
  if (reason) {
    // The uses were read after the checkout, so one of them may now be its own.
    if (await isOvertaken(context, checkout)) return again;
    return refuse('policy_restricted', { reason });
  }
  const today = todayAt(now, listing.timeZone);
  // A promotion reduces the quoted price, so the rates must still be the same.
  const quotedOn = todayAt(quote.createdAt, listing.timeZone);
  const options = { today, quotedOn, adjustmentPercent: actor.application.adjustPercent };
  const priced = priceStay(listing, stay, quote.party, options);
  const reduced = priceStay(listing, stay, quote.party, { ...options, promotion });
  const charges = reduced && checkout.settlement === 'card' ? cardCharges(reduced, today) : reduced;
  if (!priced || !charges || !samePrice(priced, quote.charges)) {
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
