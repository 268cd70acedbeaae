/** Compares a database with a year of bookings of own homes to one with few. Each has its own service. */
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeCursor } from '../../src/access/cursor.ts';
import { sweepAbandonedCheckouts } from '../../src/bookings/store/abandoned-bookings.ts';
import { claimDueBookings } from '../../src/bookings/store/booking-claims.ts';
import { sweepEvents } from '../../src/events/store/events.ts';
import { sweepQuotes } from '../../src/bookings/store/quotes.ts';
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import { BookingClient } from '../booking.ts';
import { type GrownSystem, openGrown } from '../grown-system.ts';
import { requestBytes } from '../http-client.ts';
import { perSecond, requestsPerSecond } from '../load.ts';
import type { Measure } from '../measure.ts';

/** The number of bookings in the large database, the time limit to write them, and a folder that is kept. */
export const growth = {
  bookings: 10_000_000,
  withinMinutes: 60,
  folder: undefined as string | undefined,
};

const fewBookings = 1_000;
const inFlight = 16;
const secondsPerRound = 3;
const halfAYearMs = 183 * 86_400_000;

interface Both {
  few: GrownSystem;
  many: GrownSystem;
}

let opened: Promise<Both> | undefined;

async function openBoth(): Promise<Both> {
  const folder = growth.folder ?? (await mkdtemp(path.join(tmpdir(), 'latchkey-growth-')));
  const withinMs = growth.withinMinutes * 60_000;
  const few = await openGrown(path.join(folder, 'few'), fewBookings, withinMs);
  return { few, many: await openGrown(path.join(folder, 'many'), growth.bookings, withinMs) };
}

/** Stops both services, and deletes their databases unless their folder was named. */
export async function closeGrowth(): Promise<void> {
  const both = await opened;
  opened = undefined;
  for (const { system } of both ? [both.few, both.many] : []) {
    await (growth.folder === undefined ? system.close() : system.stopKeeping());
  }
}

type Rate = (filled: GrownSystem, round: number) => Promise<number>;

/** Measures the same rate on both databases, one directly after the other. */
const onBoth =
  (prepare: (filled: GrownSystem) => Promise<Rate>): Measure['run'] =>
  async (rounds, onRound) => {
    opened ??= openBoth();
    const { few, many } = await opened;
    const floor = await prepare(few);
    const figure = await prepare(many);
    // Warms up both before the first round.
    await floor(few, 0);
    await figure(many, 0);
    for (let round = 1; round <= rounds; round += 1) {
      onRound({ floor: await floor(few, round), figure: await figure(many, round) });
    }
  };

const reads = (pathOf: (filled: GrownSystem) => string): Measure['run'] =>
  onBoth(async () => async (filled) => {
    const headers = { authorization: `Bearer ${filled.partner.token}` };
    const request = requestBytes('GET', pathOf(filled), headers);
    return requestsPerSecond(filled.system.service.port, request, inFlight, secondsPerRound);
  });

/** The first page of the feed. */
export const measureFeed = reads(() => '/v1/events?limit=50');

/** A page in the middle of the list of requests. */
export const measureRequests = reads(({ system, partner: { applicationId } }) => {
  const owner = {
    operation: 'reservation.reservationRequest.list',
    applicationId,
    filters: {},
  } as const;
  const position = `${Date.now() - halfAYearMs} ${randomUUID()}`;
  const cursor = writeCursor(system.database.vault, owner, position);
  return `/v1/reservation-requests?limit=50&cursor=${cursor}`;
});

/** Claims due bookings; none is due. */
export const measureClaim: Measure['run'] = onBoth(async () => ({ system: { database } }) => {
  const look = async (): Promise<void> => void (await claimDueBookings(database, 32, 15));
  return perSecond(1, secondsPerRound, look);
});

const sweptPerRound = 2_000;
const batchSize = 500;

/** Writes rows that are due for a sweep: events, unused quotes and abandoned checkouts. */
async function writeOld({ system, partner }: GrownSystem, round: number): Promise<void> {
  const quotes = `INSERT INTO quotes
    SELECT application_id, gen_random_uuid(), '\\x00', listing_id, check_in, check_out, party, charges,
      terms, expires_at, expires_at
    FROM (SELECT *, now() - interval '30 days 1 hour' + make_interval(secs => $1 * 60 + n * 0.01) AS expires_at
      FROM (SELECT application_id, listing_id, check_in, check_out, party, charges, terms FROM quotes
        WHERE application_id = $2 LIMIT 1) one, generate_series(1, $3) n) q
    RETURNING application_id, quote_id, expires_at`;
  const values = [round, partner.applicationId, sweptPerRound];
  const client = await system.database.connect();
  try {
    await client.query(`WITH q AS (${quotes}) SELECT count(*) FROM q`, values);
    await client.query(
      `WITH q AS (${quotes})
        INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement,
          version, state, session_nonce, session_expires_at, created_at, updated_at)
        SELECT application_id, 'checkout', quote_id, quote_id, '\\x00', 'partner', 1, 'needs_guest',
          '\\x00', now(), expires_at, expires_at FROM q`,
      values,
    );
    await client.query(
      `INSERT INTO events (application_id, sequence, type, data, created_at)
        SELECT $2, -($1 * $3 + n), 'checkout.resolved', '{}', now() - interval '31 days'
        FROM generate_series(1, $3) n`,
      values,
    );
  } finally {
    await client.end();
  }
}

