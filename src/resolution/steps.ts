import { randomBytes } from 'node:crypto';
import type { Catalog } from '../catalog/index.ts';
import { postponeBooking, readClaimed, type Claim } from '../db/booking-claims.ts';
import { moveBooking } from '../db/bookings.ts';
import { isResolution, resolveBooking } from '../db/resolve-bookings.ts';
import { DatabaseUnavailableError, isTaken, type Executor } from '../db/database.ts';
import { findPromotion } from '../db/promotions.ts';
import type { Booking, BookingChange, Checkout } from '../domain/booking.ts';
import { dayNumber } from '../domain/calendar-date.ts';
import { decideSetupAnswered } from '../domain/checkout.ts';
import { priceStay, samePrice } from '../domain/pricing.ts';
import { referenceFrom } from '../domain/reference.ts';
import { decideActionUnanswered, decideResolution, type Outcome } from '../domain/resolution.ts';
import type { Payment } from '../payment/index.ts';
import type { Supply } from '../supply/index.ts';

/** What a step works with. */
export interface StepParts {
  executor: Executor;
  catalog: Catalog;
  supply: Supply;
  payment: Payment;
}

/** What a step came to: something to write, or when to look again (null: when something moves it). */
type StepResult = BookingChange | { lookAgainInSeconds: number | null };

type Step = (parts: StepParts, claim: Claim) => Promise<StepResult>;

const nothingToDo: StepResult = { lookAgainInSeconds: null };

// Often at first, when a guest is waiting; then ever more rarely.
const eagerTries = 20;
const longestPauseSeconds = 3_600;

/** How long to wait before an unknown outcome is looked up again. */
export const reconcileInSeconds = (tries: number): number =>
  tries <= eagerTries ? 1 : Math.min(2 ** (tries - eagerTries), longestPauseSeconds);

async function answerSetup({ payment }: StepParts, claim: Claim): Promise<StepResult> {
  const checkout = claim.booking as Checkout;
  const setup = checkout.paymentSetup;
  if (setup?.state !== 'pending') return nothingToDo;
  const answer = await payment.setup(checkout);
  return decideSetupAnswered(checkout, setup, answer, claim.present);
}

async function giveUpAction(_parts: StepParts, claim: Claim): Promise<StepResult> {
  return decideActionUnanswered(claim.booking as Checkout, claim.present) ?? nothingToDo;
}

/** Why a stay is not asked for, although it was submitted; null: ask. */
async function refusalBeforeAsking(parts: StepParts, claim: Claim): Promise<Outcome | null> {
  if (!claim.authorised) return { result: 'refused', reason: 'authority_revoked' };
  const { booking } = claim;
  const { quote } = booking;
  const catalog = await parts.catalog.follow(claim.catalogRevision);
  const sold = catalog.find(quote.listingId);
  if (!sold) return { result: 'refused', reason: 'sold_out' };
  if (sold.termsVersion !== quote.terms.version) {
    return { result: 'refused', reason: 'policy_changed' };
  }
  const code = booking.kind === 'checkout' ? booking.promotionCode : null;
  const held = code === null ? undefined : await findPromotion(parts.executor, code);
  const stay = { checkIn: dayNumber(quote.checkIn), checkOut: dayNumber(quote.checkOut) };
  // When it falls due is not compared, so any day will do.
  const price = priceStay(sold.listing, stay, quote.party, {
    today: stay.checkIn,
    promotion: held?.promotion ?? null,
  });
  // A price that can no longer be told is not the one that was quoted.
  const same = price !== null && samePrice(price, booking.charges);
  return same ? null : { result: 'refused', reason: 'price_changed' };
}

async function ask(parts: StepParts, claim: Claim): Promise<Outcome> {
  const refusal = await refusalBeforeAsking(parts, claim);
  if (refusal) return refusal;
  const { booking } = claim;
  if (booking.kind === 'checkout' && booking.settlement === 'card') {
    const card = await parts.payment.authorize(booking);
    if (card === 'declined') return { result: 'refused', reason: 'refused' };
  }
  return parts.supply.reserve(booking);
}

const isWaiting = (booking: Booking): boolean =>
  booking.state === 'uncertain' || booking.state === 'unresolved';

/** The first claim asks; every later one first looks up what became of the attempt. */
async function outcomeOf(parts: StepParts, claim: Claim): Promise<Outcome> {
  const askedBefore = claim.tries > 1 || isWaiting(claim.booking);
  const known = askedBefore ? await parts.supply.findAttempt(claim.booking.attemptId) : undefined;
  if (known) return known;
  return isWaiting(claim.booking) ? { result: 'unknown' } : ask(parts, claim);
}

async function resolve(parts: StepParts, claim: Claim): Promise<StepResult> {
  const outcome = await outcomeOf(parts, claim);
  const change = decideResolution(claim.booking, outcome, {
    reference: referenceFrom(randomBytes(5)),
    present: claim.present,
    reconcileInSeconds: reconcileInSeconds(0),
  });
  return change ?? { lookAgainInSeconds: reconcileInSeconds(claim.tries) };
}

/** What a worker does with a booking in each state; the others have nothing to wait for. */
const steps: Readonly<Partial<Record<Booking['state'], Step>>> = {
  needs_payment: answerSetup,
  requires_action: giveUpAction,
  pending: resolve,
  uncertain: resolve,
  unresolved: resolve,
};

const isChange = (result: StepResult): result is BookingChange => 'next' in result;

/** Writes the result. False: somebody else moved the booking meanwhile. */
async function write(parts: StepParts, claim: Claim, result: StepResult): Promise<boolean> {
  if (!isChange(result)) {
    await postponeBooking(parts.executor, claim, result.lookAgainInSeconds);
    return true;
  }
  try {
    if (isResolution(result)) return await resolveBooking(parts.executor, result, claim.fence);
    return (await moveBooking(parts.executor, result, { fence: claim.fence })) === 'moved';
  } catch (error) {
    // The reference is taken, one chance in 10¹²: decide again, with another.
    if (isTaken(error, 'reservations_pkey')) return false;
    throw error;
  }
}

/**
 * Takes a claimed booking one step on. Whoever lost the lease writes nothing.
 * Returns what was written; null: nothing, the claim was lost.
 */
export async function takeStep(parts: StepParts, claimed: Claim): Promise<BookingChange | null> {
  for (let claim: Claim | undefined = claimed; claim;) {
    const step = steps[claim.booking.state];
    const result = step ? await step(parts, claim) : nothingToDo;
    if (await write(parts, claim, result)) return isChange(result) ? result : null;
    claim = await readClaimed(parts.executor, claim);
  }
  return null;
}

/** Whether a failed step is left to the end of its lease, as any crash would be. */
export const isPassing = (error: unknown): boolean => error instanceof DatabaseUnavailableError;
