import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import type { OpenCheckout, Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

suite('a command without a body', () => {
  let service: TestService;
  let card: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  const setUp = (open: OpenCheckout, headers: Record<string, string>) =>
    card.call('reservation.checkout.setupPayment', { ...open.at, headers });

  const pathsOf = (details: unknown) =>
    (details as { fields: { path: string }[] }).fields.map(({ path }) => path);

  for (const [what, more] of [
    ['without Content-Type', {}],
    ['with Content-Type', { 'content-type': 'application/json' }],
  ] as const) {
    test(`reservation.checkout.setupPayment › 202 › If-Match alone, ${what}`, async () => {
      const open = await card.readyCheckout();
      const headers = { 'if-match': '"2"', ...more };
      const reply = await setUp(open, headers);
      assert.equal(reply.status, 202, reply.text);
      assert.equal((reply.body as Checkout).version, 3);
      const again = await setUp(open, headers);
      assert.deepEqual([again.status, again.text], [202, reply.text], 'a repeat');
      const body = { expectedVersion: 2 };
      const withBody = await card.call('reservation.checkout.setupPayment', { ...open.at, body });
      assert.equal(withBody.text, reply.text, 'the same command');
    });
  }

  test('reservation.checkout.setupPayment › 412 › If-Match alone, of an old version', async () => {
    const open = await card.readyCheckout();
    assert.equal((await setUp(open, { 'if-match': '"1"' })).status, 412);
  });

  test('reservation.checkout.setupPayment › 400 › neither body nor If-Match', async () => {
    const open = await card.readyCheckout();
    const error = await card.refused('reservation.checkout.setupPayment', open.at);
    assert.equal(error.code, 'invalid_input');
    assert.ok(pathsOf(error.details).includes('/expectedVersion'));
  });

  test('reservation.checkout.submit › 400 › If-Match alone: submit needs a body', async () => {
    const open = await card.readyCheckout();
    const headers = { 'if-match': '"2"' };
    for (const more of [{}, { 'content-type': 'application/json' }]) {
      const error = await card.refused('reservation.checkout.submit', {
        ...open.at,
        headers: { ...headers, ...more },
      });
      assert.deepEqual([error.code, pathsOf(error.details)], ['invalid_input', ['']]);
    }
  });
});
