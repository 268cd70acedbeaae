/** What staff do with the money of reservations. */
import { isRefusal } from '../../contract/errors.ts';
import { Seen } from '../../api/seen.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { withoutDeadline } from '../../platform/postgres/deadline.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import type { CardProvider } from '../ports/card-provider.ts';
import { exportPayments } from './export-payments.ts';
import { listPayouts } from './list-payouts.ts';
import { listPayments } from './list-payments.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { endOpenLink, makePaymentLink } from './payment-link.ts';
import { recordPayment } from './record-payment.ts';
import { recordReturn } from './record-return.ts';
import { reducePayment, refundPayment } from './refund-payment.ts';
import { showPayments } from './show-payments.ts';
import { startPayment, stopPayment } from './start-payment.ts';

/** The dependencies of what staff do with money. */
export interface MoneyStaffContext {
  database: Database;
  reads: Pick<Reads, 'run'>;
  /** Null: there is none. */
  cardProvider: CardProvider | null;
  baseUrl: string;
}

const acts = staffActs<MoneyStaffContext>();

const reconciledWithinMs = 60_000;

/** What staff do with the money of reservations. */
export const moneyActs = acts({
  'operator.payment.list': ({ context, query: { limit, cursor, ...filter } }) =>
    context.reads.run((from) => listPayments(from, filter, { limit, cursor })),
  'operator.payment.get': ({ context, params: { reference } }) =>
    showPayments(context.database, reference),
  'operator.payment.refund': ({ context, actor, params, body, seen, dryRun }) => {
    const { expectedDue: _, expectedBalance, ...input } = body;
    const compared = { seenDue: seen, seenBalance: new Seen(expectedBalance) };
    return refundPayment(context.database, actor.name, {
      ...params,
      ...input,
      ...compared,
      dryRun,
    });
  },
  'operator.payment.reduce': ({ context, actor, params, body, dryRun }) => {
    const { expectedBalance, ...input } = body;
    const reduction = { ...params, ...input, seenBalance: new Seen(expectedBalance), dryRun };
    return reducePayment(context.database, actor.name, reduction);
  },
  'operator.payment.record': async ({ context, actor, params, body, dryRun }) => {
    const { expectedBalance, ...input } = body;
    const record = { ...params, ...input, seenBalance: new Seen(expectedBalance) };
    const preview = await recordPayment(context.database, actor.name, { ...record, dryRun: true });
    if (dryRun || isRefusal(preview)) return preview;
    const unknown = await endOpenLink(context, params.reference);
    if (unknown) return unknown;
    return recordPayment(context.database, actor.name, record);
  },
  'operator.payment.link': ({ context, actor, params: { reference } }) =>
    makePaymentLink(context, actor.name, reference),
  'operator.payment.recordReturn': ({ context, actor, params, body, dryRun }) =>
    recordReturn(context.database, actor.name, { ...params, ...body, dryRun }),
  'operator.payment.stop': ({ context, actor, params, body }) =>
    stopPayment(context.database, actor.name, { ...params, ...body }),
  'operator.payment.start': ({ context, actor, params, body }) =>
    startPayment(context.database, actor.name, { ...params, ...body }),
  'operator.payment.retry': ({ context, actor, params, body }) =>
    startPayment(context.database, actor.name, { ...params, ...body }),
  'operator.payment.export': ({ context, query }) =>
    context.reads.run((from) => exportPayments(from, query)),
  'operator.payment.payouts': ({ context: { database, cardProvider }, query }) => {
    const signal = AbortSignal.timeout(reconciledWithinMs);
    const reading = { executor: database, provider: cardProvider, signal };
    return withoutDeadline(() => listPayouts(reading, query));
  },
  'operator.payment.reconcile': ({ context: { database, cardProvider }, body: { since } }) => {
    const signal = AbortSignal.timeout(reconciledWithinMs);
    const reading = { executor: database, provider: cardProvider, signal };
    // Its statements run between calls of the provider, so no deadline of a call limits them together.
    return withoutDeadline(() => reconcilePayments(reading, Date.parse(`${since}T00:00:00Z`)));
  },
});
