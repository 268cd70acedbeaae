import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { begin, journeyTo, type Journey } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { aged, allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const setupPayment = 'reservation.checkout.setupPayment';

suite(setupPayment, () => {
  let service: TestService;
  let testWorker: TestWorker;
  let card: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    card = await service.partner({ settlement: 'card' });
  });
  after(async () => {
    await service.stop();
  });

  async function withGuest(suffix?: string): Promise<Journey> {
    const journey = await begin(card);
    await journey.done('saveGuest', { body: { guest: guest(suffix) } });
    return journey;
  }

  // Spec: CARD-1.
  test(`${setupPayment} › 202 › pending with poll; then ready with everything that card fields need`, async () => {
    const journey = await withGuest();
    const reply = await journey.send('setupPayment');
    assert.equal(reply.status, 202);
    assert.equal(reply.headers.get('location'), `/v1/checkouts/${journey.checkoutId}`);
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal(reply.headers.get('etag'), '"3"');
    const pending = await journey.read();
    assert.deepEqual(reply.body, pending);
    assert.equal(pending.state, 'needs_payment');
    assert.equal(pending.version, 3);
    assert.deepEqual(pending.nextActions, ['poll']);
    assert.equal(pending.pollAfterSeconds, 1);
    assert.deepEqual(pending.paymentSetup, { state: 'pending' });
    assert.deepEqual((await journey.status()).nextActions, ['poll']);

    await testWorker.runDue();
    const ready = await journey.read();
    assert.equal(ready.state, 'needs_payment');
    assert.equal(ready.version, 4, 'the result raises the version too');
    assert.deepEqual(ready.nextActions, ['verify_payment']);
    assert.equal(ready.pollAfterSeconds, undefined);
    const { setupReference, clientSecret, publishableKey, ...rest } = ready.paymentSetup ?? {};
    assert.deepEqual(rest, { state: 'ready', kind: 'simulation' });
    for (const text of [setupReference, clientSecret, publishableKey]) assert.ok(text);
    assert.deepEqual((await journey.read()).paymentSetup, ready.paymentSetup, 'and it stays');
    const kept = JSON.stringify(await allOf(service.database, journey.checkoutId));
    assert.ok(!kept.includes(String(clientSecret)), 'the client secret is not kept in clear');
  });

  test(`${setupPayment} › +setup_unavailable › the first fails, the next succeeds`, async () => {
    const journey = await withGuest('setup_unavailable');
    await journey.done('setupPayment');
    await testWorker.runDue();
    const failed = await journey.read();
    assert.equal(failed.state, 'needs_payment');
    assert.deepEqual(failed.paymentSetup, { state: 'failed', failure: 'unavailable' });
    assert.deepEqual(failed.nextActions, ['setup_payment']);
    const again = await journey.done('setupPayment');
    assert.deepEqual(again.paymentSetup, { state: 'pending' });
    await testWorker.runDue();
    const ready = await journey.read();
    assert.equal(ready.paymentSetup?.state, 'ready');
    assert.deepEqual(ready.nextActions, ['verify_payment']);
    await journey.done('verifyPayment');
    await journey.done('submit');
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
  });

  // Spec: CARD-3.
  test(`${setupPayment} › +setup_declined › every setup fails`, async () => {
    const journey = await withGuest('setup_declined');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await journey.done('setupPayment');
      await testWorker.runDue();
      const failed = await journey.read();
      assert.equal(failed.state, 'needs_payment');
      assert.deepEqual(failed.paymentSetup, { state: 'failed', failure: 'not_authorized' });
      assert.deepEqual(failed.nextActions, ['contact_support']);
    }
    await journey.refused('verifyPayment', [409, 'invalid_state']);
  });

  test(`${setupPayment} › 409 invalid_state › while one has been pending for less than a minute`, async () => {
    const journey = await withGuest();
    await journey.done('setupPayment');
    for (const seconds of [0, 40]) {
      await aged.setup(service.database, journey.checkoutId, seconds);
      const was = await allOf(service.database, journey.checkoutId);
      await journey.refused('setupPayment', [409, 'invalid_state']);
      assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
      assert.deepEqual((await journey.status()).nextActions, ['poll']);
    }
  });

  // Spec: CARD-2.
  test(`${setupPayment} › 202 › again after a minute without a result`, async () => {
    const journey = await withGuest();
    await journey.done('setupPayment');
    await aged.setup(service.database, journey.checkoutId, 60);
    const checkout = await journey.read();
    assert.deepEqual(checkout.nextActions, ['setup_payment']);
    assert.equal(checkout.pollAfterSeconds, undefined);
    assert.deepEqual((await journey.status()).nextActions, ['setup_payment']);
    const again = await journey.done('setupPayment');
    assert.equal(again.version, 4);
    assert.deepEqual(again.nextActions, ['poll']);
    await testWorker.runDue();
    assert.equal((await journey.read()).paymentSetup?.state, 'ready');
  });

  test(`${setupPayment} › 202 › a ready setup can be replaced; the old reference becomes invalid`, async () => {
    const journey = await withGuest();
    await journey.done('setupPayment');
    await testWorker.runDue();
    const old = (await journey.read()).paymentSetup?.setupReference;
    await journey.done('setupPayment');
    await journey.refused('verifyPayment', [409, 'invalid_state']);
    await testWorker.runDue();
    const { paymentSetup } = await journey.read();
    assert.equal(paymentSetup?.state, 'ready');
    assert.notEqual(paymentSetup?.setupReference, old);
    const body = { setupReference: old };
    await journey.refused('verifyPayment', [409, 'conflict', 'setup_reference'], { body });
  });

  test(`${setupPayment} › a guest saved meanwhile does not lose the setup`, async () => {
    const journey = await withGuest();
    await journey.done('setupPayment');
    await journey.done('saveGuest');
    assert.deepEqual((await journey.read()).nextActions, ['poll']);
    await testWorker.runDue();
    assert.deepEqual((await journey.read()).nextActions, ['verify_payment']);
  });

  // Spec: CHECKOUT-9.
  test(`${setupPayment} › 422 payment_not_required › a partner-settled checkout, in any state`, async () => {
    const partner = await service.partner();
    for (const state of ['needs_guest', 'ready', 'pending', 'confirmed', 'failed'] as const) {
      const journey = await journeyTo(state, partner, testWorker);
      const was = await allOf(service.database, journey.checkoutId);
      for (const expectedVersion of [journey.version, 99]) {
        for (const command of ['setupPayment', 'verifyPayment'] as const) {
          const body = { expectedVersion };
          await journey.refused(command, [422, 'payment_not_required'], { body });
        }
      }
      assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
    }
  });

  test(`${setupPayment} › 400 invalid_input › only the version is accepted`, async () => {
    const journey = await withGuest();
    const error = await journey.refused('setupPayment', [400, 'invalid_input'], {
      body: { cardNumber: '4242424242424242' },
    });
    assert.deepEqual(wrongPaths(error), ['/cardNumber']);
  });
});
