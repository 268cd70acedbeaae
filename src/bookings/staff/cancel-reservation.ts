import type { OperatorBodyOf } from '../../contract/operator/operations.ts';
import { instant } from '../../contract/time.ts';
import { seenRefusal } from '../../access/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { freeNights } from '../../inventory/index.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { ReservationBalances } from '../rules/refund.ts';
import { decideCancellation } from '../rules/cancel-reservation.ts';
import type { ReservationUpdate } from '../rules/reservation.ts';
import { holdReservation, updateReservation } from '../store/reservations.ts';
import {
  balanceRefusal,
  holdMoney,
  onFreshData,
  OvertakenError,
  type StaffContext,
} from './context.ts';
import { acceptFor, requestRefusal, type StaffDecision } from './accepted-request.ts';
import { reservationNamed } from './show-reservation.ts';
import { collectorOf, refundAmountsOf, type ReservationForStaff, stayView } from './views.ts';

/** A cancellation that staff ask for. */
export type CancellationInput = OperatorBodyOf<'operator.reservation.cancel'> & StaffDecision;

/** The balances at the cancellation: what stays due, and (below 0) what is to be refunded. */
const balancesAfter = (
  { collected, refunded }: ReservationBalances,
  due: number,
): Omit<ReservationBalances, 'owed'> => ({
  due,
  collected,
  open: due - collected + refunded,
  refunded,
});

function cancellationView(inFull: ReservationForStaff, { next, events }: ReservationUpdate) {
  const { collected, byTerms } = refundAmountsOf(inFull);
  return {
    reference: next.reference,
    state: next.state,
    version: next.version,
    ...stayView(inFull.reservation),
    refund: {
      currency: next.charges.currency,
      amount: next.refundMinor,
      byTerms,
      collected,
      // The one who has collected the money pays it back.
      paidBy: collectorOf(inFull),
    },
    balances:
      inFull.balances && balancesAfter(inFull.balances, collected - (next.refundMinor ?? 0)),
    openBefore: inFull.balances && inFull.balances.open,
    cancelledAt: instant(next.updatedAt),
    events,
  };
}

const entryOf =
  (
    actor: string,
    { reservation, balances }: ReservationForStaff,
    { reason, request }: CancellationInput,
  ) =>
  ({ next, events }: ReservationUpdate): AuditEntry => ({
    actor,
    action: 'reservation.cancel',
    applicationId: next.applicationId,
    reference: next.reference,
    details: {
      reason,
      before: { state: reservation.state, version: reservation.version },
      after: { state: next.state, version: next.version, refundMinor: next.refundMinor },
      ...(balances && { balances }),
      ...(request && { changeRequestId: request.changeRequestId }),
      events,
    },
  });

/**
 * Cancels a reservation permanently: frees its nights, notes the refund, and announces it to the partner.
 * Checkout and confirmation stay as they are.
 * Spec: RESERVATION-5.
 */
export function cancelReservation(context: StaffContext, actor: string, input: CancellationInput) {
  const { database } = context;
  const { reference, refund = 'policy', dryRun = false } = input;
  return onFreshData(async () => {
    const inFull = await reservationNamed(context, reference);
    if (isRefusal(inFull)) return inFull;
    const { reservation, booking, now } = inFull;
    const changed =
      seenRefusal(input.seen, reservation.version, reference) ??
      balanceRefusal(input.expectedBalance, inFull);
    if (changed) return changed;
    const update = decideCancellation(reservation, refund, refundAmountsOf(inFull), now);
    if (isRefusal(update)) return update;
    const { refundMinor } = update.next;
    const outdated = requestRefusal(
      input.request,
      { total: null, refund: refundMinor },
      reservation.charges.total,
    );
    if (outdated) return outdated;
    if (dryRun) return { dryRun, ...cancellationView(inFull, update) };
    const done = await auditedChange(
      database,
      async (executor) => {
        if (!(await holdReservation(executor, reservation))) throw new OvertakenError();
        const refusal = await holdMoney(context, executor, inFull);
        if (refusal) return refusal;
        await freeNights(executor, booking.attemptId);
        const decided = await acceptFor(executor, input.request);
        if (decided) return decided;
        // The statement also removes it from the application's daily count.
        await updateReservation(executor, update);
        return update;
      },
      entryOf(actor, inFull, input),
    );
    if (isRefusal(done)) return done;
    context.wakeDeliverer(reservation.applicationId);
    return { dryRun, ...cancellationView(inFull, update) };
  });
}
