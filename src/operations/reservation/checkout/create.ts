import { newSession, sessionCapability } from '../../../access/index.ts';
import { refuse, refuseBecause } from '../../../contract/errors.ts';
import type { CreatedCheckout } from '../../../contract/schemas/checkout.ts';
import type { Session } from '../../../db/booking-row.ts';
import { insertBooking } from '../../../db/bookings.ts';
import { findCheckout } from '../../../db/checkouts.ts';
import { findQuoteToBook } from '../../../db/quotes.ts';
import type { Checkout, EpochMs, Quote } from '../../../domain/booking.ts';
import type { Answer, Call, House, Operation } from '../../call.ts';
import { inputDigest } from '../../identity.ts';
import { checkoutView, versionTag } from './view.ts';

type CreateCall = Call<'reservation.checkout.create'>;

function newCheckout(call: CreateCall, quote: Quote, present: EpochMs): Checkout {
  return {
    kind: 'checkout',
    applicationId: call.application.applicationId,
    bookingId: call.resourceId,
    quote,
    settlement: call.application.settlement,
    version: 1,
    state: 'needs_guest',
    guest: null,
    charges: quote.charges,
    terms: quote.terms,
    failureReason: null,
    reference: null,
    attemptId: '',
    submittedAt: null,
    resolvedAt: null,
    createdAt: present,
    updatedAt: present,
    promotionCode: null,
    paymentSetup: null,
    paymentMethodId: null,
  };
}

/** With the capability while no command has moved it, so that a lost answer does not lose it. */
function createdView(
  house: House,
  checkout: Checkout,
  session: Session,
  present: EpochMs,
): CreatedCheckout {
  const view = checkoutView(house, checkout, present);
  if (checkout.version > 1) return view;
  const owner = { applicationId: checkout.applicationId, checkoutId: checkout.bookingId };
  return {
    ...view,
    sessionCapability: sessionCapability(house.executor.vault, owner, session),
    sessionExpiresAt: new Date(session.expiresAt).toISOString(),
  };
}

/** The checkout as it is now. */
async function repeated(
  house: House,
  call: CreateCall,
): Promise<Answer<'reservation.checkout.create'>> {
  call.exempt();
  const { applicationId } = call.application;
  const found = await findCheckout(house.executor, applicationId, call.resourceId);
  if (!found) throw new Error('a checkout is never deleted');
  const { checkout, session, present } = found;
  const body = createdView(house, checkout, session, present);
  return { status: 200, body, etag: versionTag(checkout.version) };
}

/** Writes the checkout. Null: its ID or its quote is taken, or the quote has ended. */
async function written(
  house: House,
  call: CreateCall,
  { quote, present }: { quote: Quote; present: EpochMs },
  digest: Buffer,
): Promise<Answer<'reservation.checkout.create'> | null> {
  const checkout = newCheckout(call, quote, present);
  const session = newSession(present);
  if (!(await insertBooking(house.executor, checkout, digest, session))) return null;
  house.recent.checkouts.remember(checkout.applicationId, checkout.bookingId, {
    checkout,
    session,
  });
  const body = createdView(house, checkout, session, present);
  return { status: 201, body, etag: versionTag(checkout.version) };
}

/** On a quote that this process made lately. Null: the database is to be asked. */
async function createdAtOnce(
  house: House,
  call: CreateCall,
  digest: Buffer,
): Promise<Answer<'reservation.checkout.create'> | null> {
  const { applicationId } = call.application;
  const quote = house.recent.quotes.find(applicationId, call.body.quoteId);
  if (!quote || call.meter()) return null;
  return written(house, call, { quote, present: house.now() }, digest);
}

/** Spec: Per-operation shapes, checkouts. */
export const createCheckout: Operation<'reservation.checkout.create'> = async (house, call) => {
  const { executor } = house;
  const { applicationId } = call.application;
  const { quoteId } = call.body;
  const digest = inputDigest(executor.vault, { quoteId });
  const atOnce = await createdAtOnce(house, call, digest);
  if (atOnce) return atOnce;

  for (;;) {
    const asked = await findQuoteToBook(executor, applicationId, {
      quoteId,
      kind: 'checkout',
      bookingId: call.resourceId,
    });
    if (!asked) return refuseBecause('not_found', 'There is no quote with this quoteId.');
    if (asked.existingDigest?.equals(digest)) return repeated(house, call);
    const over = call.meter();
    if (over) return over;
    if (asked.existingDigest) return refuse('conflict', { reason: 'different_input' });
    if (asked.quoteUsed) return refuse('conflict', { reason: 'quote_used' });
    if (asked.present >= asked.quote.expiresAt) return refuse('quote_expired');
    const made = await written(house, call, asked, digest);
    if (made) return made;
  }
};
