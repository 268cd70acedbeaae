import { cardLimitsOf } from '../../contract/card-minimums.ts';
import { identityOf, nameOfRefund } from '../rules/effect-name.ts';
import {
  cardOf,
  decideMissing,
  type Intent,
  type IntentResult,
  neverArrived,
  resultOfFound,
  unknownResult,
} from '../rules/intent.ts';
import { decideCollection } from '../rules/collection.ts';
import type { CollectionAct } from '../rules/collection-facts.ts';
import {
  type ClaimedAccount,
  insertLaterIntent,
  postponeAccount,
  readAccount,
} from '../store/accounts.ts';
import { writeComparedOfAccount } from '../store/refund-comparison.ts';
import { compareAtProvider } from './compare-refunds.ts';
import { endLink, followLink } from './follow-link.ts';
import {
  ask,
  endPayment,
  lookUpLater,
  ofPayment,
  ofRefund,
  type CollectionContext,
  type CollectionStep,
} from './collection-step.ts';
import { findIntent, noteMissing, recordIntent } from '../store/intents.ts';
import { wakeReturnOf } from '../store/returns.ts';
import {
  findRefund,
  insertRefund,
  recordRefund,
  type Refund,
  type RefundResult,
} from '../store/refunds.ts';

// Until it is asked again whether the clock is believed.
const heldMs = 60_000;

async function charge(step: CollectionStep, intent: Intent): Promise<void> {
  const { provider, inFull } = step;
  const { amountMinor, currency, applicationId, checkoutId, purpose } = intent;
  const { reference } = inFull;
  const card = cardOf(inFull.customer);
  // The rule collects only where a card is on file.
  if (!card) return;
  const request = {
    ...identityOf(intent),
    amountMinor,
    currency,
    card,
    description: `Reservation ${reference}`,
    metadata: { applicationId, checkoutId, purpose, reference },
  };
  const answer = await ask(step, (signal) => provider.charge(request, signal));
  if (answer.outcome === 'done') {
    const { providerReference } = answer;
    return endPayment(step, intent, { state: 'captured', providerReference });
  }
  if (answer.outcome === 'refused') {
    const declineCode = answer.declineCode ?? answer.reason;
    return endPayment(step, intent, { state: 'refused', declineCode, refusedAs: answer.kind });
  }
  return endPayment(step, intent, unknownResult(answer));
}

/** Captures the payment of a booking that staff have confirmed before it was known. */
async function capturePayment(step: CollectionStep, intent: Intent): Promise<void> {
  const { amountMinor, currency } = intent;
  const providerReference = intent.providerReference!;
  const call = { ...identityOf(intent), providerReference, amountMinor, currency };
  const answer = await ask(step, (signal) => step.provider.capture(call, signal));
  if (answer.outcome === 'refused') {
    return voidPayment(step, intent, { declineCode: answer.declineCode, refusedAs: 'funds' });
  }
  const result = answer.outcome === 'done' ? { state: 'captured' as const } : unknownResult(answer);
  return endPayment(step, intent, result);
}

/** The provider has no such payment: requests it again if it is still due. */
async function chargeAgain(step: CollectionStep, intent: Intent): Promise<void> {
  const { executor, inFull } = step;
  // A payment of a booking is collected as another one, when this one can no longer arrive.
  if (
    intent.purpose !== 'booking' &&
    !inFull.isCancelled &&
    inFull.balances.open >= intent.amountMinor
  ) {
    const requested = await recordIntent(executor, intent, {
      state: 'requested',
      isAsked: true,
    });
    // Somebody else may have ended it meanwhile.
    if (requested.state === 'requested') await charge(step, requested);
    return;
  }
  const verdict = decideMissing(intent);
  if (verdict === 'gone') {
    await endPayment(step, intent, neverArrived(intent));
    await wakeReturnOf(executor, intent.paymentId);
    return;
  }
  if (verdict === 'note') await noteMissing(executor, intent);
  return lookUpLater(step, ofPayment(intent));
}

/** Ends a charge that stopped before its capture: no guest is there to authenticate it. */
async function voidPayment(
  step: CollectionStep,
  intent: Intent,
  declined: Pick<IntentResult, 'declineCode' | 'refusedAs'>,
): Promise<void> {
  const call = { ...identityOf(intent), providerReference: intent.providerReference! };
  const answer = await ask(step, (signal) => step.provider.void(call, signal));
  if (answer.outcome === 'done') {
    return endPayment(step, intent, { state: 'refused', ...declined });
  }
  return endPayment(step, intent, unknownResult(answer));
}

async function finishPayment(step: CollectionStep, paymentId: string): Promise<void> {
  const { executor, provider, inFull } = step;
  const intent = (await findIntent(executor, paymentId))!;
  const { providerReference } = intent;
  const { customerReference } = inFull.customer!;
  const found = await ask(step, (signal) =>
    provider.findPayment({ ...identityOf(intent), providerReference, customerReference }, signal),
  );
  if (found.outcome === 'unknown') return lookUpLater(step, ofPayment(intent));
  const { state } = found;
  if (state === 'none') return chargeAgain(step, intent);
  if (state === 'captured' || state === 'voided') {
    return endPayment(step, intent, resultOfFound({ ...found, state }));
  }
  const stopped = await recordIntent(executor, intent, resultOfFound({ ...found, state }));
  if (intent.purpose === 'booking' && state === 'authorized' && !inFull.isCancelled) {
    return capturePayment(step, stopped);
  }
  await voidPayment(step, stopped, {
    declineCode: found.declineCode ?? 'authentication_required',
    refusedAs: found.state === 'declined' ? found.refusedAs : 'guest',
  });
}

