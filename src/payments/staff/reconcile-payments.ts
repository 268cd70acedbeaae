import { OperatorRefusal } from '../../access/index.ts';
import { askPort, type UnknownAnswer } from '../../bookings/index.ts';
import { dayMs, type EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { CardProvider, ListedPayment, PaymentRange } from '../ports/card-provider.ts';
import {
  type DifferenceKind,
  differencesOf,
  type PaymentHere,
  type PaymentThere,
} from '../rules/reconciliation.ts';
import {
  batchesToCompare,
  findPaymentsToCompare,
  type PaymentToCompare,
} from '../store/reconciliation.ts';

/** One way in which our tables and the provider differ about a payment. Amounts in minor units. */
export interface PaymentDifference {
  kind: DifferenceKind;
  paymentId: string;
  providerReference: string | null;
  /** Null: no reservation of ours has this payment. */
  reference: string | null;
  here: Pick<PaymentHere, 'state' | 'amountMinor' | 'currency' | 'refundedMinor'> | null;
  there: Pick<PaymentThere, 'state' | 'amountMinor' | 'currency' | 'refundedMinor'> | null;
}

/** The dependencies of a reconciliation. */
export interface ReconciliationParts {
  executor: Executor;
  provider: CardProvider;
  /** Ends the reconciliation. */
  signal: AbortSignal;
  /** The time of one call of the provider, in milliseconds. */
  askedMs?: number;
}

const atOnce = 100;
const usualAskedMs = 10_000;

const noProvider = (): OperatorRefusal =>
  new OperatorRefusal('There is no card provider: set STRIPE_SECRET_KEY and the others.');

/** Calls the provider. Throws `OperatorRefusal` if it does not answer in time. */
async function ask<Answer extends { outcome: string }>(
  { signal, askedMs = usualAskedMs }: ReconciliationParts,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Exclude<Answer, UnknownAnswer>> {
  const answer = await askPort(askedMs, (late) => call(AbortSignal.any([signal, late])));
  if (answer.outcome !== 'unknown') return answer as Exclude<Answer, UnknownAnswer>;
  throw new OperatorRefusal('The card provider does not answer. Nothing was changed; try again.');
}

async function lookUp(
  parts: ReconciliationParts,
  payment: { paymentId: string; providerReference: string | null; customerReference: string },
): Promise<PaymentThere | null> {
  const found = await ask(parts, (signal) =>
    parts.provider.findPayment({ ...payment, name: null }, signal),
  );
  const { state, amountMinor, refundedMinor, isDisputed, providerReference } = found;
  if (providerReference === null) return null;
  return { state, amountMinor, refundedMinor, isDisputed, providerReference, currency: null };
}

const sideOf = <Side extends PaymentHere | PaymentThere>(side: Side | null) =>
  side && {
    state: side.state,
    amountMinor: side.amountMinor,
    currency: side.currency,
    refundedMinor: side.refundedMinor,
  };

const found = (
  paymentId: string,
  here: PaymentToCompare | null,
  there: PaymentThere | null,
): PaymentDifference[] =>
  differencesOf(here, there).map((kind) => ({
    kind,
    paymentId,
    providerReference: there?.providerReference ?? here?.providerReference ?? null,
    reference: here?.reference ?? null,
    here: sideOf(here) as PaymentDifference['here'],
    there: sideOf(there) as PaymentDifference['there'],
  }));

/** Looks at both sides again: between two reads, a worker may have changed a payment. */
async function stillDifferent(
  parts: ReconciliationParts,
  paymentId: string,
  there: PaymentThere | null,
): Promise<PaymentDifference[]> {
  const [here = null] = await findPaymentsToCompare(parts.executor, [paymentId]);
  // A payment that was not listed is searched among those of the customer. A search by its reference could not
  // tell a payment that does not exist from one whose answer was lost.
  const providerReference = there?.providerReference ?? null;
  const customerReference = here?.customerReference ?? '';
  const isNameless = providerReference === null && customerReference === '';
  const now = isNameless
    ? null
    : await lookUp(parts, { paymentId, providerReference, customerReference });
  return found(paymentId, here, now && { ...now, currency: there?.currency ?? null });
}

async function* listedByProvider(
  parts: ReconciliationParts,
  range: PaymentRange,
): AsyncIterable<ListedPayment[]> {
  let after: string | null = null;
  do {
    const place: { range: PaymentRange; after: string | null } = { range, after };
    const page = await ask(parts, (signal) => parts.provider.listPayments(place, signal));
    yield page.payments;
    after = page.next;
  } while (after !== null);
}

type OurListed = ListedPayment & { paymentId: string };

// Payments of other programs in the same account are not ours to judge.
const isOurs = (payment: ListedPayment): payment is OurListed =>
  payment.paymentId !== null && isUuid(payment.paymentId);

/** Compares what the provider lists with our tables, and notes the payments that were seen. */
async function* fromThere(
  parts: ReconciliationParts,
  range: PaymentRange,
  seen: Set<string>,
): AsyncIterable<PaymentDifference> {
  for await (const page of listedByProvider(parts, range)) {
    const ours = page.filter(isOurs);
    const here = await findPaymentsToCompare(
      parts.executor,
      ours.map(({ paymentId }) => paymentId),
    );
    const byId = new Map(here.map((payment) => [payment.paymentId, payment]));
    for (const there of ours) {
      const known = byId.get(there.paymentId) ?? null;
      if (!known || known.providerReference === there.providerReference) seen.add(there.paymentId);
      if (differencesOf(known, there).length === 0) continue;
      yield* await stillDifferent(parts, there.paymentId, there);
    }
  }
}

/** Compares our payments that the provider has not listed. */
async function* fromHere(
  parts: ReconciliationParts,
  range: PaymentRange,
  seen: ReadonlySet<string>,
): AsyncIterable<PaymentDifference> {
  for await (const batch of batchesToCompare(parts.executor, range, atOnce)) {
    for (const payment of batch) {
      const { paymentId } = payment;
      if (seen.has(paymentId) || differencesOf(payment, null).length === 0) continue;
      yield* await stillDifferent(parts, paymentId, null);
    }
  }
}

/** Every day since an instant. The last one has no end: the clocks of both sides may be ahead of this one. */
function* daysSince(since: EpochMs): Iterable<PaymentRange> {
  const now = Date.now();
  let from = since;
  for (; from + dayMs <= now; from += dayMs) yield { since: from, until: from + dayMs };
  yield { since: from, until: null };
}

async function* differencesOfDay(
  parts: ReconciliationParts,
  day: PaymentRange,
): AsyncIterable<PaymentDifference> {
  const seen = new Set<string>();
  yield* fromThere(parts, day, seen);
  yield* fromHere(parts, day, seen);
}

/**
 * Compares every payment since an instant with the provider, and names every difference that is still there
 * when both sides are read again. Changes nothing. It keeps the IDs of one day, so a payment that the provider
 * has created on another day than we did is looked up separately. Throws `OperatorRefusal`. Spec: MONEY-14.
 *
 * @param parts.provider null: there is none, which is refused
 */
export async function reconcilePayments(
  { provider, ...rest }: Omit<ReconciliationParts, 'provider'> & { provider: CardProvider | null },
  since: EpochMs,
): Promise<{ differences: PaymentDifference[] }> {
  if (!provider) throw noProvider();
  const parts = { ...rest, provider };
  // A payment that is read on two days is named once.
  const differences = new Map<string, PaymentDifference>();
  for (const day of daysSince(since)) {
    for await (const one of differencesOfDay(parts, day)) {
      differences.set([one.kind, one.paymentId, one.providerReference].join('/'), one);
    }
  }
  return { differences: [...differences.values()] };
}
