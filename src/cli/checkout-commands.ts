/** The commands about checkouts and requests whose outcome is not known. */
import { listUncertain, resolveCheckout, showCheckout } from '../bookings/index.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { dryRun, pageFlags, pageOutcome, previewNote, reason, staffOf } from './staff-flags.ts';

const columns = [
  'checkoutId',
  'kind',
  'state',
  'since',
  'tries',
  'unknownStep',
  'nextLookUpAt',
  'checkIn',
  'checkOut',
  'listing',
  'application',
];

const named = {
  checkout: {
    kind: kinds.checkoutId,
    required: true,
    description: 'The checkout or reservation request, by its ID.',
  },
  application: {
    ...application,
    required: false,
    description: 'The application, if several have the same ID.',
  },
  kind: {
    kind: kinds.bookingKind,
    required: false,
    description: 'A checkout or a request, if both have the same ID.',
  },
} as const;

const verbs = {
  list: command({
    summary: 'Lists checkouts and requests whose outcome is not known, oldest first.',
    flags: {
      state: {
        kind: kinds.checkoutStateForStaff,
        required: false,
        description: 'Those whose outcome is not known: the only list that there is.',
      },
      ...pageFlags,
    },
    changesApplication: false,
    onlyReads: true,
    run: async ({ database }, { limit, cursor }) =>
      pageOutcome(await listUncertain(database, { limit, cursor }), columns),
  }),
  show: command({
    summary: 'Shows a checkout or request with its history and the evidence for its outcome.',
    flags: named,
    changesApplication: false,
    onlyReads: true,
    run: async (context, { checkout: checkoutId, application: applicationId, kind }) => ({
      document: await showCheckout(await staffOf(context), { checkoutId, applicationId, kind }),
    }),
  }),
  resolve: command({
    summary: 'Resolves a checkout or request whose outcome is not known, as a worker would.',
    flags: {
      ...named,
      as: {
        kind: kinds.foundOutcome,
        required: true,
        description: 'The outcome: the reservation was made, or was not.',
      },
      reason,
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run(context, { checkout: checkoutId, application: applicationId, ...values }) {
      const { 'dry-run': isDry, ...input } = values;
      const document = await resolveCheckout(await staffOf(context), context.actor, {
        ...input,
        checkoutId,
        applicationId,
        dryRun: isDry,
      });
      return { document, note: document.dryRun ? previewNote : undefined };
    },
  }),
};

/** The commands about checkouts and requests whose outcome is not known. */
export const checkoutCommands = { checkout: verbs };
