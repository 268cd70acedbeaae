/** What staff do with calendars as a whole: list, read now, remove, import, and hand out our own. */
import { isRefusal } from '../../contract/errors.ts';
import { artificialNightsRefusal } from '../../inventory/index.ts';
import {
  calendarAddress,
  importCalendar,
  listCalendarsOf,
  listConflictsOf,
  refreshNow,
  removeCalendar,
} from '../edit-calendars.ts';
import { channelConflictsOf, shownCalendar } from '../views.ts';
import { channelActs } from './acts.ts';

const mostListed = 10_000;
const noCalendars = 'channel calendars';

/** Calendars: listed with conflicts, read, removed, imported; and the address of our own. */
export const calendarListActs = channelActs({
  'operator.channelCalendar.list': async ({ context, query: { listing } }) => {
    const found = await context.reads.run((from) =>
      listCalendarsOf(from, { listing, atMost: mostListed }),
    );
    return isRefusal(found) ? found : { items: found.map(shownCalendar) };
  },
  'operator.channelCalendar.conflicts': async ({ context, query: { listing } }) => {
    const found = await context.reads.run((from) =>
      listConflictsOf(from, { listing, atMost: mostListed }),
    );
    return isRefusal(found) ? found : { items: channelConflictsOf(found) };
  },
  'operator.channelCalendar.refresh': async ({ context, actor, params: { calendarId } }) => {
    const refusal = artificialNightsRefusal(context.environment, noCalendars);
    if (refusal) return refusal;
    const { database, calendars } = context;
    const refreshed = await refreshNow({ database, ...calendars }, actor.name, calendarId);
    return isRefusal(refreshed) ? refreshed : { calendarId, ...refreshed };
  },
  'operator.channelCalendar.remove': ({ context, actor, params: { calendarId } }) =>
    removeCalendar(context.database, actor.name, calendarId),
  'operator.channelCalendar.import': ({ context, actor, body: { listing, name, file } }) =>
    artificialNightsRefusal(context.environment, noCalendars) ??
    importCalendar(context.database, actor.name, {
      listing,
      name,
      bytes: Buffer.from(file),
    }),
  'operator.channelCalendar.address': ({
    context,
    actor,
    body: { listing, calendarId, rotate = false },
  }) => {
    const refusal = artificialNightsRefusal(context.environment, noCalendars);
    if (refusal) return refusal;
    const input = { listing, calendarId, rotate };
    return calendarAddress(context.database, actor.name, context.baseUrl, input);
  },
});
