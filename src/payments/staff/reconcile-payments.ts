import type { OperatorReplyOf } from '../../contract/operator/operations.ts';
import { askPort } from '../../bookings/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { dayMs, type EpochMs } from '../../contract/time.ts';
import { isUuid } from '../../platform/uuid.ts';
import type { CardProvider, ListedPayment, PaymentRange } from '../ports/card-provider.ts';
import { type ListContext, noProvider, pagesOf, usualAskedMs } from './provider-lists.ts';
import { differencesOf, type PaymentHere, type PaymentThere } from '../rules/reconciliation.ts';
import {
  batchesAffected,
  batchesToCompare,
  findOurCustomers,
  findPaymentsReferenced,
  findPaymentsToCompare,
  type PaymentToCompare,
} from '../store/reconciliation.ts';

/** One way in which our tables and the provider differ about a payment. Amounts in minor units. */
export type PaymentDifference =
  OperatorReplyOf<'operator.payment.reconcile'>['body']['differences'][number];

type NotRead = Refusal<'conflict'>;

const atOnce = 100;

/** `unreadable`: the provider does not answer about this payment. It stops no other. */
async function lookUp(
  { provider, signal, askedMs = usualAskedMs }: ListContext,
  payment: { paymentId: string; providerReference: string | null; customerReference: string },
): Promise<PaymentThere | null | 'unreadable'> {
  const found = await askPort(askedMs, (late) =>
    provider.findPayment({ ...payment, name: null }, AbortSignal.any([signal, late])),
  );
  if (found.outcome === 'unknown') return 'unreadable';
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
  context: ListContext,
  paymentId: string,
  there: PaymentThere | null,
): Promise<PaymentDifference[]> {
  const [here = null] = await findPaymentsToCompare(context.executor, [paymentId]);
  // A payment that was not listed is searched among those of the customer. A search by its reference could not
  // tell a payment that does not exist from one whose answer was lost.
  const providerReference = there?.providerReference ?? null;
  const customerReference = here?.customerReference ?? '';
  const isNameless = providerReference === null && customerReference === '';
  const now = isNameless
    ? null
    : await lookUp(context, { paymentId, providerReference, customerReference });
  if (now === 'unreadable') {
    const { reference = null } = here ?? {};
    const sides = { here: sideOf(here) as PaymentDifference['here'], there: null };
    return [{ kind: 'unreadable', paymentId, providerReference, reference, ...sides }];
  }
  return found(paymentId, here, now && { ...now, currency: there?.currency ?? null });
}

const listedByProvider = (context: ListContext, range: PaymentRange) =>
  pagesOf<ListedPayment>(context, async (after, signal) => {
    const page = await context.provider.listPayments({ range, after }, signal);
    return page.outcome === 'done' ? { ...page, items: page.payments } : page;
  });

/** Payments of guests of ours that this service did not make, such as one typed into the dashboard. */
async function foreignOf(
  { executor }: ListContext,
  page: readonly ListedPayment[],
): Promise<PaymentDifference[]> {
  const others = page.filter((one) => !isOurs(one) && differencesOf(null, one).length > 0);
  const customers = others.flatMap(({ customerReference: one }) => (one === null ? [] : [one]));
  if (customers.length === 0) return [];
  const ours = new Map(
    (await findOurCustomers(executor, customers)).map((one) => [one.customerReference, one]),
  );
  return others.flatMap((there) => {
    const guest = ours.get(there.customerReference ?? '');
    if (!guest) return [];
    const { providerReference } = there;
    const { reference } = guest;
    const sides = { here: null, there: sideOf(there) as PaymentDifference['there'] };
    return [{ kind: 'foreign' as const, paymentId: null, providerReference, reference, ...sides }];
  });
}

type OurListed = ListedPayment & { paymentId: string };

// Payments of other programs in the same account are not ours to judge.
const isOurs = (payment: ListedPayment): payment is OurListed =>
  payment.paymentId !== null && isUuid(payment.paymentId);

