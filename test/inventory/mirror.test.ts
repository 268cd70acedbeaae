/** A copy that a partner keeps by the feed equals ours, whatever others do meanwhile, and in whatever order. Spec: COPY-4. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CopiedHome,
  type DateRange,
  Mirror,
  type MirrorCalls,
} from '../../bench/mirror/mirror.ts';
import { numbers } from '../../src/simulation/seeded.ts';
import { easyStays, homesOf, plainPrices, sql } from '../harness/catalog.ts';
import { addCatalog, likeHome } from '../harness/catalogs.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { daysAhead, guest, type Partner } from '../harness/partner.ts';
import { ownHomes, startTestPair, type TestService } from '../harness/service.ts';

const ranges: readonly DateRange[] = [
  [daysAhead(1), daysAhead(60)],
  [daysAhead(61), daysAhead(120)],
];

const asOfOf = (headers: Headers): number => Date.parse(headers.get('x-as-of')!);

/** The calls of a mirror as this partner makes them. */
const callsOf = (partner: Partner): MirrorCalls => ({
  changes: (query) => partner.succeed('inventory.change.list', { query }),
  async homes(cursor) {
    const query = { limit: 5, ...(cursor !== null && { cursor }) };
    const { status, body, headers, text } = await partner.call('distribution.listing.list', {
      query,
    });
    assert.equal(status, 200, text);
    return {
      ...(body as { items: { listingId: string }[]; nextCursor: string | null }),
      asOf: asOfOf(headers),
    };
  },
  async home(listingId) {
    const { status, body, headers, text } = await partner.call('distribution.listing.get', {
      params: { listingId },
    });
    if (status === 404) return null;
    assert.equal(status, 200, text);
    return { home: body as { listingId: string }, asOf: asOfOf(headers) };
  },
  async calendars(body) {
    const { items, missing, meta } = await partner.succeed('inventory.calendar.list', { body });
    return { items, missing, asOf: Date.parse(meta.asOf!) };
  },
});

