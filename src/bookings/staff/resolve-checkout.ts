import { randomBytes } from 'node:crypto';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import type { TakenNights } from '../../inventory/index.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { late, withinTime } from '../../platform/sleeper.ts';
import { askPort } from '../ports/ask-port.ts';
import type { PaymentOfReservation } from '../ports/reservation-money.ts';
import { type Booking, type BookingChange, isPaidByCard } from '../rules/booking.ts';
import { referenceFrom } from '../rules/reference.ts';
import {
  decideByStaff,
  decideMoneyAfter,
  type FoundOutcome,
  type MoneyFollows,
} from '../rules/resolve-by-staff.ts';
import { isToDecideAgain, transitionBooking } from '../store/bookings.ts';
import { holdBooking, type BookingInFull } from '../store/uncertain-bookings.ts';
import { onFreshData, OvertakenError, type StaffContext } from './context.ts';
import { bookingNamed, type BookingName, evidenceOf } from './show-checkout.ts';
import { availabilityOf, conflictsOf, takenText } from './taken-nights.ts';

const holdWithinMs = 3_000;
const paymentWithinMs = 2_500;

const notHeldInTime = refuseStaff(
  'unavailable',
  'The supplier does not answer. Nothing was changed; try again.',
);

/** The outcome that staff found out. */
export interface ResolutionInput extends BookingName {
  as: FoundOutcome;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** The facts on which staff decide. */
interface Found {
  inFull: BookingInFull;
  evidence: Evidence;
  payment: PaymentAfter;
}

/** The payment of the attempt as it is known now, and what follows with it by itself. */
interface PaymentAfter {
  /** Null: none was asked for. */
  state: string | null;
  amount: number;
  follows: MoneyFollows;
}

const resolutionView = (
  { inFull: { application }, evidence, payment }: Found,
  { from, next, events }: BookingChange,
  taken: TakenNights[] | null,
) => ({
  checkoutId: next.bookingId,
  kind: next.kind,
  application,
  before: { state: from.state, version: from.version },
  state: next.state,
  version: next.version,
  reference: next.reference,
  failure: next.failureReason,
  evidence,
  payment,
  // Null: it takes no nights of this service.
  availability: taken && availabilityOf(taken),
  events,
});

const entryOf =
  (
    actor: string,
    { as, reason }: ResolutionInput,
    { inFull: { home }, evidence, payment }: Found,
  ) =>
  ({ from, next, events }: BookingChange): AuditEntry => ({
    actor,
    action: 'checkout.resolve',
    applicationId: next.applicationId,
    // Without a reservation, the trail is found by the ID.
    reference: next.reference ?? next.bookingId,
    details: {
      reason,
      as,
      checkoutId: next.bookingId,
      kind: next.kind,
      stay: {
        listingId: home.listingId,
        checkIn: from.quote.checkIn,
        checkOut: from.quote.checkOut,
      },
      total: { amount: from.charges.total, currency: from.charges.currency },
      evidence,
      payment,
      before: { state: from.state, version: from.version },
      after: {
        state: next.state,
        version: next.version,
        reference: next.reference,
        failure: next.failureReason,
      },
      events,
    },
  });

const takesNights = ({ supplyOn, database }: StaffContext, { next }: BookingChange): boolean =>
  next.state === 'confirmed' && supplyOn(database).keepsNights;

/**
 * Within the transaction that has locked the booking: takes the nights of a booking that becomes confirmed, unless its
 * attempt holds them already. Refuses if they are taken or the supplier is slow; throws `OvertakenError` if that is not
 * known. Null: it has them.
 */
async function takeNights(
  { supplyOn }: StaffContext,
  executor: Executor,
  { from, next }: BookingChange,
): Promise<Refusal<'conflict' | 'unavailable'> | null> {
  if (next.state !== 'confirmed') return null;
  const ending = new AbortController();
  const held = supplyOn(executor).hold(from, null, ending.signal);
  const answer = await withinTime(holdWithinMs, held, () => ending.abort());
  if (answer === late) return notHeldInTime;
  if (answer.outcome === 'done') return null;
  if (answer.outcome === 'unknown') throw new OvertakenError();
  const taken = await conflictsOf(executor, from, from.quote);
  return refuseConflict(
    `The nights of ${next.bookingId} are no longer free (sold_out): ${takenText(taken)}. It can only be resolved as failed.`,
  );
}

const ofAttempt = (payments: readonly PaymentOfReservation[]): PaymentOfReservation | null =>
  payments.findLast(({ purpose }) => purpose === 'booking') ?? null;

/**
 * What is known of the payment, and what follows with it. Before a reservation is made the provider is asked, if it
 * answers soon; that no reservation was made can be decided without it.
 */
async function paymentAfter(
  { database, money, payment, askingMs = paymentWithinMs }: StaffContext,
  booking: Booking,
  as: FoundOutcome,
): Promise<PaymentAfter | Refusal<'conflict'>> {
  if (as === 'confirmed' && isPaidByCard(booking)) {
    // It writes what it finds.
    await askPort(askingMs, (signal) => payment.lookUp(booking, signal));
  }
  const found = isPaidByCard(booking) ? ofAttempt(await money.payments(database, booking)) : null;
  const follows = decideMoneyAfter(booking, as, found);
  if (isRefusal(follows)) return follows;
  return {
    state: found?.state ?? null,
    amount: isPaidByCard(booking) ? booking.charges.dueNow : 0,
    follows,
  };
}

const overtakenIfToDecideAgain = (error: unknown): never => {
  throw isToDecideAgain(error) ? new OvertakenError() : error;
};

/**
 * Resolves a checkout or request whose outcome is not known, and writes exactly what a worker would. If a
 * worker is faster, its outcome is kept. The decision is stored at once, also while the card provider does not answer;
 * the money follows by itself. Spec: UNCERTAIN-7.
 */
export function resolveCheckout(context: StaffContext, actor: string, input: ResolutionInput) {
  const { database } = context;
  const { as, dryRun = false } = input;
  return onFreshData(async () => {
    const inFull = await bookingNamed(database, input);
    if (isRefusal(inFull)) return inFull;
    const reference = referenceFrom(randomBytes(5));
    const change = decideByStaff(inFull.booking, as, reference, inFull.now);
    if (isRefusal(change)) return change;
    // First, because the look-up writes what it finds.
    const payment = await paymentAfter(context, change.from, as);
    if (isRefusal(payment)) return payment;
    const found = { inFull, evidence: await evidenceOf(context, inFull), payment };
    if (dryRun) {
      const { from } = change;
      const taken = takesNights(context, change)
        ? await conflictsOf(database, from, from.quote)
        : null;
      return { dryRun, ...resolutionView(found, change, taken) };
    }
    const done = await auditedChange(
      database,
      async (executor) => {
        if (!(await holdBooking(executor, change.from))) throw new OvertakenError();
        const refusal = await takeNights(context, executor, change);
        if (refusal) return refusal;
        const verdict = await transitionBooking(executor, change, {}).catch(
          overtakenIfToDecideAgain,
        );
        if (verdict !== 'written') throw new OvertakenError();
        return change;
      },
      entryOf(actor, input, found),
    );
    if (isRefusal(done)) return done;
    context.wakeDeliverer(change.next.applicationId);
    return {
      dryRun,
      ...resolutionView(found, change, takesNights(context, change) ? [] : null),
    };
  });
}
