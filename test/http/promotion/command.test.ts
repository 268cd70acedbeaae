import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import { sql } from '../../harness/catalog.ts';
import { guest, type OpenCheckout, type Partner } from '../../harness/partner.ts';
import { applyCode, expireQuote, newPromotion, usesOf } from '../../harness/promotions.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let code: string;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  code = await newPromotion(service);
});
after(async () => {
  await service.stop();
});

const read = (open: OpenCheckout) => partner.succeed('reservation.checkout.get', open.at);

const refused = (
  open: OpenCheckout,
  body: { expectedVersion?: number },
  headers = {},
  at = open.at,
) =>
  partner.refused('reservation.checkout.applyPromo', { ...at, headers, body: { ...body, code } });

suite('reservation.checkout.applyPromo › version', () => {
  for (const expectedVersion of [1, 3]) {
    test(`412 precondition_failed › ${expectedVersion} instead of 2`, async () => {
      const open = await partner.readyCheckout();
      const earlier = await read(open);
      const error = await refused(open, { expectedVersion });
      assert.deepEqual([error.status, error.code], [412, 'precondition_failed']);
      assert.deepEqual(await read(open), earlier);
    });
  }

  test('200 › If-Match instead of expectedVersion, or both the same', async () => {
    const open = await partner.readyCheckout();
    for (const [tag, body] of [
      ['"2"', { code }],
      ['"3"', { code, expectedVersion: 3 }],
    ] as const) {
      const headers = { 'if-match': tag };
      const reply = await partner.call('reservation.checkout.applyPromo', {
        ...open.at,
        headers,
        body,
      });
      assert.equal(reply.status, 200, reply.text);
    }
    const error = await refused(open, {}, { 'if-match': '"5"' });
    assert.equal(error.code, 'precondition_failed');
  });

  test('400 invalid_input › neither, two different versions, a weak tag', async () => {
    const open = await partner.readyCheckout();
    const cases: [tag: string | null, body: { expectedVersion?: number }, path: string][] = [
      [null, {}, '/expectedVersion'],
      [null, { expectedVersion: 0 }, '/expectedVersion'],
      ['"3"', { expectedVersion: 2 }, 'header/if-match'],
      ['W/"2"', {}, 'header/if-match'],
      ['*', {}, 'header/if-match'],
      ['"2", "3"', {}, 'header/if-match'],
    ];
    for (const [tag, body, path] of cases) {
      const error = await refused(open, body, tag === null ? {} : { 'if-match': tag });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error), [path]);
    }
    assert.equal((await read(open)).version, 2);
  });
});

suite('reservation.checkout.applyPromo › repeat', () => {
  test('200 › the checkout as it is now, also after later commands; nothing is applied twice', async () => {
    const own = await newPromotion(service);
    const open = await partner.checkout();
    const first = await applyCode(partner, open, own, 1);
    assert.equal((await applyCode(partner, open, own, 1)).text, first.text);
    const body = { expectedVersion: 2, guest: guest() };
    await partner.succeed('reservation.checkout.saveGuest', { ...open.at, body });
    await applyCode(partner, open, code, 3);
    const again = await applyCode(partner, open, own, 1);
    assert.equal(again.status, 200);
    const { version, promotionCode } = again.body as Checkout;
    assert.deepEqual([version, promotionCode], [4, code]);
    assert.equal(await usesOf(service, own), 0);
  });

  test('200 › with If-Match instead of expectedVersion', async () => {
    const open = await partner.checkout();
    const first = await applyCode(partner, open, code, 1);
    const again = await partner.call('reservation.checkout.applyPromo', {
      ...open.at,
      headers: { 'if-match': '"1"' },
      body: { code },
    });
    assert.equal(again.text, first.text);
  });

  test('200 › the code in another case, or with spaces around it', async () => {
    const open = await partner.checkout();
    const first = await applyCode(partner, open, code, 1);
    assert.equal((first.body as Checkout).promotionCode, code);
    for (const typed of [code.toLowerCase(), `  ${code} `, `\t${code.toLowerCase()}`]) {
      const again = await applyCode(partner, open, typed, 1);
      assert.deepEqual([again.status, again.text], [200, first.text], `a repeat with ${typed}`);
      const other = await partner.checkout();
      const applied = await applyCode(partner, other, typed, 1);
      assert.deepEqual([applied.status, (applied.body as Checkout).promotionCode], [200, code]);
      // A use that the checkout holds already does not count against it, however it is typed.
      assert.equal((await applyCode(partner, other, typed, 2)).status, 200);
    }
    const limited = await newPromotion(service, { maxUses: 1 });
    const holder = await partner.checkout();
    assert.equal((await applyCode(partner, holder, limited, 1)).status, 200);
    assert.equal((await applyCode(partner, holder, limited.toLowerCase(), 2)).status, 200);
    assert.equal(await usesOf(service, limited), 1);
  });

  test('two codes that differ by case alone cannot both exist', async () => {
    const insert = (text: string) =>
      sql(
        service,
        `INSERT INTO promotions (catalog_id, code, label, kind, off, min_nights)
          SELECT catalog_id, $1, 'x', 'percent', 1, 1 FROM catalogs`,
        [text],
      );
    await insert('Été-Unique');
    await assert.rejects(insert('ÉTÉ-unique'), { code: '23505' });
  });

  test('200 › consumes no quota, and works when none is left', async () => {
    const poor = await service.partner({ quotas: { write: 2 } });
    const open = await poor.checkout();
    const first = await applyCode(poor, open, code, 1);
    assert.equal((await applyCode(poor, open, code, 2)).status, 429);
    for (let time = 0; time < 3; time += 1) {
      const again = await applyCode(poor, open, code, 1);
      assert.deepEqual([again.status, again.text], [200, first.text]);
    }
  });

  test('412 precondition_failed › the same version with another code', async () => {
    const open = await partner.checkout();
    await applyCode(partner, open, code, 1);
    const other = await applyCode(partner, open, await newPromotion(service), 1);
    assert.equal(other.status, 412);
  });

  test('412 precondition_failed › a code that was refused before is not a repeat', async () => {
    const open = await partner.checkout();
    assert.equal((await applyCode(partner, open, 'NO-SUCH-CODE', 1)).status, 422);
    assert.equal((await applyCode(partner, open, 'NO-SUCH-CODE', 1)).status, 422);
    await applyCode(partner, open, code, 1);
    assert.equal((await applyCode(partner, open, 'NO-SUCH-CODE', 1)).status, 412);
  });
});

