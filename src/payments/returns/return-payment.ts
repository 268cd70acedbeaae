import { askPort, reconcilePatiently } from '../../bookings/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import { identityOf } from '../rules/effect-name.ts';
import { neverArrived, resultOfFound, unknownResult } from '../rules/intent.ts';
import {
  decideMissingReturn,
  decideReturn,
  isLongUnknown,
  type ReturnAct,
  type ReturnFacts,
} from '../rules/return.ts';
import { compareAtProvider } from '../collection/compare-refunds.ts';
import { noteMissing, recordIntent } from '../store/intents.ts';
import { writeComparedOfReturn } from '../store/refund-comparison.ts';
import {
  type ClaimedReturn,
  endClaimOfReturn,
  readReturn,
  recordAppeared,
} from '../store/returns.ts';
import { refundRest } from './refund-rest.ts';

/** The dependencies of giving payments back. */
export interface ReturnContext {
  executor: Executor;
  provider: CardProvider;
  /** The time of the calls of one step, in milliseconds. They end before the lease does. */
  askedMs?: number;
}

interface Returning extends ReturnContext, ReturnFacts {
  claim: ClaimedReturn;
}

const usualAskedMs = 10_000;

const ask = <Answer>(
  { askedMs = usualAskedMs }: ReturnContext,
  call: (signal: AbortSignal) => Promise<Answer>,
) => askPort(askedMs, call);

/** It is not known: the provider is asked again later. */
async function askLater({ executor, claim, intent }: Returning): Promise<void> {
  const attention = isLongUnknown(intent, claim.openedAt, intent.now) ? 'unknown' : null;
  await endClaimOfReturn(executor, claim, reconcilePatiently(claim.tries - 1), attention);
}

/** Something was written: the next act follows at once. */
const goOn = ({ executor, claim }: Returning) => endClaimOfReturn(executor, claim, 0, null);

async function missing(returning: Returning): Promise<void> {
  const { executor, intent } = returning;
  const verdict = decideMissingReturn(intent);
  if (verdict === 'gone') {
    await recordIntent(executor, intent, neverArrived(intent));
    return goOn(returning);
  }
  if (verdict === 'note') await noteMissing(executor, intent);
  return askLater(returning);
}

async function find(returning: Returning): Promise<void> {
  const { executor, provider, intent } = returning;
  const { providerReference, customer } = intent;
  const customerReference = customer?.customerReference ?? '';
  const found = await ask(returning, (signal) =>
    provider.findPayment({ ...identityOf(intent), providerReference, customerReference }, signal),
  );
  if (found.outcome === 'unknown') return askLater(returning);
  const { state } = found;
  if (state === 'none') return missing(returning);
  const result = resultOfFound({ ...found, state });
  if (intent.state === 'voided') {
    const { providerReference: reference } = found;
    await recordAppeared(executor, intent.paymentId, {
      state: result.state,
      providerReference: reference,
    });
  } else {
    await recordIntent(executor, intent, result);
  }
  return goOn(returning);
}

async function voidPayment(returning: Returning): Promise<void> {
  const { executor, provider, intent } = returning;
  const call = { ...identityOf(intent), providerReference: intent.providerReference! };
  const answer = await ask(returning, (signal) => provider.void(call, signal));
  if (answer.outcome === 'unknown') {
    await recordIntent(executor, intent, unknownResult(answer));
    return askLater(returning);
  }
  const state = answer.outcome === 'done' ? 'voided' : 'captured';
  await recordIntent(executor, intent, { state });
  return goOn(returning);
}

async function refund(returning: Returning): Promise<void> {
  const { intent } = returning;
  const answer = await ask(returning, async (signal) => ({
    outcome: await refundRest(returning, intent, signal),
  }));
  return answer.outcome === 'unknown' ? askLater(returning) : goOn(returning);
}

/** Somebody may have refunded it in the provider's dashboard. */
async function compare(returning: Returning): Promise<void> {
  const { claim, intent } = returning;
  const compared = await ask(returning, (signal) => compareAtProvider(returning, intent, signal));
  if (compared.outcome === 'unknown') return askLater(returning);
  await writeComparedOfReturn(returning.executor, claim, compared);
}

const acts: {
  readonly [Name in ReturnAct['act']]: (
    returning: Returning,
    act: Extract<ReturnAct, { act: Name }>,
  ) => Promise<void>;
} = {
  find,
  void: voidPayment,
  refund,
  compareRefunds: compare,
  done: ({ executor, claim }) => endClaimOfReturn(executor, claim, null, null),
  tellStaff: ({ executor, claim, intent: { now } }, { attention, until }) =>
    endClaimOfReturn(
      executor,
      claim,
      until === null ? null : Math.max(0, until - now) / 1_000,
      attention,
    ),
};

/**
 * Takes the next action with a claimed payment that must not be kept, and returns it. Null: something has become
 * known since it was claimed. Spec: UNCERTAIN-3.
 */
export async function returnPayment(
  context: ReturnContext,
  claim: ClaimedReturn,
): Promise<ReturnAct | null> {
  const facts = await readReturn(context.executor, claim);
  if (!facts) return null;
  const act = decideReturn(facts);
  await acts[act.act]({ ...context, ...facts, claim }, act as never);
  return act;
}