suite('a copy that is kept by the feed of changes', () => {
  let service: TestService;
  let staff: Operator;
  let others: Partner;
  let catalogIds: string[];
  let slugs: string[];

  before(async () => {
    service = await startTestPair({ ...ownHomes, LATCHKEY_METRICS_PORT: '1' });
    staff = await operatorOf(service);
    const [any] = await homesOf(service);
    const { collectionId: _, ...home } = { ...any!, ...plainPrices, stayRules: easyStays };
    const new8 = Array.from({ length: 8 }, () => likeHome(home));
    slugs = new8.map(({ slug }) => slug);
    catalogIds = [
      await addCatalog(service.database, 'one', new8),
      await addCatalog(service.database, 'other', new8.slice(4)),
    ];
    others = await service.partner({ catalogId: catalogIds[0]! });
  });
  after(() => service.stop());

  /** What somebody can do, each as a call that may be refused. */
  const actsOf = (next: () => number, application: () => string) => {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
    const nights = () => {
      const from = 1 + Math.floor(next() * 110);
      return { from: daysAhead(from), to: daysAhead(from + 1 + Math.floor(next() * 5)) };
    };
    const put = (id: string, input: object) => staff.send(id as never, input);
    const references = async (): Promise<string[]> => {
      const { items } = await staff.done('operator.reservation.list', {
        query: { state: 'confirmed', limit: 50 },
      } as never);
      return (items as { reference: string }[]).map(({ reference }) => reference);
    };
    const acts: readonly (() => Promise<unknown>)[] = [
      async () => {
        const { from: checkIn, to: checkOut } = nights();
        const { items } = await others.succeed('distribution.listing.list', {
          query: { limit: 50 },
        });
        if (items.length === 0) return;
        const quoteId = randomUUID();
        const quoted = await others.call('reservation.quote.create', {
          body: {
            quoteId,
            listingId: pick(items).listingId,
            checkIn,
            checkOut,
            party: { adults: 1 },
          },
        });
        if (quoted.status !== 201) return;
        const { terms } = quoted.body as { terms: { version: string } };
        await others.call('reservation.reservationRequest.create', {
          body: {
            reservationRequestId: randomUUID(),
            quoteId,
            termsVersion: terms.version,
            termsAccepted: true,
            guest: guest(),
          },
        });
      },
      async () => {
        const [reference] = (await references()).toSorted(() => next() - 0.5);
        if (reference === undefined) return;
        const { from: checkIn, to: checkOut } = nights();
        const params = { reference };
        await (next() < 0.5
          ? put('operator.reservation.cancel', { params, body: { reason: 'r' } })
          : put('operator.reservation.change', {
              params,
              body: { checkIn, checkOut, reason: 'r' },
            }));
      },
      () => put('operator.block.add', { body: { listing: pick(slugs), ...nights() } }),
      async () => {
        const { items } = await staff.done('operator.block.list', {
          query: { limit: 50 },
        } as never);
        const blocks = items as { blockId: string }[];
        if (blocks.length === 0) return;
        await put('operator.block.remove', { params: { blockId: pick(blocks).blockId } });
      },
      () =>
        put('operator.rate.set', {
          body: {
            listings: [pick(slugs), pick(slugs)].filter(
              (slug, at, all) => all.indexOf(slug) === at,
            ),
            ...nights(),
            nightly: 9_000 + Math.floor(next() * 5_000),
          },
        }),
      async () => {
        const params = { listing: pick(slugs) };
        const { listing, version } = await staff.done('operator.listing.get', { params } as never);
        const { stayRules } = listing as { stayRules: object };
        const change =
          next() < 0.5
            ? { name: `Name ${Math.floor(next() * 1e6)}` }
            : {
                stayRules: {
                  ...stayRules,
                  minNights: 1 + Math.floor(next() * 3),
                  preparationNights: Math.floor(next() * 2),
                },
              };
        await put('operator.listing.change', {
          params,
          body: { version, listing: { ...(listing as object), ...change } },
        });
      },
      () =>
        put('operator.listing.withdraw', {
          params: { listing: pick(slugs) },
          body: { catalog: pick(['one', 'other']) },
        }),
      () =>
        put('operator.listing.offer', {
          params: { listing: pick(slugs) },
          body: { catalog: pick(['one', 'other']) },
        }),
      () =>
        put('operator.application.change', {
          params: { applicationId: application() },
          body:
            next() < 0.5
              ? { adjustPercent: Math.floor(next() * 20) }
              : { catalog: pick(['one', 'other']) },
        }),
    ];
    return () => pick(acts)();
  };

  /** Waits until everything that was done is told. */
  const told = () =>
    eventually(async () => {
      const [row] = await sql<{ done: boolean }>(
        service,
        `SELECT run = told_run AND NOT EXISTS (SELECT FROM pending_changes)
          AND NOT EXISTS (SELECT FROM bookings WHERE due_at IS NOT NULL) AS done FROM change_feed`,
      );
      return row!.done;
    });

  /** What both processes answer now. */
  async function ours(partner: Partner): Promise<Map<string, CopiedHome>> {
    const fresh = new Mirror(callsOf(partner), ranges);
    await fresh.start();
    return fresh.copy;
  }

  /** The homes in which two copies differ. */
  const differences = (
    one: ReadonlyMap<string, CopiedHome>,
    other: ReadonlyMap<string, CopiedHome>,
  ): string[] =>
    [...new Set([...one.keys(), ...other.keys()])].filter(
      (id) => JSON.stringify(one.get(id)) !== JSON.stringify(other.get(id)),
    );

  /** The homes that the feed names after a cursor; null among them: every home. */
  async function namedAfter(partner: Partner, start: string): Promise<Set<string | null>> {
    const named = new Set<string | null>();
    for (let cursor = start; ;) {
      const page = await partner.succeed('inventory.change.list', {
        query: { cursor, limit: 500 },
      });
      for (const { listingId } of page.items) named.add(listingId);
      if (!page.hasMore) return named;
      cursor = page.nextCursor;
    }
  }

  for (const seed of [11, 12, 13]) {
    test(`equals ours whenever the feed has no more (history ${seed})`, async () => {
      const next = numbers(seed);
      const partner = await service.partner({ catalogId: catalogIds[0]! });
      const act = actsOf(next, () => partner.credentials.applicationId);
      const mirror = new Mirror(callsOf(partner), ranges);
      await mirror.start();
      const looks: { cursor: string; differ: string[] }[] = [];
      let isOver = false;
      const acting = (async () => {
        for (let done = 0; done < 60; done += 1) {
          await Promise.all([act(), act()]);
          await sleep(next() * 20);
        }
      })().finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await mirror.follow();
        // What differs now must be told later.
        const kept = new Map(mirror.copy);
        const { cursor } = mirror;
        looks.push({ cursor, differ: differences(kept, await ours(partner)) });
      }
      await acting;
      await told();
      await mirror.follow();
      assert.deepEqual(differences(mirror.copy, await ours(partner)), []);
      assert.deepEqual(differences(mirror.copy, await ours(partner)), []);
      assert.ok(mirror.entries > 20, `${mirror.entries} entries`);
      for (const { cursor, differ } of looks) {
        const named = await namedAfter(partner, cursor);
        const untold = named.has(null) ? [] : differ.filter((id) => !named.has(id));
        assert.deepEqual(untold, []);
      }
    });
  }
});
