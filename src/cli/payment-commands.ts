/** The commands about the money of reservations. */
import { Seen } from '../api/seen.ts';
import {
  listPayments,
  reconcilePayments,
  refundPayment,
  retryPayment,
  showPayments,
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
      amount: {
        kind: kinds.amount,
        required: true,
        description: 'The amount, in minor units.',
      },
      reason,
      'expected-due': {
        kind: kinds.balance,
        required: false,
        description: 'Refuse if another amount is due, in minor units.',
      },
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run({ database, actor }, values) {
      const { 'dry-run': isDry, 'expected-due': expectedDue, ...input } = values;
      const refund = { ...input, seen: new Seen(expectedDue), dryRun: isDry };
      const document = await refundPayment(database, actor, refund);
      return { document, note: document.dryRun ? previewNote : doneSoon };
    },
  }),
  retry: command({
    summary: 'Asks the card provider again now for what it has refused.',
    flags: { reference, reason },
    changesApplication: false,
    run: async ({ database, actor }, input) => ({
      document: await retryPayment(database, actor, input),
      note: doneSoon,
    }),
  }),
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
