/** Promotion codes on quotes, on what is made from them, and their removal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { releaseExpiredPromotions } from '../../../src/bookings/store/bookings.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { changeHome, homesOf, sql } from '../../harness/catalog.ts';
import { eventually } from '../../harness/eventually.ts';
import { guest, type Partner, requestOf } from '../../harness/partner.ts';
import { expireQuote, newPromotion, usesOf } from '../../harness/promotions.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
let stay: Awaited<ReturnType<Partner['freeStay']>>;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  stay = await partner.freeStay();
});
after(() => service.stop());

const asked = (promotionCode: string, quoteId: string = randomUUID()) => ({
  ...stay,
  quoteId,
  promotionCode,
});
const quoteWith = (code: string, quoteId?: string): Promise<Quote> =>
  partner.succeed('reservation.quote.create', { body: asked(code, quoteId) });

/** Removes the code of a checkout, and returns any response. */
const remove = (
  at: Awaited<ReturnType<Partner['checkout']>>['at'],
  version: number,
  who = partner,
) =>
  who.call('reservation.checkout.removePromo', { ...at, headers: { 'if-match': `"${version}"` } });

/** A request of a quote; returns any response. */
const request = (quote: Quote, suffix?: string) =>
  partner.call('reservation.reservationRequest.create', {
    body: requestOf(quote, { guest: guest(suffix) }),
  });

suite('reservation.quote.create › promotionCode', () => {
  // Spec: QUOTE-8.
  test('201 › the charges are those that a checkout gets with the code', async () => {
    const code = await newPromotion(service);
    const plain = await partner.quote(stay);
    assert.equal(plain.promotionCode, null);
    const quote = await quoteWith(` ${code.toLowerCase()} `);
    assert.equal(quote.promotionCode, code);
    assert.ok(quote.charges.total < plain.charges.total);
    assert.equal(quote.terms.version, plain.terms.version);
    const open = await partner.checkout(await partner.quote(stay));
    const applied = await partner.succeed('reservation.checkout.applyPromo', {
      ...open.at,
      body: { expectedVersion: 1, code },
    });
    assert.deepEqual(quote.charges, applied.charges);
    assert.equal(await usesOf(service, code), 1, 'a quote holds no use');
  });

  test('200 › a repeat may write the code differently; another code is other input', async () => {
    const [code, other] = [await newPromotion(service), await newPromotion(service)];
    const quote = await quoteWith(code);
    assert.deepEqual(await quoteWith(code.toLowerCase(), quote.quoteId), quote);
    const error = await partner.refused('reservation.quote.create', {
      body: asked(other, quote.quoteId),
    });
    assert.deepEqual([error.status, error.details], [409, { reason: 'different_input' }]);
  });

  test('422 policy_restricted › as applyPromo refuses', async () => {
    const cases = {
      promotion_unknown: 'NO-SUCH-CODE',
      promotion_ended: await newPromotion(service, { bookTo: '2020-01-01T00:00:00Z' }),
      promotion_not_applicable: await newPromotion(service, { minNights: 90 }),
    };
    for (const [reason, code] of Object.entries(cases)) {
      const error = await partner.refused('reservation.quote.create', { body: asked(code) });
      assert.deepEqual(
        [error.status, error.code, error.details],
        [422, 'policy_restricted', { reason }],
      );
    }
  });
});

