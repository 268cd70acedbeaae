/** The partner's client, against a service in memory that plays faults. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type ClientSettings,
  createClient,
  currencyDigits,
  LatchkeyError,
  newId,
  NoAnswerError,
} from '../../packages/partner/src/index.ts';
import { type FaultRule, memoryService } from '../../packages/partner/src/testing.ts';

const party = { adults: 2 };
const stay = { listingId: newId(), checkIn: '2027-05-01', checkOut: '2027-05-04', party };
const checkoutId = newId();
const session = 'cap';
const params = { checkoutId };
const status = (state: string, nextActions: readonly string[], version = 1) => ({
  checkoutId,
  version,
  state,
  nextActions,
});

/** A service whose checkout is `ready` until a submit took effect. */
function serviceWith(...faults: FaultRule[]) {
  let isSubmitted = false;
  const waited: number[] = [];
  const checkout = () =>
    isSubmitted ? status('pending', ['poll'], 3) : status('ready', ['submit'], 2);
  const service = memoryService(
    {
      'distribution.site.get': () => ({ status: 200, body: { name: 'Homes', later: { kept: 1 } } }),
      'distribution.listing.list': ({ query }) => {
        const page = Number(query['cursor'] ?? 0);
        const nextCursor = page < 2 ? String(page + 1) : null;
        return { status: 200, body: { items: [{ listingId: `home ${page}` }], nextCursor } };
      },
      'reservation.quote.create': ({ body }) => ({ status: 201, body: body as object }),
      'reservation.checkout.get': () => ({ status: 200, body: checkout() }),
      'reservation.checkout.submit': () => {
        isSubmitted = true;
        return { status: 202, body: checkout() };
      },
      'reservation.reservationRequest.create': ({ body }) => {
        isSubmitted = true;
        return { status: 202, body: { ...(body as object), state: 'pending' } };
      },
      'reservation.reservationRequest.get': ({ params: { reservationRequestId } }) =>
        isSubmitted
          ? { status: 200, body: { reservationRequestId, state: 'confirmed' } }
          : {
              status: 404,
              body: {
                error: { code: 'not_found', message: 'none', retryable: false, requestId: newId() },
              },
            },
    },
    faults,
  );
  const clientWith = (settings: Partial<ClientSettings> = {}) =>
    createClient({
      baseUrl: 'https://service.example/',
      applicationId: 'app',
      applicationKey: 'key',
      fetch: service.fetch,
      sleep: (ms) => {
        waited.push(ms);
        return Promise.resolve();
      },
      ...settings,
    });
  const made = () =>
    service.calls.map(({ operation }) => operation).filter((name) => name !== 'token');
  return { ...service, clientWith, waited, made };
}

const submit = (client: ReturnType<typeof createClient>) =>
  client.call(
    'reservation.checkout.submit',
    { params, body: { expectedVersion: 2, termsVersion: 't', termsAccepted: true } },
    { session },
  );

