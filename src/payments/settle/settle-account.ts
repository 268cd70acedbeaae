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
import { decideSettlement } from '../rules/settlement.ts';
import type { SettlementAct } from '../rules/settlement-facts.ts';
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
  type SettlementContext,
  type Settling,
} from './settling.ts';
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

async function charge(settling: Settling, intent: Intent): Promise<void> {
  const { provider, file } = settling;
  const { amountMinor, currency, applicationId, checkoutId, purpose } = intent;
  const { reference } = file;
  const card = cardOf(file.customer);
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
  const answer = await ask(settling, (signal) => provider.charge(request, signal));
  if (answer.outcome === 'done') {
    const { providerReference } = answer;
    return endPayment(settling, intent, { state: 'captured', providerReference });
  }
  if (answer.outcome === 'refused') {
    const declineCode = answer.declineCode ?? answer.reason;
    return endPayment(settling, intent, { state: 'refused', declineCode, refusedAs: answer.kind });
  }
  return endPayment(settling, intent, unknownResult(answer));
}

/** Captures the payment of a booking that staff have confirmed before it was known. */
async function capturePayment(settling: Settling, intent: Intent): Promise<void> {
  const { amountMinor, currency } = intent;
  const providerReference = intent.providerReference!;
  const call = { ...identityOf(intent), providerReference, amountMinor, currency };
  const answer = await ask(settling, (signal) => settling.provider.capture(call, signal));
  if (answer.outcome === 'refused') {
    return voidPayment(settling, intent, { declineCode: answer.declineCode, refusedAs: 'funds' });
  }
  const result = answer.outcome === 'done' ? { state: 'captured' as const } : unknownResult(answer);
  return endPayment(settling, intent, result);
}

/** The provider has no such payment: requests it again if it is still due. */
async function chargeAgain(settling: Settling, intent: Intent): Promise<void> {
  const { executor, file } = settling;
  // A payment of a booking is collected as another one, when this one can no longer arrive.
  if (
    intent.purpose !== 'booking' &&
    !file.isCancelled &&
    file.balances.open >= intent.amountMinor
  ) {
    const requested = await recordIntent(executor, intent, {
      state: 'requested',
      isAsked: true,
    });
    // Somebody else may have ended it meanwhile.
    if (requested.state === 'requested') await charge(settling, requested);
    return;
  }
  const verdict = decideMissing(intent);
  if (verdict === 'gone') {
    await endPayment(settling, intent, neverArrived(intent));
    await wakeReturnOf(executor, intent.paymentId);
    return;
  }
  if (verdict === 'note') await noteMissing(executor, intent);
  return lookUpLater(settling, ofPayment(intent));
}

/** Ends a charge that stopped before its capture: no guest is there to authenticate it. */
async function voidPayment(
  settling: Settling,
  intent: Intent,
  declined: Pick<IntentResult, 'declineCode' | 'refusedAs'>,
): Promise<void> {
  const call = { ...identityOf(intent), providerReference: intent.providerReference! };
  const answer = await ask(settling, (signal) => settling.provider.void(call, signal));
  if (answer.outcome === 'done') {
    return endPayment(settling, intent, { state: 'refused', ...declined });
  }
  return endPayment(settling, intent, unknownResult(answer));
}

async function finishPayment(settling: Settling, paymentId: string): Promise<void> {
  const { executor, provider, file } = settling;
  const intent = (await findIntent(executor, paymentId))!;
  const { providerReference } = intent;
  const { customerReference } = file.customer!;
  const found = await ask(settling, (signal) =>
    provider.findPayment({ ...identityOf(intent), providerReference, customerReference }, signal),
  );
  if (found.outcome === 'unknown') return lookUpLater(settling, ofPayment(intent));
  const { state } = found;
  if (state === 'none') return chargeAgain(settling, intent);
  if (state === 'captured' || state === 'voided') {
    return endPayment(settling, intent, resultOfFound({ ...found, state }));
  }
  const stopped = await recordIntent(executor, intent, resultOfFound({ ...found, state }));
  if (intent.purpose === 'booking' && state === 'authorized' && !file.isCancelled) {
    return capturePayment(settling, stopped);
  }
  await voidPayment(settling, stopped, {
    declineCode: found.declineCode ?? 'authentication_required',
    refusedAs: found.state === 'declined' ? found.refusedAs : 'guest',
  });
}

/** Writes the result of a refund. A final one makes the account due. */
async function endRefund(settling: Settling, refund: Refund, result: RefundResult): Promise<void> {
  await recordRefund(settling.executor, refund, result);
  if (result.state === 'unknown') await lookUpLater(settling, ofRefund(refund));
}

