import { randomBytes } from 'node:crypto';
import type { FailureReason } from '../../contract/states.ts';
import { type Catalog, findPromotion, withEffects } from '../../catalog/index.ts';
import { postponeBooking, readClaimed, type Claim } from '../store/booking-claims.ts';
import { isToDecideAgain, transitionBooking } from '../store/bookings.ts';
import { isResolution, resolveBooking } from '../store/resolve-bookings.ts';
import type { TimeCheck } from '../../platform/clock.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import {
  type Booking,
  type BookingChange,
  type Checkout,
  isPaidByCard,
  type PortStep,
  withoutPromotion,
} from '../rules/booking.ts';
import {
  acceptedPolicies,
  dayNumber,
  priceStay,
  type Promotion,
  samePrice,
  todayAt,
} from '../../pricing/index.ts';
import { decideSetupAnswered, type SetupAnswer } from '../rules/checkout.ts';
import { type FailureDetails, policyChange, priceChange } from '../rules/failure.ts';
import type { ReconcileInSeconds } from '../rules/reconcile.ts';
import { referenceFrom } from '../rules/reference.ts';
import {
  decideActionUnanswered,
  decideResolution,
  isTooLateToAsk,
  type Outcome,
} from '../rules/resolution.ts';
import { decidedBy, endOverdue } from '../rules/uncertainty.ts';
import type { Payment } from '../ports/payment.ts';
import { askWithin, type Ask } from '../ports/ask-port.ts';
import type { Supply } from '../ports/supply.ts';
import { book, collect, undo, unknownAt } from './book.ts';

/** The dependencies of a step. */
export interface StepContext {
  executor: Executor;
  catalog: Pick<Catalog, 'listingAt'>;
  supply: Supply;
  payment: Payment;
  /** When an unknown outcome is looked up again. */
  reconcileInSeconds: ReconcileInSeconds;
  /** After its submission, an outcome that is not known is decided; null: never. */
  uncertainHours: number | null;
  /** While the database's clock has jumped, nothing is decided by the time. */
  clock: TimeCheck;
}

/** The dependencies of a step, and how it calls the ports. */
interface AskingContext extends StepContext {
  ask: Ask;
}

/** The result of a step: a change to write, or when to retry (null: only after another change). */
type StepResult = BookingChange | { retryInSeconds: number | null; unknownStep?: PortStep };

type Step = (context: AskingContext, claim: Claim) => Promise<StepResult>;

const defaultAskingMs = 10_000;

const nothingToDo: StepResult = { retryInSeconds: null };

const setupAnswerOf = (answer: Awaited<ReturnType<Payment['setup']>>): SetupAnswer => {
  if (answer.outcome === 'unknown') return { failed: 'unresolved' };
  if (answer.outcome === 'refused') return { failed: answer.reason };
  const { reference, clientSecret } = answer;
  return { ready: { reference, clientSecret } };
};

async function answerSetup({ payment, ask }: AskingContext, claim: Claim): Promise<StepResult> {
  const checkout = claim.booking as Checkout;
  const setup = checkout.paymentSetup;
  if (setup?.state !== 'pending') return nothingToDo;
  const answer = await ask((signal) => payment.setup(checkout, signal));
  return decideSetupAnswered(checkout, setup, setupAnswerOf(answer), claim.now);
}

async function giveUpAction(context: AskingContext, claim: Claim): Promise<StepResult> {
  const undone = await undo(context, claim.booking, 'refused');
  if (undone.result === 'unknown')
    return { retryInSeconds: context.reconcileInSeconds(claim.tries) };
  return decideActionUnanswered(claim.booking as Checkout, claim.now) ?? nothingToDo;
}

/** Why a booking fails before the supplier is asked, and what changed. */
interface EarlyRefusal {
  reason: FailureReason;
  details?: FailureDetails | null;
}

