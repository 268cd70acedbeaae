/** The commands about calendars that show secret addresses, or read a file. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { calendarView, importCalendar, listCalendarsOf } from '../channels/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { artificialNightsRefusal } from '../inventory/index.ts';
import { sizeOf } from './catalog-commands.ts';
import { command } from './command.ts';
import * as kinds from './flag-kinds.ts';

const largestFileBytes = 16 * 1024 * 1024;

const listing = {
  kind: kinds.listing,
  required: true,
  description: 'The home, by its slug or ID.',
} as const;

async function readCalendarFile(name: string): Promise<Buffer | Refusal<'conflict'>> {
  const bytes = await sizeOf(name);
  if (isRefusal(bytes)) return bytes;
  if (bytes <= largestFileBytes) return readFile(name);
  return refuseConflict(`${name} is larger than ${largestFileBytes / 1024 / 1024} MB.`);
}

const mostListed = 10_000;

const verbs = {
  list: command({
    summary: 'Lists the calendars of other channels, with problems and conflicts.',
    flags: { listing: { ...listing, required: false, description: 'Only of this home.' } },
    changesApplication: false,
    onlyReads: true,
    async run({ database }, { listing: name }) {
      const found = await listCalendarsOf(database, { listing: name, atMost: mostListed });
      if (isRefusal(found)) return found;
      const isCut = found.length === mostListed;
      return {
        document: { items: found.map(calendarView) },
        note: isCut
          ? `These are the first ${mostListed}: choose a home with --listing.`
          : undefined,
      };
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
      const refusal = artificialNightsRefusal(context.environment, 'channel calendars');
      if (refusal) return refusal;
      const { database, actor } = context;
      const bytes = await readCalendarFile(file);
      if (isRefusal(bytes)) return bytes;
      const input = { listing: name, name: path.basename(file), bytes };
      const imported = await importCalendar(database, actor, input);
      return isRefusal(imported) ? imported : { document: imported };
    },
  }),
};

/** Calendars of other channels, with their addresses and files. */
export const channelCommands = { 'channel-calendar': verbs };
