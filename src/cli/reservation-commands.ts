/** The commands about reservations. */
import { Seen } from '../api/seen.ts';
import {
  addNote,
  cancelReservation,
  changeReservation,
  listReservationsForStaff,
  removeNote,
  showReservation,
} from '../bookings/index.ts';
import { limits } from '../contract/limits.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { application } from './application-flag.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';
import {
  dryRun,
  pageFlags,
  pageOutcome,
  previewNote,
  reason,
  reference,
  staffOf,
} from './staff-flags.ts';

const columns = [
  'reference',
  'state',
  'checkIn',
  'checkOut',
  'guestName',
  'listing',
  'application',
  'party',
  'total',
  'currency',
];

const expectedVersion = {
  kind: kinds.version,
  required: false,
  description: 'Refuse if the reservation is no longer at this version.',
} as const;

const noteOf = ({ dryRun: isDry }: { dryRun: boolean }): string | undefined =>
  isDry ? previewNote : undefined;

const verbs = {
  list: command({
    summary: 'Lists reservations by day of arrival, earliest first.',
    flags: {
      reference: { ...reference, required: false, description: 'Only this reservation.' },
      'guest-email': {
        kind: kinds.line('EMAIL', limits.emailLength),
        required: false,
        description:
          'Only reservations of the guest with exactly this email; case does not matter.',
      },
      'partner-reference': {
        kind: kinds.line('TEXT', limits.partnerReferenceLength),
        required: false,
        description: 'Only reservations with this reference of a partner.',
      },
      application: {
        ...application,
        required: false,
        description: 'Only reservations of this application.',
      },
      state: {
        kind: kinds.reservationState,
        required: false,
        description: 'Only reservations in this state.',
      },
      listing: {
        kind: kinds.listing,
        required: false,
        description: 'Only reservations of this listing, by its slug or ID.',
      },
      'records-refused': {
        kind: kinds.withoutValue,
        required: false,
        description: 'Only reservations whose last attempt to reach your records failed.',
      },
      from: { kind: kinds.date, required: false, description: 'The first day of arrival.' },
      to: { kind: kinds.date, required: false, description: 'The last day of arrival.' },
      ...pageFlags,
    },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { limit, cursor, ...values }) {
      const {
        application: applicationId,
        'guest-email': guestEmail,
        'partner-reference': partnerReference,
        'records-refused': recordsRefused,
        ...filter
      } = values;
      const wanted = { ...filter, applicationId, guestEmail, partnerReference, recordsRefused };
      const page = await listReservationsForStaff(database, wanted, { limit, cursor });
      return pageOutcome(page, columns);
    },
  }),
  show: command({
    summary: 'Shows a reservation with guest, price, terms, booking and complete history.',
    flags: { reference },
    changesApplication: false,
    onlyReads: true,
    run: async (context, { reference: named }) => ({
      document: await showReservation(await staffOf(context), named),
    }),
  }),
  cancel: command({
    summary: 'Cancels a reservation permanently, frees its nights and tells the partner.',
    flags: {
      reference,
      reason,
      refund: {
        kind: kinds.refund,
        required: false,
        description: 'The refund, in minor units; the default is what the terms give now.',
      },
      'expected-version': expectedVersion,
      'dry-run': dryRun,
    },
    changesApplication: false,
    async run(context, values) {
      const { 'dry-run': dry, 'expected-version': version, ...input } = values;
      const cancellation = { ...input, dryRun: dry, seen: new Seen(version) };
      const document = await cancelReservation(await staffOf(context), context.actor, cancellation);
      return { document, note: noteOf(document) };
    },
  }),
  change: command({
    summary: 'Changes dates, party, home or price of a reservation and tells the partner.',
    flags: {
      reference,
      reason,
      'check-in': { kind: kinds.date, required: false, description: 'The new day of arrival.' },
      'check-out': { kind: kinds.date, required: false, description: 'The new day of departure.' },
      adults: { kind: kinds.adults, required: false, description: 'The new number of adults.' },
      children: {
        kind: kinds.otherGuests,
        required: false,
        description: 'The new number of children.',
      },
      infants: {
        kind: kinds.otherGuests,
        required: false,
        description: 'The new number of infants.',
      },
      pets: { kind: kinds.otherGuests, required: false, description: 'The new number of pets.' },
      listing: {
        kind: kinds.listing,
        required: false,
        description: 'The new home, by its slug or ID.',
      },
      price: {
        kind: kinds.priceChoice,
        required: false,
        description: 'Keep the price (the default), or take the price of the current rates.',
      },
      'expected-version': expectedVersion,
      'dry-run': dryRun,
    },
    inOrder: ['check-in', 'check-out'],
    changesApplication: false,
    async run(context, values) {
      const { adults, children, infants, pets } = values;
      const document = await changeReservation(await staffOf(context), context.actor, {
        reference: values.reference,
        reason: values.reason,
        checkIn: values['check-in'],
        checkOut: values['check-out'],
        party: { adults, children, infants, pets },
        listing: values.listing,
        price: values.price,
        seen: new Seen(values['expected-version']),
        dryRun: values['dry-run'],
      });
      return { document, note: noteOf(document) };
    },
  }),
};

const noteVerbs = {
  add: command({
    summary: 'Adds a note for staff to a reservation; partners never see it.',
    flags: {
      reference,
      text: {
        kind: kinds.lines('TEXT', operatorLimits.noteLength),
        required: true,
        description: 'The note, of one or more lines.',
      },
    },
    changesApplication: false,
    run: async ({ database, actor }, values) => ({
      document: await addNote(database, actor, values),
    }),
  }),
  remove: command({
    summary: 'Removes a note of a reservation permanently.',
    flags: {
      reference,
      note: { kind: kinds.noteId, required: true, description: 'The note, by its ID.' },
    },
    changesApplication: false,
    run: async ({ database, actor }, { reference: named, note: noteId }) => ({
      document: await removeNote(database, actor, { reference: named, noteId }),
    }),
  }),
};

/** The commands about reservations. */
export const reservationCommands = { reservation: verbs, 'reservation note': noteVerbs };
