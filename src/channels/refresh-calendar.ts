import type { Database, Executor } from '../platform/postgres/database.ts';
import {
  download,
  type DownloadParts,
  type DownloadProblem,
  type Downloaded,
} from '../platform/sending/download.ts';
import { heldUntilRelease } from '../platform/slots.ts';
import { delayAsked } from '../platform/sending/retry.ts';
import { todayAt } from '../pricing/index.ts';
import { applyNights, changeNights, type AppliedNights } from './apply-nights.ts';
import type { CalendarReader } from './icalendar/calendar-reader.ts';
import { ownDomain } from './icalendar/own-events.ts';
import { problemOf, type Problem } from './rules/problems.ts';
import { nextReadInSeconds } from './rules/schedule.ts';
import { writeCalendarResult, type CalendarClaim } from './store/calendars.ts';

/** The dependencies of a refresh. */
export interface RefreshParts {
  database: Database;
  remote: DownloadParts;
  reader: CalendarReader;
  /** Of calendars whose last read failed, so that the others never wait for one that takes its whole time. */
  readerOfFailing: CalendarReader;
  /** The usual time between two reads. */
  everySeconds: number;
  /** Called when the server has answered, or not: `reached`, and how long it took. */
  onAnswered?: (reached: boolean, tookMs: number) => void;
}

/**
 * The result of a refresh. `unchanged`: the server says that the content is the same. `lost`: another process has
 * claimed the calendar, or it was removed, or the refresh was ended, or too many others were read before it.
 */
export type Refreshed =
  | ({ outcome: 'refreshed' } & AppliedNights)
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; problem: Problem }
  | { outcome: 'lost' };

/** The longest time from the claim to the result, and some reserve. */
export const refreshLeaseSeconds = 60;

// The rest of the lease is for the reading itself, at most ten seconds, and for the writing.
const readBeginsWithinMs = (refreshLeaseSeconds - 20) * 1_000;

const mostBytes = 32 * 1024 * 1024;

// Servers refuse names that they take for those of scripts.
const usualUserAgent = 'Mozilla/5.0 (compatible; Latchkey-Calendars)';

/** The detail of the problem of a download. */
const detailOf = ({ problem, status }: Extract<Downloaded, { outcome: 'failed' }>) =>
  problem === 'too_large' ? mostBytes : problem === 'status' ? status : null;

async function fail(
  { database, everySeconds }: RefreshParts,
  claim: CalendarClaim,
  problem: Problem,
  askedSeconds: number | null = null,
): Promise<Refreshed> {
  const failures = claim.failures + 1;
  const nextInSeconds = nextReadInSeconds(everySeconds, failures, askedSeconds, Math.random());
  await writeCalendarResult(database, claim, { problem, nextInSeconds });
  return { outcome: 'failed', problem };
}

/** Called in the transaction in which the nights of a calendar are applied. */
export type OnApplied = (executor: Executor, applied: AppliedNights) => Promise<void>;

const serverProblems: ReadonlySet<DownloadProblem> = new Set([
  'dns',
  'connection',
  'tls',
  'timeout',
]);

const isReached = (downloaded: Downloaded): boolean =>
  downloaded.outcome !== 'failed' || !serverProblems.has(downloaded.problem);

/** Reads a claimed calendar and applies its nights. A calendar that cannot be read changes nothing. */
export async function refreshCalendar(
  parts: RefreshParts,
  claim: CalendarClaim,
  signal: AbortSignal,
  onApplied: OnApplied = async () => undefined,
): Promise<Refreshed> {
  // A long calendar keeps its slot until it is read: few of them are in memory.
  const large = heldUntilRelease(parts.remote.large);
  try {
    return await refresh(
      { ...parts, remote: { ...parts.remote, large } },
      claim,
      signal,
      onApplied,
    );
  } finally {
    large.release();
  }
}

async function refresh(
  parts: RefreshParts,
  claim: CalendarClaim,
  signal: AbortSignal,
  onApplied: OnApplied,
): Promise<Refreshed> {
  const { database, remote, everySeconds } = parts;
  const reader = claim.failures === 0 ? parts.reader : parts.readerOfFailing;
  const begun = AbortSignal.any([signal, AbortSignal.timeout(readBeginsWithinMs)]);
  const { url, validators, timeZone, now } = claim;
  if (url === null) return fail(parts, claim, problemOf('url_unreadable'));
  const headers = { accept: 'text/calendar', 'user-agent': claim.userAgent ?? usualUserAgent };
  const request = { url, validators, headers, atMostBytes: mostBytes, signal };
  const asked = performance.now();
  const downloaded = await download(remote, request);
  parts.onAnswered?.(isReached(downloaded), performance.now() - asked);
  if (signal.aborted) return { outcome: 'lost' };
  if (downloaded.outcome === 'failed') {
    const problem = problemOf(downloaded.problem, detailOf(downloaded));
    return fail(parts, claim, problem, delayAsked(downloaded, now));
  }
  const nextInSeconds = nextReadInSeconds(everySeconds, 0, null, Math.random());
  if (downloaded.outcome === 'unchanged') {
    await writeCalendarResult(database, claim, { problem: null, nextInSeconds });
    return downloaded;
  }
  const today = todayAt(now, timeZone);
  const calendar = {
    bytes: downloaded.body,
    timeZone,
    today,
    ownDomain: ownDomain(database.vault),
  };
  const read = await reader.read(calendar, begun);
  if (signal.aborted || read === null) return { outcome: 'lost' };
  if ('problem' in read) return fail(parts, claim, read);
  const toApply = { ...read, today, nextInSeconds, validators: downloaded.validators };
  const applied = await changeNights(database, async (executor) => {
    const done = await applyNights(executor, claim, toApply);
    if (done !== 'lost') await onApplied(executor, done);
    return done;
  });
  return applied === 'lost' ? { outcome: 'lost' } : { outcome: 'refreshed', ...applied };
}
