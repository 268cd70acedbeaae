/** What all acts with the money of a claimed account share. */
import { askPort, reconcilePatiently } from '../../bookings/index.ts';
import type { cardLimitsOf } from '../../contract/card-minimums.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { TimeCheck } from '../../platform/clock.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import type { Intent, IntentResult } from '../rules/intent.ts';
import { isUnknownForStaff, type Collection } from '../rules/collection.ts';
import type { MoneyWait } from '../rules/collection-facts.ts';
import { type AccountInFull, type ClaimedAccount, postponeAccount } from '../store/accounts.ts';
import { recordIntent } from '../store/intents.ts';
import type { Refund } from '../store/refunds.ts';

/** The dependencies of the collection. */
export interface CollectionContext {
  executor: Executor;
  provider: CardProvider;
  /** While the database's clock has jumped, nothing is collected. */
  clock: TimeCheck;
  /** How the provider counts a currency; absent: by the table. */
  limitsOf?: typeof cardLimitsOf;
  /**
   * The time of one call of the provider, in milliseconds. A step makes at most three, and all end before
   * the lease does.
   */
  askedMs?: number;
}

/** What one step knows: the claimed account, what is known of it, and what was decided. */
export interface CollectionStep extends CollectionContext {
  claim: ClaimedAccount;
  inFull: AccountInFull;
  collection: Collection;
}

const usualAskedMs = 5_000;

/** Calls the provider within its time. */
export const ask = <Answer>(
  { askedMs = usualAskedMs }: CollectionContext,
  call: (signal: AbortSignal) => Promise<Answer>,
) => askPort(askedMs, call);

/** A payment or refund whose outcome is not known. */
interface Begun {
  what: 'payment' | 'refund';
  amountMinor: number;
  createdAt: EpochMs;
}

// Nothing that was refused is resolved meanwhile: the outcome may be a refusal.
const nothingResolved = { paymentIds: [], refundIds: [] };

const unknownWait = ({ what, amountMinor, createdAt }: Begun): MoneyWait => ({
  kind: 'unknown',
  part: what,
  amountMinor,
  reason: 'unknown',
  code: null,
  since: createdAt,
});

/** The provider does not answer: the act follows later. `waits`: what waits for staff besides. */
export async function tryLater(
  { executor, claim, inFull: { now }, collection }: CollectionStep,
  waits: readonly MoneyWait[] = [],
): Promise<void> {
  const until = now + reconcilePatiently(claim.tries - 1) * 1_000;
  const all = [...waits, ...collection.waits];
  await postponeAccount(executor, claim, until, { waits: all, resolved: nothingResolved });
}

/** The outcome of a call is not known: it is looked up later. */
export const lookUpLater = (step: CollectionStep, begun: Begun): Promise<void> =>
  tryLater(step, isUnknownForStaff(begun.createdAt, step.inFull.now) ? [unknownWait(begun)] : []);

/** A payment without an outcome. */
export const ofPayment = ({ amountMinor, createdAt }: Intent): Begun => ({
  what: 'payment',
  amountMinor,
  createdAt,
});

/** A refund without an outcome. */
export const ofRefund = ({ amountMinor, createdAt }: Refund): Begun => ({
  what: 'refund',
  amountMinor,
  createdAt,
});

/** Writes the result of a payment. A final one makes the account due. */
export async function endPayment(
  step: CollectionStep,
  intent: Intent,
  result: IntentResult,
): Promise<void> {
  await recordIntent(step.executor, intent, result);
  if (result.state === 'unknown') await lookUpLater(step, ofPayment(intent));
}
