import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { CreatedCheckout } from '../../../src/contract/partner/schemas/checkout.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { assertError, Journey, quoteOf } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { aged, allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const create = 'reservation.checkout.create';
const twentyFourHours = 24 * 3_600_000;

suite(create, () => {
  let service: TestService;
  let partner: Partner;
  let card: Partner;

  before(async () => {
    service = await startTestService();
    partner = await service.partner();
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  const send = (who: Partner, quote: Quote, checkoutId = randomUUID() as string) =>
    who.call(create, { body: { checkoutId, quoteId: quote.quoteId } });

  const refused = async (
    who: Partner,
    body: { checkoutId: string; quoteId: string },
    ...expected: [status: number, code: string, reason?: string]
  ) => assertError(await who.refused(create, { body }), expected);

  for (const settlement of ['partner', 'card'] as const) {
    test(`${create} › 201 › ${settlement}: every field of a new checkout`, async () => {
      const who = settlement === 'card' ? card : partner;
      const quote = await quoteOf(who);
      const checkoutId = randomUUID();
      const reply = await send(who, quote, checkoutId);
      assert.equal(reply.status, 201);
      assert.equal(reply.headers.get('etag'), '"1"');
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      const { sessionCapability, sessionExpiresAt, createdAt, updatedAt, ...rest } =
        reply.body as CreatedCheckout;
      assert.deepEqual(rest, {
        checkoutId,
        quoteId: quote.quoteId,
        version: 1,
        state: 'needs_guest',
        nextActions: ['save_guest'],
        settlement,
        listingId: quote.listingId,
        checkIn: quote.checkIn,
        checkOut: quote.checkOut,
        party: quote.party,
        charges: quote.charges,
        terms: quote.terms,
        promotionCode: null,
        partnerReference: null,
        guest: null,
        quoteExpiresAt: quote.expiresAt,
      });
      assert.equal(createdAt, updatedAt);
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 5_000, createdAt);
      assert.equal(Date.parse(String(sessionExpiresAt)) - Date.parse(createdAt), twentyFourHours);
      assert.match(String(sessionCapability), /^[A-Za-z0-9_-]{43}$/);
      assert.equal(Buffer.from(String(sessionCapability), 'base64url').length, 32);
    });
  }

  test(`${create} › 201 › a new capability, which is not stored`, async () => {
    const [one, other] = [await partner.checkout(), await partner.checkout()];
    assert.notEqual(one.at.session, other.at.session);
    const stored = JSON.stringify(await allOf(service.database, one.created.checkoutId));
    const secret = Buffer.from(one.at.session, 'base64url');
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      assert.ok(!stored.includes(secret.toString(form)), form);
    }
  });

  test(`${create} › 201 › an ID in capitals is returned in lower case`, async () => {
    const quote = await quoteOf(partner);
    const checkoutId = randomUUID();
    const reply = await send(partner, quote, checkoutId.toUpperCase());
    assert.equal((reply.body as CreatedCheckout).checkoutId, checkoutId);
    assert.equal((await send(partner, quote, checkoutId)).status, 200);
  });

  // Spec: SESSION-3.
  test(`${create} › 200 › a repeat before the first command returns the capability again`, async () => {
    const quote = await quoteOf(partner);
    const checkoutId = randomUUID();
    const first = await send(partner, quote, checkoutId);
    const again = await send(partner, quote, checkoutId);
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('etag'), '"1"');
  });

  test(`${create} › 200 › a repeat after a command returns the current checkout without the capability`, async () => {
    const journey = new Journey(partner, await partner.checkout());
    const saved = await journey.done('saveGuest');
    const { checkoutId, quoteId } = journey.open.created;
    const again = await partner.succeed(create, { body: { checkoutId, quoteId } }, 200);
    assert.deepEqual(again, saved);
    assert.ok(!('sessionCapability' in again) && !('sessionExpiresAt' in again));
    await journey.done('submit');
    await partner.statusOnce(journey.open, ['confirmed']);
    const late = await partner.succeed(create, { body: { checkoutId, quoteId } }, 200);
    assert.equal(late.state, 'confirmed');
  });

  test(`${create} › 200 › a repeat works even if the quote has expired`, async () => {
    const open = await partner.checkout();
    await aged.quote(service.database, open.quote.quoteId);
    const { checkoutId } = open.created;
    const again = await send(partner, open.quote, checkoutId);
    assert.equal(again.status, 200);
    assert.deepEqual(
      { ...open.created, quoteExpiresAt: null, nextActions: ['refresh_quote'] },
      { ...(again.body as object), quoteExpiresAt: null },
    );
  });

  test(`${create} › Idempotency-Key › names the checkout; the same key is a repeat`, async () => {
    const { quoteId } = await quoteOf(partner);
    const headers = { 'idempotency-key': `order-${randomUUID()}` };
    const first = await partner.succeed(create, { body: { quoteId }, headers }, 201);
    const again = await partner.succeed(create, { body: { quoteId }, headers }, 200);
    assert.deepEqual(again, first);
    const other = await quoteOf(partner);
    const conflict = { body: { quoteId: other.quoteId }, headers };
    assertError(await partner.refused(create, conflict), [409, 'conflict', 'different_input']);
  });

  // Spec: REPEAT-3.
  test(`${create} › 409 conflict › different_input: the ID with another quote`, async () => {
    const open = await partner.checkout();
    const was = await allOf(service.database, open.created.checkoutId);
    const other = await quoteOf(partner);
    const { checkoutId } = open.created;
    const body = { checkoutId, quoteId: other.quoteId };
    await refused(partner, body, 409, 'conflict', 'different_input');
    assert.deepEqual(await allOf(service.database, checkoutId), was);
    await refused(partner, body, 409, 'conflict', 'different_input');
    assert.equal((await send(partner, other)).status, 201, 'the other quote is still unused');
  });

  // Spec: QUOTE-3.
  test(`${create} › 409 conflict › quote_used: by a checkout in any state`, async () => {
    const open = await partner.submittedCheckout('failed');
    const body = { checkoutId: randomUUID(), quoteId: open.quote.quoteId };
    await refused(partner, body, 409, 'conflict', 'quote_used');
    await partner.statusOnce(open, ['failed']);
    await refused(partner, body, 409, 'conflict', 'quote_used');
  });

  test(`${create} › 409 conflict › quote_used: by a reservation request, also of the same ID`, async () => {
    const quote = await quoteOf(partner);
    const { quoteId } = quote;
    const { reservationRequestId } = await partner.request(quote);
    for (const checkoutId of [randomUUID(), reservationRequestId]) {
      await refused(partner, { checkoutId, quoteId }, 409, 'conflict', 'quote_used');
    }
  });

  test(`${create} › 409 quote_expired › once its 15 minutes are over`, async () => {
    const [early, late] = [await quoteOf(partner), await quoteOf(partner)];
    await aged.quote(service.database, early.quoteId, 14 * 60);
    assert.equal((await send(partner, early)).status, 201);
    await aged.quote(service.database, late.quoteId);
    const body = { checkoutId: randomUUID(), quoteId: late.quoteId };
    await refused(partner, body, 409, 'quote_expired');
    await refused(partner, body, 409, 'quote_expired');
  });

  test(`${create} › 404 not_found › an unknown quote, or one of another application`, async () => {
    const others = await quoteOf(card);
    for (const quoteId of [randomUUID(), others.quoteId]) {
      await refused(partner, { checkoutId: randomUUID(), quoteId }, 404, 'not_found');
    }
    const { checkoutId } = (await partner.checkout()).created;
    await refused(partner, { checkoutId, quoteId: randomUUID() }, 404, 'not_found');
  });

  // Spec: REPEAT-1.
  test(`${create} › the same ID in two applications names two checkouts`, async () => {
    const checkoutId = randomUUID();
    const bodies = await Promise.all(
      [partner, card].map(async (who) => {
        const { quoteId } = await quoteOf(who);
        return who.succeed(create, { body: { checkoutId, quoteId } }, 201);
      }),
    );
    assert.notEqual(bodies[0]?.quoteId, bodies[1]?.quoteId);
    assert.notEqual(bodies[0]?.sessionCapability, bodies[1]?.sessionCapability);
    const session = String(bodies[0]?.sessionCapability);
    const stolen = { params: { checkoutId }, session };
    assertError(await card.refused('reservation.checkout.get', stolen), [
      403,
      'forbidden',
      'session_capability',
    ]);
  });

  const invalid: [what: string, body: object, path: string][] = [
    ['no quoteId', { checkoutId: randomUUID() }, '/quoteId'],
    ['neither ID nor key', { quoteId: randomUUID() }, '/checkoutId'],
    ['an ID that is none', { checkoutId: 'x', quoteId: randomUUID() }, '/checkoutId'],
    [
      'a member that is not known',
      { checkoutId: randomUUID(), quoteId: randomUUID(), price: 1 },
      '/price',
    ],
  ];
  for (const [what, body, path] of invalid) {
    test(`${create} › 400 invalid_input › ${what}`, async () => {
      const error = await partner.refused(create, { rawBody: JSON.stringify(body) });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error), [path]);
    });
  }
});
