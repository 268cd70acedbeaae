import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout, CheckoutStatus } from '../../../src/contract/partner/schemas/checkout.ts';
import { releaseExpiredPromotions } from '../../../src/bookings/store/bookings.ts';
import { changeListing, sql } from '../../harness/catalog.ts';
import { checkCharges } from '../../harness/charges.ts';
import { tellOutcome } from '../../harness/events.ts';
import { daysAhead, guest, type OpenCheckout, type Partner } from '../../harness/partner.ts';
import { applyCode, expireQuote, newPromotion, usesOf } from '../../harness/promotions.ts';
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

const newCheckout = async (who = partner): Promise<OpenCheckout> =>
  who.checkout(await who.quote(stay));

/** A checkout with a code applied, at version 2. */
async function withCode(code: string, who = partner): Promise<OpenCheckout> {
  const open = await newCheckout(who);
  const reply = await applyCode(who, open, code, 1);
  assert.equal(reply.status, 200, reply.text);
  return open;
}

/** Saves the guest and submits, from version 2 on. */
async function submit(open: OpenCheckout, suffix?: string): Promise<void> {
  const saved = { expectedVersion: 2, guest: guest(suffix) };
  await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body: saved });
  const accepted = { termsVersion: open.quote.terms.version, termsAccepted: true as const };
  const body = { expectedVersion: 3, ...accepted };
  await partner.succeed('reservation.checkout.submit', { ...open.at, body }, 202);
}

const final: CheckoutStatus['state'][] = ['confirmed', 'failed', 'expired'];

suite('reservation.checkout.applyPromo › uses', () => {
  test('one use per checkout, however often the code is applied', async () => {
    const code = await newPromotion(service, { maxUses: 1 });
    const open = await withCode(code);
    assert.equal((await applyCode(partner, open, code, 1)).status, 200);
    assert.equal((await applyCode(partner, open, code, 2)).status, 200);
    assert.equal(await usesOf(service, code), 1);
  });

  test('422 policy_restricted › promotion_ended once they are used up', async () => {
    const code = await newPromotion(service, { maxUses: 2 });
    await withCode(code);
    await withCode(code, await service.partner());
    const open = await newCheckout();
    const body = { expectedVersion: 1, code };
    const error = await partner.refused('reservation.checkout.applyPromo', { ...open.at, body });
    assert.deepEqual([error.status, error.details], [422, { reason: 'promotion_ended' }]);
    assert.equal(await usesOf(service, code), 2);
  });

  test('another code takes over the use', async () => {
    const [first, second] = [
      await newPromotion(service, { maxUses: 1 }),
      await newPromotion(service, { maxUses: 1 }),
    ];
    const open = await withCode(first);
    assert.equal((await applyCode(partner, open, second, 2)).status, 200);
    assert.deepEqual([await usesOf(service, first), await usesOf(service, second)], [0, 1]);
    await withCode(first);
    assert.equal((await applyCode(partner, open, first, 3)).status, 422);
    assert.deepEqual([await usesOf(service, first), await usesOf(service, second)], [1, 1]);
  });

  // Spec: PROMOTION-4.
  test('never more than the maximum when thirty checkouts apply it concurrently', async () => {
    const code = await newPromotion(service, { maxUses: 7 });
    const partners = [partner, await service.partner(), await service.partner()];
    const opens = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const who = partners[at % 3]!;
        return { who, open: await newCheckout(who) };
      }),
    );
    const replies = await Promise.all(opens.map(({ who, open }) => applyCode(who, open, code, 1)));
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array<number>(7).fill(200), ...Array<number>(23).fill(422)]);
    for (const { status, text } of replies) {
      if (status === 422) assert.match(text, /"promotion_ended"/);
    }
    assert.equal(await usesOf(service, code), 7);
    const [{ held }] = (await sql<{ held: number }>(
      service,
      'SELECT count(*)::integer AS held FROM bookings WHERE promotion_code = $1 AND promotion_held',
      [code],
    )) as [{ held: number }];
    assert.equal(held, 7);
  });

  test('one, when the same command arrives ten times concurrently', async () => {
    const code = await newPromotion(service);
    const open = await newCheckout();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => applyCode(partner, open, code, 1)),
    );
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(await usesOf(service, code), 1);
  });

  test('the last one, when the same command arrives ten times concurrently: all responses are the same', async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = await newPromotion(service, { maxUses: 1 });
      const open = await newCheckout();
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => applyCode(partner, open, code, 1)),
      );
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(await usesOf(service, code), 1);
    }
  });

  test('uses add up when twenty checkouts swap codes concurrently', async () => {
    const [one, two] = [await newPromotion(service), await newPromotion(service, { percent: 5 })];
    const opens = await Promise.all(
      Array.from({ length: 20 }, (_, at) => withCode(at % 2 === 0 ? one : two)),
    );
    const replies = await Promise.all(
      opens.map((open, at) => applyCode(partner, open, at % 2 === 0 ? two : one, 2)),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.deepEqual([await usesOf(service, one), await usesOf(service, two)], [10, 10]);
  });
});

