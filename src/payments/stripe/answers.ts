import type { Stripe } from 'stripe';
import type { Declined, ProviderState, UnknownEffect } from '../ports/card-provider.ts';
import type { Failure } from './failure.ts';
import { refusalKindOf } from './refusals.ts';

/** The effect happened. */
export const done = { outcome: 'done' } as const;

/** It is unknown whether there was an effect. */
export const unknown: UnknownEffect = { outcome: 'unknown' };

/** The same, and the provider keeps its error under the key. */
export const unknownUntilNextRound: UnknownEffect = { outcome: 'unknown', retryRound: true };

/** A final refusal, with the provider's code for it. */
export const refused = <Reason extends string>(
  reason: Reason,
  declineCode: string | null,
): Declined<Reason> => {
  const kind = reason === 'authentication_required' ? 'guest' : refusalKindOf(declineCode);
  return { outcome: 'refused', reason, declineCode, ...(kind === 'funds' ? {} : { kind }) };
};

/** The provider cannot count this amount in this currency; it was not asked. */
export const cannotCharge = refused('declined', 'amount_not_representable');

/** The answer to a call that failed and was not refused. */
export const unknownBy = ({ kind }: Failure): UnknownEffect =>
  kind === 'kept' ? unknownUntilNextRound : unknown;

/** Whether the provider refuses the request permanently. */
export const isRefused = ({ kind }: Failure): boolean => kind === 'declined' || kind === 'invalid';

/** The answer where the guest has to authenticate the payment in the browser. */
export function askGuest({ id, client_secret: clientSecret }: Stripe.PaymentIntent) {
  if (clientSecret === null) return unknown;
  return { ...done, providerReference: id, action: { clientSecret } };
}

/** The answers to a call that the provider did not allow, by the state of the payment. */
export type AnswersByState<A> = Readonly<Partial<Record<ProviderState, A>>>;

/** For a capture. */
export const captureAnswers: AnswersByState<typeof done | Declined> = {
  captured: done,
  voided: refused('declined', 'voided'),
  declined: refused('declined', 'not_authorized'),
};

/** For a void. */
export const voidAnswers: AnswersByState<typeof done | Declined<'captured'>> = {
  voided: done,
  captured: refused('captured', null),
};
