import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CheckoutStatus } from '../../../src/contract/partner/schemas/checkout.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { journeyTo } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { allOf, eventsOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const submit = 'reservation.checkout.submit';

suite(submit, () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
  });
  after(async () => {
    await service.stop();
  });

  for (const settlement of ['card', 'partner'] as const) {
    // Spec: CHECKOUT-7.
    test(`${submit} › 202 › ${settlement}: pending, with the status, Location and Retry-After`, async () => {
      const who = await service.partner({ settlement });
      const journey = await journeyTo('ready', who, testWorker);
      const reply = await journey.send('submit');
      assert.equal(reply.status, 202);
      assert.equal(reply.headers.get('location'), `/v1/checkouts/${journey.checkoutId}/status`);
      assert.equal(reply.headers.get('retry-after'), '1');
      assert.deepEqual(reply.body, {
        checkoutId: journey.checkoutId,
        version: journey.version + 1,
        state: 'pending',
        nextActions: ['poll'],
        pollAfterSeconds: 1,
      } satisfies CheckoutStatus);
      assert.deepEqual(await journey.status(), reply.body);
      const { applicationId } = who.credentials;
      assert.deepEqual(await eventsOf(service.database, applicationId), [], 'not yet resolved');
      await testWorker.runDue();
      const { reference, version } = await journey.read();
      const events = await eventsOf(service.database, applicationId);
      assert.deepEqual(
        events.map(({ type, data }) => [type, data['reference'], data['version']]),
        [
          ['checkout.resolved', reference, version],
          ['reservation.confirmed', reference, undefined],
        ],
      );
    });
  }

  const invalid: [what: string, body: Record<string, unknown>, path: string][] = [
    ['termsAccepted false', { termsAccepted: false }, '/termsAccepted'],
    ['termsAccepted a text', { termsAccepted: 'true' }, '/termsAccepted'],
    ['termsAccepted 1', { termsAccepted: 1 }, '/termsAccepted'],
    ['termsAccepted missing', { termsAccepted: undefined }, '/termsAccepted'],
    ['termsVersion missing', { termsVersion: undefined }, '/termsVersion'],
    ['termsVersion a number', { termsVersion: 1 }, '/termsVersion'],
    ['termsVersion empty', { termsVersion: '' }, '/termsVersion'],
    ['a price', { total: 1 }, '/total'],
  ];
  test(`${submit} › 400 invalid_input › terms accepted, their version, nothing else`, async () => {
    const journey = await journeyTo('ready', partner, testWorker);
    const was = await allOf(service.database, journey.checkoutId);
    for (const [what, body, path] of invalid) {
      const error = await journey.refused('submit', [400, 'invalid_input'], { body });
      assert.deepEqual(wrongPaths(error), [path], what);
    }
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  });

  test(`${submit} › 409 conflict › terms_version: not the quote's`, async () => {
    const journey = await journeyTo('ready', partner, testWorker);
    const was = await allOf(service.database, journey.checkoutId);
    const { version } = journey.open.quote.terms;
    for (const termsVersion of ['1', version.toUpperCase(), `${version} `, version.slice(1)]) {
      if (termsVersion === version) continue;
      await journey.refused('submit', [409, 'conflict', 'terms_version'], {
        body: { termsVersion },
      });
    }
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
    await journey.done('submit');
  });

  test(`${submit} › 409 invalid_state › comes before terms_version`, async () => {
    const journey = await journeyTo('needs_guest', partner, testWorker);
    await journey.refused('submit', [409, 'invalid_state'], { body: { termsVersion: 'other' } });
  });

  test(`${submit} › uncertain › every command is refused`, async () => {
    const journey = await journeyTo('uncertain', partner, testWorker);
    await journey.refused('submit', [409, 'invalid_state']);
    await journey.refused('saveGuest', [409, 'invalid_state']);
  });
});
