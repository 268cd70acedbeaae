/** The commands about the money of reservations. */
import { Seen } from '../api/seen.ts';
import {
  listPayments,
  reconcilePayments,
  recordKinds,
  recordPayment,
  reducePayment,
  refundPayment,
  showPayments,
  startPayment,
  stopPayment,
} from '../payments/index.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { dryRun, pageFlags, pageOutcome, previewNote, reason, reference } from './staff-flags.ts';

const columns = [
  'reference',
  'state',
  'due',
  'collected',
  'open',
  'refunded',
  'currency',
  'attention',
  'nextAt',
  'application',
];

const doneSoon = 'A running service does it within seconds.';

const amount = {
  kind: kinds.amount,
  required: true,
  description: 'The amount, in minor units.',
} as const;

const expectedBalance = {
  kind: kinds.balance,
  required: false,
  description: 'Refuse if another amount is open, in minor units.',
} as const;

const recordKind = kinds.oneOf(recordKinds);

const startCommand = (summary: string) =>
  command({
    summary,
    flags: { reference, reason },
    changesApplication: false,
    run: async ({ database, actor }, input) => ({
      document: await startPayment(database, actor, input),
      note: doneSoon,
    }),
  });

const verbs = {
  list: command({
    summary: 'Lists the money of reservations by the time of confirmation, earliest first.',
    flags: {
      'needs-attention': {
        kind: kinds.withoutValue,
        required: false,
        description:
          'Only where staff have to decide: a declined instalment, a refund that was sent back.',
      },
      application: {
        ...application,
        required: false,
        description: 'Only reservations of this application.',
      },
      from: { kind: kinds.date, required: false, description: 'The first day of confirmation.' },
      to: { kind: kinds.date, required: false, description: 'The last day of confirmation.' },
      ...pageFlags,
    },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, values) {
      const { 'needs-attention': needsAttention, application: applicationId, from, to } = values;
      const { limit, cursor } = values;
      const filter = { needsAttention, applicationId, from, to };
      return pageOutcome(await listPayments(database, filter, { limit, cursor }), columns);
    },
  }),
  show: command({
    summary: 'Shows the money of a reservation: balances, payments, refunds and the ledger.',
    flags: { reference },
    changesApplication: false,
    onlyReads: true,
    run: async ({ database }, { reference: named }) => ({
      document: await showPayments(database, named),
    }),
  }),
  refund: command({
    summary: 'Refunds a part of what was collected, without a cancellation.',
    flags: {
      reference,
      amount,
      reason,
      'expected-due': {
        kind: kinds.balance,
        required: false,
        description: 'Refuse if another amount is due, in minor units.',
      },
      'expected-balance': expectedBalance,
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run({ database, actor }, values) {
      const { 'dry-run': isDry, 'expected-due': due, 'expected-balance': open, ...input } = values;
      const seen = { seenDue: new Seen(due), seenBalance: new Seen(open) };
      const refund = { ...input, ...seen, dryRun: isDry };
      const document = await refundPayment(database, actor, refund);
      return { document, note: document.dryRun ? previewNote : doneSoon };
    },
  }),
  reduce: command({
    summary: 'Lowers what is still to be collected; gives nothing back.',
    flags: {
      reference,
      amount,
      reason,
      'expected-balance': expectedBalance,
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run({ database, actor }, values) {
      const { 'dry-run': isDry, 'expected-balance': open, ...input } = values;
      const reduction = { ...input, seenBalance: new Seen(open), dryRun: isDry };
      const document = await reducePayment(database, actor, reduction);
      return { document, note: document.dryRun ? previewNote : undefined };
    },
  }),
  record: command({
    summary: 'Records money that moved elsewhere: the card is neither charged nor refunded for it.',
    flags: {
      reference,
      kind: {
        kind: recordKind,
        required: true,
        description: 'What has happened.',
      },
      amount,
      method: {
        kind: kinds.line('TEXT', 200),
        required: true,
        description: 'How it happened: bank transfer, cash.',
      },
      reason,
      'happened-on': {
        kind: kinds.date,
        required: false,
        description: 'The day on which it happened. Default: today.',
      },
      'expected-balance': expectedBalance,
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run({ database, actor }, values) {
      const { 'dry-run': isDry, 'expected-balance': open, 'happened-on': on, ...input } = values;
      const record = { ...input, happenedOn: on, seenBalance: new Seen(open), dryRun: isDry };
      const document = await recordPayment(database, actor, record);
      return { document, note: document.dryRun ? previewNote : undefined };
    },
  }),
  stop: command({
    summary: 'Stops collecting until staff start it again. Refunds go on.',
    flags: { reference, reason },
    changesApplication: false,
    run: async ({ database, actor }, input) => ({
      document: await stopPayment(database, actor, input),
    }),
  }),
  start: startCommand('Starts collecting again, and tries at once what was refused or sent back.'),
  retry: startCommand('The same as start.'),
  reconcile: command({
    summary:
      'Compares every payment since a day with the card provider, and names each difference.',
    flags: {
      since: {
        kind: kinds.date,
        required: true,
        description: 'The first day of the payments, in UTC.',
      },
    },
    changesApplication: false,
    async run({ database, openProvider, ending }, { since }) {
      const parts = { executor: database, provider: await openProvider(), signal: ending };
      const { differences } = await reconcilePayments(parts, Date.parse(`${since}T00:00:00Z`));
      return {
        document: { differences },
        note: differences.length === 0 ? 'Both sides agree.' : undefined,
      };
    },
  }),
};

/** The commands about the money of reservations. */
export const paymentCommands = { payment: verbs };
