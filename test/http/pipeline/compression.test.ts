import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends a call as it is, and returns the bytes as they came. */
async function call(path: string, headers: Record<string, string>, body?: object): Promise<Reply> {
  const authorization = `Bearer ${await partner.token()}`;
  const type = body && { 'content-type': 'application/json' };
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const options = {
    method: body ? 'POST' : 'GET',
    headers: { authorization, ...type, ...headers },
  };
  const sent = request(`${service.origin}${path}`, options, (response) => {
    buffer(response).then(
      (bytes) =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          bytes,
        }),
      reject,
    );
  });
  sent.on('error', reject);
  sent.end(body && JSON.stringify(body));
  return promise;
}

const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
const codings = ['gzip', 'br'] as const;
const listPath = '/v1/listings?limit=50';
const search = {
  checkIn: daysAhead(40),
  checkOut: daysAhead(43),
  party: { adults: 1 },
  limit: 50,
};

// Spec: CALL-19.
suite('compression', () => {
  for (const coding of codings) {
    test(`a list by ${coding}: the same content, a weak tag, and Vary`, async () => {
      const plain = await call(listPath, {});
      const packed = await call(listPath, { 'accept-encoding': coding });
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(packed.headers['content-encoding'], coding);
      assert.deepEqual(unpack[coding](packed.bytes), plain.bytes);
      assert.equal(packed.headers['content-length'], String(packed.bytes.length));
      assert.ok(packed.bytes.length < plain.bytes.length / 2);
      assert.equal(packed.headers.etag, `W/${plain.headers.etag}`);
      for (const { headers } of [plain, packed]) assert.equal(headers.vary, 'Accept-Encoding');
    });
  }

  test('If-None-Match takes both tags, and 304 has the one of the response that it replaces', async () => {
    const { headers } = await call(listPath, {});
    for (const known of [headers.etag!, `W/${headers.etag}`]) {
      const plain = await call(listPath, { 'if-none-match': known });
      const asked = { 'if-none-match': known, 'accept-encoding': 'gzip' };
      const packed = await call(listPath, asked);
      assert.deepEqual([plain.status, packed.status], [304, 304]);
      assert.equal(plain.headers.etag, headers.etag);
      assert.equal(packed.headers.etag, `W/${headers.etag}`);
      assert.equal(packed.headers.vary, 'Accept-Encoding');
      assert.equal(packed.bytes.length, 0);
    }
  });

  test('a search by gzip, the first time and again, has the content of the plain one', async () => {
    for (let time = 1; time <= 4; time += 1) {
      const limit = 50 - (time === 4 ? 1 : 0);
      const body = { ...search, limit };
      const packed = await call(
        '/v1/listings/search',
        { 'accept-encoding': 'gzip, deflate' },
        body,
      );
      const plain = await call('/v1/listings/search', {}, body);
      assert.equal(packed.headers['content-encoding'], 'gzip');
      const { items } = JSON.parse(gunzipSync(packed.bytes).toString()) as { items: unknown[] };
      assert.ok(items.length > 5);
      assert.deepEqual(items, (JSON.parse(plain.bytes.toString()) as { items: unknown[] }).items);
    }
  });

  test('live responses are not compressed by br', async () => {
    const reply = await call('/v1/listings/search', { 'accept-encoding': 'br' }, search);
    assert.equal(reply.headers['content-encoding'], undefined);
    assert.equal(reply.headers.vary, 'Accept-Encoding');
    assert.ok(reply.bytes.length > 4_096);
  });

  test('calendars of many homes by gzip', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 20 } });
    const body = {
      listingIds: items.map(({ listingId }) => listingId),
      startDate: daysAhead(1),
      endDate: daysAhead(90),
    };
    const packed = await call('/v1/calendars', { 'accept-encoding': 'gzip' }, body);
    const plain = await call('/v1/calendars', {}, body);
    assert.equal(packed.headers['content-encoding'], 'gzip');
    type Calendars = { items: { listingId: string; days: unknown }[] };
    const shown = (bytes: Buffer) =>
      (JSON.parse(bytes.toString()) as Calendars).items.map(({ listingId, days }) => [
        listingId,
        days,
      ]);
    assert.equal(shown(plain.bytes).length, 20);
    assert.deepEqual(shown(gunzipSync(packed.bytes)), shown(plain.bytes));
    assert.ok(packed.bytes.length < plain.bytes.length / 10);
  });

  test('a response of 4 KB or less is not compressed', async () => {
    const reply = await call('/v1/listings?limit=1', { 'accept-encoding': 'gzip, br' });
    assert.ok(reply.bytes.length <= 4_096, `${reply.bytes.length} bytes`);
    assert.equal(reply.headers['content-encoding'], undefined);
    assert.equal(reply.headers.vary, 'Accept-Encoding');
    assert.doesNotMatch(reply.headers.etag!, /^W\//);
  });

  test('a checkout, whose tag If-Match takes, is never compressed', async () => {
    const { created, at } = await partner.readyCheckout();
    const session = { 'session-capability': at.session, 'accept-encoding': 'gzip, br' };
    const reply = await call(`/v1/checkouts/${created.checkoutId}`, session);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.vary, undefined);
    assert.match(reply.headers.etag!, /^"\d+"$/);
  });
});
