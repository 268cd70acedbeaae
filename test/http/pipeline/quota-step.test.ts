import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tier } from '../../../src/contract/limits.ts';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { begin, journeyTo } from '../../harness/journey.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import {
  type CallInput,
  type CallReply,
  guest,
  type Partner,
  requestOf,
} from '../../harness/partner.ts';
import { callsBetween, drain, quotaOf, spendOne } from '../../harness/quota.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const notFoundParams = { params: { checkoutId: randomUUID() } };

/** A call to repeat, and what must be equal in both responses. */
interface Repeatable {
  id: OperationId;
  input: CallInput<OperationId>;
}

suite('quota', () => {
  let service: TestService;
  let testWorker: TestWorker;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
  });
  after(() => service.stop());

  // One flows back in ten seconds: none does while a test looks.
  const few = (tier: Tier, perMinute = 6, settlement: 'card' | 'partner' = 'partner') =>
    service.partner({ settlement, quotas: { [tier]: perMinute } });

  // Spec: QUOTA-5.
  test('429 rate_limited › Retry-After, and then the call succeeds', async () => {
    const partner = await few('read', 30);
    await drain(partner, 'read');
    const reply = await partner.call('distribution.site.get');
    assert.equal(reply.status, 429);
    const { error } = reply.body as {
      error: { code: string; retryable: boolean; retryAfterSeconds: number; details?: object };
    };
    assert.deepEqual(
      [error.code, error.retryable, error.details],
      ['rate_limited', true, { tier: 'read' }],
    );
    assert.ok(Number.isInteger(error.retryAfterSeconds) && error.retryAfterSeconds >= 1);
    assert.ok(error.retryAfterSeconds <= 2, 'one comes back every two seconds');
    assert.equal(reply.headers.get('retry-after'), String(error.retryAfterSeconds));
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.deepEqual(quotaOf(reply).remaining, 0);
    await sleep(error.retryAfterSeconds * 1000);
    await partner.succeed('distribution.site.get', {}, 200);
  });

  test('429 rate_limited › a refused call consumes nothing and does not delay the refill', async () => {
    const partner = await few('read');
    await drain(partner, 'read');
    let earlier = 10;
    for (let nth = 0; nth < 20; nth += 1) {
      const { retryAfterSeconds } = await partner.refused('distribution.site.get');
      assert.ok(retryAfterSeconds! <= earlier, `${retryAfterSeconds} after ${earlier}`);
      earlier = retryAfterSeconds!;
    }
  });

  const endings: [
    status: number,
    name: string,
    tier: Tier,
    call: (partner: Partner) => Promise<CallReply>,
  ][] = [
    [
      400,
      'members',
      'write',
      (partner) => partner.call('reservation.checkout.create', { rawBody: '{}' }),
    ],
    [
      400,
      'a body that is too long',
      'search',
      (partner) => partner.call('reservation.quote.create', { rawBody: 'x'.repeat(20_000) }),
    ],
    [
      400,
      'dates that cannot be',
      'search',
      (partner) =>
        partner.call('inventory.calendar.get', {
          params: { listingId: randomUUID() },
          query: { startDate: '2027-01-02', endDate: '2027-01-01' },
        }),
    ],
    [
      400,
      'a cursor that is not ours',
      'read',
      (partner) => partner.call('reservation.event.list', { query: 'cursor=abc' }),
    ],
    [
      404,
      'a listing',
      'read',
      (partner) =>
        partner.call('distribution.listing.get', { params: { listingId: randomUUID() } }),
    ],
    [
      404,
      'a checkout',
      'write',
      (partner) =>
        partner.call('reservation.checkout.saveGuest', {
          ...notFoundParams,
          body: { expectedVersion: 1, guest: guest() },
        }),
    ],
    [
      404,
      'the join of a signal',
      'signal',
      (partner) =>
        partner.call('cdp.signal.capture', {
          body: {
            signalId: randomUUID(),
            name: 'listing_viewed',
            routeFamily: 'listing',
            listingId: randomUUID(),
          },
        }),
    ],
  ];
  for (const [status, name, tier, call] of endings) {
    test(`${status} › ${name} › consumes quota, and is never refused`, async () => {
      const partner = await few(tier);
      const earlier = await spendOne(partner, tier);
      const reply = await call(partner);
      assert.equal(reply.status, status, reply.text);
      assert.equal(callsBetween(earlier, quotaOf(reply)), 1);
      await drain(partner, tier);
      for (let nth = 0; nth < 3; nth += 1) assert.equal((await call(partner)).status, status);
    });
  }

  test('403 session and 422 settlement › consume quota, and are never refused', async () => {
    const partner = await few('write');
    const { at } = (await begin(partner)).open;
    const { params } = at;
    const body = { expectedVersion: 1 };
    const calls: [number, () => Promise<CallReply>][] = [
      [403, () => partner.call('reservation.checkout.setupPayment', { params, body })],
      [422, () => partner.call('reservation.checkout.setupPayment', { ...at, body })],
    ];
    for (const [status, call] of calls) {
      const earlier = await spendOne(partner, 'write');
      const reply = await call();
      assert.equal(reply.status, status);
      assert.equal(callsBetween(earlier, quotaOf(reply)), 1);
    }
    await drain(partner, 'write');
    for (const [status, call] of calls) assert.equal((await call()).status, status);
  });

  // Spec: QUOTA-2.
  test('quota never falls below zero', async () => {
    const partner = await few('read', 30);
    await drain(partner, 'read');
    for (let nth = 0; nth < 60; nth += 1) await spendOne(partner, 'read');
    const { retryAfterSeconds } = await partner.refused('distribution.site.get');
    assert.ok(retryAfterSeconds! <= 2, `${retryAfterSeconds}`);
  });

  test('304 consumes one call too', async () => {
    const partner = await few('read');
    const first = await partner.call('distribution.site.get');
    const headers = { 'if-none-match': first.headers.get('etag')! };
    const second = await partner.call('distribution.site.get', { headers });
    assert.equal(second.status, 304);
    assert.equal(callsBetween(quotaOf(first), quotaOf(second)), 1);
  });

  const repeatables: [
    id: OperationId,
    tier: Tier,
    make: (partner: Partner) => Promise<Repeatable>,
  ][] = [
    [
      'reservation.quote.create',
      'search',
      async (partner) => {
        const body = { quoteId: randomUUID(), ...(await partner.freeStay()) };
        return { id: 'reservation.quote.create', input: { body } };
      },
    ],
    [
      'reservation.checkout.create',
      'write',
      async (partner) => {
        const { quoteId } = await partner.quote();
        return {
          id: 'reservation.checkout.create',
          input: { body: { checkoutId: randomUUID(), quoteId } },
        };
      },
    ],
    [
      'reservation.reservationRequest.create',
      'write',
      async (partner) => {
        const body = requestOf(await partner.quote());
        return { id: 'reservation.reservationRequest.create', input: { body } };
      },
    ],
    [
      'cdp.signal.capture',
      'signal',
      async () => {
        const body = {
          signalId: randomUUID(),
          name: 'search_submitted',
          routeFamily: 'home',
        } as const;
        return { id: 'cdp.signal.capture', input: { body } };
      },
    ],
  ];
  for (const command of [
    'saveGuest',
    'applyPromo',
    'setupPayment',
    'verifyPayment',
    'submit',
  ] as const) {
    const id = `reservation.checkout.${command}` as const;
    repeatables.push([
      id,
      'write',
      async (partner) => {
        const state = {
          saveGuest: 'needs_guest',
          applyPromo: 'needs_guest',
          setupPayment: 'needs_payment',
          verifyPayment: 'needs_payment',
          submit: 'ready',
        } as const;
        const journey = await journeyTo(state[command], partner, testWorker);
        if (command === 'verifyPayment') {
          await journey.done('setupPayment');
          await testWorker.runDue();
          await journey.read();
        }
        const input = { ...journey.open.at, rawBody: JSON.stringify(journey.body(command)) };
        return { id, input };
      },
    ]);
  }

  for (const [id, tier, make] of repeatables) {
    // Spec: QUOTA-3.
    test(`${id} › a repeat consumes none, and works when the tier is used up`, async () => {
      const partner = await few(
        tier,
        6,
        id.startsWith('reservation.checkout.') ? 'card' : 'partner',
      );
      const { input } = await make(partner);
      const earlier = await spendOne(partner, tier);
      const first = await partner.call(id, input);
      assert.ok(first.status < 300, first.text);
      assert.equal(callsBetween(earlier, quotaOf(first)), 1, 'the first uses one');
      const again = await partner.call(id, input);
      assert.ok(again.status < 300, again.text);
      assert.equal(callsBetween(quotaOf(first), quotaOf(again)), 0, 'the repeat uses none');
      await drain(partner, tier);
      for (let nth = 0; nth < 3; nth += 1) {
        const late = await partner.call(id, input);
        assert.equal(late.status, again.status, late.text);
        assert.equal(quotaOf(late).remaining, 0);
      }
    });
  }

  // Spec: QUOTA-10.
  test('a flood of repeats is refused, and nothing else is', async () => {
    const partner = await few('write', 4);
    const { id, input } = await repeatables[1]![2](partner);
    const first = await partner.call(id, input);
    assert.ok(first.status < 300, first.text);
    const calls = Array.from({ length: 60 }, () => partner.call(id, input));
    const replies = await Promise.all(calls);
    const refused = replies.filter(({ status }) => status === 429);
    const answered = replies.filter(({ status }) => status === 200);
    assert.equal(refused.length + answered.length, 60);
    assert.ok(answered.length >= 40, `${answered.length} of ten times the quota`);
    assert.ok(refused.length > 0);
    const { error } = refused[0]!.body as unknown as { error: { details: unknown } };
    assert.deepEqual(error.details, { tier: 'write' });
    assert.ok(Number(refused[0]!.headers.get('retry-after')) >= 1);
    assert.ok(quotaOf(refused[0]!).remaining >= 1, 'the quota itself is left');
    await partner.succeed('distribution.site.get');
  });

  test('concurrent creates with one ID consume one call together', async () => {
    const partner = await few('write', 50);
    const { id, input } = await repeatables[1]![2](partner);
    const earlier = await spendOne(partner, 'write');
    const calls = Array.from({ length: 20 }, () => partner.call(id, input));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array.from({ length: 19 }, () => 200), 201]);
    const used = callsBetween(earlier, await spendOne(partner, 'write'));
    assert.ok(used <= 2, `one for the create and one for looking, not ${used}`);
  });
});