suite('what is made of a quote with a code', () => {
  test('a checkout has the code and holds its use, until its quote expires', async () => {
    const code = await newPromotion(service, { maxUses: 1 });
    const quote = await quoteWith(code);
    const { created } = await partner.checkout(quote);
    assert.equal(created.promotionCode, code);
    assert.deepEqual(created.charges, quote.charges);
    assert.equal(await usesOf(service, code), 1);
    await expireQuote(service, quote.quoteId);
    await releaseExpiredPromotions(service.database, 100);
    assert.equal(await usesOf(service, code), 0);
  });

  test('422 policy_restricted › promotion_ended when no use is left, and nothing is kept', async () => {
    const code = await newPromotion(service, { maxUses: 1 });
    const quotes = [await quoteWith(code), await quoteWith(code), await quoteWith(code)];
    await partner.checkout(quotes[0]!);
    const error = await partner.refused('reservation.checkout.create', {
      body: { checkoutId: randomUUID(), quoteId: quotes[1]!.quoteId },
    });
    assert.deepEqual([error.status, error.details], [422, { reason: 'promotion_ended' }]);
    const { status, body } = await request(quotes[2]!);
    assert.deepEqual(
      [status, (body as { error?: { details: object } }).error?.details],
      [422, { reason: 'promotion_ended' }],
    );
    assert.equal(await usesOf(service, code), 1);
    const [row] = await sql<{ made: number }>(
      service,
      'SELECT count(*)::integer AS made FROM bookings WHERE quote_id = ANY ($1)',
      [quotes.map(({ quoteId }) => quoteId)],
    );
    assert.equal(row!.made, 1);
  });

  test('never more uses than the maximum, however many create at once', async () => {
    const code = await newPromotion(service, { maxUses: 4 });
    const quotes = await Promise.all(Array.from({ length: 12 }, () => quoteWith(code)));
    const replies = await Promise.all(
      quotes.map((quote, at) =>
        at % 2 === 0
          ? request(quote)
          : partner.call('reservation.checkout.create', {
              body: { checkoutId: randomUUID(), quoteId: quote.quoteId },
            }),
      ),
    );
    const made = replies.filter(({ status }) => status < 300).length;
    assert.deepEqual([made, await usesOf(service, code)], [4, 4]);
    assert.ok(replies.every(({ status }) => status < 300 || status === 422));
  });

  test('a request books at the reduced price; a failed one gives the use back', async () => {
    const code = await newPromotion(service);
    const outcome = async (suffix?: string) => {
      const quote = await quoteWith(code);
      const { body } = await request(quote, suffix);
      const { reservationRequestId } = body as { reservationRequestId: string };
      const read = () =>
        partner.succeed('reservation.reservationRequest.get', { params: { reservationRequestId } });
      await eventually(async () => (await read()).state !== 'pending');
      return { quote, made: await read() };
    };
    const { quote, made } = await outcome();
    assert.deepEqual([made.state, made.promotionCode], ['confirmed', code]);
    const { charges } = await partner.succeed('reservation.reservation.get', {
      params: { reference: made.reference! },
    });
    assert.deepEqual(charges, quote.charges);
    assert.equal(await usesOf(service, code), 1);
    assert.equal((await outcome('sold_out')).made.state, 'failed');
    assert.equal(await usesOf(service, code), 1);
  });

  test('the code counts as it was at the quote', async () => {
    const code = await newPromotion(service);
    const quote = await quoteWith(code);
    await sql(
      service,
      `UPDATE promotions SET off = 5000, off_millionths = 500000, withdrawn_at = now() WHERE code = $1`,
      [code],
    );
    const { body } = await request(quote);
    const { reservationRequestId } = body as { reservationRequestId: string };
    await eventually(async () => {
      const { state } = await partner.succeed('reservation.reservationRequest.get', {
        params: { reservationRequestId },
      });
      return state === 'confirmed';
    });
  });
});

