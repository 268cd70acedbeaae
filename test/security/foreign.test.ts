import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../src/contract/partner/operations.ts';
import { openTestWorker, type TestWorker } from '../harness/test-worker.ts';
import { begin, journeyTo, quoteOf } from '../harness/journey.ts';
import { daysAhead, type CallInput, type CallReply, type Partner } from '../harness/partner.ts';
import { allOf, sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { ownCalls, type OwnCall } from './successful-calls.ts';
import { namings, type Naming, type OwnedIds } from './foreign-resources.ts';

type Input = CallInput<OperationId>;

// The parts of a response that may differ: request ID, time and quota.
const changing = new Set(['x-request-id', 'date', 'ratelimit']);

/** A response without these parts. */
function comparable({ status, headers, text, body }: CallReply) {
  const { requestId } = (body as { error?: { requestId?: string } }).error ?? {};
  return {
    status,
    headers: [...headers].filter(([name]) => !changing.has(name)),
    text: requestId === undefined ? text : text.replace(requestId, 'REQUEST-ID'),
  };
}

// Other processes only add time: of the times of a call, the shortest show how long the service takes.
const shortest = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)]!;

suite("another application's resource", () => {
  let service: TestService;
  let testWorker: TestWorker;
  let owners: { card: Partner; settled: Partner };
  let calls: Record<OperationId, OwnCall>;
  let ids: OwnedIds;
  /** Applications that settle as the owners do, and own nothing. */
  let strangers: Map<Partner, Partner>;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    owners = {
      card: await service.partner({ settlement: 'card' }),
      settled: await service.partner(),
    };
    calls = await ownCalls(owners, testWorker);
    const stay = { checkIn: daysAhead(30), checkOut: daysAhead(33), party: { adults: 2 } };
    const { searchObservationId } = await owners.card.succeed('distribution.listing.search', {
      body: { ...stay, limit: 1, consent: 'not_required' },
    });
    assert.ok(searchObservationId);
    const { quoteId } = await quoteOf(owners.card);
    ids = { quoteId, searchObservationId };
    strangers = new Map([
      [owners.card, await service.partner({ settlement: 'card' })],
      [owners.settled, await service.partner()],
    ]);
  });
  after(() => service.stop());

  const strangerTo = (partner: Partner): Partner => strangers.get(partner)!;

  const ownersInput = (id: OperationId, { owners: named }: Naming): Input =>
    named ? named(calls[id].input, ids) : calls[id].input;

  for (const id of operationIds) {
    for (const naming of namings[id]) {
      const { what, absent, response } = naming;

      // Spec: ERROR-4.
      test(`${id} › ${what} › gets the response of one that does not exist: ${response}`, async () => {
        const { partner } = calls[id];
        const input = ownersInput(id, naming);
        const reply = await partner.call(id, input);
        assert.ok(reply.status < 300, `its owner is served: ${reply.text}`);

        const stranger = strangerTo(partner);
        const foreign = await stranger.call(id, input);
        const unknown = await stranger.call(id, absent(input));
        assert.deepEqual(comparable(foreign), comparable(unknown));
        const expected = response === 'not_found' ? 404 : 200;
        assert.equal(foreign.status, expected, foreign.text);
        if (response === 'empty') assert.deepEqual(foreign.body, { items: [], nextCursor: null });
      });

      test(`${id} › ${what} › without or with a wrong session, and with wrong input, likewise`, async () => {
        const { partner } = calls[id];
        const { session: _, ...input } = ownersInput(id, naming);
        const stranger = strangerTo(partner);
        const odd: Input[] = [{}, { session: 'wrong' }, { headers: { 'if-match': '"9"' } }];
        for (const more of odd) {
          const foreign = await stranger.call(id, { ...input, ...more });
          const unknown = await stranger.call(id, { ...absent(input), ...more });
          assert.deepEqual(comparable(foreign), comparable(unknown));
        }
      });
    }
  }

  const creates = operationIds.filter((id) => rowOf(id).creates !== undefined);
  for (const id of creates) {
    test(`${id} › an ID that another application has named › names another resource`, async () => {
      const { partner } = calls[id];
      const mine = await ownersResource(id);
      const stranger = strangerTo(partner);
      const input = await createOf(id, stranger, mine.resourceId);
      const reply = await stranger.call(id, input);
      assert.ok([201, 202].includes(reply.status), `made anew: ${reply.text}`);
      assert.deepEqual(await mine.now(), mine.before, 'the first is as it was');
    });
  }

  /** What the owner has under the ID of its create, to the last column. */
  async function ownersResource(id: OperationId) {
    const member = rowOf(id).creates ?? '';
    const { partner, input } = calls[id];
    await partner.call(id, input);
    const named = JSON.parse(String(input.rawBody)) as Record<string, string>;
    const resourceId = named[member]!;
    const { applicationId } = partner.credentials;
    const table = tableOf[member]!;
    const text = `SELECT to_jsonb(t) AS row FROM ${table.name} t
      WHERE t.application_id = $1 AND t.${table.key} = $2`;
    const now = () => sql(service.database, text, [applicationId, resourceId]);
    const kept = await now();
    assert.equal(kept.length, 1);
    return { resourceId, before: kept, now };
  }

  const tableOf: Record<string, { name: string; key: string }> = {
    quoteId: { name: 'quotes', key: 'quote_id' },
    checkoutId: { name: 'bookings', key: 'booking_id' },
    reservationRequestId: { name: 'bookings', key: 'booking_id' },
    signalId: { name: 'signals', key: 'signal_id' },
    changeRequestId: { name: 'change_requests', key: 'change_request_id' },
  };

  /** The create of another application, about what is its own, under this ID. */
  async function createOf(id: OperationId, stranger: Partner, resourceId: string): Promise<Input> {
    const own = JSON.parse(String(calls[id].input.rawBody)) as object;
    if (id === 'reservation.change.request') {
      const { reference = '' } = await (await journeyTo('confirmed', stranger, testWorker)).read();
      const rawBody = JSON.stringify({ ...own, changeRequestId: resourceId });
      return { rawBody, params: { reference } };
    }
    const quote = await quoteOf(stranger);
    const journey = await begin(stranger);
    const members: Partial<Record<OperationId, object>> = {
      'reservation.quote.create': { quoteId: resourceId },
      'reservation.checkout.create': { checkoutId: resourceId, quoteId: quote.quoteId },
      'reservation.reservationRequest.create': {
        reservationRequestId: resourceId,
        quoteId: quote.quoteId,
        termsVersion: quote.terms.version,
      },
      'cdp.signal.capture': { signalId: resourceId, checkoutId: journey.checkoutId },
    };
    const rawBody = JSON.stringify({ ...own, ...members[id] });
    return { rawBody, session: journey.open.at.session };
  }

  const cursorLists = ['reservation.event.list', 'reservation.reservationRequest.list'] as const;
  for (const id of cursorLists) {
    test(`${id} › another application's cursor › is one that we did not issue`, async () => {
      await makeTwoOf(owners.settled);
      const { nextCursor } = (await owners.settled.succeed(id, { query: { limit: 1 } })) as {
        nextCursor: string;
      };
      assert.ok(nextCursor);
      const stranger = strangerTo(owners.settled);
      const foreign = await stranger.call(id, { query: { cursor: nextCursor } });
      const made = await stranger.call(id, { query: { cursor: 'A'.repeat(nextCursor.length) } });
      assert.equal(foreign.status, 400);
      assert.deepEqual(comparable(foreign), comparable(made));
    });

    test(`${id} › holds nothing of another application`, async () => {
      const fresh = await service.partner();
      const { items } = await fresh.succeed(id, {});
      assert.deepEqual(items, []);
    });
  }

  async function makeTwoOf(partner: Partner): Promise<void> {
    for (let made = 0; made < 2; made += 1) {
      const { quoteId, terms } = await quoteOf(partner);
      const { guest } = JSON.parse(
        String(calls['reservation.reservationRequest.create'].input.rawBody),
      ) as { guest: object };
      const body = { quoteId, termsVersion: terms.version, termsAccepted: true, guest };
      const headers = { 'idempotency-key': quoteId };
      const rawBody = JSON.stringify(body);
      await partner.succeed('reservation.reservationRequest.create', { rawBody, headers });
    }
    await testWorker.runDue();
  }

  test('nothing was changed by all these calls', async () => {
    const open = calls['reservation.checkout.get'].input.params as { checkoutId: string };
    const { booking } = await allOf(service.database, open.checkoutId);
    assert.equal((booking as { version: number }).version, 1);
  });

  // Comparable: neither takes half as long again as the other, beyond what a machine under load adds.
  const mostRatio = 1.5;
  const mostMs = 1;
  const pairsTimed = 200;
  const timed: [OperationId, number][] = [
    ['reservation.checkout.get', 0],
    ['reservation.checkout.submit', 0],
    ['reservation.checkout.create', 0],
    ['reservation.reservation.get', 0],
    ['reservation.reservationRequest.get', 0],
    ['cdp.signal.capture', 1],
  ];
  for (const [id, index] of timed) {
    test(`${id} › takes as long as for one that does not exist`, async () => {
      const naming = namings[id][index]!;
      const input = ownersInput(id, naming);
      const stranger = strangerTo(calls[id].partner);
      const times: [number[], number[]] = [[], []];
      for (let pair = 0; pair < pairsTimed; pair += 1) {
        const both = [input, naming.absent(input)];
        // In turns, so that neither always comes second.
        for (const which of pair % 2 === 0 ? [0, 1] : [1, 0]) {
          const begun = performance.now();
          await stranger.call(id, both[which]!);
          times[which]!.push(performance.now() - begun);
        }
      }
      const [foreign, unknown] = [shortest(times[0]), shortest(times[1])];
      const ratio = Math.max(foreign, unknown) / Math.min(foreign, unknown);
      const close = ratio < mostRatio || Math.abs(foreign - unknown) < mostMs;
      assert.ok(close, `${foreign.toFixed(2)} ms against ${unknown.toFixed(2)} ms`);
    });
  }
});
