import type { Checkout, Payment } from '../bookings/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { isCollected } from '../pricing/index.ts';
import type { CardProvider } from './ports/card-provider.ts';
import { identityOf } from './rules/effect-name.ts';
import {
  cardOf,
  type Intent,
  type IntentResult,
  isFinal,
  resultOfFound,
  stateFor,
  unknownResult,
} from './rules/intent.ts';
import { saveCard } from './store/cards.ts';
import { findStandingRefund } from './store/refunds-of-returns.ts';
import {
  askAgain,
  findIntentOfAttempt,
  findOpenIntent,
  insertIntent,
  recordIntent,
} from './store/intents.ts';
import { wakeReturnOf } from './store/returns.ts';

/** The dependencies of card payments. */
export interface CardPaymentContext {
  executor: Executor;
  provider: CardProvider;
}

const done = { outcome: 'done' } as const;
const unknown = { outcome: 'unknown' } as const;
const declined = { outcome: 'refused', reason: 'declined' } as const;
const noAction = { ...done, action: null };

const isNothingDue = (checkout: Checkout): boolean => checkout.charges.dueNow === 0;

const newIntent = (
  { kind }: CardProvider,
  { applicationId, bookingId, attemptId, charges }: Checkout,
) => ({
  applicationId,
  checkoutId: bookingId,
  attemptId,
  purpose: 'booking' as const,
  dueOn: charges.schedule[0]!.dueOn,
  amountMinor: charges.dueNow,
  currency: charges.currency,
  provider: kind,
});

/** What the provider knows of a payment, and what the guest's browser needs. */
interface Found {
  intent: Intent;
  /** The provider has no such payment. */
  isMissing: boolean;
  clientSecret: string | null;
}

/**
 * The payments that this process has authorized for a checkout as it was read: the same step captures them without
 * reading them again. An entry may be outdated, because each write is compared with the row.
 */
const authorizedJustNow = new WeakMap<Checkout, Intent>();

/** Writes the result of a call, unless another result was written before. */
const recorded = ({ executor }: CardPaymentContext, intent: Intent, result: IntentResult) =>
  recordIntent(executor, intent, result);

/** Voids a declined payment, because the guest's browser could still use it with another card. Null: not certain. */
async function close(
  context: CardPaymentContext,
  intent: Intent,
  declineCode: string | null,
  signal: AbortSignal,
): Promise<Intent | null> {
  if (intent.state !== 'action_needed') return intent;
  const call = { ...identityOf(intent), providerReference: intent.providerReference! };
  const answer = await context.provider.void(call, signal);
  if (answer.outcome === 'unknown') {
    await recorded(context, intent, unknownResult(answer));
    return null;
  }
  const state = answer.outcome === 'done' ? 'refused' : 'captured';
  return recorded(context, intent, { state, declineCode });
}

/** Looks up a payment whose state is not certain, and writes what was found. Null: the provider does not answer. */
async function find(
  context: CardPaymentContext,
  intent: Intent,
  signal: AbortSignal,
): Promise<Found | null> {
  const { providerReference, customer } = intent;
  if (!customer) return null;
  const { customerReference } = customer;
  const payment = { ...identityOf(intent), providerReference, customerReference };
  const found = await context.provider.findPayment(payment, signal);
  if (found.outcome === 'unknown') return null;
  if (found.state === 'none') return { intent, isMissing: true, clientSecret: null };
  const { state, clientSecret, declineCode } = found;
  const result = resultOfFound({ state, providerReference: found.providerReference, declineCode });
  const known = await recorded(context, intent, result);
  const closed = state === 'declined' ? await close(context, known, declineCode, signal) : known;
  return closed && { intent: closed, isMissing: false, clientSecret };
}

// After an error that the provider keeps under its key, only another number of the try gets further.
const triesAtMost = 3;

/**
 * After an error that the provider keeps: looks the payment up, and sends it with the next number of the try if the
 * provider does not have it.
 */
async function sendAgain(
  context: CardPaymentContext,
  intent: Intent,
  checkout: Checkout,
  signal: AbortSignal,
  tries: number,
): ReturnType<Payment['authorize']> {
  const found = await find(context, intent, signal);
  if (!found) return unknown;
  if (!found.isMissing) return foundAs(found);
  const again = await askAgain(context.executor, intent);
  return again ? send(context, again, checkout, signal, tries + 1) : unknown;
}

