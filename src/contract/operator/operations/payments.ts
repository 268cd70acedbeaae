import { operatorLimits } from '../limits.ts';
import type { OperatorRow } from '../row.ts';
import {
  AccountFile,
  AccountsPage,
  AccountsQuery,
  Differences,
  PaymentAccount,
  PreviewRefund,
  Reconcile,
  Refund,
  RefundPayment,
  RetryPayment,
} from '../schemas/payments.ts';
import { ReservationPath } from '../schemas/shared.ts';

const tag = 'Payments';
const params = ReservationPath;

/** The money of reservations that is collected by card. */
export const paymentRows = {
  'operator.payment.list': {
    method: 'GET',
    path: '/operator/v1/payments',
    tag,
    summary: 'List the balances of reservations',
    description: 'By the time of confirmation, earliest first.',
    scope: 'read',
    query: AccountsQuery,
    reply: { 200: AccountsPage },
    errors: [],
  },
  'operator.payment.get': {
    method: 'GET',
    path: '/operator/v1/payments/{reference}',
    tag,
    summary: 'Read the payments of a reservation',
    description: 'Balances, payments, refunds and every row of the ledger.',
    scope: 'read',
    params,
    reply: { 200: AccountFile },
    errors: ['not_found'],
  },
  'operator.payment.previewRefund': {
    method: 'POST',
    path: '/operator/v1/payments/{reference}/refund/preview',
    tag,
    summary: 'Preview a refund',
    description: 'The balances after the refund. Changes nothing.',
    scope: 'money',
    params,
    body: PreviewRefund,
    seen: 'expectedDue',
    reply: { 200: Refund },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.payment.refund': {
    method: 'POST',
    path: '/operator/v1/payments/{reference}/refund',
    tag,
    summary: 'Refund a part of what was collected, without a cancellation',
    description: 'A worker refunds it within seconds.',
    scope: 'money',
    stepUp: true,
    params,
    body: RefundPayment,
    seen: 'expectedDue',
    reply: { 200: Refund },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.payment.retry': {
    method: 'POST',
    path: '/operator/v1/payments/{reference}/retry',
    tag,
    summary: 'Retry refused charges and refunds now',
    description: '`conflict`: nothing was refused.',
    scope: 'money',
    stepUp: true,
    params,
    body: RetryPayment,
    reply: { 200: PaymentAccount },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.reconcile': {
    method: 'POST',
    path: '/operator/v1/payments/reconcile',
    tag,
    summary: 'Compare every payment since a day with the card provider',
    description:
      'Names every difference that is still there when both sides are read again, and changes nothing. It takes longer than other calls; for many days use `latchkey payment reconcile`. `conflict`: there is no card provider, or it does not answer.',
    scope: 'money',
    body: Reconcile,
    atOnce: operatorLimits.reconcilesAtOnce,
    reply: { 200: Differences },
    errors: ['conflict'],
  },
} as const satisfies Record<string, OperatorRow>;
