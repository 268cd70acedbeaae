/** Calendars of other channels by staff. */

import { listingFor } from '../catalog/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseOutsideOff, refuseStaff } from '../contract/operator/errors.ts';
import { freeCalendar } from '../inventory/index.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { isCopy } from '../platform/postgres/epochs.ts';
import { withoutDeadline } from '../platform/postgres/deadline.ts';
import { remoteUrlRefusal, type RemoteRules } from '../platform/sending/remote-url.ts';
import { todayAt } from '../pricing/index.ts';
import { applyRead, changeNights, type AppliedNights } from './apply-nights.ts';
import { createCalendarReader } from './icalendar/calendar-reader.ts';
import { changeOptionsOf, type OptionChanges } from './options.ts';
import { rotateSecret, secretFor } from './own-calendar.ts';
import { openRefreshing, type PollerContext } from './poller.ts';
import { refreshCalendar, refreshLeaseSeconds, type Refreshed } from './refresh-calendar.ts';
import { isDamage, problemText } from './rules/problems.ts';
import { problemView, type ProblemView } from './views.ts';
import { readOptions } from './store/calendar-options.ts';
import {
  deleteCalendar,
  findCalendarHome,
  insertCalendar,
  lockCalendars,
  readHomeTime,
} from './store/calendars.ts';
import { claimCalendar } from './store/claims.ts';
import { listCalendars, type ListedCalendar } from './store/listed-calendars.ts';
import { listConflicts, type ListedConflict } from './store/conflicts.ts';

const noCalendar = (calendarId: string): Refusal<'not_found'> =>
  refuseStaff('not_found', `There is no channel calendar ${calendarId}.`);

/** A calendar to add. */
export interface NewCalendarInput extends OptionChanges {
  /** Slug or ID. */
  listing: string;
  url: string;
}

/** Adds the calendar of another channel to a home; workers read it from now on. */
export async function addCalendar(
  database: Database,
  actor: string,
  { listing, url: given, ...options }: NewCalendarInput,
  rules: RemoteRules,
): Promise<{ calendarId: string } | Refusal<'invalid_input' | 'not_found'>> {
  // The scheme by which calendar programs subscribe: there is no such protocol.
  const url = given.replace(/^webcals?:/i, 'https:');
  const problem = remoteUrlRefusal(url, rules);
  if (problem !== null) {
    const field = { path: '/url', message: problem };
    return refuseStaff('invalid_input', `The URL of the calendar ${problem}.`, field);
  }
  const done = await auditedChange(
    database,
    async (executor) => {
      const home = await listingFor(executor, listing);
      if (isRefusal(home)) return home;
      const { id, slug } = home;
      const inserted = await insertCalendar(executor, id, { url });
      if (Object.keys(options).length > 0) {
        await changeOptionsOf(executor, inserted.calendarId, options);
      }
      return { ...inserted, slug };
    },
    ({ calendarId: id, added, slug }) => {
      // The rest of the URL usually contains a secret.
      const details = { calendarId: id, listing: slug, origin: new URL(url).origin };
      if (!added) return [];
      return { actor, action: 'channel-calendar.add', details };
    },
  );
  return isRefusal(done) ? done : { calendarId: done.calendarId };
}

/** The calendars, or conflicts, of a home or of all. */
export interface CalendarFilter {
  /** Slug or ID. */
  listing?: string | undefined;
  atMost: number;
}

/** Null: no home is named. */
const homeNamed = async (database: Database, listing: string | undefined) =>
  listing === undefined ? null : listingFor(database, listing);

/** Lists calendars, oldest first. */
export async function listCalendarsOf(
  database: Database,
  { listing, atMost }: CalendarFilter,
): Promise<ListedCalendar[] | Refusal<'not_found'>> {
  const home = await homeNamed(database, listing);
  return isRefusal(home) ? home : listCalendars(database, home && home.id, atMost);
}

/** Lists nights that calendars could not block. */
export async function listConflictsOf(
  database: Database,
  { listing, atMost }: CalendarFilter,
): Promise<ListedConflict[] | Refusal<'not_found'>> {
  const home = await homeNamed(database, listing);
  return isRefusal(home) ? home : listConflicts(database, home && home.id, atMost);
}

