import type { Database, Executor } from '../platform/postgres/database.ts';
import {
  download,
  type DownloadContext,
  type DownloadProblem,
  type Downloaded,
} from '../platform/sending/download.ts';
import { heldUntilRelease } from '../platform/slots.ts';
import { delayAsked } from '../platform/sending/retry.ts';
import { todayAt } from '../pricing/index.ts';
import { applyRead, changeNights, type AppliedNights, type ReadToApply } from './apply-nights.ts';
import type { CalendarReader } from './icalendar/calendar-reader.ts';
import { isDamage, problemOf, type Problem, type ReadProblem } from './rules/problems.ts';
import { nextReadInSeconds } from './rules/schedule.ts';
import type { CalendarClaim } from './store/claims.ts';
import { writeCalendarResult, writeUnchanged } from './store/read-results.ts';

/** The dependencies of a refresh. */
export interface RefreshContext {
  database: Database;
  remote: DownloadContext;
  reader: CalendarReader;
  /** Of calendars whose last read failed, so that the others never wait for one that takes its whole time. */
  readerOfFailing: CalendarReader;
  /** The usual time between two reads. */
  everySeconds: number;
  /** Called when the server has answered, or not: `reached`, and how long it took. */
  onAnswered?: (reached: boolean, tookMs: number) => void;
}

/**
 * The result of a refresh. `unchanged`: the server says that the content is the same. `damaged`: some of the content
 * is lost, so it has added nights and freed none. `lost`: another process has
 * claimed the calendar, or it was removed, or the refresh was ended, or too many others were read before it.
 */
export type Refreshed =
  | ({ outcome: 'refreshed' } & AppliedNights)
  | { outcome: 'unchanged' }
  | ({ outcome: 'damaged'; problems: readonly ReadProblem[] } & AppliedNights)
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
  { database, everySeconds }: RefreshContext,
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

/** What a calendar says that has not changed. */
const unchangedContent = {
  kind: 'unchanged',
  events: [],
  problems: null,
  atOnce: false,
  validators: null,
} as const;

/** Applies a read. Null: another process has claimed the calendar, or it was removed. */
async function apply(
  database: Database,
  claim: CalendarClaim,
  read: ReadToApply,
  onApplied: OnApplied,
): Promise<Refreshed | null> {
  const applied = await changeNights(database, async (executor) => {
    const done = await applyRead(executor, claim, read);
    if (done !== 'lost') await onApplied(executor, done);
    return done;
  });
  if (applied === 'lost') return null;
  if (read.kind !== 'damaged') return { outcome: 'refreshed', ...applied };
  const damage = read.problems!.filter(isDamage);
  const { problem, detail } = damage[0]!;
  return read.events.length === 0
    ? { outcome: 'failed', problem: { problem, detail } }
    : { outcome: 'damaged', problems: damage, ...applied };
}

/** Reads a claimed calendar and applies its nights. What cannot be read frees nothing. Spec: CHANNEL-10. */
export async function refreshCalendar(
  context: RefreshContext,
  claim: CalendarClaim,
  signal: AbortSignal,
  onApplied: OnApplied = async () => undefined,
): Promise<Refreshed> {
  // A long calendar keeps its slot until it is read: few of them are in memory.
  const large = heldUntilRelease(context.remote.large);
  try {
    return await refresh(
      { ...context, remote: { ...context.remote, large } },
      claim,
      signal,
      onApplied,
    );
  } finally {
    large.release();
  }
}

async function refresh(
  context: RefreshContext,
  claim: CalendarClaim,
  signal: AbortSignal,
  onApplied: OnApplied,
): Promise<Refreshed> {
  const { database, remote, everySeconds } = context;
  const reader = claim.failures === 0 ? context.reader : context.readerOfFailing;
  const begun = AbortSignal.any([signal, AbortSignal.timeout(readBeginsWithinMs)]);
  const { url, validators, timeZone, now } = claim;
  if (url === null) return fail(context, claim, problemOf('url_unreadable'));
  const headers = { accept: 'text/calendar', 'user-agent': claim.userAgent ?? usualUserAgent };
  const request = { url, validators, headers, atMostBytes: mostBytes, signal };
  const asked = performance.now();
  const downloaded = await download(remote, request);
  context.onAnswered?.(isReached(downloaded), performance.now() - asked);
  if (signal.aborted) return { outcome: 'lost' };
  if (downloaded.outcome === 'failed') {
    const problem = problemOf(downloaded.problem, detailOf(downloaded));
    return fail(context, claim, problem, delayAsked(downloaded, now));
  }
  const usual = nextReadInSeconds(everySeconds, 0, null, Math.random());
  const today = todayAt(now, timeZone);
  if (downloaded.outcome === 'unchanged') {
    if (!claim.hasOpenFindings) {
      await writeUnchanged(database, claim, usual);
      return downloaded;
    }
    const same = { ...unchangedContent, today, nextInSeconds: usual };
    return (await apply(database, claim, same, onApplied)) ?? { outcome: 'lost' };
  }
  const calendar = { bytes: downloaded.body, timeZone, today, options: claim.options };
  const read = await reader.read(calendar, begun);
  if (signal.aborted || read === null) return { outcome: 'lost' };
  if ('problem' in read) return fail(context, claim, read);
  const applied = await apply(
    database,
    claim,
    {
      kind: read.whole ? 'whole' : 'damaged',
      events: read.events,
      problems: read.problems,
      atOnce: false,
      // What was lost is asked for again.
      validators: read.whole ? downloaded.validators : { etag: null, lastModified: null },
      today,
      nextInSeconds: read.whole
        ? usual
        : nextReadInSeconds(everySeconds, claim.failures + 1, null, Math.random()),
    },
    onApplied,
  );
  return applied ?? { outcome: 'lost' };
}
