/** The commands about the money of reservations. */
import { listMoneyWaiting } from '../attention/index.ts';
import { listPayments, reconcilePayments } from '../payments/index.ts';
import { isRefusal } from '../contract/errors.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { pageFlags, pageOutcome } from './staff-flags.ts';

const columns = [
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
];

const waiting = [
  'kind',
  'reference',
  'guest',
  'listing',
  'amount',
  'currency',
  'deadline',
  'reason',
];

const verbs = {
  list: command({
    summary: 'Lists the money of reservations by the time of confirmation, earliest first.',
    flags: {
      'needs-attention': {
        kind: kinds.withoutValue,
        required: false,
        description:
          'What waits for staff instead: a declined instalment, a refund that was sent back. Without other flags.',
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
      if (needsAttention) {
        return { document: await listMoneyWaiting(database), columns: waiting };
      }
      const filter = { applicationId, from, to };
      const page = await listPayments(database, filter, { limit, cursor });
      return isRefusal(page) ? page : pageOutcome(page, columns);
    },
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
      const context = { executor: database, provider: await openProvider(), signal: ending };
      const compared = await reconcilePayments(context, Date.parse(`${since}T00:00:00Z`));
      if (isRefusal(compared)) return compared;
      const { differences } = compared;
      return {
        document: { differences },
        note: differences.length === 0 ? 'Both sides agree.' : undefined,
      };
    },
  }),
};

/** The commands about the money of reservations. */
export const paymentCommands = { payment: verbs };
