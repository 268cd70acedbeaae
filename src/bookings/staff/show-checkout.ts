import { instant } from '../../contract/time.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { askPort, type PortAnswer } from '../ports/ask-port.ts';
import type { PaymentState } from '../ports/payment.ts';
import type { StayState } from '../ports/supply.ts';
import { type Booking, isPaidByCard } from '../rules/booking.ts';
import { findBookingsInFull, type BookingInFull } from '../store/uncertain-bookings.ts';
import type { StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { acceptedTerms, bookingView, quoteOfBooking } from './views.ts';

/** How staff name a checkout or request. The ID is enough unless several have it. */
export interface BookingName {
  checkoutId: string;
  applicationId?: string | undefined;
  kind?: Booking['kind'] | undefined;
}

const askedMs = 5_000;

const oneOf = (named: readonly BookingInFull[]): string =>
  named.map(({ booking, application }) => `a ${booking.kind} of ${application.name}`).join(', ');

/** Finds a checkout or request. Refuses if there is none, or more than one. */
export async function bookingNamed(
  executor: Executor,
  { checkoutId, applicationId, kind }: BookingName,
): Promise<BookingInFull | Refusal<'not_found' | 'conflict'>> {
  const found = await findBookingsInFull(executor, checkoutId);
  const named = found.filter(
    ({ booking }) =>
      (applicationId === undefined || booking.applicationId === applicationId) &&
      (kind === undefined || booking.kind === kind),
  );
  const [inFull, ...others] = named;
  if (!inFull) return refuseStaff('not_found', `There is no checkout or request ${checkoutId}.`);
  if (others.length === 0) return inFull;
  return refuseConflict(
    `${checkoutId} names ${oneOf(named)}: choose one with --application and --kind.`,
  );
}

/** The current answer of a port, in words. */
async function answerOf<Done extends object>(
  ask: (signal: AbortSignal) => Promise<PortAnswer<Done, string>>,
  state: (done: Done) => string,
): Promise<string> {
  try {
    const answer = await askPort(askedMs, ask);
    if (answer.outcome === 'refused') return `refused: ${answer.reason}`;
    return answer.outcome === 'done' ? state(answer) : 'unknown';
  } catch {
    return 'not available';
  }
}

/** What is known of an attempt without asking the card provider. */
export async function evidenceOf(
  { database, supplyOn, money }: StaffContext,
  { booking, unknownStep, tries, dueAt }: BookingInFull,
) {
  return {
    attemptId: booking.attemptId,
    unknownStep,
    since: instant(booking.updatedAt),
    tries,
    nextLookUpAt: instant(dueAt),
    supply:
      booking.submittedAt === null
        ? null
        : await answerOf<StayState>(
            (signal) => supplyOn(database).lookUp(booking, signal),
            ({ stay }) => stay,
          ),
    payments: isPaidByCard(booking) ? await money.payments(database, booking) : [],
  };
}

/** What the card provider says of the payment now; null: no card pays. */
const paymentNow = async ({ payment }: StaffContext, booking: Booking): Promise<string | null> =>
  booking.submittedAt !== null && isPaidByCard(booking)
    ? answerOf<{ payment: PaymentState }>(
        (signal) => payment.lookUp(booking, signal),
        ({ payment: state }) => state,
      )
    : null;

const setupOf = (booking: Booking) => {
  if (booking.kind !== 'checkout' || !booking.paymentSetup) return null;
  const { state, failure, attempts, reference } = booking.paymentSetup;
  return { state, failure, attempts, reference };
};

/** A checkout or request, without history and evidence. */
export function checkoutView({ booking, application, home }: BookingInFull) {
  const { id, ...rest } = bookingView(booking);
  return {
    checkoutId: id,
    ...rest,
    settlement: booking.settlement,
    application,
    listing: home,
    checkIn: booking.quote.checkIn,
    checkOut: booking.quote.checkOut,
    party: booking.quote.party,
    guest: booking.guest,
    charges: booking.charges,
    terms: acceptedTerms(booking),
    failure: booking.failureReason,
    reference: booking.reference,
    paymentSetup: setupOf(booking),
    quote: quoteOfBooking(booking),
    updatedAt: instant(booking.updatedAt),
  };
}

/**
 * Shows a checkout or request with the evidence for its outcome: what supply and payment say of the attempt
 * now, and its history.
 */
export async function showCheckout(context: StaffContext, name: BookingName) {
  const inFull = await bookingNamed(context.database, name);
  if (isRefusal(inFull)) return inFull;
  // First, because the look-up writes what it finds.
  const payment = await paymentNow(context, inFull.booking);
  const [evidence, history] = await Promise.all([
    evidenceOf(context, inFull),
    historyOf(context, inFull.booking, null),
  ]);
  return { ...checkoutView(inFull), evidence: { ...evidence, payment }, history };
}
