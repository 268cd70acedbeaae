import {
  calendarAddress,
  conflictView,
  importCalendar,
  listCalendarsOf,
  listConflictsOf,
  refreshNow,
  removeCalendar,
  shownCalendar,
} from '../../channels/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import {
  blockNights,
  blockView,
  importBlocks,
  listBlocksOf,
  listedBlockView,
  refuseArtificialNights,
  unblockNights,
} from '../../inventory/index.ts';
import { csvProblems } from '../file-problems.ts';
import { act } from '../kinds.ts';

const mostListed = 10_000;

/** Lists blocks. */
export const listBlocks = act('operator.block.list', {
  async reply({ context, query: { limit, cursor, listing } }) {
    const page = await context.reads.run((from) =>
      listBlocksOf(from, { listing }, { limit, cursor }),
    );
    const items = page.items.map(listedBlockView);
    return { status: 200, body: { items, nextCursor: page.nextCursor } };
  },
});

/** Blocks nights. */
export const addBlock = act('operator.block.add', {
  async reply({ context, actor, body }) {
    refuseArtificialNights(context.environment, 'blocks');
    const block = { ...body, reason: body.reason ?? null };
    return { status: 201, body: await blockNights(context.database, actor.name, block) };
  },
});

/** Removes a block. */
export const removeBlock = act('operator.block.remove', {
  async reply({ context, actor, params }) {
    const removed = await unblockNights(context.database, actor.name, params.blockId);
    return { status: 200, body: blockView(removed) };
  },
});

/** Imports blocks. */
export const importBlocksFile = act('operator.block.import', {
  async reply({ context, actor, body: { file, dryRun = false } }) {
    refuseArtificialNights(context.environment, 'blocks');
    const options = { actor: actor.name, dryRun, mostLines: operatorLimits.csvLines };
    const result = await importBlocks(context.database, Buffer.from(file), options);
    if ('problems' in result) return csvProblems(result.problems);
    const changes = result.changes.slice(0, operatorLimits.describedChanges);
    return { status: 200, body: { dryRun, ...result, changes } };
  },
});

/** Lists calendars of other channels. */
export const listCalendars = act('operator.channelCalendar.list', {
  async reply({ context, query: { listing } }) {
    const found = await context.reads.run((from) =>
      listCalendarsOf(from, { listing, atMost: mostListed }),
    );
    return { status: 200, body: { items: found.map(shownCalendar) } };
  },
});

/** Lists nights that calendars could not block. */
export const listConflicts = act('operator.channelCalendar.conflicts', {
  async reply({ context, query: { listing } }) {
    const found = await context.reads.run((from) =>
      listConflictsOf(from, { listing, atMost: mostListed }),
    );
    return { status: 200, body: { items: found.map(conflictView) } };
  },
});

const noCalendars = 'channel calendars';

/** Reads a calendar now. */
export const refreshChannelCalendar = act('operator.channelCalendar.refresh', {
  async reply({ context, actor, params: { calendarId } }) {
    refuseArtificialNights(context.environment, noCalendars);
    const { database, calendars } = context;
    const refreshed = await refreshNow({ database, ...calendars }, actor.name, calendarId);
    return { status: 200, body: { calendarId, ...refreshed } };
  },
});

/** Removes a calendar. */
export const removeChannelCalendar = act('operator.channelCalendar.remove', {
  async reply({ context, actor, params: { calendarId } }) {
    return { status: 200, body: await removeCalendar(context.database, actor.name, calendarId) };
  },
});

/** Imports a calendar file. */
export const importChannelCalendar = act('operator.channelCalendar.import', {
  async reply({ context, actor, body: { listing, name, file } }) {
    refuseArtificialNights(context.environment, noCalendars);
    const input = { listing, name, bytes: Buffer.from(file) };
    return { status: 200, body: await importCalendar(context.database, actor.name, input) };
  },
});

/** Shows the secret address of the calendar of a home. */
export const showCalendarAddress = act('operator.channelCalendar.address', {
  async reply({ context, actor, body: { listing, calendarId, rotate = false } }) {
    refuseArtificialNights(context.environment, noCalendars);
    const input = { listing, calendarId, rotate };
    const address = await calendarAddress(context.database, actor.name, context.baseUrl, input);
    return { status: 200, body: address };
  },
});
