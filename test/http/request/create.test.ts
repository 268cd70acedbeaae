import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { BodyOf } from '../../../src/contract/partner/operations.ts';
import type { ReservationRequest } from '../../../src/contract/partner/schemas/reservation.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { assertError, begin, quoteOf } from '../../harness/journey.ts';
import { guest, type Partner, requestOf } from '../../harness/partner.ts';
import { aged, allOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const create = 'reservation.reservationRequest.create';
const get = 'reservation.reservationRequest.get';

type Body = BodyOf<typeof create>;

suite(create, () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;
  let card: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  const bodyFor = async (who = partner, part: Partial<Body> = {}) =>
    requestOf(await quoteOf(who), part);

  const read = (reservationRequestId: string, who = partner) =>
    who.succeed(get, { params: { reservationRequestId } });

  const counted = async () => {
    const text = 'SELECT count(*)::integer AS rows FROM bookings';
    return (await sql<{ rows: number }>(service.database, text))[0]?.rows;
  };

  async function refused(body: object, ...expected: [number, string, string?]): Promise<void> {
    const was = await counted();
    const rawBody = JSON.stringify(body);
    assertError(await partner.refused(create, { rawBody }), expected);
    assert.equal(await counted(), was);
  }

  // Spec: REQUEST-1.
  test(`${create} › 202 › pending, with every field, Location and Retry-After`, async () => {
    const partnerReference = `order ${randomUUID()}`;
    const body = await bodyFor(partner, { partnerReference });
    const reply = await partner.call(create, { body });
    assert.equal(reply.status, 202);
    const location = `/v1/reservation-requests/${body.reservationRequestId}`;
    assert.equal(reply.headers.get('location'), location);
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const { createdAt, updatedAt, ...rest } = reply.body as ReservationRequest;
    assert.deepEqual(rest, {
      reservationRequestId: body.reservationRequestId,
      version: 1,
      state: 'pending',
      quoteId: body.quoteId,
      partnerReference,
      promotionCode: null,
      reference: null,
      nextActions: ['poll'],
      pollAfterSeconds: 1,
    });
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(await read(body.reservationRequestId), reply.body);
  });

  test(`${create} › 202 › then confirmed, with a reservation of the quote's stay and price`, async () => {
    const body = await bodyFor();
    const created = await partner.succeed(create, { body }, 202);
    assert.equal(created.partnerReference, null);
    await testWorker.runDue();
    const request = await read(body.reservationRequestId);
    const { updatedAt, reference } = request;
    const { pollAfterSeconds: _, ...rest } = created;
    assert.deepEqual(request, {
      ...rest,
      version: 2,
      state: 'confirmed',
      reference,
      nextActions: ['view_confirmation'],
      updatedAt,
    });
    const reservation = await partner.succeed('reservation.reservation.get', {
      params: { reference: String(reference) },
    });
    const quote = await partner.succeed('reservation.quote.create', {
      body: {
        quoteId: randomUUID(),
        listingId: reservation.listingId,
        checkIn: reservation.checkIn,
        checkOut: reservation.checkOut,
        party: reservation.party,
      },
    });
    assert.deepEqual(reservation.charges, quote.charges);
  });

  test(`${create} › 202 › a repeat returns the current request and has no second effect`, async () => {
    const body = await bodyFor();
    const first = await partner.succeed(create, { body }, 202);
    assert.deepEqual(await partner.succeed(create, { body }, 202), first);
    await aged.quote(service.database, body.quoteId);
    await testWorker.runDue();
    const was = await allOf(service.database, body.reservationRequestId);
    const reply = await partner.call(create, { body });
    assert.equal(reply.status, 202);
    assert.equal(reply.headers.get('retry-after'), null, 'there is nothing to wait for');
    assert.deepEqual(reply.body, await read(body.reservationRequestId));
    assert.equal((reply.body as ReservationRequest).state, 'confirmed');
    await testWorker.runDue();
    assert.deepEqual(await allOf(service.database, body.reservationRequestId), was);
  });

  test(`${create} › 202 › a repeat consumes no quota and works when none is left`, async () => {
    const who = await service.partner({ quotas: { write: 1 } });
    const body = await bodyFor(who);
    const first = await who.succeed(create, { body }, 202);
    for (let times = 0; times < 5; times += 1) {
      assert.deepEqual(await who.succeed(create, { body }, 202), first);
    }
    const other = await bodyFor(who);
    assert.equal((await who.refused(create, { body: other })).code, 'rate_limited');
    await who.succeed(create, { body }, 202);
  });

  test(`${create} › Idempotency-Key › replaces the ID`, async () => {
    const { reservationRequestId: _, ...body } = await bodyFor();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await partner.succeed(create, { body, headers }, 202);
    assert.deepEqual(await partner.succeed(create, { body, headers }, 202), first);
    assert.deepEqual(await read(first.reservationRequestId), first);
  });

  // Spec: REQUEST-3.
  test(`${create} › 409 conflict › different_input: any other member under the same ID`, async () => {
    const body = await bodyFor(partner, { partnerReference: `order ${randomUUID()}` });
    await partner.succeed(create, { body }, 202);
    const { partnerReference: _, ...without } = body;
    const { quoteId } = await quoteOf(partner);
    const others = [
      { ...body, guest: { ...guest(), firstName: 'Grace' } },
      { ...body, partnerReference: 'another' },
      without,
      { ...body, quoteId },
      { ...body, termsVersion: 'another' },
    ];
    for (const other of others) await refused(other, 409, 'conflict', 'different_input');
    assert.equal((await read(body.reservationRequestId)).version, 1);
  });

  // Spec: QUOTE-3.
  test(`${create} › 409 conflict › quote_used: by a request or a checkout, with any ID`, async () => {
    const body = await bodyFor();
    await partner.succeed(create, { body }, 202);
    const again = { ...body, reservationRequestId: randomUUID() };
    await refused(again, 409, 'conflict', 'quote_used');
    await testWorker.runDue();
    await refused(again, 409, 'conflict', 'quote_used');
    const journey = await begin(partner);
    const { quoteId } = journey.open.quote;
    for (const reservationRequestId of [randomUUID(), journey.checkoutId]) {
      const stolen = { ...body, quoteId, reservationRequestId };
      await refused(stolen, 409, 'conflict', 'quote_used');
    }
  });

  // Spec: REQUEST-3.
  test(`${create} › 409 conflict › partner_reference: unique among the application's requests`, async () => {
    const partnerReference = `order ${randomUUID()}`;
    const body = await bodyFor(partner, { partnerReference });
    await partner.succeed(create, { body }, 202);
    const other = await bodyFor(partner, { partnerReference });
    await refused(other, 409, 'conflict', 'partner_reference');
    await testWorker.runDue();
    await refused(other, 409, 'conflict', 'partner_reference');
    const renamed = { ...other, partnerReference: `${partnerReference}b` };
    await partner.succeed(create, { body: renamed }, 202);
    const stranger = await service.partner();
    const theirs = await bodyFor(stranger, { partnerReference });
    await stranger.succeed(create, { body: theirs }, 202);
    for (let unnamed = 0; unnamed < 2; unnamed += 1) {
      await partner.succeed(create, { body: await bodyFor() }, 202);
    }
  });

  test(`${create} › 409 conflict › terms_version: not the quote's`, async () => {
    const body = await bodyFor();
    await refused({ ...body, termsVersion: 'another' }, 409, 'conflict', 'terms_version');
    await partner.succeed(create, { body }, 202);
  });

  test(`${create} › 409 quote_expired`, async () => {
    const body = await bodyFor();
    await aged.quote(service.database, body.quoteId);
    await refused(body, 409, 'quote_expired');
    await refused({ ...body, termsVersion: 'another' }, 409, 'quote_expired');
  });

  test(`${create} › 404 not_found › an unknown quote, or one of another application`, async () => {
    const body = await bodyFor();
    const { quoteId } = await quoteOf(card);
    for (const unknown of [randomUUID(), quoteId]) {
      await refused({ ...body, quoteId: unknown }, 404, 'not_found');
    }
  });

  // Spec: REQUEST-4.
  test(`${create} › 503 not_configured › a card-paying application, once the quote exists`, async () => {
    const body = await bodyFor(card);
    assertError(await card.refused(create, { body }), [503, 'not_configured']);
    await aged.quote(service.database, body.quoteId);
    const error = await card.refused(create, { body });
    assertError(error, [503, 'not_configured']);
    assert.equal(error.retryAfterSeconds, undefined);
    const unknown = { ...body, quoteId: randomUUID() };
    assertError(await card.refused(create, { body: unknown }), [404, 'not_found']);
    const checkoutId = randomUUID();
    const fresh = await quoteOf(card);
    const checkout = { body: { checkoutId, quoteId: fresh.quoteId } };
    await card.succeed('reservation.checkout.create', checkout, 201);
  });

  const invalid: [what: string, part: Record<string, unknown>, paths: string[]][] = [
    ['termsAccepted false', { termsAccepted: false }, ['/termsAccepted']],
    ['no termsAccepted', { termsAccepted: undefined }, ['/termsAccepted']],
    ['no termsVersion', { termsVersion: undefined }, ['/termsVersion']],
    ['no guest', { guest: undefined }, ['/guest']],
    ['a wrong phone', { guest: { ...guest(), phone: '12' } }, ['/guest/phone']],
    ['a quoteId that is none', { quoteId: 'q' }, ['/quoteId']],
    ['no ID', { reservationRequestId: undefined }, ['/reservationRequestId']],
    ['an empty partnerReference', { partnerReference: '' }, ['/partnerReference']],
    ['a blank partnerReference', { partnerReference: ' ' }, ['/partnerReference']],
    ['a partnerReference of two lines', { partnerReference: 'a\nb' }, ['/partnerReference']],
    ['a long partnerReference', { partnerReference: 'x'.repeat(101) }, ['/partnerReference']],
    ['null for partnerReference', { partnerReference: null }, ['/partnerReference']],
    ['dates of its own', { checkIn: '2027-01-01', party: {} }, ['/checkIn', '/party']],
  ];
  for (const [what, part, paths] of invalid) {
    test(`${create} › 400 invalid_input › ${what}`, async () => {
      const was = await counted();
      const rawBody = JSON.stringify({ ...(await bodyFor()), ...part });
      const error = await partner.refused(create, { rawBody });
      assertError(error, [400, 'invalid_input']);
      assert.deepEqual(wrongPaths(error).toSorted(), paths);
      assert.equal(await counted(), was);
    });
  }

  test(`${get} › 404 not_found › unknown, another application's, and a checkout's ID`, async () => {
    const body = await bodyFor();
    await partner.succeed(create, { body }, 202);
    const { reservationRequestId } = body;
    const other = await service.partner();
    for (const who of [other, card]) {
      const params = { reservationRequestId };
      assertError(await who.refused(get, { params }), [404, 'not_found']);
    }
    const { checkoutId } = await begin(partner);
    for (const unknown of [randomUUID(), checkoutId]) {
      const params = { reservationRequestId: unknown };
      assertError(await partner.refused(get, { params }), [404, 'not_found']);
    }
    const upper = { reservationRequestId: reservationRequestId.toUpperCase() };
    assert.equal((await partner.succeed(get, { params: upper })).state, 'pending');
  });
});
