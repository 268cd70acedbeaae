/** The commands about calendars of other channels. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorRefusal } from '../access/index.ts';
import {
  calendarAddress,
  calendarView,
  conflictView,
  importCalendar,
  listCalendarsOf,
  listConflictsOf,
  refreshNow,
  removeCalendar,
} from '../channels/index.ts';
import { refuseArtificialNights } from '../inventory/index.ts';
import { sizeOf } from './catalog-commands.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';

const mostListed = 10_000;
const largestFileBytes = 16 * 1024 * 1024;

const listing = {
  kind: kinds.listing,
  required: true,
  description: 'The home, by its slug or ID.',
} as const;
const anyListing = { ...listing, required: false, description: 'Only of this home.' } as const;
const calendar = {
  kind: kinds.calendarId,
  required: true,
  description: 'The calendar, by its ID.',
} as const;

const firstOnly = (found: readonly unknown[]): string | undefined =>
  found.length < mostListed
    ? undefined
    : `These are the first ${mostListed}: choose a home with --listing.`;

async function readCalendarFile(name: string): Promise<Buffer> {
  const bytes = await sizeOf(name);
  if (bytes <= largestFileBytes) return readFile(name);
  throw new OperatorRefusal(`${name} is larger than ${largestFileBytes / 1024 / 1024} MB.`);
}

const verbs = {
  list: command({
    summary: 'Lists the calendars of other channels, with problems and conflicts.',
    flags: { listing: anyListing },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { listing: name }) {
      const found = await listCalendarsOf(database, { listing: name, atMost: mostListed });
      return { document: { items: found.map(calendarView) }, note: firstOnly(found) };
    },
  }),
  conflicts: command({
    summary: 'Lists nights of other channels that a stay or another block has.',
    flags: { listing: anyListing },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { listing: name }) {
      const found = await listConflictsOf(database, { listing: name, atMost: mostListed });
      return { document: { items: found.map(conflictView) }, note: firstOnly(found) };
    },
  }),
  refresh: command({
    summary: 'Reads a calendar now.',
    flags: { calendar },
    changesApplication: false,
    async run(context, { calendar: calendarId }) {
      refuseArtificialNights(context.environment, 'channel calendars');
      const { database, actor, calendars } = context;
      const refreshed = await refreshNow({ database, ...calendars }, actor, calendarId);
      return { document: { calendarId, ...refreshed } };
    },
  }),
  remove: command({
    summary: 'Removes a calendar: the nights that it blocked are free again.',
    flags: { calendar },
    changesApplication: false,
    async run({ database, actor }, { calendar: calendarId }) {
      return { document: await removeCalendar(database, actor, calendarId) };
    },
  }),
  import: command({
    summary: 'Imports a calendar file (.ics) once; the same name again replaces what it blocked.',
    flags: {
      listing,
      file: { kind: kinds.line('FILE', 4_096), required: true, description: 'The file.' },
    },
    changesApplication: false,
    async run(context, { listing: name, file }) {
      refuseArtificialNights(context.environment, 'channel calendars');
      const { database, actor } = context;
      const input = {
        listing: name,
        name: path.basename(file),
        bytes: await readCalendarFile(file),
      };
      return { document: await importCalendar(database, actor, input) };
    },
  }),
  address: command({
    summary: "Shows the secret address of a home's own calendar, for other channels.",
    flags: {
      listing: { ...listing, required: false },
      calendar: {
        ...calendar,
        required: false,
        description: 'The calendar of the channel that gets the address: it is left out.',
      },
      rotate: {
        kind: kinds.withoutValue,
        required: false,
        description: 'Make a new address; the previous one stops working at once.',
      },
    },
    needsOneOf: ['listing', 'calendar'],
    changesApplication: false,
    async run(context, { listing: name, calendar: calendarId, rotate = false }) {
      refuseArtificialNights(context.environment, 'channel calendars');
      const { database, actor, baseUrl } = context;
      const input = { listing: name, calendarId, rotate };
      return { document: await calendarAddress(database, actor, baseUrl, input) };
    },
  }),
};

/** The commands about calendars of other channels. */
export const channelCommands = { 'channel-calendar': verbs };
