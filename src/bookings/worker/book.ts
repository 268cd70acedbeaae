import type { FailureReason } from '../../contract/states.ts';
import { type Booking, type Checkout, isPaidByCard, type PortStep } from '../rules/booking.ts';
import type { Outcome } from '../rules/resolution.ts';
import type { Payment } from '../ports/payment.ts';
import type { Announced, Supply } from '../ports/supply.ts';
import type { Ask } from '../ports/ask-port.ts';

/** The ports, and how to call them. */
export interface Ports {
  supply: Supply;
  payment: Payment;
  ask: Ask;
}

/** A booking that is about to become a reservation. */
export interface Booked {
  booking: Booking;
  /** An earlier attempt may have called the ports, so its result is looked up first. */
  isRepeat: boolean;
}

/** The outcome when the result of a step is unknown. */
export const unknownAt = (step: PortStep): Outcome => ({ result: 'unknown', step });

/**
 * Releases the nights and refuses the booking. What was authorized or captured goes back by itself as soon as the
 * refusal is written. Spec: RESOLUTION-7.
 */
export async function undo(
  ports: Ports,
  booking: Booking,
  reason: FailureReason,
): Promise<Outcome> {
  const released = await ports.ask((signal) => ports.supply.release(booking, signal));
  return released.outcome === 'done' ? { result: 'refused', reason } : unknownAt('undo');
}

/** Authorizes the amount due now, unless an earlier try did, or `sold` says why it must not be. */
async function authorize(
  ports: Ports,
  checkout: Checkout,
  isRepeat: boolean,
  sold: FailureReason | null,
): Promise<Outcome | 'authorized' | 'captured'> {
  const { payment, ask } = ports;
  if (isRepeat) {
    const found = await ask((signal) => payment.lookUp(checkout, signal));
    if (found.outcome === 'unknown') return unknownAt('authorize');
    if (found.outcome === 'refused' || found.payment === 'returned') {
      return undo(ports, checkout, 'refused');
    }
    if (found.payment === 'authorized' || found.payment === 'captured') return found.payment;
  }
  // The guest is not charged for nights that somebody else has sold.
  if (sold) return undo(ports, checkout, sold);
  const answer = await ask((signal) => payment.authorize(checkout, signal));
  if (answer.outcome === 'unknown') return unknownAt('authorize');
  if (answer.outcome === 'refused') return undo(ports, checkout, 'refused');
  if (answer.action === null) return 'authorized';
  // The guest can only act while the checkout is `pending`.
  if (checkout.state !== 'pending') return undo(ports, checkout, 'refused');
  return { result: 'action_needed', ...answer.action };
}

/** Captures the payment after the supplier has confirmed. */
export async function collect(
  ports: Ports,
  { booking, isRepeat }: Booked,
  announced: Announced,
): Promise<Outcome> {
  const made: Outcome = { result: 'made', announced };
  if (!isPaidByCard(booking)) return made;
  const { payment, ask } = ports;
  if (isRepeat) {
    const found = await ask((signal) => payment.lookUp(booking, signal));
    if (found.outcome === 'unknown') return unknownAt('capture');
    if (found.outcome === 'refused' || found.payment === 'returned') {
      return undo(ports, booking, 'refused');
    }
    if (found.payment === 'captured') return made;
  }
  const captured = await ask((signal) => payment.capture(booking, signal));
  if (captured.outcome === 'unknown') return unknownAt('capture');
  return captured.outcome === 'done' ? made : undo(ports, booking, 'refused');
}

/**
 * Holds the nights, asks whether somebody else has sold them, authorizes the card, confirms the stay, captures the
 * payment. Spec: CARD-6.
 */
export async function book(
  ports: Ports,
  { booking, isRepeat, fence }: Booked & { fence: number },
): Promise<Outcome> {
  const { supply, ask } = ports;
  const held = await ask((signal) => supply.hold(booking, fence, signal));
  if (held.outcome === 'unknown') return unknownAt('hold');
  if (held.outcome === 'refused') {
    // On the first try nothing was done before.
    return isRepeat
      ? undo(ports, booking, held.reason)
      : { result: 'refused', reason: held.reason };
  }
  const checked = await ask((signal) => supply.recheck(booking, signal));
  const sold = checked.outcome === 'refused' ? checked.reason : null;
  const isCard = isPaidByCard(booking);
  if (sold && !isCard) return undo(ports, booking, sold);
  const paid = isCard ? await authorize(ports, booking, isRepeat, sold) : 'authorized';
  if (typeof paid === 'object') return paid;
  const confirmed = await ask((signal) => supply.confirm(booking, signal));
  if (confirmed.outcome === 'unknown') return unknownAt('confirm');
  if (confirmed.outcome === 'refused') {
    // The supplier had confirmed before the payment was captured, and that counts.
    return paid === 'captured'
      ? collect(ports, { booking, isRepeat: true }, null)
      : undo(ports, booking, confirmed.reason);
  }
  // This attempt authorized the payment itself, so a lookup is not needed.
  return collect(ports, { booking, isRepeat: false }, confirmed.announced);
}