/** Removes a calendar and frees the nights that it blocked. */
export async function removeCalendar(
  database: Database,
  actor: string,
  calendarId: string,
): Promise<{ calendarId: string; freedBlocks: number } | Refusal<'not_found'>> {
  return changeNights(database, async (executor) => {
    const home = await findCalendarHome(executor, calendarId);
    if (!home) return noCalendar(calendarId);
    // A refresh in progress ends first, so it blocks nothing afterwards.
    await lockCalendars(executor, home.listingId);
    const freedBlocks = await freeCalendar(executor, calendarId);
    if (!(await deleteCalendar(executor, calendarId))) return noCalendar(calendarId);
    const details = { calendarId, listing: home.slug, freedBlocks };
    const action = 'channel-calendar.remove';
    await insertAuditEntry(executor, { actor, action, details });
    return { calendarId, freedBlocks };
  });
}

const overtaken = (calendarId: string): Refusal<'conflict'> =>
  refuseConflict(
    `The channel calendar ${calendarId} was read by another process, or removed, at the same time.`,
  );

const described = ({ line, uid, message }: ProblemView): string =>
  [line === null ? '' : `Line ${line}`, uid === null ? '' : `event ${uid}`]
    .filter((part) => part !== '')
    .join(', ')
    .concat(line === null && uid === null ? message : `: ${message}`);

const mostDescribed = 5;

const damaged = (
  calendarId: string,
  { problems, added }: Extract<Refreshed, { outcome: 'damaged' }>,
): Refusal<'conflict'> => {
  const first = problems.slice(0, mostDescribed).map((problem) => described(problemView(problem)));
  return refuseConflict(
    `The channel calendar ${calendarId} is damaged. What was understood has blocked ${added} more; nothing became free. ${first.join(' ')}`,
  );
};

/** Reads a calendar now. What cannot be read frees nothing. */
export async function refreshNow(
  refreshing: Omit<PollerContext, 'log'>,
  actor: string,
  calendarId: string,
): Promise<
  Extract<Refreshed, { outcome: 'refreshed' | 'unchanged' }> | Refusal<'not_found' | 'conflict'>
> {
  const { database } = refreshing;
  if (await isCopy(database)) return refuseOutsideOff('no calendar is read');
  const home = await findCalendarHome(database, calendarId);
  if (home?.fileName) {
    return refuseConflict(
      `The channel calendar ${calendarId} is the file ${home.fileName}: import it again.`,
    );
  }
  const claim = home && (await claimCalendar(database, calendarId, refreshLeaseSeconds));
  if (!claim) return noCalendar(calendarId);
  const { context, close } = openRefreshing(refreshing);
  try {
    const { signal } = new AbortController();
    // The deadline of a call is for its database work, and a server may take longer.
    const refreshed = await withoutDeadline(() =>
      refreshCalendar(context, claim, signal, (executor, applied) => {
        const details = { calendarId, listing: home.slug, ...applied };
        const action = 'channel-calendar.refresh';
        return insertAuditEntry(executor, { actor, action, details });
      }),
    );
    if (refreshed.outcome === 'lost') return overtaken(calendarId);
    if (refreshed.outcome === 'damaged') return damaged(calendarId, refreshed);
    if (refreshed.outcome !== 'failed') return refreshed;
    return refuseConflict(
      `The channel calendar ${calendarId} was not read, and its nights have not changed. ${problemText(refreshed.problem)}`,
    );
  } finally {
    await close();
  }
}

/** A calendar file. It replaces an earlier import with the same name. */
export interface CalendarFileInput {
  /** Slug or ID. */
  listing: string;
  name: string;
  bytes: Buffer;
}

/** What an import has changed, and what was wrong with the file. */
export type ImportedCalendar = { calendarId: string; problems: ProblemView[] } & AppliedNights;

/**
 * Imports a calendar file. It replaces at once what its name blocked before; one that is damaged only adds, and one
 * in which nothing can be read is refused. Blocks whose events are over by now do not change.
 * Spec: CHANNEL-8.
 */
