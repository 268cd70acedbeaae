/** The comparison of a new epoch: what the provider has done is booked, before anything else is done. */
import type { Log } from '../platform/log.ts';
import { askPort, type UnknownAnswer } from '../bookings/index.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import type { Epoch } from '../platform/postgres/epochs.ts';
import { isUuid } from '../platform/uuid.ts';
import type {
  CardProvider,
  ListedDispute,
  ListedLink,
  ListedPayment,
  ListedRefund,
  PaymentRange,
} from './ports/card-provider.ts';
import { partOf, refundNumberOf } from './rules/adoption.ts';
import type { IntentState } from './rules/intent.ts';
import {
  type AdoptedEffect,
  holdAdopted,
  insertAdopted,
  insertAdoptedRefund,
  isDisputeEntered,
  knownPayment,
  knownRefund,
  noteAdoptedEffect,
  oldestOpenDispute,
} from './store/adoption.ts';
import { recordIntent } from './store/intents.ts';
import { enterDispute } from './store/notices.ts';
import { noteRefundsChanged } from './store/refund-comparison.ts';
import { recordRefund } from './store/refunds.ts';
import { wakePayment } from './wake.ts';

/** The dependencies of an adoption. */
export interface AdoptionContext {
  database: Database;
  provider: CardProvider;
  log: Pick<Log, 'warn'>;
  /** Ends the adoption. */
  signal: AbortSignal;
}

const askedMs = 10_000;
// Our rows begin when we learn of a dispute, at the latest days after it began.
const disputeLearnedMs = 7 * 86_400_000;

const idOf = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

/** What has an effect, or may still get one. */
const stateOf: Readonly<Record<ListedPayment['state'], IntentState | null>> = {
  none: null,
  action_needed: 'action_needed',
  authorized: 'authorized',
  captured: 'captured',
  voided: null,
  declined: null,
};

interface Adoption extends AdoptionContext {
  epoch: Epoch;
}

async function note(
  { epoch, log }: Adoption,
  executor: Executor,
  effect: AdoptedEffect,
): Promise<void> {
  if (!(await noteAdoptedEffect(executor, epoch.epoch, effect))) return;
  log.warn({ ...effect }, 'the card provider has an effect that the database had lost');
}

async function adoptPayment(adoption: Adoption, payment: ListedPayment): Promise<void> {
  const { database, provider } = adoption;
  const { origin, providerReference, amountMinor, currency } = payment;
  const known = await knownPayment(database, payment, idOf(payment.paymentId));
  if (known !== null) {
    // Its refunds and disputes, which are listed next, name it by the provider's reference alone.
    if (payment.state === 'captured')
      await recordIntent(database, known, { state: 'captured', providerReference });
    return void (await wakePayment(database, known.paymentId));
  }
  const state = stateOf[payment.state];
  if (origin === null || state === null) return;
  const { applicationId, checkoutId, part } = origin;
  await database.transaction(async (executor) => {
    const named = partOf(origin);
    const row =
      (await insertAdopted(executor, origin, named, payment, provider.kind)) ??
      // Another row has the part: it covers what else is open.
      (await insertAdopted(
        executor,
        { ...origin, try: null },
        { purpose: 'difference', dueOn: null },
        payment,
        provider.kind,
      ));
    if (row) await recordIntent(executor, row, { state, providerReference });
    const isBooked = row !== null && (await holdAdopted(executor, applicationId, checkoutId));
    const outcome = isBooked ? 'booked' : 'unmatched';
    const effect = { providerReference, applicationId, checkoutId, part, amountMinor, currency };
    await note(adoption, executor, { kind: 'payment', ...effect, outcome });
  });
}

async function adoptRefund(adoption: Adoption, refund: ListedRefund): Promise<void> {
  const { database } = adoption;
  const { origin, refundReference, amountMinor, currency } = refund;
  if (refund.state === 'none' || refund.state === 'failed') return;
  const number = refundNumberOf(origin);
  await database.transaction(async (executor) => {
    const known = await knownRefund(executor, refund, idOf(refund.refundId), number);
    // Of a payment that is not ours, or one that our rows have: its account finds it out.
    if (known === null) return;
    if (known.refundId !== null) return void (await wakePayment(executor, known.paymentId));
    const { paymentId, applicationId, checkoutId, isCaptured, fits } = known;
    if (fits) {
      const row = await insertAdoptedRefund(executor, paymentId, refund, number);
      await recordRefund(executor, row, { state: 'done', refundReference });
    } else if (isCaptured) {
      // The bank has sent another one back, which our rows do not know yet: its account compares all of them.
      await noteRefundsChanged(executor, paymentId, { isElsewhere: true, refundedMinor: null });
    }
    const isBooked =
      isCaptured && (!fits || (await holdAdopted(executor, applicationId, checkoutId)));
    await note(adoption, executor, {
      providerReference: refundReference,
      kind: 'refund',
      applicationId,
      checkoutId,
      part: origin?.part ?? null,
      amountMinor,
      currency,
      outcome: isBooked ? 'booked' : 'unmatched',
    });
  });
}

