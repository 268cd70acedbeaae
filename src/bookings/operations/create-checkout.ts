import { newSession, sessionCapability, type Session } from '../../access/index.ts';
import { again } from '../../api/operation.ts';
import { refuse } from '../../contract/errors.ts';
import type { CreatedCheckout } from '../../contract/partner/schemas/checkout.ts';
import { insertBooking } from '../store/bookings.ts';
import { findCheckout } from '../store/checkouts.ts';
import { findQuoteToBook, type QuoteToBook } from '../store/quotes.ts';
import type { Checkout, Quote } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import { type BookingContext } from '../context.ts';
import { create, type BookingCreateCall } from '../context.ts';
import { checkoutView, versionTag } from './checkout-view.ts';

type CreateCall = BookingCreateCall<'reservation.checkout.create'>;

function newCheckout(
  { actor: { application }, resourceId }: CreateCall,
  quote: Quote,
  now: EpochMs,
): Checkout {
  return {
    kind: 'checkout',
    applicationId: application.applicationId,
    bookingId: resourceId,
    quote,
    settlement: application.settlement,
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
    createdAt: now,
    updatedAt: now,
    promotionCode: null,
    paymentSetup: null,
    paymentMethodId: null,
  };
}

/** Includes the session capability until the first command, so that a repeat after a lost response returns it. */
function createdView(
  context: BookingContext,
  checkout: Checkout,
  session: Session,
  now: EpochMs,
): CreatedCheckout {
  const view = checkoutView(context, checkout, now);
  if (checkout.version > 1) return view;
  const owner = { applicationId: checkout.applicationId, checkoutId: checkout.bookingId };
  return {
    ...view,
    sessionCapability: sessionCapability(context.executor.vault, owner, session),
    sessionExpiresAt: new Date(session.expiresAt).toISOString(),
  };
}

/** The quote, if this process created it recently. */
function rememberedQuote({ context, actor, body }: CreateCall): QuoteToBook | null {
  const quote = context.recent.quotes.find(actor.applicationId, body.quoteId);
  if (!quote) return null;
  const unused = { existingDigest: null, quoteUsed: false, partnerReferenceUsed: false };
  return { quote, now: context.now(), ...unused };
}

/** Spec: Per-operation shapes, checkouts. */
export const createCheckout = create('reservation.checkout.create', {
  notFound: 'There is no quote with this quoteId.',
  remembered: rememberedQuote,
  load: ({ context, actor, resourceId, body }) =>
    findQuoteToBook(context.executor, actor.applicationId, {
      quoteId: body.quoteId,
      kind: 'checkout',
      bookingId: resourceId,
    }),
  decide(call, { quote, now, quoteUsed }) {
    if (quoteUsed) return refuse('conflict', { reason: 'quote_used' });
    if (now >= quote.expiresAt) return refuse('quote_expired');
    return { checkout: newCheckout(call, quote, now), session: newSession(now), now };
  },
  async write({ context, inputDigest }, created) {
    const { checkout, session } = created;
    if (!(await insertBooking(context.executor, checkout, inputDigest, session))) return again;
    context.recent.checkouts.remember(checkout.applicationId, checkout.bookingId, {
      checkout,
      session,
    });
    return created;
  },
  reply: ({ context }, { checkout, session, now }) => ({
    status: 201,
    body: createdView(context, checkout, session, now),
    etag: versionTag(checkout.version),
  }),
  async repeat({ context, actor, resourceId }) {
    const found = await findCheckout(context.executor, actor.applicationId, resourceId);
    if (!found) throw new Error('a checkout is never deleted');
    const { checkout, session, now } = found;
    const body = createdView(context, checkout, session, now);
    return { status: 200, body, etag: versionTag(checkout.version) };
  },
});
