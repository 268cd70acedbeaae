import { isRefusal, refuse, type Refusal } from '../../../contract/errors.ts';
import { findCheckoutStatus, type FoundCheckout } from '../../../db/checkouts.ts';
import { findPromotion } from '../../../db/promotions.ts';
import type { BookingChange, Checkout } from '../../../domain/booking.ts';
import { todayAt } from '../../../domain/calendar-date.ts';
import { cancellationInstants } from '../../../domain/cancellation.ts';
import { decideApplyPromo } from '../../../domain/checkout.ts';
import { priceStay, samePrice } from '../../../domain/pricing.ts';
import { canonicalCode, promotionRefusal } from '../../../domain/promotion.ts';
import type { House, Operation } from '../../call.ts';
import { stayOf } from '../../stay-input.ts';
import { runCommand, type CommandRules } from './command.ts';
import { checkoutView, versionTag } from './view.ts';

/** Whether the checkout was moved since it was read: by this very command, perhaps, sent twice at once. */
async function isOvertaken(
  { executor }: House,
  { applicationId, bookingId, version }: Checkout,
): Promise<boolean> {
  const found = await findCheckoutStatus(executor, applicationId, bookingId);
  return found?.checkout.version !== version;
}

async function decide(
  house: House,
  { checkout, present }: FoundCheckout,
  code: string,
): Promise<BookingChange<Checkout> | Refusal<'policy_restricted'> | 'overtaken'> {
  const found = await findPromotion(house.executor, code);
  if (!found) return refuse('policy_restricted', { reason: 'promotion_unknown' });
  const { quote } = checkout;
  const sold = house.catalog.current().find(quote.listingId);
  if (!sold) return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
  const { listing } = sold;
  const stay = stayOf(quote);
  // A use that this checkout holds already does not count against it.
  const { promotion } = found;
  const uses = found.uses - (checkout.promotionCode === promotion.code ? 1 : 0);
  const reason = promotionRefusal(promotion, { listing, stay, now: present, uses });
  if (reason) {
    // The uses were read after the checkout, and one of them may be its own by now.
    if (await isOvertaken(house, checkout)) return 'overtaken';
    return refuse('policy_restricted', { reason });
  }
  const today = todayAt(present, listing.timeZone);
  // A promotion comes off the price that was quoted: with other rates there is nothing to take it off.
  const priced = priceStay(listing, stay, quote.party, { today });
  const charges = priceStay(listing, stay, quote.party, { today, promotion });
  if (!priced || !charges || !samePrice(priced, quote.charges)) {
    return refuse('policy_restricted', { reason: 'promotion_not_applicable' });
  }
  const cancellation = cancellationInstants(listing, stay, charges, present);
  return decideApplyPromo(checkout, promotion.code, { charges, cancellation }, present);
}

/** The largest number of uses is kept by the database. Spec: applyPromo. */
export const applyPromo: Operation<'reservation.checkout.applyPromo'> = async (house, call) => {
  const code = canonicalCode(call.body.code);
  const rules: CommandRules<Refusal<'policy_restricted'>> = {
    decide: (found) => decide(house, found, code),
    promotionUsedUp: refuse('policy_restricted', { reason: 'promotion_ended' }),
  };
  // A repeat may spell the code in another way.
  const meant = { ...call, body: { ...call.body, code } };
  const done = await runCommand(house, 'reservation.checkout.applyPromo', meant, rules);
  if (isRefusal(done)) return done;
  const body = checkoutView(house, done.checkout, done.present);
  return { status: 200, body, etag: versionTag(body.version) };
};