suite('reservation.checkout.applyPromo › a use is returned', () => {
  for (const suffix of ['failed', 'sold_out', 'quote_expired']) {
    test(`when the submitted checkout ends by +${suffix}`, async () => {
      const code = await newPromotion(service, { maxUses: 1 });
      const open = await withCode(code);
      await submit(open, suffix);
      await partner.statusOnce(open, ['failed', 'expired']);
      assert.equal(await usesOf(service, code), 0);
      await withCode(code);
    });
  }

  test('when an uncertain outcome becomes a refusal, and not before', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await submit(open, 'uncertain_failed');
    await partner.statusOnce(open, ['uncertain']);
    assert.equal(await usesOf(service, code), 1);
    await tellOutcome(service, open.created.checkoutId);
    await partner.statusOnce(open, ['failed']);
    assert.equal(await usesOf(service, code), 0);
  });

  test('when a command finds the quote expired, once', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await expireQuote(service, open.quote.quoteId);
    const body = { expectedVersion: 2, guest: guest() };
    for (let time = 0; time < 2; time += 1) {
      const error = await partner.refused('reservation.checkout.saveGuest', { ...open.at, body });
      assert.equal(error.code, 'quote_expired');
      assert.equal(await usesOf(service, code), 0);
    }
  });

  // Spec: PROMOTION-5.
  test('when the quote of an abandoned checkout expires, once', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await releaseExpiredPromotions(service.database, 500);
    assert.equal(await usesOf(service, code), 1, 'not while the quote lives');
    await expireQuote(service, open.quote.quoteId);
    await releaseExpiredPromotions(service.database, 500);
    assert.equal(await usesOf(service, code), 0);
    await releaseExpiredPromotions(service.database, 500);
    const body = { expectedVersion: 2, guest: guest() };
    const error = await partner.refused('reservation.checkout.saveGuest', { ...open.at, body });
    assert.equal(error.code, 'quote_expired');
    assert.equal(await usesOf(service, code), 0);
  });

  test('when the guest does not complete the authentication', async () => {
    const code = await newPromotion(service);
    const card = await service.partner({ settlement: 'card' });
    const { open, checkout } = await card.setUpCheckout();
    const { version, paymentSetup } = checkout;
    assert.equal((await applyCode(card, open, code, version)).status, 200);
    const verified = await card.succeed('reservation.checkout.verifyPayment', {
      ...open.at,
      body: {
        expectedVersion: version + 1,
        setupReference: paymentSetup?.setupReference ?? '',
        paymentMethodId: 'pm_simulated_requires_action',
        consentAccepted: true,
      },
    });
    const accepted = { termsVersion: open.quote.terms.version, termsAccepted: true as const };
    const body = { expectedVersion: verified.version, ...accepted };
    const status = await card.succeed('reservation.checkout.submit', { ...open.at, body });
    assert.equal(status.state, 'requires_action');
    assert.equal(await usesOf(service, code), 1);
    await sql(service, 'UPDATE bookings SET due_at = now() WHERE booking_id = $1', [
      open.created.checkoutId,
    ]);
    await card.statusOnce(open, ['failed']);
    assert.equal(await usesOf(service, code), 0);
  });
});

suite('reservation.checkout.applyPromo › resolution', () => {
  test('honours the price with the promotion, and keeps its use', async () => {
    const code = await newPromotion(service, { percent: 25 });
    const open = await newCheckout();
    const { charges } = (await applyCode(partner, open, code, 1)).body as Checkout;
    checkCharges(charges, stay, charges.schedule[0]?.dueOn ?? daysAhead(0));
    assert.ok(charges.total < open.quote.charges.total);
    await submit(open);
    const { reference } = await partner.statusOnce(open, final);
    const confirmation = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    assert.deepEqual(confirmation.charges, charges);
    const params = { reference: reference ?? '' };
    const reservation = await partner.succeed('reservation.reservation.get', { params });
    assert.deepEqual(reservation.charges, charges);
    assert.equal(await usesOf(service, code), 1);
  });

  // Spec: PROMOTION-6.
  test('honours a promotion that ended after it was applied', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await sql(
      service,
      `UPDATE promotions SET book_to = now() - interval '1 minute' WHERE code = $1`,
      [code],
    );
    await submit(open);
    assert.equal((await partner.statusOnce(open, final)).state, 'confirmed');
  });

  test('a promotion with another discount than before is price_changed', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await sql(service, 'UPDATE promotions SET off = 900 WHERE code = $1', [code]);
    await submit(open);
    const status = await partner.statusOnce(open, final);
    assert.deepEqual([status.state, status.failure?.reason], ['failed', 'price_changed']);
    assert.equal(await usesOf(service, code), 0);
  });

  // Last: it changes the rates of the home permanently.
  test('a home whose rates changed is price_changed, and the use is returned', async () => {
    const code = await newPromotion(service);
    const open = await withCode(code);
    await changeListing(service.database, stay.listingId, ({ rates }) => ({
      rates: { ...rates, nightly: 777 },
    }));
    await submit(open);
    const status = await partner.statusOnce(open, final);
    assert.deepEqual([status.state, status.failure?.reason], ['failed', 'price_changed']);
    assert.equal(await usesOf(service, code), 0);
  });
});
