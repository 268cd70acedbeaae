import { ledgerColumns, ledgerTable, payoutsTable } from '../../tables.ts';
import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/payments.ts';

const doneSoon = 'A running service does it within seconds.';

/** What moves money. */
const money = { scope: 'money', stepUp: true } as const;

/** The money of reservations that is collected by card. */
export const paymentRows = tagged('Payments', {
  'operator.payment.list': {
    call: 'GET /operator/v1/payments',
    summary: 'List the balances of reservations',
    description: 'By the time of confirmation, earliest first.',
    scope: 'read',
    query: schemas.AccountsQuery,
    reply: { 200: schemas.AccountsPage },
    command: {
      name: 'payment list',
      columns: [
        'reference',
        'guest',
        'listing',
        'state',
        'due',
        'collected',
        'open',
        'refunded',
        'currency',
        'attention',
        'nextAt',
        'application',
      ],
    },
  },
  'operator.payment.get': {
    call: 'GET /operator/v1/payments/{reference}',
    summary: 'Read the payments of a reservation',
    description: 'Balances, payments, refunds and every row of the ledger.',
    command: { name: 'payment show' },
    scope: 'read',
    reply: { 200: schemas.AccountInFull },
  },
  'operator.payment.refund': {
    call: 'POST /operator/v1/payments/{reference}/refund',
    summary: 'Refund a part of what was collected, without a cancellation',
    description:
      'What is still to be collected stays as it is; to lower that, use `reduce`. A worker refunds it within seconds.',
    command: { name: 'payment refund', note: doneSoon },
    previews: true,
    ...money,
    body: schemas.RefundPayment,
    seen: 'expectedDue',
    reply: { 200: schemas.Refund },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.payment.reduce': {
    call: 'POST /operator/v1/payments/{reference}/reduce',
    summary: 'Lower what is still to be collected',
    description: 'Gives nothing back; for that, use `refund`.',
    command: { name: 'payment reduce' },
    previews: true,
    ...money,
    body: schemas.ReducePayment,
    reply: { 200: schemas.Refund },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.payment.record': {
    call: 'POST /operator/v1/payments/{reference}/records',
    summary: 'Record money that moved elsewhere',
    description:
      'What it covers is neither charged to the card nor refunded to it. `collected` and `written_off` are at most what is still to be collected, `refunded` and `charged_back` at most what was collected and not given back.',
    command: { name: 'payment record' },
    previews: true,
    ...money,
    body: schemas.RecordMoney,
    reply: { 200: schemas.MoneyRecord },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.payment.link': {
    call: 'POST /operator/v1/payments/{reference}/link',
    summary: 'Make a payment link for what is open',
    description:
      'A page of the card provider where the guest pays once, with any card: what is due by today, or all that is open where nothing is due yet. It can be paid for less than 24 hours; meanwhile nothing of that is charged to the card. While a link for the same amount is open, it is returned again. `conflict`: nothing is open, a charge is under way, or there is no card provider.',
    command: { name: 'payment link' },
    ...money,
    reply: { 200: schemas.PaymentLink },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.recordReturn': {
    call: 'POST /operator/v1/checkouts/{checkoutId}/returns',
    summary: 'Record that the money of a failed checkout went back in another way',
    description:
      'For a payment whose refund the card provider has refused, or the bank has sent back. At most what has not gone back. When nothing is left, it no longer waits for staff.',
    command: { name: 'payment record-return' },
    previews: true,
    ...money,
    body: schemas.RecordReturn,
    reply: { 200: schemas.ReturnRecorded },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.stop': {
    call: 'POST /operator/v1/payments/{reference}/stop',
    summary: 'Stop collecting until staff start it again',
    description: 'Refunds go on. `conflict`: it is stopped already.',
    command: { name: 'payment stop' },
    ...money,
    body: schemas.StopPayment,
    reply: { 200: schemas.PaymentAccount },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.start': {
    call: 'POST /operator/v1/payments/{reference}/start',
    summary: 'Start collecting again, and try at once what was refused or sent back',
    description: '`conflict`: nothing was stopped or refused.',
    command: { name: 'payment start', note: doneSoon },
    ...money,
    body: schemas.StartPayment,
    reply: { 200: schemas.PaymentAccount },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.retry': {
    call: 'POST /operator/v1/payments/{reference}/retry',
    summary: 'Retry refused charges and refunds now',
    description: 'The same as `start`. `conflict`: nothing was stopped or refused.',
    command: { name: 'payment retry', note: doneSoon },
    ...money,
    body: schemas.RetryPayment,
    reply: { 200: schemas.PaymentAccount },
    errors: ['not_found', 'conflict'],
  },
  'operator.payment.export': {
    call: 'GET /operator/v1/payments/export',
    summary: 'Export the ledger of some days',
    description: `Each row as a pair: the amount that arrives at one account, and leaves another, below 0. So all amounts add up to 0. Both days are included, in UTC. \`conflict\`: more than ${operatorLimits.exportedEntries} rows.`,
    command: { name: 'payment export', columns: ledgerColumns, csv: ledgerTable },
    scope: 'read',
    query: schemas.ExportQuery,
    atOnce: operatorLimits.exportsAtOnce,
    reply: { 200: schemas.LedgerExport },
    errors: ['conflict'],
  },
  'operator.payment.payouts': {
    call: 'GET /operator/v1/payments/payouts',
    summary: 'List the payouts of the card provider, tied to payments, refunds and fees',
    description:
      'Those that arrive on these days, both included, in UTC. So each line of the bank can be explained. `conflict`: there is no card provider, or it does not answer.',
    command: {
      name: 'payment payouts',
      columns: ['payoutId', 'arrivesOn', 'currency', 'amount'],
      csv: payoutsTable,
    },
    scope: 'read',
    query: schemas.ExportQuery,
    atOnce: operatorLimits.reconcilesAtOnce,
    reply: { 200: schemas.Payouts },
    errors: ['conflict'],
  },
  'operator.payment.reconcile': {
    call: 'POST /operator/v1/payments/reconcile',
    summary: 'Compare every payment since a day with the card provider',
    description:
      'Names every difference that is still there when both sides are read again, and changes nothing. It takes longer than other calls; for many days use `latchkey payment reconcile`. `conflict`: there is no card provider, or it does not answer.',
    scope: 'money',
    body: schemas.Reconcile,
    atOnce: operatorLimits.reconcilesAtOnce,
    reply: { 200: schemas.Differences },
    errors: ['conflict'],
  },
} as const satisfies StatedRows);
