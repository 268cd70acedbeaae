import { newSessionNonce, sessionCapability, type Session } from '../../access/index.ts';
import { again } from '../../api/operation.ts';
import { refuse } from '../../contract/errors.ts';
import type { CreatedCheckout } from '../../contract/partner/schemas/checkout.ts';
import { newCheckout } from '../rules/new-checkout.ts';
import { insertCheckout } from '../store/bookings.ts';
import { writeInTime } from '../../platform/clock.ts';
import { findCheckout } from '../store/checkouts.ts';
import { findQuoteToBook, type QuoteToBook } from '../store/quotes.ts';
import type { Checkout, Quote } from '../rules/booking.ts';
import { quoteRefusal } from '../rules/quote.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { BookingContext } from '../context.ts';
import { create, type BookingCreateCall } from '../context.ts';
import { checkoutView, versionTag } from './checkout-view.ts';

const usedUp = refuse('policy_restricted', { reason: 'promotion_ended' });

type CreateCall = BookingCreateCall<'reservation.checkout.create'>;

const checkoutOf = ({ actor: { application }, resourceId, body }: CreateCall, quote: Quote) =>
  newCheckout(quote, {
    applicationId: application.applicationId,
    bookingId: resourceId,
    settlement: application.settlement,
    partnerReference: body.partnerReference ?? null,
  });

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
    sessionExpiresAt: instant(session.expiresAt),
  };
}

/** The quote, if this process created it recently. */
function rememberedQuote({ context, actor, body }: CreateCall): QuoteToBook | null {
  const quote = context.recent.quotes.find(actor.applicationId, body.quoteId);
  if (!quote) return null;
  const unused = { existingDigest: null, usedBy: null, referenceOf: null };
  return { quote, now: context.now(), ...unused };
}

/** Spec: QUOTE-3, SESSION-3. */
export const createCheckout = create('reservation.checkout.create', {
  notFound: 'There is no quote with this quoteId.',
  remembered: rememberedQuote,
  load: ({ context, actor, resourceId, body }) =>
    findQuoteToBook(context.executor, actor.applicationId, {
      quoteId: body.quoteId,
      kind: 'checkout',
      bookingId: resourceId,
    }),
  alive: (_call, found) => quoteRefusal(found),
  decide: (call, { quote }) => checkoutOf(call, quote),
  async write({ context, inputDigest }, made) {
    const nonce = newSessionNonce();
    const written = await writeInTime(context, (line) =>
      insertCheckout(context.executor, made, inputDigest, nonce, line),
    );
    if (!written) return again;
    if (written === 'promotion_used_up') return usedUp;
    context.recent.checkouts.remember(made.applicationId, made.bookingId, written);
    return written;
  },
  reply: ({ context }, { checkout, session }) => ({
    status: 201,
    body: createdView(context, checkout, session, checkout.createdAt),
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
