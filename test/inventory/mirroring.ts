/** What happens while a partner keeps a copy of homes and calendars, and how copies are compared. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CopiedHome, DateRange, MirrorCalls } from '../../bench/mirror/mirror.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { easyStays, homesOf, plainPrices } from '../harness/catalog.ts';
import { addCatalog, likeHome } from '../harness/catalogs.ts';
import { eventually } from '../harness/eventually.ts';
import type { Operator } from '../harness/operator.ts';
import { daysAhead, type Partner, requestOf } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';

export const ranges: readonly DateRange[] = [
  [daysAhead(1), daysAhead(60)],
  [daysAhead(61), daysAhead(120)],
];

const asOfOf = (headers: Headers): number => Date.parse(headers.get('x-as-of')!);

/** The calls of a mirror as this partner makes them. */
export const callsOf = (partner: Partner): MirrorCalls => ({
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

/** Who acts. */
export interface Actors {
  staff: Operator;
  /** Another application of the catalog `one`. */
  others: Partner;
  /** The homes of the catalog `one`; the last four are in `other` as well. */
  slugs: readonly string[];
}

/** Adds the catalogs `one` and `other`. */
export async function addTwoCatalogs(
  database: Database,
): Promise<{ catalogIds: string[]; slugs: string[] }> {
  const [any] = await homesOf({ database });
  const { collectionId: _, ...home } = { ...any!, ...plainPrices, stayRules: easyStays };
  const new8 = Array.from({ length: 8 }, () => likeHome(home));
  const slugs = new8.map(({ slug }) => slug);
  const catalogIds = [
    await addCatalog(database, 'one', new8),
    await addCatalog(database, 'other', new8.slice(4)),
  ];
  return { catalogIds, slugs };
}

/** What somebody can do, each as a call that may be refused. */
export const actsOf = (
  next: () => number,
  application: () => string,
  { staff, others, slugs }: Actors,
) => {
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
        body: requestOf({ quoteId, terms }),
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
          listings: [pick(slugs), pick(slugs)].filter((slug, at, all) => all.indexOf(slug) === at),
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
    async () => {
      const params = { catalog: pick(['one', 'other']) };
      const file = (await staff.done('operator.catalog.export', { params } as never)) as {
        listings: { slug: string; name: string }[];
      };
      const [changed, left] = [pick(slugs), pick(slugs)];
      const listings = file.listings
        .filter(({ slug }) => slug !== left)
        .map((home) => (home.slug === changed ? { ...home, name: `${home.name} new` } : home));
      const body = { file: JSON.stringify({ ...file, listings }), replace: next() < 0.5 };
      await put('operator.catalog.import', { body });
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
export const told = (database: Database, withinMs?: number): Promise<void> =>
  eventually(async () => {
    const [row] = await sql<{ done: boolean }>(
      database,
      `SELECT run = told_run AND NOT EXISTS (SELECT FROM pending_changes)
        AND NOT EXISTS (SELECT FROM bookings WHERE due_at IS NOT NULL) AS done FROM change_feed`,
    );
    return row!.done;
  }, withinMs);

/** The homes in which two copies differ. */
export const differences = (
  one: ReadonlyMap<string, CopiedHome>,
  other: ReadonlyMap<string, CopiedHome>,
): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (id) => JSON.stringify(one.get(id)) !== JSON.stringify(other.get(id)),
  );
