import type { Log } from '../platform/log.ts';
import { startClaiming } from '../platform/claims.ts';
import type { Database } from '../platform/postgres/database.ts';
import { createConnections, type Connections } from '../platform/sending/connections.ts';
import { createResolve } from '../platform/sending/destination.ts';
import { createDial } from '../platform/sending/dial.ts';
import { type BulkheadLimits, createBulkheads } from '../platform/sending/bulkheads.ts';
import type { DownloadContext } from '../platform/sending/download.ts';
import type { RemoteRules } from '../platform/sending/remote-url.ts';
import { createSlots } from '../platform/slots.ts';
import { createCalendarReader } from './icalendar/calendar-reader.ts';
import {
  refreshCalendar,
  refreshLeaseSeconds,
  type Refreshed,
  type RefreshContext,
} from './refresh-calendar.ts';
import { claimDueCalendars, type CalendarClaim } from './store/claims.ts';
import { type DueHost, nameHosts, readDueHosts } from './store/due-hosts.ts';

/** The dependencies of polling. */
export interface PollerContext {
  database: Database;
  log: Pick<Log, 'info' | 'warn'>;
  rules: RemoteRules;
  /** The usual time between two reads of a calendar. */
  everySeconds: number;
  /** Called after a calendar has changed nights. */
  onChangedNights?: () => void;
  /** Replacements of the network and of time, for tests. */
  remote?: Partial<DownloadContext>;
  limits?: BulkheadLimits;
  /** A monotonic counter of milliseconds. */
  now?: () => number;
}

const roundMs = 1_000;
const inFlightAtMost = 1_024;
const perHost = 8;
// More than a round can claim of one host.
const countedOfHost = 1_000;
const namedAtOnce = 500;
// Each may hold 32 MB.
const largeAtOnce = 8;
const defaultLimits: BulkheadLimits = {
  quick: 64,
  trial: 64,
  slow: 128,
  waiting: 512,
  quickMs: 2_000,
};

/** The dependencies with which calendars are refreshed, and how to end them. */
export function openRefreshing({
  database,
  rules,
  everySeconds,
  remote,
}: Omit<PollerContext, 'log'>): {
  context: RefreshContext;
  connections: Connections;
  close(): Promise<void>;
} {
  const connections = createConnections(createDial());
  const reader = createCalendarReader();
  const readerOfFailing = createCalendarReader();
  return {
    context: {
      database,
      remote: {
        rules,
        resolve: createResolve(),
        connections,
        large: createSlots(largeAtOnce),
        ...remote,
      },
      reader,
      readerOfFailing,
      everySeconds,
    },
    connections,
    async close() {
      await Promise.all([connections.destroy(), reader.close(), readerOfFailing.close()]);
    },
  };
}

/** Whether a refresh has changed nights. */
export const changesNights = (refreshed: Refreshed): boolean =>
  (refreshed.outcome === 'refreshed' || refreshed.outcome === 'damaged') &&
  refreshed.added + refreshed.removed > 0;

/** The first of the chosen hosts, with this number of calendars together. */
function atMostOf(chosen: ReadonlyMap<string, number>, atMost: number): Map<string, number> {
  const first = new Map<string, number>();
  let left = atMost;
  for (const [host, slots] of chosen) {
    if (left === 0) break;
    first.set(host, Math.min(slots, left));
    left -= Math.min(slots, left);
  }
  return first;
}

/** Logs a result, unless it is as expected. */
export function report(
  log: Pick<Log, 'info' | 'warn'>,
  claim: CalendarClaim,
  refreshed: Refreshed,
): void {
  const { calendarId, slug: listing } = claim;
  if (refreshed.outcome === 'failed') {
    const { problem } = refreshed;
    const failures = claim.failures + 1;
    log.warn({ calendarId, listing, ...problem, failures }, 'channel calendar not read');
  }
  if (refreshed.outcome === 'damaged') {
    const [first] = refreshed.problems;
    const { problem, detail, line } = first!;
    const problems = refreshed.problems.length;
    log.warn({ calendarId, listing, problem, detail, line, problems }, 'channel calendar damaged');
  }
  if (refreshed.outcome !== 'refreshed' && refreshed.outcome !== 'damaged') return;
  const { added, removed, conflicts, newConflicts, shrunk, missing } = refreshed;
  if (shrunk) log.warn({ calendarId, listing, missing }, 'channel calendar shrunk');
  if (changesNights(refreshed)) {
    log.info({ calendarId, listing, added, removed }, 'channel calendar changed nights');
  }
  if (newConflicts > 0) {
    log.warn({ calendarId, listing, conflicts, newConflicts }, 'channel calendar conflicts');
  }
}