/** A page whose row is lost could be paid without anybody waiting for it: it is ended, and staff see it. Spec: RESTORE-7. */
async function endLostLink(adoption: Adoption, link: ListedLink): Promise<void> {
  const { database, provider, signal } = adoption;
  const { origin, pageReference, amountMinor, currency } = link;
  if (origin === null) return;
  const paymentId = idOf(link.paymentId);
  const named = { providerReference: pageReference, origin };
  if ((await knownPayment(database, named, paymentId)) !== null) return;
  const identity = { paymentId: paymentId ?? '', round: 0, name: null, pageReference };
  const ended = await askPort(askedMs, (late) =>
    provider.endLink(identity, AbortSignal.any([signal, late])),
  );
  if (ended.outcome === 'unknown') throw new Error('the card provider does not answer');
  // What it has brought is listed next.
  if (ended.state !== 'expired') return;
  const { applicationId, checkoutId, part } = origin;
  await database.transaction(async (executor) => {
    await holdAdopted(executor, applicationId, checkoutId);
    const effect = { providerReference: pageReference, applicationId, checkoutId, part };
    await note(adoption, executor, {
      kind: 'link',
      ...effect,
      amountMinor,
      currency,
      outcome: 'ended',
    });
  });
}

async function adoptDispute({ database }: Adoption, dispute: ListedDispute): Promise<void> {
  const { providerReference, ...about } = dispute;
  const known = await knownPayment(database, { providerReference, origin: null }, null);
  if (known === null || (await isDisputeEntered(database, known.paymentId, about))) return;
  const eventReference = `${about.disputeReference} ${about.state}`;
  await enterDispute(database, known.paymentId, { ...about, eventReference });
}

type Page<Item> = { items: Item[]; next: string | null };

/** All items of a list. Throws an `Error` if the provider does not answer: it is asked again later. */
async function* all<Item>(
  { signal }: Adoption,
  list: (after: string | null, signal: AbortSignal) => Promise<Page<Item> | UnknownAnswer>,
): AsyncIterable<Item> {
  let after: string | null = null;
  do {
    const position: string | null = after;
    const page: Page<Item> | UnknownAnswer = await askPort(askedMs, (late) =>
      list(position, AbortSignal.any([signal, late])),
    );
    if ('outcome' in page) throw new Error('the card provider does not answer');
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** The items of an answer that is not `unknown`. */
const pageOf = <Item>(
  answer: { outcome: string } & Partial<Page<Item>>,
): Page<Item> | UnknownAnswer =>
  answer.outcome === 'done'
    ? { items: answer.items ?? [], next: answer.next ?? null }
    : { outcome: 'unknown' };

/**
 * Books the provider's payments, refunds and disputes since an hour before our last row that our rows have lost, by
 * the checkout in their metadata; ends payment links that they have lost. What this leaves open waits for staff. Can be repeated. Throws if the provider does
 * not answer. Spec: RESTORE-2.
 */
export async function adoptEffects(context: AdoptionContext, epoch: Epoch): Promise<void> {
  const adoption: Adoption = { ...context, epoch };
  const { provider } = context;
  const range: PaymentRange = { since: epoch.listedSince, until: null };
  const links = all<ListedLink>(adoption, async (after, signal) =>
    pageOf(await provider.listOpenLinks({ range, after }, signal)),
  );
  for await (const link of links) await endLostLink(adoption, link);
  // The oldest first, so that a payment of the booking is there before its refund.
  const payments: ListedPayment[] = [];
  for await (const payment of all<ListedPayment>(adoption, async (after, signal) => {
    const answer = await provider.listPayments({ range, after }, signal);
    return pageOf(
      answer.outcome === 'done' ? { ...answer, items: answer.payments } : { outcome: 'unknown' },
    );
  })) {
    payments.push(payment);
  }
  for (const payment of payments.toReversed()) await adoptPayment(adoption, payment);
  const refunds: ListedRefund[] = [];
  for await (const refund of all<ListedRefund>(adoption, async (after, signal) =>
    pageOf(await provider.listRefunds({ range, after }, signal)),
  )) {
    refunds.push(refund);
  }
  // Ours first: they give back what was too much, and only what goes beyond it lowers what is due.
  const isOurs = ({ origin }: ListedRefund): boolean => origin !== null;
  for (const refund of refunds.filter(isOurs).toReversed()) await adoptRefund(adoption, refund);
  for (const refund of refunds.filter((one) => !isOurs(one)).toReversed()) {
    await adoptRefund(adoption, refund);
  }
  // One that began long before may have ended since.
  const openedAt = await oldestOpenDispute(adoption.database);
  const since =
    openedAt === null ? range.since : Math.min(range.since, openedAt - disputeLearnedMs);
  const disputes = all<ListedDispute>(adoption, async (after, signal) =>
    pageOf(await provider.listDisputes({ range: { since, until: null }, after }, signal)),
  );
  for await (const dispute of disputes) await adoptDispute(adoption, dispute);
}
