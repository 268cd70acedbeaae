/** What staff do with a calendar of another channel: how it is read, what it says, and whether that is believed. */
import { seenRefusal } from '../../access/index.ts';
import type { Seen } from '../../api/seen.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { artificialNightsRefusal } from '../../inventory/index.ts';
import { insertAuditEntry } from '../../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { todayAt } from '../../pricing/index.ts';
import { applyRead, changeNights, type AppliedNights } from '../apply-nights.ts';
import { addCalendar } from '../edit-calendars.ts';
import { changeOptionsOf, type OptionChanges, optionsVersion } from '../options.ts';
import { refreshLeaseSeconds } from '../refresh-calendar.ts';
import { keepCalendar, lockCalendars } from '../store/calendars.ts';
import { claimCalendar } from '../store/claims.ts';
import { findListedCalendar, type ListedCalendar } from '../store/listed-calendars.ts';
import { readEvents } from '../store/events.ts';
import { calendarWithEvents } from '../views.ts';
import { channelActs } from './acts.ts';

const mostEvents = 1_000;

const calendarOf = async (
  executor: Executor,
  calendarId: string,
): Promise<ListedCalendar | Refusal<'not_found'>> =>
  (await findListedCalendar(executor, calendarId)) ??
  refuseStaff('not_found', `There is no channel calendar ${calendarId}.`);

/** The calendar, with every other change of the calendars of its home kept out. */
async function lockedCalendar(
  executor: Executor,
  calendarId: string,
): Promise<ListedCalendar | Refusal<'not_found'>> {
  const found = await calendarOf(executor, calendarId);
  if (isRefusal(found)) return found;
  await lockCalendars(executor, found.listingId);
  return calendarOf(executor, calendarId);
}

const notShrunk = (calendarId: string): Refusal<'conflict'> =>
  refuseConflict(`The channel calendar ${calendarId} is not shrunk.`);

/** Changes how a calendar is read. */
export async function changeOptions(
  database: Database,
  actor: string,
  calendarId: string,
  { changes, seen }: { changes: OptionChanges; seen?: Seen | undefined },
) {
  return changeNights(database, async (executor) => {
    const stored = await lockedCalendar(executor, calendarId);
    if (isRefusal(stored)) return stored;
    const unseen = seenRefusal(seen, optionsVersion(stored), 'how this calendar is read');
    if (unseen) return unseen;
    const options = await changeOptionsOf(executor, calendarId, changes);
    const details = { calendarId, listing: stored.slug, ...options };
    const action = 'channel-calendar.set';
    await insertAuditEntry(executor, { actor, action, details });
    const { userAgent, source, ...rest } = options;
    const version = optionsVersion({ options: rest, userAgent, source });
    return { calendarId, ...options, ignore: [...options.ignore], version };
  });
}

/** Frees what a shrunk calendar does not show any more. */
export async function acceptShrunk(
  database: Database,
  actor: string,
  calendarId: string,
): Promise<({ calendarId: string } & AppliedNights) | Refusal<'not_found' | 'conflict'>> {
  return changeNights(database, async (executor) => {
    const calendar = await lockedCalendar(executor, calendarId);
    if (isRefusal(calendar)) return calendar;
    const { slug, shrunkSince } = calendar;
    if (shrunkSince === null) return notShrunk(calendarId);
    const claim = (await claimCalendar(executor, calendarId, refreshLeaseSeconds))!;
    const applied = await applyRead(executor, claim, {
      kind: 'accepted',
      events: [],
      problems: null,
      atOnce: false,
      validators: null,
      today: todayAt(claim.now, claim.timeZone),
      nextInSeconds: 0,
    });
    // The claim is part of this transaction.
    if (applied === 'lost') throw new Error(`the calendar ${calendarId} was lost`);
    const details = { calendarId, listing: slug, ...applied };
    const action = 'channel-calendar.accept';
    await insertAuditEntry(executor, { actor, action, details });
    return { calendarId, ...applied };
  });
}

/** Keeps the nights that a shrunk calendar does not show any more. */
export async function keepNights(database: Database, actor: string, calendarId: string) {
  return database.transaction(async (executor) => {
    const calendar = await calendarOf(executor, calendarId);
    if (isRefusal(calendar)) return calendar;
    if (!(await keepCalendar(executor, calendarId))) return notShrunk(calendarId);
    const details = { calendarId, listing: calendar.slug };
    const action = 'channel-calendar.keep';
    await insertAuditEntry(executor, { actor, action, details });
    return { calendarId, kept: true };
  });
}

/** Reads a calendar with its events that are not over. */
export async function showCalendar(executor: Executor, calendarId: string) {
  const calendar = await calendarOf(executor, calendarId);
  if (isRefusal(calendar)) return calendar;
  // The date at the home may be that of yesterday in UTC.
  const yesterday = todayAt(Date.now(), null) - 1;
  return calendarWithEvents(
    calendar,
    await readEvents(executor, calendarId, yesterday, mostEvents),
  );
}

const noCalendars = 'channel calendars';

/** What staff do with calendars of other channels. */
export const calendarActs = channelActs({
  'operator.channelCalendar.add': ({ context, actor, body }) =>
    artificialNightsRefusal(context.environment, noCalendars) ??
    addCalendar(context.database, actor.name, body, context.calendars.rules),
  'operator.channelCalendar.show': ({ context, params }) =>
    context.reads.run((from) => showCalendar(from, params.calendarId)),
  'operator.channelCalendar.set': ({ context, actor, params, body, seen }) => {
    const { expectedVersion: _, ...changes } = body;
    return changeOptions(context.database, actor.name, params.calendarId, { changes, seen });
  },
  'operator.channelCalendar.accept': ({ context, actor, params }) =>
    acceptShrunk(context.database, actor.name, params.calendarId),
  'operator.channelCalendar.keep': ({ context, actor, params }) =>
    keepNights(context.database, actor.name, params.calendarId),
});
