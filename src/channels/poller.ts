import { startClaiming } from '../platform/claims.ts';
import type { Database } from '../platform/postgres/database.ts';
import { createConnections, type Connections } from '../platform/sending/connections.ts';
import { createResolve } from '../platform/sending/destination.ts';
import { createDial } from '../platform/sending/dial.ts';
import type { DownloadParts } from '../platform/sending/download.ts';
import type { RemoteRules } from '../platform/sending/remote-url.ts';
import { createSlots } from '../platform/slots.ts';
import { createCalendarReader } from './icalendar/calendar-reader.ts';
import {
  refreshCalendar,
  refreshLeaseSeconds,
  type Refreshed,
  type RefreshParts,
} from './refresh-calendar.ts';
import { claimDueCalendars, type CalendarClaim } from './store/calendars.ts';

/** The log methods that polling uses. */
export interface ChannelLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The dependencies of polling. */
export interface PollerParts {
  database: Database;
  log: ChannelLog;
  rules: RemoteRules;
  /** The usual time between two reads of a calendar. */
  everySeconds: number;
  /** Called after a calendar has changed nights. */
  onChangedNights?: () => void;
  /** Replacement of the network, for tests. */
  remote?: Partial<DownloadParts>;
}

const roundMs = 1_000;
const inFlightAtMost = 16;
// Each may hold 32 MB.
const largeAtOnce = 8;

/** The parts with which calendars are refreshed, and how to end them. */
export function openRefreshing({
  database,
  rules,
  everySeconds,
  remote,
}: Omit<PollerParts, 'log'>): {
  parts: RefreshParts;
  connections: Connections;
  close(): Promise<void>;
} {
  const connections = createConnections(createDial());
  const reader = createCalendarReader();
  const readerOfFailing = createCalendarReader();
  return {
    parts: {
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

const changesNights = (refreshed: Refreshed): boolean =>
  refreshed.outcome === 'refreshed' && refreshed.added + refreshed.removed > 0;

/** Logs a result, unless it is as expected. */
function report(log: ChannelLog, claim: CalendarClaim, refreshed: Refreshed): void {
  const { calendarId, slug: listing } = claim;
  if (refreshed.outcome === 'failed') {
    const { problem } = refreshed;
    const failures = claim.failures + 1;
    log.warn({ calendarId, listing, ...problem, failures }, 'channel calendar not read');
  }
  if (refreshed.outcome !== 'refreshed') return;
  const { added, removed, conflicts, newConflicts } = refreshed;
  if (changesNights(refreshed)) {
    log.info({ calendarId, listing, added, removed }, 'channel calendar changed nights');
  }
  if (newConflicts > 0) {
    log.warn({ calendarId, listing, conflicts, newConflicts }, 'channel calendar conflicts');
  }
}

/**
 * Polls the calendars of other channels when they are due. Any number of processes can. A process that is killed
 * leaves a calendar as it was, and another one reads it when the lease ends.
 */
export function startPolling(polling: PollerParts): { stop(): Promise<void> } {
  const { database, log } = polling;
  const { parts, connections, close } = openRefreshing(polling);
  const ending = new AbortController();

  async function refresh(claim: CalendarClaim): Promise<void> {
    try {
      const refreshed = await refreshCalendar(parts, claim, ending.signal);
      if (changesNights(refreshed)) polling.onChangedNights?.();
      report(log, claim, refreshed);
    } catch (error) {
      const { calendarId } = claim;
      log.warn({ err: error, calendarId }, 'channel calendar result not written; read again');
    }
  }

  const claiming = startClaiming<CalendarClaim>({
    name: 'poll channel calendars',
    everyMs: roundMs,
    inFlightAtMost,
    async claim(atMost) {
      connections.tidy();
      return { claims: await claimDueCalendars(database, atMost, refreshLeaseSeconds) };
    },
    process: refresh,
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