/** The hosts of due calendars, as this process last saw them, without what it has claimed since. */
function createDue(database: Database, now: () => number) {
  const due = new Map<string, DueHost>();
  let lookedAt = -Infinity;
  return {
    due,
    /** Looks again, unless it has done so within this round. */
    async look(): Promise<void> {
      if (now() - lookedAt < roundMs) return;
      lookedAt = now();
      while ((await nameHosts(database, namedAtOnce)) === namedAtOnce);
      const found = await readDueHosts(database, countedOfHost);
      due.clear();
      for (const one of found) due.set(one.host, one);
    },
    /** Takes what was claimed. A host with fewer claims than slots has nothing more to claim. */
    claimed(chosen: ReadonlyMap<string, number>, claims: readonly CalendarClaim[]): void {
      const counts = Map.groupBy(claims, ({ host }) => host ?? '');
      for (const [host, slots] of chosen) {
        const count = counts.get(host)?.length ?? 0;
        const known = due.get(host)!;
        const calendars = count < slots ? 0 : known.calendars - count;
        if (calendars > 0) due.set(host, { ...known, calendars });
        else due.delete(host);
      }
    },
  };
}

/**
 * Polls the calendars of other channels when they are due. Any number of processes can. A process that is killed
 * leaves a calendar as it was, and another one reads it when the lease ends. The slots of a host that does not answer
 * are not those of the others.
 */
export function startPolling(polling: PollerContext): { stop(): Promise<void> } {
  const { database, log, limits = defaultLimits, now = () => performance.now() } = polling;
  const { context, connections, close } = openRefreshing(polling);
  const ending = new AbortController();
  const bulkheads = createBulkheads(limits, now);
  const largeOfSlow = createSlots(largeAtOnce);
  const inFlight = new Map<string, number>();
  const { due, look, claimed } = createDue(database, now);

  const count = (host: string, by: number): void => {
    const next = (inFlight.get(host) ?? 0) + by;
    if (next === 0) inFlight.delete(host);
    else inFlight.set(host, next);
  };

  async function refresh(claim: CalendarClaim, onAnswered: RefreshContext['onAnswered']) {
    const isQuick = bulkheads.paceOf(claim.host ?? '') === 'quick';
    const large = isQuick ? context.remote.large : largeOfSlow;
    const remote = { ...context.remote, large };
    try {
      const refreshed = await refreshCalendar(
        { ...context, remote, ...(onAnswered && { onAnswered }) },
        claim,
        ending.signal,
      );
      if (changesNights(refreshed)) polling.onChangedNights?.();
      report(log, claim, refreshed);
    } catch (error) {
      const { calendarId } = claim;
      log.warn({ err: error, calendarId }, 'channel calendar result not written; read again');
    }
  }

  async function process(claim: CalendarClaim): Promise<void> {
    const attempt = { target: claim.host ?? '' };
    let answer = { reached: false, tookMs: 0 };
    bulkheads.begin(attempt);
    count(attempt.target, 1);
    await refresh(claim, (reached, tookMs) => (answer = { reached, tookMs }));
    bulkheads.end(attempt, answer.reached, answer.tookMs);
    count(attempt.target, -1);
    if (due.size > 0) claiming.wake();
  }

  const wanted = (host: string): number =>
    Math.min(due.get(host)!.calendars, perHost - (inFlight.get(host) ?? 0));

  const claiming = startClaiming<CalendarClaim>({
    name: 'poll channel calendars',
    everyMs: roundMs,
    inFlightAtMost,
    async claim(atMost) {
      connections.tidy();
      bulkheads.sort();
      await look();
      for (const { host, pace } of due.values()) if (pace) bulkheads.expect(host, pace);
      const chosen = atMostOf(bulkheads.choose(due.keys(), wanted), atMost);
      if (chosen.size === 0) return { claims: [] };
      const claims = await claimDueCalendars(database, chosen, refreshLeaseSeconds);
      claimed(chosen, claims);
      return { claims };
    },
    process,
    log,
  });
  return {
    async stop() {
      ending.abort();
      // Closing ends a calendar that is being read.
      await Promise.all([claiming.stop(), close()]);
    },
  };
}