/** Compares what the provider lists with our tables, and notes the payments that were seen. */
async function* fromThere(
  context: ListContext,
  range: PaymentRange,
  seen: Set<string>,
): AsyncIterable<PaymentDifference | NotRead> {
  for await (const page of listedByProvider(context, range)) {
    if (isRefusal(page)) return yield page;
    yield* await foreignOf(context, page);
    const ours = page.filter(isOurs);
    const here = await findPaymentsToCompare(
      context.executor,
      ours.map(({ paymentId }) => paymentId),
    );
    const byId = new Map(here.map((payment) => [payment.paymentId, payment]));
    for (const there of ours) {
      const known = byId.get(there.paymentId) ?? null;
      if (!known || known.providerReference === there.providerReference) seen.add(there.paymentId);
      if (differencesOf(known, there).length === 0) continue;
      yield* await stillDifferent(context, there.paymentId, there);
    }
  }
}

/** Compares our payments that the provider has not listed. */
async function* fromHere(
  context: ListContext,
  range: PaymentRange,
  seen: Set<string>,
): AsyncIterable<PaymentDifference> {
  for await (const batch of batchesToCompare(context.executor, range, atOnce)) {
    for (const payment of batch) {
      const { paymentId } = payment;
      if (seen.has(paymentId) || differencesOf(payment, null).length === 0) continue;
      seen.add(paymentId);
      yield* await stillDifferent(context, paymentId, null);
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

/** Compares payments of other days whose refunds, disputes or rows of the ledger are of this day. */
async function* affected(
  context: ListContext,
  range: PaymentRange,
  seen: Set<string>,
): AsyncIterable<PaymentDifference | NotRead> {
  const { executor, provider } = context;
  const again = async function* (paymentIds: readonly string[]) {
    for (const paymentId of paymentIds) {
      if (seen.has(paymentId)) continue;
      seen.add(paymentId);
      yield* await stillDifferent(context, paymentId, null);
    }
  };
  for await (const paymentIds of batchesAffected(executor, range, atOnce)) yield* again(paymentIds);
  const lists = [
    pagesOf(context, (after, signal) => provider.listRefunds({ range, after }, signal)),
    pagesOf(context, (after, signal) => provider.listDisputes({ range, after }, signal)),
  ];
  for (const list of lists) {
    for await (const page of list) {
      if (isRefusal(page)) return yield page;
      const references = page.map(({ providerReference }) => providerReference);
      const ours = await findPaymentsReferenced(executor, references);
      yield* again(ours.map(({ paymentId }) => paymentId));
    }
  }
}

async function* differencesOfDay(
  context: ListContext,
  day: PaymentRange,
): AsyncIterable<PaymentDifference | NotRead> {
  const seen = new Set<string>();
  yield* fromThere(context, day, seen);
  yield* fromHere(context, day, seen);
  yield* affected(context, day, seen);
}

/**
 * Compares every payment, refund and dispute since an instant with the provider, and names every difference that is still there
 * when both sides are read again. Changes nothing. It keeps the IDs of one day, so a payment that the provider
 * has created on another day than we did is looked up separately. Without a provider it is refused. Spec: MONEY-14.
 */
export async function reconcilePayments(
  { provider, ...rest }: Omit<ListContext, 'provider'> & { provider: CardProvider | null },
  since: EpochMs,
): Promise<{ differences: PaymentDifference[] } | NotRead> {
  if (!provider) return noProvider;
  const context = { ...rest, provider };
  // A payment that is read on two days is named once.
  const differences = new Map<string, PaymentDifference>();
  for (const day of daysSince(since)) {
    for await (const one of differencesOfDay(context, day)) {
      if (isRefusal(one)) return one;
      differences.set([one.kind, one.paymentId, one.providerReference].join('/'), one);
    }
  }
  return { differences: [...differences.values()] };
}