/** Sends a payment that the provider does not have, or has under the same key. */
async function send(
  context: CardPaymentContext,
  intent: Intent,
  checkout: Checkout,
  signal: AbortSignal,
  tries = 1,
): ReturnType<Payment['authorize']> {
  const { provider } = context;
  const { amountMinor, currency, applicationId, checkoutId } = intent;
  const card = cardOf(intent.customer);
  // The claim may be lost: nothing is sent after the deadline.
  if (!card || signal.aborted) return unknown;
  const { checkIn, checkOut } = checkout.quote;
  const answer = await provider.authorize(
    {
      ...identityOf(intent),
      amountMinor,
      currency,
      card,
      description: `Stay from ${checkIn} to ${checkOut}`,
      metadata: { applicationId, checkoutId, purpose: intent.purpose },
    },
    signal,
  );
  if (answer.outcome === 'unknown') {
    const asked = await recorded(context, intent, unknownResult(answer));
    const isToTry = asked.keySpent && tries < triesAtMost && !signal.aborted;
    return isToTry ? sendAgain(context, asked, checkout, signal, tries) : unknown;
  }
  if (answer.outcome === 'refused') {
    const { declineCode } = answer;
    return authorizedAs(await recorded(context, intent, { state: 'refused', declineCode }));
  }
  const { providerReference, action } = answer;
  const state = action ? 'action_needed' : 'authorized';
  const now = await recorded(context, intent, { state, providerReference });
  // Somebody has given it up meanwhile: it goes back.
  if (now.state === 'voided') {
    await wakeReturnOf(context.executor, now.paymentId);
    return declined;
  }
  if (now.state === 'action_needed' && action) return askedOf(now, action.clientSecret);
  if (now.state === 'authorized') authorizedJustNow.set(checkout, now);
  return authorizedAs(now);
}

/** The answer to `authorize` where the guest has to authenticate. */
const askedOf = ({ createdAt: since }: Intent, clientSecret: string) => ({
  ...done,
  action: { clientSecret, since },
});

/** The answer to `authorize` for a payment that was looked up. */
const foundAs = ({ intent, clientSecret }: Found) =>
  intent.state === 'action_needed' && clientSecret !== null
    ? askedOf(intent, clientSecret)
    : authorizedAs(intent);

/** The answer to `authorize` for a state that is certain. */
function authorizedAs({ state }: Intent): Awaited<ReturnType<Payment['authorize']>> {
  if (state === 'authorized' || state === 'captured') return noAction;
  return state === 'refused' || state === 'voided' ? declined : unknown;
}

async function authorize(
  context: CardPaymentContext,
  checkout: Checkout,
  signal: AbortSignal,
): ReturnType<Payment['authorize']> {
  const { executor, provider } = context;
  if (isNothingDue(checkout)) return noAction;
  const made = await insertIntent(executor, newIntent(provider, checkout));
  if (made) return send(context, made, checkout, signal);
  const intent = await findIntentOfAttempt(executor, checkout.attemptId);
  if (!intent) return unknown;
  if (intent.state === 'action_needed') {
    const found = await find(context, intent, signal);
    return found ? foundAs(found) : unknown;
  }
  // Under the same key, so it has no second effect.
  if (intent.state === 'requested') {
    const again = await askAgain(executor, intent);
    return again ? send(context, again, checkout, signal) : unknown;
  }
  return authorizedAs(intent);
}

/**
 * Looks up the payment of an attempt, unless its state is final: an authorized payment may have been captured
 * by a worker that was killed before it wrote this.
 */
async function lookUp(
  context: CardPaymentContext,
  checkout: Checkout,
  signal: AbortSignal,
): ReturnType<Payment['lookUp']> {
  const { executor } = context;
  const intent = await findIntentOfAttempt(executor, checkout.attemptId);
  if (!intent) return { ...done, payment: 'none' };
  if (isFinal(intent)) return outcomeOf(context, intent);
  const found = await find(context, intent, signal);
  if (!found) return unknown;
  if (!found.isMissing) return outcomeOf(context, found.intent);
  const sendable = await recorded(context, intent, { state: 'requested' });
  return sendable.state === 'requested' ? { ...done, payment: 'none' } : unknown;
}

