/** Many reservations of the same home at once, through two services with separate connections. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config/config.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { startService, type Service } from '../../src/program/service.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { chanceOf } from '../harness/chance.ts';
import { changeHome, easyStays, followed, homesOf, plainPrices } from '../harness/catalog.ts';
import { assertNightsFit, deadlocks, takenNights } from '../harness/nights.ts';
import { daysAhead, Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { testConnection } from '../harness/postgres.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

suite('one home', () => {
  let first: TestService;
  let second: Service;
  let others: Database;
  let partners: Partner[];
  let home: Listing;

  before(async () => {
    first = await startTestService(ownHomes);
    const [row] = await sql<{ name: string }>(first.database, 'SELECT current_database() AS name');
    const connection = { ...testConnection(), database: row!.name } as Connection;
    const { vault } = first.database;
    others = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
    second = await startService({
      config: readConfig({ BASE_URL: testBaseUrl, ...ownHomes }),
      database: others,
      logger: false,
      log: silent,
    });
    await second.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = second.app.server.address() as AddressInfo;
    const partner = await first.partner();
    partners = [partner, new Partner(`http://127.0.0.1:${port}`, partner.credentials)];
    const [any] = await homesOf(first);
    home = await changeHome(first, partner, any!, { ...plainPrices, stayRules: easyStays });
    await followed(first, partners[1]!);
  });
  after(async () => {
    await second.stop();
    await others.close();
    await first.stop();
  });

  const partnerOf = (at: number): Partner => partners[at % partners.length]!;
  const windowNights = 200;
  const { below: next } = chanceOf(10);

  const stayAt = (from: number, nights: number) => ({
    listingId: home.listingId,
    checkIn: daysAhead(40 + from),
    checkOut: daysAhead(40 + from + nights),
    party: { adults: 2 },
  });

  /** Runs tasks, up to this number at once. */
  async function atOnce<T>(count: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
    const results: T[] = [];
    let begun = 0;
    const work = async (): Promise<void> => {
      for (let at = begun++; at < tasks.length; at = begun++) results[at] = await tasks[at]!();
    };
    await Promise.all(Array.from({ length: count }, work));
    return results;
  }

  const outcomes = () =>
    sql<{ state: string; failure_reason: string | null; bookings: number }>(
      first.database,
      `SELECT state, failure_reason, count(*)::integer AS bookings FROM bookings
        GROUP BY state, failure_reason ORDER BY state, failure_reason`,
    );

  // Spec: RESOLUTION-2.
  test('1,000 requests at once with overlapping nights › none overlaps, all others sold_out', async () => {
    const deadlocksBefore = await deadlocks(first.database);
    const quotes = await atOnce(
      16,
      Array.from({ length: 1_000 }, (_, at) => async () => {
        const body = { quoteId: randomUUID(), ...stayAt(next(windowNights), 1 + next(10)) };
        return partnerOf(at).succeed('reservation.quote.create', { body });
      }),
    );
    await Promise.all(quotes.map((quote, at) => partnerOf(at).request(quote)));
    const deadline = Date.now() + 60_000;
    const open = `SELECT count(*)::integer AS open FROM bookings WHERE state NOT IN ('confirmed', 'failed')`;
    for (;;) {
      const [row] = await sql<{ open: number }>(first.database, open);
      if (row!.open === 0) break;
      assert.ok(Date.now() < deadline, `${row!.open} are not resolved`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const ended = await outcomes();
    assert.deepEqual(
      ended.map(({ state, failure_reason }) => [state, failure_reason]),
      [
        ['confirmed', null],
        ['failed', 'sold_out'],
      ],
    );
    const confirmed = ended[0]!.bookings;
    assert.ok(confirmed > 20, `${confirmed} are confirmed`);
    assert.equal((await takenNights(first.database)).length, confirmed);
    await assertNightsFit(first.database);
    await deadlocks(others);
    assert.equal(await deadlocks(first.database), deadlocksBefore);

    // Nobody was refused without a reason: every refused stay has a night in common with a confirmed one.
    const wronged = await sql(
      first.database,
      `SELECT b.booking_id FROM bookings b JOIN quotes q ON q.quote_id = b.quote_id
        WHERE b.state = 'failed' AND NOT EXISTS (SELECT FROM occupancies o
          WHERE o.listing_id = q.listing_id AND o.nights && daterange(q.check_in, q.check_out))`,
    );
    assert.deepEqual(wronged, []);
  });
});
