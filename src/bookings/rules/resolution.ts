import type { EventType } from '../../contract/events.ts';
import { limits } from '../../contract/limits.ts';
import type { FailureReason } from '../../contract/states.ts';
import type {
  Announcement,
  Booking,
  BookingChange,
  Checkout,
  EventDraft,
  PortStep,
  Reservation,
} from './booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { type DayNumber, dayNumber } from '../../pricing/index.ts';
import { checkoutTransition } from './checkout.ts';
import type { FailureDetails } from './failure.ts';
import { requestTransition } from './reservation-request.ts';

type Announced = { change: Announcement['change']; inSeconds: number } | null;

/** The known result of an attempt to reserve. */
export type Outcome =
  | { result: 'made'; announced: Announced }
  | { result: 'refused'; reason: FailureReason; details?: FailureDetails | null }
  | { result: 'action_needed'; clientSecret: string; since: EpochMs }
  /** `confirmed`: the supplier has made the reservation, and only its payment is not known. */
  | { result: 'unknown'; step: PortStep; confirmed?: { announced: Announced } };

type Condition = Outcome['result'] | 'expired';

/**
 * Whether it is too late to send a stay to the supplier: more than an hour after it was submitted, or
 * with check-in at the property in the past. A request sent in time counts, even if its result is known late.
 * Spec: RESOLUTION-3.
 *
 * @param today the date at the property
 */
export const isTooLateToAsk = (
  { submittedAt, quote }: Pick<Booking, 'submittedAt' | 'quote'>,
  now: EpochMs,
  today: DayNumber,
): boolean =>
  now > (submittedAt ?? now) + limits.submissionMinutes * 60_000 ||
  today > dayNumber(quote.checkIn);

interface Destination {
  to: Booking['state'];
  emits: readonly EventType[];
}

function destinationOf(booking: Booking, condition: Condition): Destination | undefined {
  if (booking.kind === 'checkout') return checkoutTransition(booking.state, 'resolved', condition);
  return condition === 'action_needed' ? undefined : requestTransition(booking.state, condition);
}

// A checkout with an expired quote has a state of its own; a request is refused with a reason.
function destination(booking: Booking, outcome: Outcome): Destination | undefined {
  const expired = outcome.result === 'refused' && outcome.reason === 'quote_expired';
  return (
    (expired ? destinationOf(booking, 'expired') : undefined) ??
    destinationOf(booking, outcome.result)
  );
}

function transitioned(booking: Booking, to: Booking['state'], patch: Partial<Booking>): Booking {
  return { ...booking, ...patch, state: to, version: booking.version + 1 } as Booking;
}

/**
 * Applies an outcome to a booking. Null: the outcome is still unknown, or the booking waits for none.
 * Spec: CHECKOUT-1, UNCERTAIN-1.
 *
 * @param options.reference the reference of the reservation, if it was made
 * @param options.reconcileInSeconds when an unknown outcome is looked up again
 * @param options.keepsNights whether nights are held in this database
 */
export function decideResolution(
  booking: Booking,
  outcome: Outcome,
  options: {
    reference: string;
    now: EpochMs;
    reconcileInSeconds: number;
    keepsNights: boolean;
  },
): BookingChange | null {
  const { now } = options;
  const row = destination(booking, outcome);
  if (!row) return null;
  if (outcome.result === 'unknown') {
    return {
      from: booking,
      next: transitioned(booking, row.to, { updatedAt: now }),
      events: [],
      dueInSeconds: options.reconcileInSeconds,
      unknownStep: outcome.step,
    };
  }
  if (outcome.result === 'action_needed') {
    return actionNeeded(booking as Checkout, row.to, outcome, now);
  }
  const made = outcome.result === 'made';
  const next = transitioned(booking, row.to, {
    updatedAt: now,
    resolvedAt: now,
    reference: made ? options.reference : null,
    failureReason: made ? null : outcome.reason,
    failureDetails: made ? null : (outcome.details ?? null),
  });
  return {
    from: booking,
    next,
    events: row.emits.map((type) => eventOf(type, next, now)),
    dueInSeconds: null,
    ...(made && {
      reservation: reservationOf(next, options.reference, outcome.announced, now),
      needsNights: options.keepsNights,
    }),
    ...(!made && promotionHeld(booking)),
  };
}

const actionSeconds = limits.paymentActionMinutes * 60;

/**
 * The card requires authentication: the guest has an hour for it, even if the partner calls
 * verifyPayment several times without one. Spec: CARD-5.
 */
function actionNeeded(
  checkout: Checkout,
  to: Booking['state'],
  { clientSecret, since }: Extract<Outcome, { result: 'action_needed' }>,
  now: EpochMs,
): BookingChange {
  const { paymentSetup } = checkout;
  const patch = paymentSetup ? { paymentSetup: { ...paymentSetup, clientSecret } } : {};
  const left = Math.ceil(actionSeconds - (now - since) / 1_000);
  return {
    from: checkout,
    next: transitioned(checkout, to, { ...patch, updatedAt: now }),
    events: [],
    dueInSeconds: Math.min(Math.max(left, 0), actionSeconds),
  };
}

const promotionHeld = (booking: Booking) =>
  booking.promotionCode === null ? {} : { releasesPromotion: booking.promotionCode };

/** Fails a checkout whose guest did not complete the authentication in time. */
export function decideActionUnanswered(checkout: Checkout, now: EpochMs): BookingChange | null {
  const row = checkoutTransition(checkout.state, 'actionUnanswered');
  if (!row) return null;
  const next = transitioned(checkout, row.to, {
    updatedAt: now,
    resolvedAt: now,
    failureReason: 'refused',
  });
  return {
    from: checkout,
    next,
    events: row.emits.map((type) => eventOf(type, next, now)),
    dueInSeconds: null,
    ...promotionHeld(checkout),
  };
}

/** The data of each event: identifiers, states and times alone. Spec: EVENT-9. */
const eventData: Partial<
  Record<EventType, (booking: Booking, now: EpochMs) => Record<string, unknown>>
> = {
  'checkout.resolved': (booking, now) => ({
    checkoutId: booking.bookingId,
    state: booking.state,
    version: booking.version,
    ...(booking.reference !== null && { reference: booking.reference }),
    resolvedAt: instant(now),
  }),
  'reservation.confirmed': (booking, now) => ({
    reference: booking.reference,
    checkoutId: booking.bookingId,
    state: 'confirmed',
    confirmedAt: instant(now),
  }),
};

/** The event of a booking; one of a request has the request's ID as `checkoutId`. Spec: EVENT-10. */
function eventOf(type: EventType, booking: Booking, now: EpochMs): EventDraft {
  const data = eventData[type];
  if (!data) throw new Error(`a booking does not cause ${type}`);
  return { type, data: data(booking, now) };
}

function reservationOf(
  booking: Booking,
  reference: string,
  announced: Announced,
  now: EpochMs,
): Reservation {
  const { quote } = booking;
  return {
    reference,
    version: 1,
    applicationId: booking.applicationId,
    kind: booking.kind,
    bookingId: booking.bookingId,
    state: 'confirmed',
    listingId: quote.listingId,
    checkIn: quote.checkIn,
    checkOut: quote.checkOut,
    party: quote.party,
    charges: booking.charges,
    cancellation: null,
    refundMinor: null,
    collectedMinor: null,
    confirmedAt: now,
    cancelledAt: null,
    updatedAt: now,
    materializedAt: null,
    announced: announced && {
      change: announced.change,
      at: now + announced.inSeconds * 1000,
    },
  };
}
