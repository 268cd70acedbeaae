/** The look at the other channels at the last moment: their calendars are read before a booking is confirmed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { calendarsBeforeConfirm } from '../platform/diagnostics.ts';
import { late, withinTime } from '../platform/sleeper.ts';
import { changesNights, openRefreshing, type PollerContext, report } from './poller.ts';
import { refreshCalendar, refreshLeaseSeconds } from './refresh-calendar.ts';
import { waitMs as usualWaitMs } from './rules/before-confirm.ts';
import type { CalendarClaim } from './store/claims.ts';
import {
  claimStaleCalendars,
  readBeingRead,
  readStaleCalendars,
  writeLate,
} from './store/stale-calendars.ts';

/** Asks the other channels of a home. */
export interface ChannelsOfHome {
  /**
   * Reads the calendars of a home that were not read within the last minute, and waits for them at most 2.5 seconds.
   * One that fails, or is late, is logged and counted.
   */
  look(listingId: string): Promise<void>;
  /** Ends the reads in progress. */
  stop(): Promise<void>;
}

/** The dependencies of the look. */
export type LookContext = PollerContext & {
  /** How long a booking waits. Absent: 2.5 seconds. */
  waitMs?: number;
};

// How often the database is asked whether another process has read a calendar.
const askAgainMs = 50;

/** Creates the look of this process. Bookings share reads, also with those of other processes. */
export function openChannelsOfHome(context: LookContext): ChannelsOfHome {
  const { database, log, waitMs = usualWaitMs } = context;
  const refreshing = openRefreshing(context);
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();

  async function readClaimed(claim: CalendarClaim): Promise<void> {
    const { calendarId } = claim;
    try {
      const refreshed = await refreshCalendar(refreshing.context, claim, ending.signal);
      if (changesNights(refreshed)) context.onChangedNights?.();
      report(log, claim, refreshed);
      const isWhole = refreshed.outcome === 'refreshed' || refreshed.outcome === 'unchanged';
      calendarsBeforeConfirm.publish(() => ({ outcome: isWhole ? 'whole' : 'failed' }));
    } catch (error) {
      log.warn({ err: error, calendarId }, 'channel calendar result not written; read again');
      calendarsBeforeConfirm.publish(() => ({ outcome: 'failed' }));
    }
  }

  function start(claim: CalendarClaim): void {
    const { calendarId } = claim;
    const started = readClaimed(claim).finally(() => running.delete(calendarId));
    running.set(calendarId, started);
  }

  /** Waits until no process reads the calendar any more. */
  async function readElsewhere(calendarId: string, over: AbortSignal): Promise<void> {
    while (!over.aborted && (await readBeingRead(database, [calendarId])).length > 0) {
      await sleep(askAgainMs, undefined, { signal: over }).catch(() => undefined);
    }
  }

  async function tellLate(listingId: string, calendarIds: string[]): Promise<void> {
    await writeLate(database, calendarIds);
    for (const calendarId of calendarIds) {
      log.warn({ calendarId, listingId }, 'channel calendar late before a booking');
      calendarsBeforeConfirm.publish(() => ({ outcome: 'late' }));
    }
  }

  return {
    async look(listingId) {
      const stale = await readStaleCalendars(database, listingId);
      if (stale.length === 0) return;
      refreshing.connections.tidy();
      const unread = stale.filter((id) => !running.has(id));
      const claims =
        unread.length === 0 ? [] : await claimStaleCalendars(database, unread, refreshLeaseSeconds);
      claims.forEach(start);
      const waiting = new Set(stale);
      const over = new AbortController();
      const reads = stale.map(async (id) => {
        await (running.get(id) ?? readElsewhere(id, over.signal));
        waiting.delete(id);
      });
      const read = await withinTime(waitMs, Promise.all(reads), () => over.abort());
      // The reads go on, and what they find is known to the next booking.
      if (read === late) await tellLate(listingId, [...waiting]);
    },
    async stop() {
      ending.abort();
      await Promise.all([...running.values(), refreshing.close()]);
    },
  };
}