suite('the partner client', () => {
  test('tokens › one exchange for twenty callers at once', async () => {
    const { clientWith, calls } = serviceWith();
    const client = clientWith();
    await Promise.all(Array.from({ length: 20 }, () => client.call('distribution.site.get')));
    assert.equal(calls.filter(({ operation }) => operation === 'token').length, 1);
  });

  test('tokens › twenty callers that are refused exchange once more together', async () => {
    const faults = Array.from({ length: 20 }, (_, at) => ({
      operation: 'distribution.site.get' as const,
      nth: at + 1,
      do: { unauthenticated: 'expired' as const },
    }));
    const { clientWith, calls } = serviceWith(...faults);
    const client = clientWith();
    await Promise.all(Array.from({ length: 20 }, () => client.call('distribution.site.get')));
    assert.equal(calls.filter(({ operation }) => operation === 'token').length, 2);
    assert.equal(calls.length, 2 + 40);
  });

  test('tokens › a second refusal ends the call', async () => {
    const { clientWith, made } = serviceWith({
      operation: 'distribution.site.get',
      do: { unauthenticated: 'expired' },
    });
    await assert.rejects(
      clientWith().call('distribution.site.get'),
      (error) => error instanceof LatchkeyError && error.error.code === 'unauthenticated',
    );
    assert.equal(made().length, 2);
  });

  test('tokens › a new one does not help a suspended application', async () => {
    const { clientWith, made } = serviceWith({
      operation: 'distribution.site.get',
      do: { unauthenticated: 'suspended' },
    });
    await assert.rejects(clientWith().call('distribution.site.get'));
    assert.equal(made().length, 1);
  });

  test('identity › made once, told before the first attempt, and sent again after a lost reply', async () => {
    const told: string[] = [];
    const { clientWith, calls } = serviceWith({
      operation: 'reservation.quote.create',
      nth: 1,
      do: { drop: 'after' },
    });
    const onIdentity = ({ member, id }: { member: string; id: string }) => {
      assert.equal(calls.length, 0);
      told.push(`${member} ${id}`);
    };
    const { quoteId } = await clientWith({ onIdentity }).call('reservation.quote.create', {
      body: stay,
    });
    const sent = calls.filter(({ operation }) => operation === 'reservation.quote.create');
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[0]!.body, sent[1]!.body);
    assert.deepEqual(told, [`quoteId ${quoteId}`]);
  });

  test('identity › the ID of the caller stays', async () => {
    const { clientWith } = serviceWith();
    const quoteId = newId();
    const quote = await clientWith().call('reservation.quote.create', {
      body: { ...stay, quoteId },
    });
    assert.equal(quote.quoteId, quoteId);
  });

  test('repeats › none with maxRetries 0', async () => {
    for (const fault of [
      { drop: 'before' as const },
      { respond: 503 as const },
      { unauthenticated: 'expired' as const },
    ]) {
      const { clientWith, made } = serviceWith({
        operation: 'distribution.site.get',
        nth: 1,
        do: fault,
      });
      await assert.rejects(clientWith({ maxRetries: 0 }).call('distribution.site.get'));
      assert.equal(made().length, 1, JSON.stringify(fault));
    }
  });

  test('repeats › after 429 the same call, not before the delay that was asked', async () => {
    const { clientWith, made, waited } = serviceWith({
      operation: 'reservation.quote.create',
      nth: 1,
      do: { respond: 429, retryAfterSeconds: 3 },
    });
    await clientWith().call('reservation.quote.create', { body: stay });
    assert.equal(made().length, 2);
    assert.ok(waited[0]! >= 3_000, String(waited));
  });

  test('repeats › a delay longer than the longest wait ends the call with its error', async () => {
    const { clientWith, made } = serviceWith({
      operation: 'distribution.site.get',
      do: { respond: 503, retryAfterSeconds: 60 },
    });
    const call = clientWith({ longestWaitSeconds: 30 }).call('distribution.site.get');
    await assert.rejects(call, (error) => error instanceof LatchkeyError && error.status === 503);
    assert.equal(made().length, 1);
  });

  test('repeats › a 500 on a write is not repeated', async () => {
    const { clientWith, made } = serviceWith({
      operation: 'reservation.checkout.submit',
      do: { respond: 500 },
    });
    await assert.rejects(submit(clientWith()));
    assert.equal(made().length, 1);
  });

  for (const fault of [{ unresolved: 'applied' as const }, { drop: 'after' as const }]) {
    test(`a submit with ${JSON.stringify(fault)} › is read, and was made once`, async () => {
      const { clientWith, made } = serviceWith({
        operation: 'reservation.checkout.submit',
        nth: 1,
        do: fault,
      });
      const { state } = await submit(clientWith());
      assert.equal(state, 'pending');
      assert.deepEqual(made(), ['reservation.checkout.submit', 'reservation.checkout.get']);
    });
  }

  for (const fault of [
    { unresolved: 'not_applied' as const },
    { drop: 'before' as const },
    { respond: 503 as const },
    { html: 502 as const },
  ]) {
    test(`a submit with ${JSON.stringify(fault)} › is read, and made again with the same input`, async () => {
      const { clientWith, calls, made } = serviceWith({
        operation: 'reservation.checkout.submit',
        nth: 1,
        do: fault,
      });
      await submit(clientWith());
      assert.deepEqual(made(), [
        'reservation.checkout.submit',
        'reservation.checkout.get',
        'reservation.checkout.submit',
      ]);
      const [first, second] = calls.filter(
        ({ operation }) => operation === 'reservation.checkout.submit',
      );
      assert.deepEqual(first!.body, second!.body);
      assert.equal(second!.headers.get('session-capability'), session);
    });
  }

  test('a request whose reply was lost › is found by its ID, and not made again', async () => {
    const { clientWith, made } = serviceWith({
      operation: 'reservation.reservationRequest.create',
      nth: 1,
      do: { drop: 'after' },
    });
    const guest = { firstName: 'A', lastName: 'B', email: 'a@example.com', phone: '+351912345678' };
    const body = { quoteId: newId(), termsVersion: 't', termsAccepted: true as const, guest };
    const found = await clientWith().call('reservation.reservationRequest.create', { body });
    assert.equal(found.state, 'confirmed');
    assert.deepEqual(made(), [
      'reservation.reservationRequest.create',
      'reservation.reservationRequest.get',
    ]);
  });

  test('errors › a union by code, with the request ID', async () => {
    const { clientWith } = serviceWith({
      operation: 'distribution.site.get',
      do: { respond: 500 },
    });
    await assert.rejects(clientWith({ maxRetries: 0 }).call('distribution.site.get'), (error) => {
      assert.ok(error instanceof LatchkeyError);
      assert.match(error.requestId, /^[0-9a-f-]{36}$/);
      assert.equal(error.error.code, 'internal');
      return true;
    });
  });

  test('errors › the page of a proxy is no answer of the service', async () => {
    const { clientWith } = serviceWith({ operation: 'distribution.site.get', do: { html: 502 } });
    await assert.rejects(
      clientWith({ maxRetries: 1 }).call('distribution.site.get'),
      (error) => error instanceof NoAnswerError && error.status === 502,
    );
  });

  test('unknown members are kept', async () => {
    const { clientWith } = serviceWith();
    const site = await clientWith().call('distribution.site.get');
    assert.deepEqual((site as unknown as { later: object }).later, { kept: 1 });
  });

  test('amounts › digits after the point by ISO 4217, not by what people write', () => {
    assert.deepEqual(['EUR', 'HUF', 'JPY', 'KWD'].map(currencyDigits), [2, 2, 0, 3]);
  });

  test('pages › all items, and from a cursor', async () => {
    const { clientWith } = serviceWith();
    const client = clientWith();
    const ids = async (query: { cursor?: string }) => {
      const found: string[] = [];
      for await (const { listingId } of client.items('distribution.listing.list', { query })) {
        found.push(listingId);
      }
      return found;
    };
    assert.deepEqual(await ids({}), ['home 0', 'home 1', 'home 2']);
    assert.deepEqual(await ids({ cursor: '1' }), ['home 1', 'home 2']);
  });

  test('the feed › is followed from a cursor through lost replies, and ends where events are gone', async () => {
    const asked: (string | undefined)[] = [];
    const replies: (object | 'lost' | 'gone')[] = [
      { items: [{ id: 'evt_1' }], nextCursor: 'b', hasMore: true },
      'lost',
      { items: [], nextCursor: 'b', hasMore: false },
      { items: [{ id: 'evt_2' }, { id: 'evt_3' }], nextCursor: 'c', hasMore: false },
      'gone',
    ];
    const { fetch } = memoryService({
      'reservation.event.list': ({ query }) => {
        asked.push(query['cursor']);
        const reply = replies.shift()!;
        if (reply === 'lost') throw new TypeError('fetch failed');
        if (reply !== 'gone') return { status: 200, body: reply };
        const error = {
          code: 'resync_required',
          message: 'gone',
          retryable: false,
          requestId: 'r',
        };
        return { status: 422, body: { error } };
      },
    });
    const client = serviceWith().clientWith({ fetch, maxRetries: 0 });
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const { events, cursor } of client.follow({ cursor: 'a' })) {
        seen.push(`${events.map(({ id }) => id).join()} ${cursor}`);
      }
    }, /resync_required/);
    assert.deepEqual(seen, ['evt_1 b', 'evt_2,evt_3 c']);
    assert.deepEqual(asked, ['a', 'b', 'b', 'b', 'c']);
  });

  test('an input without a parameter of its path is refused before it is sent', async () => {
    const { clientWith, calls } = serviceWith();
    const call = clientWith().call('distribution.listing.get', { params: { listingId: '' } });
    await assert.rejects(call, /needs params.listingId/);
    assert.equal(calls.length, 0);
  });
});