/** Writes the result of a refund. A final one makes the account due. */
async function endRefund(
  step: CollectionStep,
  refund: Refund,
  result: RefundResult,
): Promise<void> {
  await recordRefund(step.executor, refund, result);
  if (result.state === 'unknown') await lookUpLater(step, ofRefund(refund));
}

async function requestRefund(step: CollectionStep, refund: Refund): Promise<void> {
  const { executor, provider } = step;
  const { refundId, round, paymentId, amountMinor, reason } = refund;
  const intent = (await findIntent(executor, paymentId))!;
  const { providerReference, currency } = intent;
  const name = nameOfRefund(intent, refund);
  // A captured payment has a reference.
  const request = { refundId, round, name, amountMinor, currency, reason };
  const answer = await ask(step, (signal) =>
    provider.refund({ ...request, providerReference: providerReference! }, signal),
  );
  if (answer.outcome === 'done') {
    const { refundReference } = answer;
    return endRefund(step, refund, { state: 'done', refundReference });
  }
  if (answer.outcome === 'refused') {
    const { declineCode, kind: refusedAs } = answer;
    return endRefund(step, refund, { state: 'refused', declineCode, refusedAs });
  }
  return endRefund(step, refund, unknownResult(answer));
}

const refundEnds = { pending: 'done', done: 'done', failed: 'refused' } as const;

async function finishRefund(step: CollectionStep, refundId: string): Promise<void> {
  const { executor, provider } = step;
  const refund = (await findRefund(executor, refundId))!;
  const intent = (await findIntent(executor, refund.paymentId))!;
  const { refundReference } = refund;
  const name = nameOfRefund(intent, refund);
  const asked = { refundId, name, providerReference: intent.providerReference!, refundReference };
  const found = await ask(step, (signal) => provider.findRefund(asked, signal));
  if (found.outcome === 'unknown') return lookUpLater(step, ofRefund(refund));
  if (found.state === 'none') {
    const requested = await recordRefund(executor, refund, { state: 'requested' });
    if (requested.state === 'requested') await requestRefund(step, requested);
    return;
  }
  const { refundReference: reference, declineCode, refusedAs } = found;
  const state = refundEnds[found.state];
  return endRefund(step, refund, {
    state,
    refundReference: reference,
    declineCode,
    refusedAs,
  });
}

/** Somebody may have refunded a payment in the provider's dashboard. */
async function compareRefundsOf(step: CollectionStep, paymentId: string): Promise<void> {
  const { executor, claim } = step;
  const intent = (await findIntent(executor, paymentId))!;
  const compared = await ask(step, (signal) => compareAtProvider(step, intent, signal));
  if (compared.outcome === 'unknown') return lookUpLater(step, ofPayment(intent));
  await writeComparedOfAccount(executor, claim, paymentId, compared);
}

type Act<Name extends CollectionAct['act']> = Extract<CollectionAct, { act: Name }>;

const acts: {
  readonly [Name in CollectionAct['act']]: (step: CollectionStep, act: Act<Name>) => Promise<void>;
} = {
  finishPayment: (step, { paymentId }) => finishPayment(step, paymentId),
  finishRefund: (step, { refundId }) => finishRefund(step, refundId),
  compareRefunds: (step, { paymentId }) => compareRefundsOf(step, paymentId),
  followLink: (step, { paymentId }) => followLink(step, paymentId),
  endLink: (step, { paymentId }) => endLink(step, paymentId),
  async collect(step, { purpose, dueOn, amountMinor }) {
    const { executor, provider, claim, inFull } = step;
    const { attemptId, currency } = inFull;
    const wanted = { attemptId, purpose, dueOn, amountMinor, currency, provider: provider.kind };
    const intent = await insertLaterIntent(executor, claim, wanted);
    if (intent) await charge(step, intent);
  },
  async refund(step, { paymentId, amountMinor, isOwed }) {
    const { executor, claim, inFull } = step;
    const surplus = inFull.isCancelled ? 'cancelled' : 'lowered';
    const reason = isOwed ? 'given back' : surplus;
    const refund = await insertRefund(executor, claim, { paymentId, amountMinor, reason, isOwed });
    if (refund) await requestRefund(step, refund);
  },
  wait: ({ executor, claim, collection }, { until }) =>
    postponeAccount(executor, claim, until, collection),
};

/**
 * Takes the next action with the money of a claimed account, and returns it. The request is committed before
 * the provider is called, and the answer afterwards; a repeat first looks up the result. Null: the account has
 * changed since it was claimed, or the database's clock has jumped.
 */
export async function collectAccount(
  context: CollectionContext,
  claim: ClaimedAccount,
): Promise<CollectionAct | null> {
  const inFull = await readAccount(context.executor, claim);
  const { limitsOf = cardLimitsOf, clock } = context;
  // The clock has jumped: another claim reads the time again.
  if (!inFull || !clock.isNear(inFull.now)) return null;
  const limits = limitsOf(inFull.currency);
  const collection = decideCollection({ ...inFull, limits });
  const isHeld = collection.next.act === 'collect' && clock.isHeld();
  const next = isHeld ? { act: 'wait' as const, until: inFull.now + heldMs } : collection.next;
  await acts[next.act]({ ...context, claim, inFull, collection }, next as never);
  return next;
}
