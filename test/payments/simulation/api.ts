/** The commands of a partner on a checkout, as the request kernel runs them, without HTTP. */
import { createHash } from 'node:crypto';
import { isRefusal, refuse, type Refusal } from '../../../src/contract/errors.ts';
import type { BookingChange, Checkout } from '../../../src/bookings/rules/booking.ts';
import {
  decideExpire,
  decideSetupPayment,
  decideSubmit,
  decideVerifyPayment,
  quoteExpired,
  stateRefusal,
  type CheckoutCommand,
} from '../../../src/bookings/rules/checkout.ts';
import {
  transitionAndClaim,
  transitionBooking,
  transitionByCommand,
} from '../../../src/bookings/store/bookings.ts';
import type { Claim } from '../../../src/bookings/store/booking-claims.ts';
import { findCheckout } from '../../../src/bookings/store/checkouts.ts';
import type { WorkerProcess } from './system.ts';

/** A command on a checkout with its version. */
export interface Command {
  name: CheckoutCommand;
  applicationId: string;
  checkoutId: string;
  expectedVersion: number;
  /** Of verifyPayment. */
  card?: { setupReference: string; paymentMethodId: string };
}

/** The answer to a call: the checkout as it is, or the refusal. */
export type Answer = Checkout | Refusal;

type Decision = BookingChange<Checkout> | Refusal;

const never = new AbortController().signal;

const decisions: Readonly<
  Partial<
    Record<
      CheckoutCommand,
      (at: Serving, checkout: Checkout, now: number, command: Command) => unknown
    >
  >
> = {
  setupPayment: (_at, checkout, now) => decideSetupPayment(checkout, now),
  submit: (_at, checkout, now) => decideSubmit(checkout, checkout.quote.terms.version, false, now),
  async verifyPayment({ context }, checkout, now, { card }) {
    const change = decideVerifyPayment(checkout, card!, now);
    if (isRefusal(change) || checkout.state === 'requires_action') return change;
    const { outcome } = await context.payment.verify(checkout, card!, never);
    if (outcome === 'refused') return refuse('conflict', { reason: 'payment_method' });
    return outcome === 'done' ? change : refuse('unavailable');
  },
};

/** What a command needs of a process. */
export type Serving = Pick<WorkerProcess, 'executor' | 'context'>;

/** Runs a command. `onClaim` gets a booking that the worker of this process has claimed with it. */
export async function runCommand(
  at: Serving,
  command: Command,
  onClaim: ((claim: Claim) => void) | null,
): Promise<Answer> {
  const { applicationId, checkoutId, expectedVersion, name } = command;
  const inputDigest = createHash('sha256').update(JSON.stringify(command)).digest();
  const identity = { operation: name, expectedVersion, inputDigest };
  for (;;) {
    const found = await findCheckout(at.executor, applicationId, checkoutId, identity);
    if (!found) return refuse('not_found');
    const { checkout, now, journaled } = found;
    if (journaled) return journaled === 'refused' ? refuse('quote_expired') : checkout;
    if (checkout.version !== expectedVersion) return refuse('precondition_failed');
    if (quoteExpired(checkout, now)) {
      const guard = { command: { ...identity, refused: true } };
      const verdict = await transitionBooking(at.executor, decideExpire(checkout, now), guard);
      if (verdict === 'written') return refuse('quote_expired');
      continue;
    }
    const wrong = stateRefusal(checkout, name);
    if (wrong) return wrong;
    const change = (await decisions[name]!(at, checkout, now, command)) as Decision;
    if (isRefusal(change)) return change;
    const guard = { command: { ...identity, refused: false } };
    if (change.dueInSeconds === 0 && onClaim) {
      const claim = await transitionAndClaim(at.executor, change, guard, leaseSeconds);
      if (claim === 'overtaken') continue;
      onClaim(claim);
      return claim.booking as Checkout;
    }
    const written = await transitionByCommand(at.executor, change, guard);
    if (typeof written === 'object') return written;
  }
}

/** The lease of a claim, in seconds. */
export const leaseSeconds = 15;

/** Reads a checkout. */
export async function readCheckout(
  { executor }: Pick<WorkerProcess, 'executor'>,
  applicationId: string,
  checkoutId: string,
): Promise<Answer> {
  const found = await findCheckout(executor, applicationId, checkoutId);
  return found?.checkout ?? refuse('not_found');
}