/** Sweeps until nothing is due. */
export const measureSweep: Measure['run'] = onBoth(async () => async (filled, round) => {
  const { database } = filled.system;
  await writeOld(filled, round);
  const began = performance.now();
  let swept = 0;
  for (const sweep of [sweepEvents, sweepQuotes, sweepAbandonedCheckouts]) {
    for (let rows = batchSize; rows >= batchSize; swept += rows)
      rows = await sweep(database, 30, batchSize);
  }
  return swept / ((performance.now() - began) / 1_000);
});

/** Complete bookings of the application that owns all filled rows. */
export const measureGrownBookings: Measure['run'] = onBoth(
  async ({ system, partner, inventory }) => {
    const clients = await Promise.all(
      Array.from({ length: inFlight }, () => BookingClient.open(system.service.port, partner)),
    );
    return () =>
      perSecond(inFlight, secondsPerRound, (worker) => clients[worker]!.book(inventory.next()));
  },
);

// Staff have quotas, too: each row has a token of its own.
const staffCallsPerRound = 10;
const exportsPerRound = 2;

/** A call of staff; without a body it is a read. */
interface StaffCall {
  path: string;
  body?: object;
}

/** Makes the same call again and again, one at a time. Returns the calls and the bytes of responses per second. */
async function staffCaller({ system }: GrownSystem, { path: address, body }: StaffCall) {
  const { token } = await issueOperatorToken(system.database, 'bench', {
    name: 'bench',
    role: 'administrator',
    lifetimeSeconds: 3_600,
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const url = `http://127.0.0.1:${system.service.port}${address}`;
  return async (calls: number) => {
    let bytes = 0;
    const began = performance.now();
    for (let call = 0; call < calls; call += 1) {
      const response = await fetch(url, request);
      if (!response.ok) throw new Error(`${url} is ${response.status}`);
      bytes += (await response.arrayBuffer()).byteLength;
    }
    const seconds = (performance.now() - began) / 1_000;
    return { calls: calls / seconds, megabytes: bytes / 1e6 / seconds };
  };
}

/** A page of the console. */
const staffCalls = (call: StaffCall | ((grown: GrownSystem) => StaffCall)): Measure['run'] =>
  onBoth(async (grown) => {
    const caller = await staffCaller(grown, typeof call === 'function' ? call(grown) : call);
    return async () => (await caller(staffCallsPerRound)).calls;
  });

/** A response that is as long as a day or a month has bookings: its megabytes per second. */
const staffBytes = (pathOf: (grown: GrownSystem) => string): Measure['run'] =>
  onBoth(async (grown) => {
    const caller = await staffCaller(grown, { path: pathOf(grown) });
    return async () => (await caller(exportsPerRound)).megabytes;
  });

const today = new Date().toISOString().slice(0, 10);
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const list = (more = ''): StaffCall => ({ path: `/operator/v1/${more}` });

interface Row {
  name: string;
  title: string;
  unit: string;
  run: Measure['run'];
}

const calls: [name: string, title: string, call: Parameters<typeof staffCalls>[0]][] = [
  ['overview', 'the overview', list('overview')],
  ['waiting', 'what waits for people', list('attention')],
  ['reservations', 'the list of reservations', list('reservations?limit=50')],
  ['home', 'the reservations of a home', list('reservations?limit=50&listing=home-5000')],
  ['arrivals', 'the arrivals of a day', list(`reservations?limit=50&from=${today}&to=${today}`)],
  ['name', 'a search by name', { path: '/operator/v1/search', body: { text: 'Ada Lovelace' } }],
  ['checkouts', 'the list of checkouts', list('checkouts?limit=50')],
  ['payments', 'the list of payments', list('payments?limit=50')],
  ['audit', 'the audit trail', list('audit?limit=50')],
  ['audit-home', 'the audit trail of a home', list('audit?limit=50&listing=home-5000')],
  ['changes', 'the changes of homes', list('changes?limit=50')],
  ['calendar', 'a page of the calendar', list(`calendar?from=${today}&days=42&limit=50`)],
  ['funnel', 'the funnel of a year', list('funnel?weeks=52')],
  [
    'funnel-partner',
    'the funnel of a partner',
    ({ partner }) => list(`funnel?weeks=52&applicationId=${partner.applicationId}`),
  ],
  [
    'log',
    'the request log of a partner',
    ({ partner }) => list(`applications/${partner.applicationId}/requests?limit=50`),
  ],
];

// Day sheets, exports of stays and statements of so many bookings are refused.
const exports: [name: string, title: string, pathOf: (grown: GrownSystem) => string][] = [
  [
    'export-payments',
    'the payments of a day as CSV',
    () => `/operator/v1/payments/export?from=${yesterday}&to=${today}`,
  ],
  ['audit-export', 'a piece of the exported audit trail', () => '/operator/v1/audit/export'],
];

/** What staff see, one row for each. */
export const staffRows: readonly Row[] = [
  ...calls.map(([name, title, call]) => ({
    name,
    title,
    unit: 'requests/s',
    run: staffCalls(call),
  })),
  ...exports.map(([name, title, pathOf]) => ({
    name,
    title,
    unit: 'MB/s',
    run: staffBytes(pathOf),
  })),
];
