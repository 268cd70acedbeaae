/** Calendars of other channels for the bench. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../src/platform/postgres/database.ts';
import { addCalendar } from '../test/harness/acts.ts';

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Bench//EN',
  'BEGIN:VEVENT',
  'UID:past@bench',
  'DTSTART;VALUE=DATE:20200101',
  'DTEND;VALUE=DATE:20200102',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** A server of channels. */
export interface CalendarServer {
  /** Adds calendars to a home, which answer after this time; null: they never do. */
  add(database: Database, listing: string, count: number, afterMs: number | null): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server whose calendars answer after the time in their path, 304 if they are known. */
export async function serveCalendars(): Promise<CalendarServer> {
  const server = createServer((request, response) => {
    const after = /^\/after-(\d+)/.exec(request.url ?? '')?.[1];
    if (after === undefined) return;
    const isKnown = request.headers['if-none-match'] === '"bench"';
    setTimeout(() => {
      response.writeHead(isKnown ? 304 : 200, { etag: '"bench"', 'content-type': 'text/calendar' });
      response.end(isKnown ? '' : calendar);
    }, Number(after));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async add(database, listing, count, afterMs) {
      const speed = afterMs === null ? 'never' : `after-${afterMs}`;
      for (let one = 0; one < count; one += 1) {
        const url = `http://127.0.0.1:${port}/${speed}/${one}.ics`;
        await addCalendar(database, 'bench', { listing, url }, { loopbackAllowed: true });
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Makes all calendars as old as if they were to be read before the next booking, and by nothing else. */
export const ageCalendars = (database: Database): Promise<unknown> =>
  database.query({
    name: 'bench-age-calendars',
    text: `UPDATE channel_calendars SET refreshed_at = now() - interval '2 minutes', late_at = NULL,
      problem = NULL, failing_since = NULL, failures = 0, reading_until = NULL, fence = fence + 1,
      due_at = now() + interval '1 day'`,
  });
