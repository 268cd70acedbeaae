/** Calendars whose servers never answer take no slot from the others. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import type { Dispatcher } from 'undici';
import { startPolling } from '../../src/channels/index.ts';
import type { Connections } from '../../src/platform/sending/connections.ts';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import { feedOf, june, openChannels, type TestChannels } from './calendars.ts';

const silent = { info: () => undefined, warn: () => undefined };
const hanging = 5_000;
const good = 60;

let channels: TestChannels;
before(async () => {
  channels = await openChannels();
});
after(() => channels.drop());

/** A network without sockets: hosts that begin with `hang` never answer, all others do. */
function network() {
  const asked = new Set<string>();
  let ended = 0;
  const body = feedOf({ uid: 'a', from: june(1), to: june(4) });
  const to = (url: URL): Dispatcher => {
    const request = async ({ signal, path }: { signal: AbortSignal; path: string }) => {
      if (!url.host.startsWith('hang')) {
        asked.add(`${url.host}${path}`);
        return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from(body)]) };
      }
      const over = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => {
        ended += 1;
        over.reject(signal.reason);
      });
      return over.promise;
    };
    return { request } as unknown as Dispatcher;
  };
  const connections: Connections = {
    has: () => false,
    to,
    tidy: () => undefined,
    destroy: () => Promise.resolve(),
  };
  const resolve = async (): Promise<string[]> => ['93.184.216.34'];
  return { remote: { connections, resolve }, asked, ended: () => ended };
}

/** Adds calendars that are due. `proven`: they were read before. */
async function addMany(urls: readonly string[], overdue: string, proven: boolean): Promise<void> {
  const { database } = channels;
  const { vault } = database;
  const home = channels.nextHome();
  const ids = urls.map(() => crypto.randomUUID());
  await sql(
    database,
    `INSERT INTO channel_calendars
        (calendar_id, listing_id, url_sealed, source_digest, host, due_at, refreshed_at)
      SELECT id, $1, sealed, digest, host, now() - $2::interval, CASE WHEN $3 THEN now() END
      FROM unnest($4::uuid[], $5::bytea[], $6::bytea[], $7::text[]) AS one (id, sealed, digest, host)`,
    [
      home,
      overdue,
      proven,
      ids,
      urls.map((url, at) => vault.seal('calendar', url, ids[at]!)),
      urls.map((url) => vault.mac('calendar', url)),
      urls.map((url) => new URL(url).host),
    ],
  );
}

const urlsOf = (count: number, hostOf: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => `https://${hostOf(at)}/${at}.ics`);

const scenarios: [name: string, hangingHosts: number, proven: boolean][] = [
  ['at one host', 1, true],
  ['at 200 hosts that answered before', 200, true],
  ['at 200 hosts that were never asked', 200, false],
];

suite('5,000 calendars that never answer', () => {
  for (const [name, hosts, proven] of scenarios) {
    // Spec: CHANNEL-10.
    test(`${name}: the others are read meanwhile`, async () => {
      const { remote, asked, ended } = network();
      await sql(channels.database, 'DELETE FROM channel_conflicts');
      await sql(channels.database, 'DELETE FROM occupancies WHERE calendar_id IS NOT NULL');
      await sql(channels.database, 'DELETE FROM channel_calendars');
      await addMany(
        urlsOf(hanging, (at) => `hang-${at % hosts}.example`),
        '1 day',
        proven,
      );
      await addMany(
        urlsOf(good, (at) => `good-${at % 6}.example`),
        '1 second',
        proven,
      );
      const polling = startPolling({
        database: channels.database,
        log: silent,
        rules: { loopbackAllowed: false },
        everySeconds: 1_800,
        // A server that hangs never ends by itself, however slow this machine is.
        remote: { ...remote, timeoutMs: 600_000 },
        limits: { quick: 64, trial: 64, slow: 128, waiting: 512, quickMs: 500 },
      });
      await eventually(async () => asked.size === good, 240_000);
      // None of the others has given its slot back by then.
      assert.equal(ended(), 0);
      await polling.stop();
    });
  }
});