/** A service whose reads of a booking say one after the other what the script says; the last one stays. */
function script(...reads: (object | 'lost')[]) {
  let at = 0;
  const service = memoryService({
    'reservation.checkout.getStatus': () => {
      const read = reads[Math.min(at, reads.length - 1)]!;
      at += 1;
      if (read === 'lost') throw new TypeError('fetch failed');
      return { status: 200, body: read };
    },
  });
  const waited: number[] = [];
  const client = createClient({
    baseUrl: 'https://service.example',
    applicationId: 'app',
    applicationKey: 'key',
    fetch: service.fetch,
    maxRetries: 0,
    sleep: (ms) => {
      waited.push(ms);
      return Promise.resolve();
    },
  });
  return { client, waited, reads: () => at };
}

suite('waitForOutcome', () => {
  const confirmed = { ...status('confirmed', ['view_confirmation']), reference: 'LK-1' };

  test('reads as often as the service asks, until the end', async () => {
    const pending = { ...status('pending', ['poll']), pollAfterSeconds: 3 };
    const { client, waited } = script(pending, pending, confirmed);
    const ended = await client.waitForOutcome({ checkoutId, session });
    assert.equal(ended.state, 'confirmed');
    assert.deepEqual(waited, [3_000, 3_000]);
  });

  test('uncertain is no end, nor is a state that is not known', async () => {
    const states: string[] = [];
    const { client } = script(
      status('uncertain', ['poll']),
      status('uncertain', ['contact_support']),
      status('awaiting_moon', ['hope']),
      confirmed,
    );
    await client.waitForOutcome(
      { checkoutId, session },
      { onStatus: ({ state }) => states.push(state) },
    );
    assert.deepEqual(states, ['uncertain', 'uncertain', 'awaiting_moon', 'confirmed']);
  });

  test('goes on through lost replies, also without retries', async () => {
    const { client, reads } = script('lost', 'lost', 'lost', 'lost', 'lost', 'lost', confirmed);
    assert.equal((await client.waitForOutcome({ checkoutId, session })).state, 'confirmed');
    assert.equal(reads(), 7);
  });

  test('ends with its signal', async () => {
    const { client } = script(status('pending', ['poll']));
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(client.waitForOutcome({ checkoutId, session }, { signal }), /stopped/);
  });
});
