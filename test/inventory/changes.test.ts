/** The feed of changes: what is in it, in which order, and when it is told. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ReplyOf } from '../../src/contract/partner/operations.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { changeHomes, easyStays, homesOf, plainPrices, sql } from '../harness/catalog.ts';
import { addCatalog, likeHome } from '../harness/catalogs.ts';
import { eventually } from '../harness/eventually.ts';
import { requestStay } from '../harness/events.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

type Page = ReplyOf<'inventory.change.list'>['body'];
type Change = Page['items'][number];

suite('the feed of changes', () => {
  let service: TestService;
  let partner: Partner;
  let staff: Operator;
  let homes: Listing[];

  before(async () => {
    service = await startTestService({ ...ownHomes, LATCHKEY_METRICS_PORT: '1' });
    staff = await operatorOf(service);
    const some = (await homesOf(service)).slice(0, 3);
    // The catalog has entries already when the application begins its feed.
    const first = { listing: some[0]!.slug, from: daysAhead(300), to: daysAhead(301) };
    await staff.done('operator.block.add', { body: first });
    await told(service);
    partner = await service.partner();
    homes = await changeHomes(
      service,
      partner,
      some.map((home) => [home, { ...plainPrices, stayRules: easyStays, timeZone: 'UTC' }]),
    );
    await told(service);
  });
  after(() => service.stop());

  const read = (query: Parameters<typeof partner.succeed<'inventory.change.list'>>[1] = {}) =>
    partner.succeed('inventory.change.list', query);
  const from = async (cursor: string): Promise<Page> => read({ query: { cursor, limit: 500 } });
  const end = async (who = partner): Promise<string> =>
    (await who.succeed('inventory.change.list', { query: { from: 'latest' } })).nextCursor;

  /** Waits until nothing is pending. */
  async function told({ database }: TestService): Promise<void> {
    await eventually(async () => {
      const [row] = await sql<{ done: boolean }>(
        { database },
        `SELECT run = told_run AND NOT EXISTS (SELECT FROM pending_changes) AS done FROM change_feed`,
      );
      return row!.done;
    });
  }

  /** What the feed tells of an act. */
  async function toldOf(act: () => Promise<unknown>, who = partner): Promise<Change[]> {
    await told(service);
    const cursor = await end(who);
    await act();
    await told(service);
    const page = await who.succeed('inventory.change.list', { query: { cursor, limit: 500 } });
    assert.equal(page.hasMore, false);
    return page.items;
  }

  const brief = ({ kind, listingId, from: first, to }: Change) => ({
    kind,
    listingId,
    from: first,
    to,
  });

  // Spec: COPY-3.
  test('a booking, also of another application, is told with its nights, and its cancellation', async () => {
    const other = await service.partner();
    const stay = {
      listingId: homes[0]!.listingId,
      checkIn: daysAhead(20),
      checkOut: daysAhead(23),
    };
    const expected = [
      {
        kind: 'availability',
        listingId: stay.listingId,
        from: daysAhead(20),
        to: daysAhead(23),
      },
    ];
    let reference: string | null | undefined;
    const booked = await toldOf(async () => {
      const id = await requestStay(other, { ...stay, party: { adults: 2 } } as never);
      await eventually(async () => {
        const request = await other.succeed('reservation.reservationRequest.get', {
          params: { reservationRequestId: id },
        });
        reference = request.reference;
        return request.state === 'confirmed';
      });
    });
    assert.deepEqual(booked.map(brief), expected);
    const cancelled = await toldOf(() =>
      staff.done('operator.reservation.cancel', {
        params: { reference: reference! },
        body: { reason: 'test' },
      } as never),
    );
    assert.deepEqual(cancelled.map(brief), expected);
  });

  test('blocks, rates of dates and content of staff are told as what they are', async () => {
    const { slug, listingId } = homes[1]!;
    const dates = { from: daysAhead(40), to: daysAhead(44) };
    const blocked = await toldOf(() =>
      staff.done('operator.block.add', { body: { listing: slug, ...dates } } as never),
    );
    assert.deepEqual(blocked.map(brief), [{ kind: 'availability', listingId, ...dates }]);

    const priced = await toldOf(() =>
      staff.done('operator.rate.set', {
        body: { listings: [slug], from: daysAhead(50), to: daysAhead(51), nightly: 12_345 },
      } as never),
    );
    assert.deepEqual(priced.map(brief), [
      { kind: 'rates', listingId, from: daysAhead(50), to: daysAhead(52) },
    ]);

    const { listing, version } = await staff.done('operator.listing.get', {
      params: { listing: slug },
    } as never);
    const renamed = await toldOf(() =>
      staff.done('operator.listing.change', {
        params: { listing: slug },
        body: { version, listing: { ...(listing as object), name: 'Another name' } },
      } as never),
    );
    assert.deepEqual(renamed.map(brief), [{ kind: 'content', listingId, from: null, to: null }]);
  });

  test('a home that is withdrawn and offered again is removed and added', async () => {
    const { slug, listingId } = homes[2]!;
    const withdrawn = await toldOf(() =>
      staff.done('operator.listing.withdraw', { params: { listing: slug }, body: {} } as never),
    );
    assert.deepEqual(withdrawn.map(brief), [{ kind: 'removed', listingId, from: null, to: null }]);
    const offered = await toldOf(() =>
      staff.done('operator.listing.offer', { params: { listing: slug }, body: {} } as never),
    );
    assert.deepEqual(offered.map(brief), [{ kind: 'added', listingId, from: null, to: null }]);
  });

  test("the application's adjustment is told to it alone, in the same sequence", async () => {
    const other = await service.partner();
    await told(service);
    const earlier = await end();
    const own = await toldOf(
      () =>
        staff.done('operator.application.change', {
          params: { applicationId: other.credentials.applicationId },
          body: { adjustPercent: 12 },
        } as never),
      other,
    );
    assert.deepEqual(own.map(brief), [{ kind: 'rates', listingId: null, from: null, to: null }]);
    assert.deepEqual((await from(earlier)).items, []);
    const [next] = await toldOf(
      () =>
        staff.done('operator.block.add', {
          body: { listing: homes[0]!.slug, from: daysAhead(60), to: daysAhead(61) },
        } as never),
      other,
    );
    assert.equal(next!.sequence, own[0]!.sequence + 1);
  });

  // Spec: COPY-1.
  test('what changes for a new application alone after its first cursor is told, also before anything was numbered', async () => {
    const client = await service.database.connect();
    let cursor: string;
    let beginner: Partner;
    try {
      // Nothing is numbered meanwhile.
      await client.query('BEGIN');
      await client.query('SELECT FROM change_feed FOR UPDATE');
      beginner = await service.partner();
      cursor = await end(beginner);
      await staff.done('operator.application.change', {
        params: { applicationId: beginner.credentials.applicationId },
        body: { adjustPercent: 7 },
      } as never);
    } finally {
      await client.end();
    }
    await told(service);
    const { items } = await beginner.succeed('inventory.change.list', { query: { cursor } });
    assert.deepEqual(items.map(brief), [{ kind: 'rates', listingId: null, from: null, to: null }]);
  });

  test('another catalog of the application: its homes leave, then others come', async () => {
    const mover = await service.partner();
    const catalogId = await addCatalog(service.database, 'elsewhere', [likeHome(homes[0]!)]);
    const body = { catalog: 'elsewhere' };
    const { applicationId } = mover.credentials;
    const moved = await toldOf(
      () => staff.done('operator.application.change', { params: { applicationId }, body } as never),
      mover,
    );
    assert.deepEqual(
      moved.map(({ kind, listingId }) => [kind, listingId]),
      [
        ['removed', null],
        ['added', null],
      ],
    );
    const [place] = await sql<{ listing_id: string }>(
      service,
      'SELECT listing_id FROM catalog_listings WHERE catalog_id = $1',
      [catalogId],
    );
    const [own] = await toldOf(
      () =>
        staff.done('operator.block.add', {
          body: { listing: place!.listing_id, from: daysAhead(30), to: daysAhead(31) },
        } as never),
      mover,
    );
    assert.deepEqual(
      [own!.listingId, own!.sequence],
      [place!.listing_id, moved.at(-1)!.sequence + 1],
    );
  });

  test('a new epoch: every home is to be read again', async () => {
    const all = await toldOf(() =>
      staff.done('operator.restore.declare', { body: { reason: 'a restore' } } as never),
    );
    assert.deepEqual(
      all.map(({ kind, listingId }) => [kind, listingId]),
      [['added', null]],
    );
  });

  // Spec: COPY-1.
  test('sequences count from 1 without a gap, through pages of every size', async () => {
    await told(service);
    const all: Change[] = [];
    let page = await read({ query: { limit: 500 } });
    all.push(...page.items);
    while (page.hasMore) {
      page = await from(page.nextCursor);
      all.push(...page.items);
    }
    assert.deepEqual(
      all.map(({ sequence }) => sequence),
      all.map((_, at) => at + 1),
    );
    for (const limit of [1, 3, 100]) {
      const found: Change[] = [];
      for (let cursor: string | undefined; ;) {
        const next: Page = await read({
          query: { limit, ...(cursor !== undefined && { cursor }) },
        });
        found.push(...next.items);
        if (!next.hasMore) break;
        cursor = next.nextCursor;
      }
      assert.deepEqual(found, all);
    }
  });

  test('the end of the feed is an empty page; with a cursor it is refused', async () => {
    await told(service);
    const page = await read({ query: { from: 'latest' } });
    assert.deepEqual([page.items, page.hasMore], [[], false]);
    assert.deepEqual((await from(page.nextCursor)).items, []);
    const both = await partner.call('inventory.change.list', {
      query: { from: 'latest', cursor: page.nextCursor },
    });
    assert.equal(both.status, 400);
  });

  // Spec: OUTSIDE-4.
  test("the operator's feed has the slug, and each change once", async () => {
    await told(service);
    const { nextCursor } = await staff.done('operator.change.list', { query: { from: 'latest' } });
    const { slug, listingId } = homes[0]!;
    await staff.done('operator.block.add', {
      body: { listing: slug, from: daysAhead(70), to: daysAhead(71) },
    } as never);
    await told(service);
    const { items, hasMore } = await staff.done('operator.change.list', {
      query: { cursor: nextCursor },
    });
    assert.equal(hasMore, false);
    assert.deepEqual(
      items.map((item) => ({ ...brief(item as Change), listing: item.listing })),
      [{ kind: 'availability', listingId, from: daysAhead(70), to: daysAhead(71), listing: slug }],
    );
  });

  // Spec: COPY-5.
  test('entries that are gone, and those of another feed, ask for a new copy', async () => {
    await told(service);
    const { nextCursor: first } = await read({ query: { limit: 1 } });
    const last = await end();
    const refused = async (cursor: string) => {
      const { status, body } = await partner.call('inventory.change.list', { query: { cursor } });
      return [status, (body as { error?: { code: string } }).error?.code];
    };
    await sql(
      service,
      `UPDATE inventory_changes c SET changed_at = c.changed_at - interval '31 days' FROM application_changes s
        WHERE s.application_id = '${partner.credentials.applicationId}' AND s.kind IS NULL
          AND c.catalog_id = s.catalog_id AND c.sequence <= s.catalog_sequence - s.sequence + 2`,
    );
    assert.deepEqual(await refused(first), [422, 'resync_required']);
    assert.equal(
      (await read()).items[0]!.sequence,
      3,
      'without a cursor it begins with what is kept',
    );
    // Another entry has the number of the last one, as after a restore.
    await sql(
      service,
      `UPDATE inventory_changes SET changed_at = changed_at + interval '1 second'
        WHERE sequence = (SELECT max(sequence) FROM inventory_changes)`,
    );
    assert.deepEqual(await refused(last), [422, 'resync_required']);
  });

  test('a listing and a list say as of when they are, also with 304', async () => {
    const listing = { params: { listingId: homes[0]!.listingId } };
    const { headers } = await partner.call('distribution.listing.get', listing);
    const known = { headers: { 'if-none-match': headers.get('etag')! } };
    const again = await partner.call('distribution.listing.get', { ...listing, ...known });
    assert.equal(again.status, 304);
    const listed = await partner.call('distribution.listing.list');
    for (const reply of [headers, again.headers, listed.headers]) {
      assert.ok(Date.parse(reply.get('x-as-of') ?? '') > Date.now() - 10_000);
    }
  });
});
