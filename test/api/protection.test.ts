/** A row that declares a session, a settlement and a tier is protected, however naive its handler is. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import Type from 'typebox';
import { createAccessTokens } from '../../src/access/access-token.ts';
import { createApplicationRegistry } from '../../src/access/application-registry.ts';
import { createBuckets } from '../../src/access/buckets.ts';
import { createQuotas } from '../../src/access/quotas.ts';
import { openSigningKeys } from '../../src/access/signing-keys.ts';
import { sessionCapability } from '../../src/access/session-capability.ts';
import { kindsFor } from '../../src/api/kinds.ts';
import { again } from '../../src/api/operation.ts';
import { mount } from '../../src/api/mount.ts';
import { createServer } from '../../src/api/server.ts';
import type { CommonErrorCode } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';
import { consumers } from '../../src/contract/wire.ts';
import { partnerSurface, type PartnerContext } from '../../src/surfaces/partner-api.ts';
import type { PartnerActor } from '../../src/access/partner.ts';
import type { BookingContext } from '../../src/bookings/context.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { openResolution, type TestResolution } from '../resolution/resolution.ts';

const row = {
  method: 'GET',
  path: '/v1/checkouts/{checkoutId}/notes',
  tag: 'Booking',
  summary: 'Read the notes',
  scope: 'reservation.checkout.read',
  tier: 'read',
  session: 'required',
  params: Type.Object({ checkoutId: Type.String({ format: 'uuid' }) }),
  reply: { 200: Type.Object({ notes: Type.Integer() }) },
  errors: ['not_found'],
} as const satisfies Row;

const rows = {
  'notes.get': row,
  'notes.join': {
    method: 'POST',
    path: '/v1/notes',
    tag: 'Booking',
    summary: 'Read notes, perhaps those of a checkout',
    scope: 'reservation.checkout.read',
    tier: 'read',
    session: 'joined',
    provenance: true,
    deprecatedSince: '2026-01-02',
    body: Type.Object({ checkoutId: Type.Optional(Type.String({ format: 'uuid' })) }),
    reply: { 200: Type.Object({ notes: Type.Integer() }) },
    errors: ['not_found'],
  },
  'notes.add': {
    method: 'POST',
    path: '/v1/checkouts/{checkoutId}/notes',
    tag: 'Booking',
    summary: 'Add a note',
    scope: 'reservation.checkout.read',
    tier: 'read',
    session: 'required',
    settlement: 'card',
    creates: 'noteId',
    params: row.params,
    body: Type.Object({ noteId: Type.String({ format: 'uuid' }) }),
    reply: row.reply,
    errors: ['not_found', 'conflict'],
  },
  'notes.pay': { ...row, path: '/v1/checkouts/{checkoutId}/paid-notes', settlement: 'card' },
} as const satisfies Record<string, Row>;

const { read, createFirst } = kindsFor<
  typeof rows,
  BookingContext,
  PartnerActor,
  CommonErrorCode
>();

// Neither reads the checkout nor asks for its session.
const naive = { reply: () => ({ status: 200 as const, body: { notes: 1 } }) };
const operations = {
  'notes.get': read('notes.get', naive),
  'notes.join': read('notes.join', naive),
  'notes.pay': read('notes.pay', naive),
  // Each note exists already, so each call is a repeat.
  'notes.add': createFirst('notes.add', {
    load: () => ({}),
    decide: () => ({}),
    write: () => again,
    reply: naive.reply,
    findExisting: ({ inputDigest }) => ({ existingDigest: inputDigest }),
    repeat: naive.reply,
  }),
};

suite('protection by the row', () => {
  let resolution: TestResolution;
  let checkoutId: string;
  let capability: string;
  let send: (
    url: string,
    given?: string,
    owner?: string,
    posted?: { body: object; consumer?: string },
  ) => Promise<{
    status: number;
    error: { code: string; details?: object } | undefined;
    left: string;
    deprecation: unknown;
  }>;

  before(async () => {
    resolution = await openResolution();
    const { database, applicationId, testWorker } = resolution;
    await database.query({ name: 'few', text: 'UPDATE applications SET read_per_minute = 3' }, []);
    const keys = await openSigningKeys(database);
    const clock = { now: () => Date.now(), ask: async () => Date.now() };
    const tokens = createAccessTokens(keys, testBaseUrl, clock);
    const registry = createApplicationRegistry(database);
    const access = { tokens, registry, quotas: createQuotas(createBuckets(() => 0)) };
    const context = {
      executor: database,
      catalog: testWorker.context.catalog,
      ...clock,
    } as unknown as PartnerContext;
    const app = createServer({ tls: null, trustedProxy: null, logger: false, connections: 100 });
    mount(app, { ...partnerSurface(context, access), rows, operations });

    checkoutId = await resolution.make({ state: 'ready' });
    const { session } = await resolution.checkout(checkoutId);
    capability = sessionCapability(database.vault, { applicationId, checkoutId }, session);
    send = async (url, given, owner = applicationId, posted) => {
      const { token } = await tokens.issue(owner, ['reservation.checkout.read'], 'key');
      const response = await app.inject({
        url,
        ...(posted && { method: 'POST', payload: posted.body }),
        headers: {
          ...(posted?.consumer !== undefined && { 'x-booking-consumer': posted.consumer }),
          host: 'latchkey.test',
          authorization: `Bearer ${token}`,
          ...(given !== undefined && { 'session-capability': given }),
        },
      });
      const { error } = response.json<{ error?: { code: string; details?: object } }>();
      const { ratelimit, deprecation } = response.headers;
      return { status: response.statusCode, error, left: String(ratelimit), deprecation };
    };
  });
  after(() => resolution.drop());

  const notes = (id = checkoutId) => `/v1/checkouts/${id}/notes`;

  test('404 › a checkout of another application, and one that does not exist', async () => {
    const stranger = await resolution.application();
    assert.equal((await send(notes(), capability, stranger)).status, 404);
    assert.equal((await send(notes(randomUUID()), capability, stranger)).status, 404);
  });

  test('403 › no capability and a wrong one, debited; then 200, then 429', async () => {
    const reason = { reason: 'session_capability' };
    const without = await send(notes());
    assert.deepEqual([without.status, without.error?.details], [403, reason]);
    assert.match(without.left, /r=2;/);
    const wrong = await send(notes(), 'x'.repeat(43));
    assert.deepEqual([wrong.status, wrong.error?.details], [403, reason]);
    assert.match(wrong.left, /r=1;/);
    assert.equal((await send(notes(), capability)).status, 200);
    const over = await send(notes(), capability);
    assert.deepEqual([over.status, over.error?.code], [429, 'rate_limited']);
    assert.equal((await send(notes())).status, 403, 'the session comes before the quota');
  });

  test('joined › 200 without a checkout; 404, 403 and 200 with one', async () => {
    const owner = await resolution.application();
    const own = await resolution.make({ state: 'ready' }, owner);
    const { session } = await resolution.checkout(own);
    const { vault } = resolution.database;
    const right = sessionCapability(vault, { applicationId: owner, checkoutId: own }, session);
    const join = async (body: object, given?: string) =>
      (await send('/v1/notes', given, owner, { body })).status;
    assert.equal(await join({}), 200);
    assert.equal(await join({ checkoutId: randomUUID() }, right), 404);
    assert.equal(await join({ checkoutId }, capability), 404, 'of another application');
    assert.equal(await join({ checkoutId: own }), 403);
    assert.equal(await join({ checkoutId: own }, right), 200);
  });

  test('provenance › 400 for a consumer that is not known', async () => {
    const owner = await resolution.application();
    const withConsumer = (consumer: string) =>
      send('/v1/notes', undefined, owner, { body: {}, consumer });
    assert.equal((await withConsumer('nobody')).status, 400);
    assert.equal((await withConsumer(consumers[0])).status, 200);
  });

  test('deprecatedSince › the header, on errors as well', async () => {
    const owner = await resolution.application();
    const at = `@${Date.parse('2026-01-02T00:00:00Z') / 1000}`;
    for (const [status, body] of [
      [200, {}],
      [400, { checkoutId: 'none' }],
    ] as const) {
      const response = await send('/v1/notes', undefined, owner, { body });
      assert.deepEqual([response.status, response.deprecation], [status, at]);
    }
    assert.equal((await send(notes(randomUUID()), undefined, owner)).deprecation, undefined);
  });

  test('a repeat › 403 without the capability of its session, 422 with another settlement', async () => {
    const own = await resolution.application();
    const checkout = await resolution.make({ state: 'ready' }, own);
    const { session } = await resolution.checkout(checkout);
    const { vault } = resolution.database;
    const owner = { applicationId: own, checkoutId: checkout };
    const right = sessionCapability(vault, owner, session);
    const add = (given?: string, id = checkout) =>
      send(notes(id), given, own, { body: { noteId: randomUUID() } });
    const reason = { reason: 'session_capability' };
    for (const given of [undefined, 'x'.repeat(43)]) {
      const refused = await add(given);
      assert.deepEqual([refused.status, refused.error?.details], [403, reason]);
    }
    assert.equal((await add(right, checkoutId)).status, 404, 'of another application');
    const settled = await add(right);
    assert.deepEqual([settled.status, settled.error?.code], [422, 'payment_not_required']);
  });

  test('422 › a settlement that the row does not serve', async () => {
    const refused = await send(`/v1/checkouts/${checkoutId}/paid-notes`, capability);
    assert.deepEqual([refused.status, refused.error?.code], [422, 'payment_not_required']);
  });
});