suite('reservation.checkout.applyPromo › session', () => {
  test('403 forbidden › session_capability › missing, wrong, of another checkout', async () => {
    const [open, other] = [await partner.checkout(), await partner.checkout()];
    const { session } = open.at;
    const wrong = [undefined, '', 'x', session.slice(0, -1), `${session}x`, other.at.session];
    for (const presented of wrong) {
      const error = await partner.refused('reservation.checkout.applyPromo', {
        params: open.at.params,
        ...(presented !== undefined && { session: presented }),
        body: { expectedVersion: 1, code },
      });
      assert.deepEqual([error.status, error.code], [403, 'forbidden']);
      assert.deepEqual(error.details, { reason: 'session_capability' });
    }
    assert.equal((await read(open)).version, 1);
  });

  test('403 forbidden › session_expired', async () => {
    const open = await partner.checkout();
    await sql(service, 'UPDATE bookings SET session_expires_at = now() WHERE booking_id = $1', [
      open.created.checkoutId,
    ]);
    assert.deepEqual((await refused(open, { expectedVersion: 1 })).details, {
      reason: 'session_expired',
    });
  });

  test('404 not_found › an unknown checkout, and one of another application', async () => {
    const theirs = await (await service.partner()).checkout();
    for (const checkoutId of [randomUUID(), theirs.created.checkoutId]) {
      const at = { params: { checkoutId }, session: theirs.at.session };
      assert.equal((await refused(theirs, { expectedVersion: 1 }, {}, at)).code, 'not_found');
    }
  });
});

suite('reservation.checkout.applyPromo › state', () => {
  test('200 › needs_guest, ready, and needs_payment in any setup state', async () => {
    const card = await service.partner({ settlement: 'card' });
    const opens: [Partner, OpenCheckout, number][] = [
      [partner, await partner.checkout(), 1],
      [partner, await partner.readyCheckout(), 2],
      [card, await card.readyCheckout(), 2],
    ];
    const { open, checkout } = await card.setUpCheckout();
    opens.push([card, open, checkout.version]);
    const states: string[] = [];
    for (const [who, at, version] of opens) {
      const reply = await applyCode(who, at, code, version);
      assert.equal(reply.status, 200, reply.text);
      const { state, nextActions } = reply.body as Checkout;
      states.push(`${state} ${nextActions.join()}`);
    }
    assert.deepEqual(states, [
      'needs_guest save_guest',
      'ready submit',
      'needs_payment setup_payment',
      'needs_payment verify_payment',
    ]);
  });

  for (const [suffix, state] of [
    ['uncertain', 'uncertain'],
    ['', 'confirmed'],
    ['failed', 'failed'],
    ['quote_expired', 'expired'],
  ] as const) {
    test(`409 invalid_state › ${state}; a stale version comes first`, async () => {
      const open = await partner.submittedCheckout(suffix || undefined);
      await partner.statusOnce(open, [state]);
      const earlier = await read(open);
      const error = await refused(open, { expectedVersion: earlier.version });
      assert.deepEqual([error.status, error.code], [409, 'invalid_state']);
      const stale = await refused(open, { expectedVersion: earlier.version - 1 });
      assert.equal(stale.code, 'precondition_failed');
      assert.deepEqual(await read(open), earlier);
    });
  }

  // Spec: CHECKOUT-6.
  test('409 quote_expired › the checkout is expired, version + 1, without an event', async () => {
    const own = await newPromotion(service);
    const alone = await service.partner();
    const open = await alone.readyCheckout();
    await expireQuote(service, open.quote.quoteId);
    const body = { expectedVersion: 2, code: own };
    for (let time = 0; time < 2; time += 1) {
      const error = await alone.refused('reservation.checkout.applyPromo', { ...open.at, body });
      assert.deepEqual([error.status, error.code], [409, 'quote_expired']);
      const checkout = await alone.succeed('reservation.checkout.get', open.at);
      assert.deepEqual([checkout.state, checkout.version], ['expired', 3]);
      assert.deepEqual(checkout.failure, { reason: 'quote_expired' });
      assert.deepEqual(checkout.nextActions, ['refresh_quote']);
      assert.equal(checkout.promotionCode, null);
    }
    assert.equal(await usesOf(service, own), 0);
    assert.deepEqual((await alone.succeed('reservation.event.list')).items, []);
  });
});
