/** The network between the service and PostgreSQL is cut, silent or slow, or loses a response. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { guest, type CallReply, type OpenCheckout, type Partner } from '../harness/partner.ts';
import { eventsOf, sql } from '../harness/rows.ts';
import { newSeed } from './seed.ts';
import { openTestSystem, outcomesOf, type TestSystem } from './test-system.ts';
import type { TcpProxy } from './tcp-proxy.ts';

const respondedWithinMs = 6_000;
const recoveredWithinMs = 4_000;
/** More than the pool has. */
const callsAtOnce = 25;

interface Fault {
  name: string;
  begin(proxy: TcpProxy): void;
}

/** The ways in which the network can fail. */
const faults: readonly Fault[] = [
  { name: 'cut', begin: (proxy) => proxy.refuse() },
  { name: 'silent, and packets arrive late', begin: (proxy) => proxy.hold() },
  { name: 'silent, and connections never work again', begin: (proxy) => proxy.forget() },
];

interface Timed {
  reply: CallReply;
  ms: number;
}

describe('the network between the service and PostgreSQL', () => {
  let system: TestSystem;
  let partner: Partner;
  let open: OpenCheckout;

  before(async () => {
    system = await openTestSystem({ env: { LATCHKEY_LOG_LEVEL: 'silent' } });
    [, partner] = (await system.partners()) as [Partner, Partner];
    open = await partner.checkout();
  });

  afterEach(() => system.proxy.restore());
  after(() => system.close());

  async function timed(call: Promise<CallReply>): Promise<Timed> {
    const begin = performance.now();
    const reply = await call;
    return { reply, ms: performance.now() - begin };
  }

  const anyCall = (index: number): Promise<CallReply> => {
    const { listingId, checkIn, checkOut, party } = open.quote;
    const calls: readonly (() => Promise<CallReply>)[] = [
      () => partner.call('reservation.checkout.get', open.at),
      () =>
        partner.call('reservation.quote.create', {
          body: { quoteId: randomUUID(), listingId, checkIn, checkOut, party },
        }),
      () =>
        partner.call('reservation.checkout.create', {
          body: { checkoutId: randomUUID(), quoteId: open.quote.quoteId },
        }),
      () =>
        partner.call('reservation.checkout.saveGuest', {
          ...open.at,
          body: { expectedVersion: 1, guest: guest() },
        }),
      () => partner.call('reservation.event.list'),
      () => partner.call('reservation.reservationRequest.list'),
    ];
    return calls[index % calls.length]!();
  };

  const manyCalls = (): Promise<Timed[]> =>
    Promise.all(Array.from({ length: callsAtOnce }, (_, index) => timed(anyCall(index))));

  function assertUnavailable({ reply, ms }: Timed): void {
    const { error } = reply.body as { error: { code: string; retryAfterSeconds: number } };
    assert.equal(reply.status, 503, reply.text);
    assert.equal(error.code, 'unavailable');
    assert.ok(error.retryAfterSeconds >= 1);
    assert.equal(reply.headers.get('retry-after'), String(error.retryAfterSeconds));
    assert.ok(ms < respondedWithinMs, `answered after ${Math.round(ms)} ms`);
  }

  const isWell = async (): Promise<boolean> => {
    const replies = await manyCalls();
    return replies.every(({ reply }) => reply.status !== 503);
  };

  for (const { name, begin } of faults) {
    // Spec: ERROR-9.
    it(`${name}: every call is refused in time, and the service recovers within seconds`, async () => {
      assert.ok(await isWell());
      begin(system.proxy);
      const refused = await manyCalls();
      refused.forEach(assertUnavailable);
      const ready = await fetch(`${system.service.origin}/readyz`);
      assert.equal(ready.status, 503);
      system.proxy.restore();
      await eventually(isWell, recoveredWithinMs, 100);
      // Every connection of the pool works: repeats as many concurrent calls as it has.
      for (let round = 0; round < 4; round += 1) {
        const replies = await manyCalls();
        assert.ok(replies.every(({ reply, ms }) => reply.status !== 503 && ms < 1_500));
      }
    });
  }

  it('silent: token calls get temporarily_unavailable in time', async () => {
    system.proxy.hold();
    const begin = performance.now();
    const { applicationId, applicationKey } = partner.credentials;
    const response = await fetch(`${system.service.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: applicationId,
        client_secret: applicationKey,
      }),
    });
    assert.equal(response.status, 503);
    assert.equal(((await response.json()) as { error: string }).error, 'temporarily_unavailable');
    assert.ok(Number(response.headers.get('retry-after')) >= 1);
    assert.ok(performance.now() - begin < respondedWithinMs);
  });

  it('slow: a call ends within six seconds, whether it is served or not', async () => {
    for (const delayMs of [50, 400, 1_200]) {
      system.proxy.delayMs = delayMs;
      const replies = await manyCalls();
      for (const { reply, ms } of replies) {
        assert.ok(ms < respondedWithinMs, `${ms} ms at ${delayMs} ms a packet`);
        assert.ok(reply.status !== 503 || delayMs > 50, reply.text);
      }
    }
    system.proxy.restore();
    await eventually(isWell, recoveredWithinMs, 100);
  });

  // Spec: ERROR-11.
  it('slow: all statements of a call share one deadline', async () => {
    const quote = await partner.quote();
    assert.ok(await isWell());
    // Until the cached data of the application must be read again.
    await sleep(600);
    system.proxy.delayMs = 1_100;
    const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
    const replies = await Promise.all([
      timed(anyCall(1)),
      timed(partner.call('reservation.checkout.create', { body })),
    ]);
    for (const { ms } of replies) assert.ok(ms < respondedWithinMs, `${Math.round(ms)} ms`);
  });

  it('cut after the commit and before the response: a repeated call has one effect', async () => {
    const mine = partner.credentials.applicationId;
    const events = (await eventsOf(system.database, mine)).length;
    const quote = await partner.quote();
    const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
    const create = { body };
    const [, first] = await loseResponseTo('insert-booking', () =>
      partner.call('reservation.checkout.create', create),
    );
    assert.equal(first.status, 503, first.text);
    const created = await partner.succeed('reservation.checkout.create', create, 200);
    assert.ok(created.sessionCapability, 'the session is not lost');
    const at = { params: { checkoutId: body.checkoutId }, session: created.sessionCapability };

    const saved = { ...at, body: { expectedVersion: 1, guest: guest() } };
    const [, second] = await loseResponseTo('transition-booking', () =>
      partner.call('reservation.checkout.saveGuest', saved),
    );
    assert.equal(second.status, 503, second.text);
    const again = await partner.succeed('reservation.checkout.saveGuest', saved, 200);
    assert.equal(again.version, 2);

    const terms = { termsVersion: quote.terms.version, termsAccepted: true as const };
    const submitted = { ...at, body: { expectedVersion: 2, ...terms } };
    const [, third] = await loseResponseTo('transition-booking', () =>
      partner.call('reservation.checkout.submit', submitted),
    );
    assert.equal(third.status, 503, third.text);
    await partner.succeed('reservation.checkout.submit', submitted, 202);
    // The submit with the lost response claimed it, so the lease must end first.
    const status = await partner.statusOnce({ quote, created, at }, ['confirmed'], 45_000);
    assert.equal(status.version, 4);
    const [reservations] = await sql<{ count: number }>(
      system.database,
      'SELECT count(*)::integer AS count FROM reservations WHERE booking_id = $1',
      [body.checkoutId],
    );
    assert.equal(reservations?.count, 1);
    assert.equal((await eventsOf(system.database, mine)).length, events + 2);
  });

  const loseResponseTo = (statement: string, call: () => Promise<CallReply>) =>
    Promise.all([system.proxy.loseResponseTo(statement), call()]);

  it('random faults under load: nothing is lost or done twice', async (t) => {
    const workload = await system.workload(newSeed(t));
    for (const { begin } of faults) {
      await sleep(700);
      void system.proxy.loseResponseTo('transition-booking');
      await sleep(400);
      begin(system.proxy);
      await sleep(900);
      system.proxy.restore();
    }
    void system.proxy.loseResponseTo('claim-bookings');
    await sleep(400);
    system.proxy.cut();
    assert.deepEqual(await outcomesOf(system.database, workload), []);
    t.diagnostic(JSON.stringify(Object.fromEntries(workload.ended)));
  });
});