export async function importCalendar(
  database: Database,
  actor: string,
  { listing, name, bytes }: CalendarFileInput,
): Promise<ImportedCalendar | Refusal<'not_found' | 'conflict'>> {
  const home = await listingFor(database, listing);
  if (isRefusal(home)) return home;
  const { id: listingId, slug } = home;
  const { timeZone, now } = await readHomeTime(database, listingId);
  const options = await readOptions(database, listingId, { fileName: name });
  const today = todayAt(now, timeZone);
  const reader = createCalendarReader();
  const calendar = { bytes, timeZone, today, options };
  const read = (await reader.read(calendar).finally(() => reader.close()))!;
  if ('problem' in read) {
    return refuseConflict(`${name} was not imported. ${problemText(read)}`);
  }
  const problems = read.problems.map(problemView);
  if (!read.whole && read.events.length === 0) {
    const first = read.problems.find(isDamage)!;
    const text = described(problemView(first));
    return refuseConflict(`${name} was not imported, because nothing in it can be read. ${text}`);
  }
  // The deadline of a call is for its database work, and reading may have taken longer.
  return withoutDeadline(() =>
    changeNights(database, async (executor) => {
      // Before the calendar's own row, because every change locks the calendars of a home in the same order.
      await lockCalendars(executor, listingId);
      const { calendarId } = await insertCalendar(executor, listingId, { fileName: name });
      const claim = (await claimCalendar(executor, calendarId, refreshLeaseSeconds))!;
      const applied = await applyRead(executor, claim, {
        kind: read.whole ? 'whole' : 'damaged',
        events: read.events,
        problems: read.problems,
        atOnce: true,
        validators: { etag: null, lastModified: null },
        today,
        nextInSeconds: 0,
      });
      // The claim is part of this transaction.
      if (applied === 'lost') throw new Error(`the calendar ${calendarId} was lost`);
      const details = { calendarId, listing: slug, file: name, ...applied };
      const action = 'channel-calendar.import';
      await insertAuditEntry(executor, { actor, action, details });
      return { calendarId, ...applied, problems };
    }),
  );
}

/** Whose address of a home's own calendar: one of both, or both. */
export interface AddressInput {
  /** Slug or ID. Absent: the home of the calendar. */
  listing?: string | undefined;
  /** The calendar of the channel that reads it; absent: it contains the blocks of all channels. */
  calendarId: string | undefined;
  /** Whether the home gets another secret, so that its previous addresses stop working. */
  rotate: boolean;
}

async function homeOfAddress(
  executor: Executor,
  { listing, calendarId }: AddressInput,
): Promise<{ id: string; slug: string } | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const ofCalendar = calendarId && (await findCalendarHome(executor, calendarId));
  if (calendarId && !ofCalendar) return noCalendar(calendarId);
  const asked = listing === undefined ? null : await listingFor(executor, listing);
  if (isRefusal(asked)) return asked;
  if (asked && ofCalendar && asked.id !== ofCalendar.listingId) {
    return refuseConflict(`The channel calendar ${calendarId} is not one of ${asked.slug}.`);
  }
  if (asked) return asked;
  if (ofCalendar) return { id: ofCalendar.listingId, slug: ofCalendar.slug };
  const field = { path: '/listing', message: 'is required without calendarId' };
  return refuseStaff('invalid_input', 'Name a home, or the calendar of a channel.', field);
}

/** Returns the secret address of a home's own calendar. */
export async function calendarAddress(
  database: Database,
  actor: string,
  baseUrl: string,
  input: AddressInput,
): Promise<{ url: string } | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const { calendarId, rotate } = input;
  const found = await auditedChange(
    database,
    async (executor) => {
      const home = await homeOfAddress(executor, input);
      if (isRefusal(home)) return home;
      const { id, slug } = home;
      if (rotate) return { secret: await rotateSecret(executor, id), slug, isNew: true };
      return { ...(await secretFor(executor, id)), slug };
    },
    ({ slug, isNew }) => {
      const action = rotate ? 'channel-calendar.rotate' : 'channel-calendar.address';
      return { actor, action, details: { listing: slug, isNew } };
    },
  );
  if (isRefusal(found)) return found;
  const { secret } = found;
  // Some channels take only addresses that end like a file, and drop what follows a question mark.
  const path = calendarId === undefined ? secret : `${secret}/${calendarId}`;
  return { url: `${baseUrl}/calendars/${path}.ics` };
}
