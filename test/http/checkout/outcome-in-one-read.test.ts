import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

// Spec: CHECKOUT-14.
suite('a read right after a submit', () => {
  let service: TestService;
  let partner: Partner;
  let answer: Promise<void>;

  before(async () => {
    service = await startTestService(
      {},
      {
        changeSupply: (own) => ({
          ...own,
          async lookUp(booking, signal) {
            await answer;
            return own.lookUp(booking, signal);
          },
          async confirm(booking, signal) {
            await answer;
            const confirmed = await own.confirm(booking, signal);
            return confirmed.outcome === 'unknown'
              ? { outcome: 'done', announced: null }
              : confirmed;
          },
        }),
      },
    );
    partner = await service.partner();
  });
  after(() => service.stop());

  test('has the outcome', async () => {
    let release = (): void => undefined;
    answer = new Promise((resolve) => (release = resolve));
    const open = await partner.submittedCheckout();
    const status = partner.succeed('reservation.checkout.getStatus', open.at);
    const checkout = partner.succeed('reservation.checkout.get', open.at);
    setTimeout(release, 50);
    assert.equal((await status).state, 'confirmed');
    assert.equal((await checkout).state, 'confirmed');
  });

  test('does not wait for a supplier that hangs', async () => {
    let release = (): void => undefined;
    answer = new Promise((resolve) => (release = resolve));
    const open = await partner.submittedCheckout();
    const { state } = await partner.succeed('reservation.checkout.getStatus', open.at);
    assert.equal(state, 'pending');
    release();
    await partner.statusOnce(open, ['confirmed']);
  });
});