/** Checks a submitted booking again before it is sent to the supplier; null: send it. Spec: RESOLUTION-1. */
async function refusalBeforeAsking(
  context: StepContext,
  claim: Claim,
): Promise<EarlyRefusal | null> {
  if (!claim.authorised) return { reason: 'authority_revoked' };
  const { booking } = claim;
  const { quote } = booking;
  const { catalogRevision, catalogId } = claim;
  const found = await context.catalog.listingAt(catalogRevision, catalogId, quote.listingId);
  if (!found) return { reason: 'sold_out' };
  const published = withEffects(found, claim.effects);
  const today = todayAt(claim.now, published.listing.timeZone);
  if (isTooLateToAsk(booking, claim.now, today)) return { reason: 'quote_expired' };
  if (published.termsVersion !== quote.terms.version) {
    const now = acceptedPolicies(published.listing);
    return { reason: 'policy_changed', details: policyChange(quote.terms.policies, now) };
  }
  const stay = { checkIn: dayNumber(quote.checkIn), checkOut: dayNumber(quote.checkOut) };
  const { promotionCode: code } = booking;
  const held = code === null ? undefined : await findPromotion(context.executor, catalogId, code);
  // `samePrice` does not compare due dates, so any day works as `today`.
  const options = {
    today: stay.checkIn,
    quotedOn: todayAt(quote.createdAt, published.listing.timeZone),
    adjustmentPercent: claim.adjustPercent,
  };
  const priceWith = (promotion: Promotion | null) =>
    priceStay(published.listing, stay, quote.party, { ...options, promotion });
  const price = priceWith(held?.promotion ?? null);
  // The code of a quote counts as it was then, so its price without the code is compared. Spec: QUOTE-8.
  const isOfQuote = code !== null && quote.promotion?.code === code;
  const [compared, quoted] = isOfQuote
    ? [priceWith(null), withoutPromotion(quote).charges]
    : [price, booking.charges];
  // A stay that can no longer be priced counts as changed.
  const same = compared !== null && samePrice(compared, quoted);
  return same ? null : { reason: 'price_changed', details: priceChange(booking.charges, price) };
}

/** The state of the payment of an earlier try; null: not known. */
async function earlierPayment({ payment, ask }: AskingContext, booking: Booking) {
  if (!isPaidByCard(booking)) return 'none';
  const found = await ask((signal) => payment.lookUp(booking, signal));
  if (found.outcome === 'unknown') return null;
  return found.outcome === 'done' ? found.payment : 'none';
}

/**
 * Books if that is still allowed. If an earlier try has captured the payment, the checks were done before and the
 * supplier had confirmed: that counts even if something has changed since. Spec: RESOLUTION-4.
 */
async function checkAndBook(
  context: AskingContext,
  claim: Claim,
  isRepeat: boolean,
): Promise<Outcome> {
  const { booking, fence } = claim;
  const refusal = await refusalBeforeAsking(context, claim);
  if (!refusal) return book(context, { booking, isRepeat, fence });
  const paid = isRepeat ? await earlierPayment(context, booking) : 'none';
  if (paid === null) return unknownAt(claim.unknownStep ?? 'authorize');
  if (paid === 'captured') return book(context, { booking, isRepeat, fence });
  const undone = await undo(context, booking, refusal.reason);
  return undone.result === 'refused' ? { ...undone, details: refusal.details ?? null } : undone;
}

const isWaiting = (booking: Booking): boolean =>
  booking.state === 'uncertain' || booking.state === 'unresolved';

// In these steps the supplier was not yet asked to confirm. A null step may be any step.
const stepsBefore: ReadonlySet<PortStep | null> = new Set(['hold', 'authorize', 'undo']);

// After an authentication, a checkout continues with the step `authorize`.
const isFirstTry = ({ booking, tries, unknownStep }: Claim): boolean =>
  tries === 1 && !isWaiting(booking) && unknownStep === null;

