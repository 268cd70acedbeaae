import {
  listPayments,
  reconcilePayments,
  refundPayment,
  showPayments,
  startPayment,
} from '../../payments/index.ts';
import { withoutDeadline } from '../../platform/postgres/deadline.ts';
import { act } from '../kinds.ts';
import { preview } from '../preview.ts';

const reconciledWithinMs = 60_000;

/** Lists the money of reservations. */
export const listMoney = act('operator.payment.list', {
  async reply({ context, query: { limit, cursor, ...filter } }) {
    const body = await context.reads.run((from) => listPayments(from, filter, { limit, cursor }));
    return { status: 200, body };
  },
});

/** Shows the money of a reservation with its ledger. */
export const getPayment = act('operator.payment.get', {
  reply: async ({ context, params: { reference } }) => ({
    status: 200,
    body: await showPayments(context.database, reference),
  }),
});

/** Shows what a refund would do. */
export const previewRefund = act('operator.payment.previewRefund', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, ...preview, seenDue: seen };
    return { status: 200, body: await refundPayment(context.database, actor.name, input) };
  },
});

/** Refunds a part of what was collected. */
export const refund = act('operator.payment.refund', {
  async reply({ context, actor, params, body, seen }) {
    const input = { ...params, ...body, seenDue: seen };
    return { status: 200, body: await refundPayment(context.database, actor.name, input) };
  },
});

/** Asks the card provider again for what it has refused. */
export const retry = act('operator.payment.retry', {
  reply: async ({ context, actor, params, body }) => ({
    status: 200,
    body: await startPayment(context.database, actor.name, { ...params, ...body }),
  }),
});

/** Compares payments with the card provider. */
export const reconcile = act('operator.payment.reconcile', {
  async reply({ context: { database, cardProvider }, body: { since } }) {
    const signal = AbortSignal.timeout(reconciledWithinMs);
    const parts = { executor: database, provider: cardProvider, signal };
    // Its statements run between calls of the provider, so no deadline of a call limits them together.
    const work = () => reconcilePayments(parts, Date.parse(`${since}T00:00:00Z`));
    return { status: 200, body: await withoutDeadline(work) };
  },
});
