import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { begin, journeyTo, type Journey } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { aged, allOf, eventsOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const verifyPayment = 'reservation.checkout.verifyPayment';

suite(verifyPayment, () => {
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

  async function setUp(who = card): Promise<Journey> {
    const journey = await begin(who);
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await testWorker.runDue();
    await journey.read();
    return journey;
  }

  test(`${verifyPayment} › 200 › needs_payment → ready`, async () => {
    const journey = await setUp();
    const reply = await journey.send('verifyPayment');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('location'), null);
    assert.equal(reply.headers.get('retry-after'), null);
    assert.equal(reply.headers.get('etag'), '"5"');
    const checkout = await journey.read();
    assert.deepEqual(reply.body, checkout);
    assert.equal(checkout.state, 'ready');
    assert.equal(checkout.version, 5);
    assert.deepEqual(checkout.nextActions, ['submit']);
    assert.ok(!('paymentMethodId' in checkout));
  });

  const invalid: [what: string, body: Record<string, unknown>, path: string][] = [
    ['consent not given', { consentAccepted: false }, '/consentAccepted'],
    ['consent as a text', { consentAccepted: 'true' }, '/consentAccepted'],
    ['no consent', { consentAccepted: undefined }, '/consentAccepted'],
    ['no payment method', { paymentMethodId: undefined }, '/paymentMethodId'],
    ['an empty payment method', { paymentMethodId: '' }, '/paymentMethodId'],
    ['a payment method too long', { paymentMethodId: 'x'.repeat(256) }, '/paymentMethodId'],
    ['no setup reference', { setupReference: undefined }, '/setupReference'],
    ['an empty setup reference', { setupReference: '' }, '/setupReference'],
    ['a card number', { cardNumber: '4242424242424242' }, '/cardNumber'],
  ];
  // Spec: CARD-4.
  test(`${verifyPayment} › 400 invalid_input › consent, method, reference, nothing else`, async () => {
    const journey = await setUp();
    const was = await allOf(service.database, journey.checkoutId);
    for (const [what, body, path] of invalid) {
      const error = await journey.refused('verifyPayment', [400, 'invalid_input'], { body });
      assert.deepEqual(wrongPaths(error), [path], what);
    }
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  });

  test(`${verifyPayment} › 409 conflict › setup_reference: the reference of another setup`, async () => {
    const journey = await setUp();
    const other = await setUp();
    const was = await allOf(service.database, journey.checkoutId);
    for (const setupReference of ['unknown', other.setupReference]) {
      const body = { setupReference };
      await journey.refused('verifyPayment', [409, 'conflict', 'setup_reference'], { body });
    }
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  });

  test(`${verifyPayment} › 409 invalid_state › before a setup, while it is pending, after it failed`, async () => {
    const journey = await begin(card);
    await journey.done('saveGuest');
    await journey.refused('verifyPayment', [409, 'invalid_state']);
    await journey.done('setupPayment');
    await journey.refused('verifyPayment', [409, 'invalid_state']);
    const declined = await journeyTo('needs_payment', card, testWorker, 'setup_declined');
    await declined.done('setupPayment');
    await testWorker.runDue();
    await declined.read();
    await declined.refused('verifyPayment', [409, 'invalid_state']);
  });

  // Spec: SIMULATION-5.
  test(`${verifyPayment} › pm_simulated_declined › shows at submit: failed, refused`, async () => {
    const journey = await setUp();
    const body = { paymentMethodId: 'pm_simulated_declined' };
    assert.equal((await journey.done('verifyPayment', { body })).state, 'ready');
    assert.equal((await journey.done('submit')).state, 'pending');
    await testWorker.runDue();
    const { state, failure, nextActions } = await journey.read();
    assert.deepEqual(
      { state, failure, nextActions },
      { state: 'failed', failure: { reason: 'refused' }, nextActions: ['contact_support'] },
    );
  });

  test(`${verifyPayment} › pm_simulated_requires_action › submit leads to requires_action; then 202 and confirmed`, async () => {
    const journey = await setUp(await service.partner({ settlement: 'card' }));
    await journey.done('verifyPayment', {
      body: { paymentMethodId: 'pm_simulated_requires_action' },
    });
    const submitted = await journey.send('submit');
    assert.equal(submitted.status, 202);
    const at = `/v1/checkouts/${journey.checkoutId}/status`;
    assert.equal(submitted.headers.get('location'), at);
    assert.equal(submitted.headers.get('retry-after'), null, 'the guest is waited for, not we');
    const status = await journey.status();
    assert.deepEqual(submitted.body, status);
    assert.equal(status.state, 'requires_action');
    assert.deepEqual(status.nextActions, ['verify_payment']);
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'requires_action', 'it waits');

    const other = { setupReference: 'unknown' };
    await journey.refused('verifyPayment', [409, 'conflict', 'setup_reference'], { body: other });
    const reply = await journey.send('verifyPayment', { body: { paymentMethodId: 'pm_other' } });
    assert.equal(reply.status, 202);
    assert.equal(reply.headers.get('location'), at);
    assert.equal(reply.headers.get('retry-after'), '1');
    const checkout = await journey.read();
    assert.deepEqual(reply.body, checkout);
    assert.equal(checkout.state, 'pending');
    assert.deepEqual(checkout.nextActions, ['poll']);
    const sent = { expectedVersion: journey.version - 1, paymentMethodId: 'pm_other' };
    await testWorker.runDue();
    const confirmed = await journey.read();
    assert.equal(confirmed.state, 'confirmed');
    const again = await journey.send('verifyPayment', { body: sent });
    assert.equal(again.status, 202, 'a 202 stays a 202');
    assert.equal(again.headers.get('retry-after'), null);
    assert.deepEqual(again.body, confirmed);
    const { applicationId } = journey.partner.credentials;
    assert.deepEqual(
      (await eventsOf(service.database, applicationId)).map(({ type }) => type),
      ['checkout.resolved', 'reservation.confirmed'],
    );
  });

  test(`${verifyPayment} › requires_action › a declined card then leads to failed, refused`, async () => {
    const journey = await journeyTo('requires_action', card, testWorker);
    await journey.done('verifyPayment', { body: { paymentMethodId: 'pm_simulated_declined' } });
    await testWorker.runDue();
    const { state, failure } = await journey.read();
    assert.deepEqual({ state, failure }, { state: 'failed', failure: { reason: 'refused' } });
  });

  test(`${verifyPayment} › requires_action › the quote's expiry does not end what was submitted`, async () => {
    const journey = await journeyTo('requires_action', card, testWorker);
    await aged.quote(service.database, journey.open.quote.quoteId);
    assert.equal((await journey.done('verifyPayment')).state, 'pending');
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
  });

  // Spec: CARD-5.
  test(`${verifyPayment} › requires_action › not completed for an hour: failed, refused, one event`, async () => {
    const who = await service.partner({ settlement: 'card' });
    const journey = await journeyTo('requires_action', who, testWorker);
    await aged.due(service.database, journey.checkoutId, 59 * 60);
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'requires_action', 'an hour is not over');
    await aged.due(service.database, journey.checkoutId, 60);
    await testWorker.runDue();
    const { state, failure, nextActions, version } = await journey.read();
    assert.deepEqual(
      { state, failure, nextActions },
      { state: 'failed', failure: { reason: 'refused' }, nextActions: ['contact_support'] },
    );
    const events = await eventsOf(service.database, who.credentials.applicationId);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['checkoutId'], data['state'], data['version']]),
      [['checkout.resolved', journey.checkoutId, 'failed', version]],
    );
    await journey.refused('verifyPayment', [409, 'invalid_state']);
  });
});
