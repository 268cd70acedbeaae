import type { Stripe } from 'stripe';
import type {
  CardProvider,
  PaymentIdentity,
  PaymentRequest,
  UnknownEffect,
} from '../ports/card-provider.ts';
import { toProviderAmount } from './amounts.ts';
import {
  type AnswersByState,
  askGuest,
  cannotCharge,
  captureAnswers,
  done,
  isRefused,
  refused,
  unknown,
  unknownBy,
  unknownUntilNextRound,
  voidAnswers,
} from './answers.ts';
import type { StripeClient } from './client.ts';
import { keyOfName, metadataOf } from './effect-names.ts';
import { type Failure, failureOf } from './failure.ts';
import { retrievePayment } from './lookups.ts';
import { refusalKindOf } from './refusals.ts';
import { needsGuest, refundStateOf, stateOf } from './states.ts';

type Step = 'authorize' | 'charge' | 'capture' | 'void';

const keyOf = ({ paymentId, round, name }: PaymentIdentity, step: Step) => ({
  idempotencyKey: name ? keyOfName(name, step) : `${paymentId}:${step}:${round}`,
});

const captureMethods = { authorize: 'manual', charge: 'automatic' } as const;

/** Creates a payment and confirms it without the guest. Rejects if the bank declines it. */
function createConfirmed(
  { call }: StripeClient,
  step: keyof typeof captureMethods,
  { amount, ...payment }: PaymentRequest & { amount: number },
  signal: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  const { currency, card, description, metadata, paymentId, name } = payment;
  return call(signal, (stripe) =>
    stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        customer: card.customerReference,
        payment_method: card.paymentMethodReference,
        allowed_payment_method_types: ['card'],
        capture_method: captureMethods[step],
        confirm: true,
        // The guest is there while a booking is paid, so the bank may ask for an authentication.
        off_session: step === 'charge',
        description,
        metadata: { ...metadata, payment_id: paymentId, ...(name && metadataOf(name)) },
      },
      keyOf(payment, step),
    ),
  );
}

/** Authorizes, and charges at once. */
export const payments = (client: StripeClient): Pick<CardProvider, 'authorize' | 'charge'> => ({
  async authorize(payment, signal) {
    const amount = toProviderAmount(payment.amountMinor, payment.currency);
    if (amount === null) return cannotCharge;
    try {
      const made = await createConfirmed(client, 'authorize', { ...payment, amount }, signal);
      if (needsGuest(made)) return askGuest(made);
      return stateOf(made) === 'authorized'
        ? { ...done, providerReference: made.id, action: null }
        : unknown;
    } catch (error) {
      const failure = failureOf(error);
      if (!isRefused(failure)) return unknownBy(failure);
      const { payment: made, code } = failure;
      // Keys of another account: no bank has declined, and nothing was done.
      if (refusalKindOf(code) === 'account') return unknown;
      return made && needsGuest(made) ? askGuest(made) : refused('declined', code);
    }
  },

  async charge(payment, signal) {
    const amount = toProviderAmount(payment.amountMinor, payment.currency);
    if (amount === null) return cannotCharge;
    try {
      const made = await createConfirmed(client, 'charge', { ...payment, amount }, signal);
      if (needsGuest(made)) return refused('authentication_required', null);
      return stateOf(made) === 'captured' ? { ...done, providerReference: made.id } : unknown;
    } catch (error) {
      const failure = failureOf(error);
      if (!isRefused(failure)) return unknownBy(failure);
      const { payment: made, code } = failure;
      return refused(made && needsGuest(made) ? 'authentication_required' : 'declined', code);
    }
  },
});

/** The answer where the provider did not allow a call: by the state of the payment. */
async function answerByState<A>(
  client: StripeClient,
  answers: AnswersByState<A>,
  { failure, reference }: { failure: Failure; reference: string },
  signal: AbortSignal,
): Promise<A | UnknownEffect> {
  if (!isRefused(failure)) return unknownBy(failure);
  try {
    const payment = failure.payment ?? (await retrievePayment(client, reference, signal));
    const state = stateOf(payment);
    // The refusal is kept under the key, and the payment may reach a state that allows the call.
    return (state && answers[state]) ?? unknownUntilNextRound;
  } catch (error) {
    return unknownBy(failureOf(error));
  }
}

/** Captures, voids and refunds. */
export const effects = (
  client: StripeClient,
): Pick<CardProvider, 'capture' | 'void' | 'refund'> => ({
  async capture({ providerReference: reference, amountMinor, currency, ...payment }, signal) {
    const amount = toProviderAmount(amountMinor, currency);
    if (amount === null) return cannotCharge;
    const parameters = { amount_to_capture: amount };
    try {
      const captured = await client.call(signal, (stripe) =>
        stripe.paymentIntents.capture(reference, parameters, keyOf(payment, 'capture')),
      );
      return stateOf(captured) === 'captured' ? done : unknown;
    } catch (error) {
      const failure = failureOf(error);
      return answerByState(client, captureAnswers, { failure, reference }, signal);
    }
  },

  async void({ providerReference: reference, ...payment }, signal) {
    try {
      const voided = await client.call(signal, (stripe) =>
        stripe.paymentIntents.cancel(reference, {}, keyOf(payment, 'void')),
      );
      return stateOf(voided) === 'voided' ? done : unknown;
    } catch (error) {
      const failure = failureOf(error);
      return answerByState(client, voidAnswers, { failure, reference }, signal);
    }
  },

  async refund(refund, signal) {
    const { refundId, round, name, providerReference, amountMinor, currency, reason } = refund;
    const amount = toProviderAmount(amountMinor, currency);
    if (amount === null) return cannotCharge;
    const metadata = { refund_id: refundId, reason, ...(name && metadataOf(name)) };
    const idempotencyKey = name ? keyOfName(name, 'refund') : `${refundId}:refund:${round}`;
    try {
      const made = await client.call(signal, (stripe) =>
        stripe.refunds.create(
          { payment_intent: providerReference, amount, metadata },
          { idempotencyKey },
        ),
      );
      const state = refundStateOf(made);
      return state === 'failed'
        ? refused('declined', made.failure_reason ?? null)
        : { ...done, refundReference: made.id, state: state === 'done' ? state : 'pending' };
    } catch (error) {
      const failure = failureOf(error);
      return isRefused(failure) ? refused('declined', failure.code) : unknownBy(failure);
    }
  },
});
