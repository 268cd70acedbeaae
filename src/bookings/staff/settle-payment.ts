import { OperatorRefusal } from '../../access/index.ts';
import { askWithin } from '../ports/ask-port.ts';
import { type Booking, type BookingChange, isPaidByCard } from '../rules/booking.ts';
import type { FoundOutcome } from '../rules/resolve-by-staff.ts';
import { claimForStaff } from '../store/booking-claims.ts';
import { collect, undo, type Ports } from '../worker/book.ts';
import { OvertakenError, type StaffContext } from './context.ts';

// The lease is longer than all calls of the ports.
const leaseSeconds = 15;
const usualAskingMs = 10_000;

const notKnown = (booking: Booking): OperatorRefusal =>
  new OperatorRefusal(
    `The card provider does not say whether ${booking.bookingId} is paid. Nothing was resolved; try again.`,
  );

const notPaid = (booking: Booking): OperatorRefusal =>
  new OperatorRefusal(
    `There is no money for ${booking.bookingId}: the payment was declined, voided or refunded. It can only be resolved as failed.`,
  );

/** Captures what is authorized, or gives everything back. Throws `OperatorRefusal` if that is not certain. */
const settled: Readonly<Record<FoundOutcome, (ports: Ports, booking: Booking) => Promise<void>>> = {
  async confirmed(ports, booking) {
    const { result } = await collect(ports, { booking, isRepeat: true }, null);
    if (result === 'refused') throw notPaid(booking);
    if (result !== 'made') throw notKnown(booking);
  },
  async failed(ports, booking) {
    const { result } = await undo(ports, booking, 'refused');
    if (result !== 'refused') throw notKnown(booking);
  },
};

/**
 * Captures or returns the payment as the decision of staff requires, before the decision is written. Claims the
 * booking first, so that no worker changes it at the same time; returns the fence of the claim, or null if no
 * card pays.
 * Throws `OperatorRefusal`, or `OvertakenError` if the booking has changed. Spec: Card payments.
 *
 * @param takeNights with the fence of the claim: takes the nights of a booking that becomes confirmed, before its
 *   payment is captured
 */
export async function settlePayment(
  { database, supplyOn, payment, askingMs = usualAskingMs }: StaffContext,
  { from }: BookingChange,
  as: FoundOutcome,
  takeNights: (fence: number) => Promise<void>,
): Promise<number | null> {
  if (!isPaidByCard(from)) return null;
  const fence = await claimForStaff(database, from, leaseSeconds);
  if (fence === null) throw new OvertakenError();
  await takeNights(fence);
  await settled[as]({ supply: supplyOn(database), payment, ask: askWithin(askingMs) }, from);
  return fence;
}