async function requestRefund(settling: Settling, refund: Refund): Promise<void> {
  const { executor, provider } = settling;
  const { refundId, round, paymentId, amountMinor, reason } = refund;
  const intent = (await findIntent(executor, paymentId))!;
  const { providerReference, currency } = intent;
  const name = nameOfRefund(intent, refund);
  // A captured payment has a reference.
  const request = { refundId, round, name, amountMinor, currency, reason };
  const answer = await ask(settling, (signal) =>
    provider.refund({ ...request, providerReference: providerReference! }, signal),
  );
  if (answer.outcome === 'done') {
    const { refundReference } = answer;
    return endRefund(settling, refund, { state: 'done', refundReference });
  }
  if (answer.outcome === 'refused') {
    const { declineCode, kind: refusedAs } = answer;
    return endRefund(settling, refund, { state: 'refused', declineCode, refusedAs });
  }
  return endRefund(settling, refund, unknownResult(answer));
}

const refundEnds = { pending: 'done', done: 'done', failed: 'refused' } as const;

async function finishRefund(settling: Settling, refundId: string): Promise<void> {
  const { executor, provider } = settling;
  const refund = (await findRefund(executor, refundId))!;
  const intent = (await findIntent(executor, refund.paymentId))!;
  const { refundReference } = refund;
  const name = nameOfRefund(intent, refund);
  const asked = { refundId, name, providerReference: intent.providerReference!, refundReference };
  const found = await ask(settling, (signal) => provider.findRefund(asked, signal));
  if (found.outcome === 'unknown') return lookUpLater(settling, ofRefund(refund));
  if (found.state === 'none') {
    const requested = await recordRefund(executor, refund, { state: 'requested' });
    if (requested.state === 'requested') await requestRefund(settling, requested);
    return;
  }
  const { refundReference: reference, declineCode, refusedAs } = found;
  const state = refundEnds[found.state];
  return endRefund(settling, refund, {
    state,
    refundReference: reference,
    declineCode,
    refusedAs,
  });
}

/** Somebody may have refunded a payment in the provider's dashboard. */
async function compareRefundsOf(settling: Settling, paymentId: string): Promise<void> {
  const { executor, claim } = settling;
  const intent = (await findIntent(executor, paymentId))!;
  const compared = await ask(settling, (signal) => compareAtProvider(settling, intent, signal));
  if (compared.outcome === 'unknown') return lookUpLater(settling, ofPayment(intent));
  await writeComparedOfAccount(executor, claim, paymentId, compared);
}

type Act<Name extends SettlementAct['act']> = Extract<SettlementAct, { act: Name }>;

const acts: {
  readonly [Name in SettlementAct['act']]: (settling: Settling, act: Act<Name>) => Promise<void>;
} = {
  finishPayment: (settling, { paymentId }) => finishPayment(settling, paymentId),
  finishRefund: (settling, { refundId }) => finishRefund(settling, refundId),
  compareRefunds: (settling, { paymentId }) => compareRefundsOf(settling, paymentId),
  followLink: (settling, { paymentId }) => followLink(settling, paymentId),
  endLink: (settling, { paymentId }) => endLink(settling, paymentId),
  async collect(settling, { purpose, dueOn, amountMinor }) {
    const { executor, provider, claim, file } = settling;
    const { attemptId, currency } = file;
    const wanted = { attemptId, purpose, dueOn, amountMinor, currency, provider: provider.kind };
    const intent = await insertLaterIntent(executor, claim, wanted);
    if (intent) await charge(settling, intent);
  },
  async refund(settling, { paymentId, amountMinor, isOwed }) {
    const { executor, claim, file } = settling;
    const surplus = file.isCancelled ? 'cancelled' : 'lowered';
    const reason = isOwed ? 'given back' : surplus;
    const refund = await insertRefund(executor, claim, { paymentId, amountMinor, reason, isOwed });
    if (refund) await requestRefund(settling, refund);
  },
  wait: ({ executor, claim, settlement }, { until }) =>
    postponeAccount(executor, claim, until, settlement),
};

/**
 * Takes the next action with the money of a claimed account, and returns it. The request is committed before
 * the provider is called, and the answer afterwards; a repeat first looks up the result. Null: the account has
 * changed since it was claimed, or the database's clock has jumped.
 */
export async function settleAccount(
  context: SettlementContext,
  claim: ClaimedAccount,
): Promise<SettlementAct | null> {
  const file = await readAccount(context.executor, claim);
  const { limitsOf = cardLimitsOf, clock } = context;
  // The clock has jumped: another claim reads the time again.
  if (!file || !clock.isNear(file.now)) return null;
  const limits = limitsOf(file.currency);
  const settlement = decideSettlement({ ...file, limits });
  const isHeld = settlement.next.act === 'collect' && clock.isHeld();
  const next = isHeld ? { act: 'wait' as const, until: file.now + heldMs } : settlement.next;
  await acts[next.act]({ ...context, claim, file, settlement }, next as never);
  return next;
}