/** The first try books; every later one first looks up the result of the attempt. */
async function outcomeOf(context: AskingContext, claim: Claim): Promise<Outcome> {
  const { booking, unknownStep } = claim;
  if (isFirstTry(claim)) return checkAndBook(context, claim, false);
  const found = await context.ask((signal) => context.supply.lookUp(booking, signal));
  if (found.outcome === 'unknown') return unknownAt(unknownStep ?? 'confirm');
  if (found.outcome === 'refused') return undo(context, booking, found.reason);
  if (found.stay === 'confirmed') {
    const { announced } = found;
    const collected = await collect(context, { booking, isRepeat: true }, announced);
    return collected.result === 'unknown' ? { ...collected, confirmed: { announced } } : collected;
  }
  // It was confirmed before: its nights are confirmed in this database together with the outcome.
  if (found.stay === 'held' && unknownStep === 'capture') {
    return collect(context, { booking, isRepeat: true }, null);
  }
  // A supplier that has no record of the attempt may still have made the reservation.
  const isLost = found.stay === 'none' && isWaiting(booking) && !stepsBefore.has(unknownStep);
  return isLost ? unknownAt(unknownStep ?? 'confirm') : checkAndBook(context, claim, true);
}

/** Adds to a refusal of the supplier what it says about it. */
async function explained(supply: Supply, booking: Booking, outcome: Outcome): Promise<Outcome> {
  if (outcome.result !== 'refused' || outcome.details !== undefined) return outcome;
  return { ...outcome, details: (await supply.explain?.(booking, outcome.reason)) ?? null };
}

async function resolve(context: AskingContext, claim: Claim): Promise<StepResult> {
  const { booking, now } = claim;
  const hours = context.clock.isHeld() ? null : context.uncertainHours;
  const found = endOverdue(booking, await outcomeOf(context, claim), now, hours);
  const outcome = await explained(context.supply, booking, found);
  const change = decideResolution(booking, outcome, {
    reference: referenceFrom(randomBytes(5)),
    now,
    reconcileInSeconds: context.reconcileInSeconds(0),
    keepsNights: context.supply.keepsNights,
  });
  if (change) return change;
  const by = decidedBy(booking, hours) ?? Infinity;
  const left = Math.max(0, Math.ceil((by - now) / 1_000));
  const retryInSeconds = Math.min(context.reconcileInSeconds(claim.tries), left);
  return outcome.result === 'unknown'
    ? { retryInSeconds, unknownStep: outcome.step }
    : { retryInSeconds };
}

/** The step of a worker for each state; a state that is absent needs no work. */
const steps: Readonly<Partial<Record<Booking['state'], Step>>> = {
  needs_payment: answerSetup,
  // A code has left nothing to pay while a setup was in progress.
  ready: answerSetup,
  requires_action: giveUpAction,
  pending: resolve,
  uncertain: resolve,
  unresolved: resolve,
};

const isChange = (result: StepResult): result is BookingChange => 'next' in result;

/** Writes the result. False: the booking has changed since it was read. */
async function write(context: StepContext, claim: Claim, result: StepResult): Promise<boolean> {
  if (!isChange(result)) {
    await postponeBooking(context.executor, claim, result.retryInSeconds, result.unknownStep);
    return true;
  }
  try {
    if (isResolution(result)) return await resolveBooking(context.executor, result, claim.fence);
    return (
      (await transitionBooking(context.executor, result, { fence: claim.fence })) === 'written'
    );
  } catch (error) {
    if (isToDecideAgain(error)) return false;
    throw error;
  }
}

/**
 * Runs one step of a claimed booking. A worker that has lost the lease writes nothing.
 * Returns the change that was written; null: none.
 *
 * @param askingMs time for all calls to supplier and card provider; shorter than the lease
 */
export async function takeStep(
  context: StepContext,
  claimed: Claim,
  askingMs = defaultAskingMs,
): Promise<BookingChange | null> {
  const asking = { ...context, ask: askWithin(askingMs) };
  for (let claim: Claim | undefined = claimed; claim;) {
    // The clock has jumped: another claim reads the time again.
    if (!context.clock.isNear(claim.now)) return null;
    const step = steps[claim.booking.state];
    const result = step ? await step(asking, claim) : nothingToDo;
    if (await write(context, claim, result)) return isChange(result) ? result : null;
    claim = await readClaimed(context.executor, claim);
  }
  return null;
}

/** Whether the error is temporary: the step is retried when the lease ends, as after a crash. */
export const isTemporary = (error: unknown): boolean => error instanceof DatabaseUnavailableError;