suite('reservation.checkout.removePromo', () => {
  // Spec: PROMOTION-7.
  test('200 › the charges without the code, also after rates have changed; the use comes back', async () => {
    const code = await newPromotion(service);
    const plain = await partner.quote(stay);
    const open = await partner.checkout(await quoteWith(code));
    const home = (await homesOf(service)).find(({ listingId }) => listingId === stay.listingId)!;
    await changeHome(service, partner, home, {
      rates: { ...home.rates, nightly: (home.rates.nightly ?? 10_000) + 1_234 },
    });
    const { status, body, headers } = await remove(open.at, 1);
    assert.equal(status, 200);
    const { charges, promotionCode, terms, version } = body as typeof open.created;
    assert.deepEqual([charges, promotionCode, version], [plain.charges, null, 2]);
    assert.deepEqual(
      terms.cancellation.map(({ refundAmount }) => refundAmount),
      plain.terms.cancellation.map(({ refundAmount }) => refundAmount),
    );
    assert.equal(headers.get('etag'), '"2"');
    assert.equal(await usesOf(service, code), 0);
    assert.equal((await remove(open.at, 1)).status, 200, 'a repeat');
    assert.equal(await usesOf(service, code), 0);
    await changeHome(service, partner, home, {});
  });

  test('200 › a code that was applied to a checkout', async () => {
    const code = await newPromotion(service);
    const quote = await partner.quote(stay);
    const open = await partner.checkout(quote);
    const body = { expectedVersion: 1, code };
    await partner.succeed('reservation.checkout.applyPromo', { ...open.at, body });
    const removed = await remove(open.at, 2);
    assert.deepEqual((removed.body as typeof open.created).charges, quote.charges);
    assert.equal(await usesOf(service, code), 0);
  });

  test('200 › while a payment setup has no answer', async () => {
    const card = await service.partner({ settlement: 'card' });
    const code = await newPromotion(service);
    const quote = await card.succeed('reservation.quote.create', { body: asked(code) });
    const open = await card.checkout(quote);
    const withGuest = { expectedVersion: 1, guest: guest() };
    await card.succeed('reservation.checkout.saveGuest', { ...open.at, body: withGuest });
    const asking = { ...open.at, body: { expectedVersion: 2 } };
    await card.succeed('reservation.checkout.setupPayment', asking);
    const isAnswered = async () =>
      (await card.succeed('reservation.checkout.get', open.at)).version === 4;
    await eventually(isAnswered);
    await sql(
      service,
      `UPDATE bookings SET payment_state = 'pending', payment_reference = NULL,
        payment_secret_sealed = NULL WHERE booking_id = $1`,
      [open.at.params.checkoutId],
    );
    assert.equal((await remove(open.at, 4, card)).status, 200);
    assert.equal(await usesOf(service, code), 0);
  });

  test('409 invalid_state › without a code', async () => {
    const open = await partner.checkout(await partner.quote(stay));
    const { status, body } = await remove(open.at, 1);
    assert.deepEqual(
      [status, (body as { error: { code: string } }).error.code],
      [409, 'invalid_state'],
    );
  });

  test('409 quote_expired › the checkout expires', async () => {
    const code = await newPromotion(service);
    const quote = await quoteWith(code);
    const open = await partner.checkout(quote);
    await expireQuote(service, quote.quoteId);
    const { status, body } = await remove(open.at, 1);
    assert.deepEqual(
      [status, (body as { error: { code: string } }).error.code],
      [409, 'quote_expired'],
    );
    const { state } = await partner.succeed('reservation.checkout.get', open.at);
    assert.equal(state, 'expired');
  });

  test('412 precondition_failed › another version', async () => {
    const open = await partner.checkout(await quoteWith(await newPromotion(service)));
    assert.equal((await remove(open.at, 7)).status, 412);
  });

  test('400 invalid_input › a body, or no version', async () => {
    const open = await partner.checkout(await quoteWith(await newPromotion(service)));
    const fields = async (input: object) => {
      const { status, body } = await partner.call('reservation.checkout.removePromo', {
        ...open.at,
        ...input,
      });
      const { error } = body as { error: { details: { fields: { path: string }[] } } };
      return [status, ...error.details.fields.map(({ path }) => path)];
    };
    const version = { 'if-match': '"1"' };
    const rawBody = '{"expectedVersion":1}';
    // Node does not frame the body of a DELETE by itself.
    const framed = { ...version, 'content-length': String(rawBody.length) };
    assert.deepEqual(await fields({ rawBody, headers: framed }), [400, '']);
    assert.deepEqual(await fields({}), [400, 'header/if-match']);
    assert.deepEqual(await fields({ headers: { 'if-match': '*' } }), [400, 'header/if-match']);
  });
});
