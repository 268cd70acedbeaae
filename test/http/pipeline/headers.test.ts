import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { journeyTo } from '../../harness/journey.ts';
import { guest, Partner, type CallInput, type CallReply } from '../../harness/partner.ts';
import { quotaOf } from '../../harness/quota.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

interface Seen {
  id: OperationId;
  reply: CallReply;
}

/** Records every response. */
class Watched extends Partner {
  readonly seen: Seen[] = [];

  override async call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
  ): Promise<CallReply> {
    const reply = await super.call(id, input);
    this.seen.push({ id, reply });
    return reply;
  }
}

/** Decisions: Conditional reads. All else must not be kept. */
const revalidated: readonly OperationId[] = [
  'distribution.site.get',
  'distribution.listing.list',
  'distribution.listing.get',
];
const tagged: ReadonlySet<OperationId> = new Set([...revalidated, 'reservation.checkout.get']);

suite('headers', () => {
  let service: TestService;
  let testWorker: TestWorker;
  const seen: Seen[] = [];
  let partner: Watched;

  /** Walks every operation to a success, and a handful of refusals, by both ways of settlement. */
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    const watched = async (settlement: 'card' | 'partner'): Promise<Watched> => {
      const { origin, credentials } = await service.partner({ settlement });
      return new Watched(origin, credentials);
    };
    const card = await watched('card');
    partner = await watched('partner');
    await partner.succeed('distribution.site.get');
    const { listingId, checkIn, checkOut } = await partner.freeStay();
    await partner.succeed('distribution.listing.list');
    await partner.succeed('distribution.listing.get', { params: { listingId } });
    const query = { startDate: checkIn, endDate: checkOut };
    await partner.succeed('inventory.calendar.get', { params: { listingId }, query });
    await partner.succeed('inventory.calendar.list', {
      body: { listingIds: [listingId], ...query },
    });

    await partner.succeed('inventory.change.list');

    const journey = await journeyTo('confirmed', card, testWorker);
    const { reference } = await journey.read();
    await journey.status();
    await card.succeed('reservation.checkout.getConfirmation', journey.open.at);
    await card.succeed('reservation.reservation.get', { params: { reference: reference! } });
    await card.succeed('reservation.reservation.list');
    const stay = { reference: reference! };
    const changeRequestId = randomUUID();
    const asked = { ...stay, changeRequestId };
    await card.succeed('reservation.change.request', {
      params: stay,
      body: { changeRequestId, kind: 'cancel' },
    });
    await card.succeed('reservation.change.get', { params: asked });
    await card.succeed('reservation.change.list');
    await card.succeed('reservation.change.withdraw', { params: asked });
    await card.succeed('reservation.event.list');
    const promoted = await journeyTo('needs_guest', card, testWorker);
    await promoted.done('applyPromo');
    await card.succeed('reservation.checkout.removePromo', {
      ...promoted.open.at,
      headers: { 'if-match': '"2"' },
    });

    const { reservationRequestId } = await partner.request();
    const params = { reservationRequestId };
    await partner.succeed('reservation.reservationRequest.get', { params });
    await partner.succeed('reservation.reservationRequest.list');
    const signal = {
      signalId: randomUUID(),
      name: 'search_submitted',
      routeFamily: 'home',
    } as const;
    await partner.succeed('cdp.signal.capture', { body: signal });
    seen.push(...card.seen, ...partner.seen);
  });
  after(() => service.stop());

  const successesOf = (id: OperationId): CallReply[] => {
    const replies = seen.filter((one) => one.id === id && one.reply.status < 300);
    assert.ok(replies.length > 0, `${id} has not succeeded`);
    return replies.map(({ reply }) => reply);
  };

  for (const id of operationIds) {
    // Spec: CALL-13.
    test(`${id} › Cache-Control, ETag, content type and quota of a success`, () => {
      for (const { status, headers } of successesOf(id)) {
        const kept = revalidated.includes(id) ? 'private, no-cache' : 'no-store';
        assert.equal(headers.get('cache-control'), kept, `${status}`);
        if (tagged.has(id)) assert.match(headers.get('etag') ?? '', /^"[^"]+"$/);
        assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(quotaOf({ headers }).tier, rowOf(id).tier);
      }
    });
  }

  const refusals: [status: number, call: (caller: Partner) => Promise<CallReply>][] = [
    [400, (caller) => caller.call('reservation.quote.create', { rawBody: '{' })],
    [400, (caller) => caller.call('distribution.site.get', { query: 'x=1' })],
    [
      403,
      (caller) => {
        const { at } = open;
        return caller.call('reservation.checkout.get', { params: at.params });
      },
    ],
    [
      404,
      (caller) => caller.call('distribution.listing.get', { params: { listingId: randomUUID() } }),
    ],
    [409, (caller) => caller.call('reservation.checkout.getConfirmation', open.at)],
    [
      412,
      (caller) =>
        caller.call('reservation.checkout.saveGuest', {
          ...open.at,
          body: { expectedVersion: 9, guest: guest() },
        }),
    ],
    [
      422,
      (caller) =>
        caller.call('reservation.checkout.setupPayment', {
          ...open.at,
          body: { expectedVersion: 1 },
        }),
    ],
  ];
  let open: Awaited<ReturnType<Partner['checkout']>>;
  // Spec: QUOTA-4.
  test('Cache-Control and quota of a refusal', async () => {
    open = await partner.checkout();
    for (const [status, call] of refusals) {
      const reply = await call(partner);
      assert.equal(reply.status, status, reply.text);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(reply.headers.get('etag'), null);
      assert.equal(reply.headers.get('retry-after'), null);
      assert.equal(quotaOf(reply).perMinute, 1e6);
    }
  });

  for (const id of revalidated) {
    const input = (etag: string) => {
      const { listingId } = (
        successesOf('distribution.listing.list')[0]!.body as { items: { listingId: string }[] }
      ).items[0]!;
      return {
        ...(rowOf(id).params && { params: { listingId } }),
        headers: { 'if-none-match': etag },
      };
    };

    test(`${id} › 304 › for its tag alone, in a list, weak, and for *`, async () => {
      const etag = (await partner.call(id, input('"other"'))).headers.get('etag')!;
      for (const tags of [etag, `"other", ${etag}`, `${etag},"other"`, `W/${etag}`, '*']) {
        const reply = await partner.call(id, input(tags));
        assert.equal(reply.status, 304, tags);
        assert.equal(reply.text, '');
        assert.equal(reply.headers.get('etag'), etag);
        assert.equal(reply.headers.get('cache-control'), 'private, no-cache');
        assert.equal(reply.headers.get('content-length'), null);
        quotaOf(reply);
      }
    });

    test(`${id} › 200 › for any other tag`, async () => {
      const etag = (await partner.call(id, input('"other"'))).headers.get('etag')!;
      for (const tags of [
        '',
        '"other"',
        etag.slice(1, -1),
        etag.toUpperCase(),
        `"${etag}"`,
        '"*"',
      ]) {
        const reply = await partner.call(id, input(tags));
        assert.equal(reply.status, 200, tags);
        assert.equal(reply.headers.get('etag'), etag);
      }
    });
  }

  test('reservation.checkout.get › 200 › its tag is its version, and If-None-Match is ignored', async () => {
    const { at } = await partner.checkout();
    for (const tag of ['"1"', '*']) {
      const headers = { 'if-none-match': tag };
      const reply = await partner.call('reservation.checkout.get', { ...at, headers });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('etag'), '"1"');
    }
  });

  test('401 and unknown routes › have no quota headers', async () => {
    const error = await partner.refused('distribution.site.get', { token: null });
    assert.equal(error.headers.get('ratelimit'), null);
    assert.equal(error.headers.get('ratelimit-policy'), null);
  });
});