async function outcomeOf(
  { executor }: CardPaymentContext,
  { state, paymentId }: Intent,
): ReturnType<Payment['lookUp']> {
  if (state === 'captured' && (await findStandingRefund(executor, paymentId))) {
    return { ...done, payment: 'returned' };
  }
  const payment = stateFor[state];
  if (payment === 'declined') return declined;
  return payment === 'unknown' ? unknown : { ...done, payment };
}

async function capture(
  context: CardPaymentContext,
  checkout: Checkout,
  signal: AbortSignal,
): ReturnType<Payment['capture']> {
  if (isNothingDue(checkout)) return done;
  // Nobody decides while it is pending; later somebody may have done so since it was read.
  const justNow = checkout.state === 'pending' ? authorizedJustNow.get(checkout) : undefined;
  const intent = justNow ?? (await findOpenIntent(context.executor, checkout.attemptId));
  if (intent?.state === 'captured') {
    return (await findStandingRefund(context.executor, intent.paymentId)) ? declined : done;
  }
  return intent ? captureAuthorized(context, intent, signal) : unknown;
}

async function captureAuthorized(
  context: CardPaymentContext,
  intent: Intent,
  signal: AbortSignal,
  tries = 1,
): ReturnType<Payment['capture']> {
  if (intent.state === 'unknown' || signal.aborted) return unknown;
  // The bank has authorized nothing that could be captured.
  if (intent.state !== 'authorized') return declined;
  const { amountMinor, currency } = intent;
  const providerReference = intent.providerReference!;
  const call = { ...identityOf(intent), providerReference, amountMinor, currency };
  const answer = await context.provider.capture(call, signal);
  // A refused capture leaves the authorization, which is voided next.
  if (answer.outcome === 'refused') return declined;
  const result = answer.outcome === 'done' ? { state: 'captured' as const } : unknownResult(answer);
  const now = await recorded(context, intent, result);
  if (now.state === 'captured') return done;
  if (!now.keySpent || tries === triesAtMost) return unknown;
  const found = await find(context, now, signal);
  if (!found || found.isMissing) return unknown;
  if (found.intent.state === 'captured') return done;
  return captureAuthorized(context, found.intent, signal, tries + 1);
}

async function setup(
  { provider }: CardPaymentContext,
  checkout: Checkout,
  signal: AbortSignal,
): ReturnType<Payment['setup']> {
  const { applicationId, bookingId, guest, charges, paymentSetup } = checkout;
  const answer = await provider.prepareCard(
    {
      applicationId,
      checkoutId: bookingId,
      number: paymentSetup?.attempts ?? 1,
      guest: guest && { name: `${guest.firstName} ${guest.lastName}`.trim(), email: guest.email },
      currency: charges.currency,
      amountsMinor: charges.schedule.filter(isCollected).map(({ amount }) => amount),
    },
    signal,
  );
  if (answer.outcome !== 'done') return answer;
  return { ...done, reference: answer.setupReference, clientSecret: answer.clientSecret };
}

async function verify(
  { executor, provider }: CardPaymentContext,
  { applicationId, bookingId }: Checkout,
  setupOf: { setupReference: string; paymentMethodId: string },
  signal: AbortSignal,
): ReturnType<Payment['verify']> {
  const answer = await provider.verifyCard(setupOf, signal);
  if (answer.outcome !== 'done') return answer;
  const { setupReference } = setupOf;
  await saveCard(executor, { applicationId, checkoutId: bookingId, setupReference }, answer);
  return done;
}

/**
 * Card payments of bookings by a provider. Each attempt is written as a row before the provider is asked, and each
 * answer is written with its rows of the ledger; this port answers from the row. Nothing is sent for a booking that
 * has an outcome. Spec: CARD-6, CARD-7.
 */
export const createCardPayments = (context: CardPaymentContext): Payment => ({
  isConfigured: true,
  kind: context.provider.kind,
  publishableKey: context.provider.publishableKey,
  setup: (checkout, signal) => setup(context, checkout, signal),
  verify: (checkout, card, signal) => verify(context, checkout, card, signal),
  // Only the authorization shows it.
  needsAction: async () => ({ outcome: 'unknown' }),
  authorize: (checkout, signal) => authorize(context, checkout, signal),
  capture: (checkout, signal) => capture(context, checkout, signal),
  lookUp: (checkout, signal) => lookUp(context, checkout, signal),
});
