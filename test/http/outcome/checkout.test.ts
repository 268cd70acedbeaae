import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, suite, test } from 'node:test';
import type { Settlement } from '../../../src/contract/wire.ts';
import { begin, type Journey } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { eventsOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { aboutFiveSeconds, endings, eventsOfEnding, failureOf, type Ending } from './suffixes.ts';

const settled = ['confirmed', 'failed', 'expired'] as const;

suite('outcomes of a checkout', { concurrency: true }, () => {
  let service: TestService;
  const partners = {} as Record<Settlement, Partner>;

  before(async () => {
    service = await startTestService();
    for (const settlement of ['card', 'partner'] as const) {
      partners[settlement] = await service.partner({ settlement });
    }
  });
  after(() => service.stop());

  async function ready(settlement: Settlement, suffix: string): Promise<Journey> {
    const journey = await begin(partners[settlement]);
    await journey.done('saveGuest', { body: { guest: guest(suffix) } });
    if (settlement === 'partner') return journey;
    await journey.done('setupPayment');
    const { paymentSetup } = await journey.partner.setUp(journey.open);
    await journey.read();
    if (suffix === 'setup_unavailable') {
      assert.equal(paymentSetup?.failure, 'unavailable');
      await journey.done('setupPayment');
      assert.equal((await journey.partner.setUp(journey.open)).paymentSetup?.state, 'ready');
      await journey.read();
    }
    await journey.done('verifyPayment');
    return journey;
  }

  const events = async (journey: Journey) =>
    (await eventsOf(service.database, journey.partner.credentials.applicationId)).filter(
      ({ data }) => data['checkoutId'] === journey.checkoutId,
    );

  async function assertEnded(journey: Journey, ending: Ending): Promise<void> {
    const { checkout: state, reason, nextActions } = ending;
    const checkout = await journey.read();
    assert.equal(checkout.state, state);
    const { charges, terms } = checkout;
    const also = { total: charges.total, policies: terms.policies };
    assert.deepEqual(checkout.failure, failureOf(reason, also));
    assert.deepEqual(checkout.nextActions, nextActions);
    assert.equal(checkout.reference !== undefined, state === 'confirmed');
    const caused = await events(journey);
    assert.deepEqual(
      caused.map(({ type, data }) => `${type} ${String(data['state'])}`),
      eventsOfEnding(state),
    );
    const [resolved, confirmed] = caused;
    if (resolved) {
      assert.equal(resolved.data['version'], checkout.version);
      assert.equal(resolved.data['reference'], checkout.reference);
      assert.equal(resolved.data['resolvedAt'], checkout.updatedAt);
    }
    if (confirmed) assert.equal(confirmed.data['reference'], checkout.reference);
  }

  /** It tells nothing for about five seconds, then all at once. */
  async function assertLate(journey: Journey, since: number, ending: Ending): Promise<void> {
    await journey.partner.statusOnce(journey.open, ['uncertain'], 4_000);
    const { failure, nextActions } = await journey.read();
    assert.deepEqual({ failure, nextActions }, { failure: undefined, nextActions: ['poll'] });
    assert.deepEqual(await events(journey), []);
    const settledStatus = await journey.partner.statusOnce(journey.open, settled);
    const took = performance.now() - since;
    assert.equal(settledStatus.state, ending.checkout);
    assert.ok(took > aboutFiveSeconds.min && took < aboutFiveSeconds.max, `${took} ms`);
  }

  for (const settlement of ['card', 'partner'] as const) {
    for (const ending of endings) {
      const { suffix, checkout: state, reason = '', late } = ending;
      if (settlement === 'card' && suffix === 'setup_declined') continue;
      // Spec: CHECKOUT-8, SIMULATION-1.
      // Spec: SIMULATION-6.
      test(`+${suffix} › ${settlement} › ${late ? 'uncertain, then ' : ''}${state} ${reason}`, async () => {
        const journey = await ready(settlement, suffix);
        await journey.done('submit');
        const since = performance.now();
        if (late) {
          await assertLate(journey, since, ending);
        } else {
          const states = state === 'uncertain' ? (['uncertain'] as const) : settled;
          await journey.partner.statusOnce(journey.open, states, 5_000);
        }
        await assertEnded(journey, ending);
        if (state !== 'uncertain') return;
        await sleep(aboutFiveSeconds.min + 1_500);
        await assertEnded(journey, ending);
      });
    }
  }

  test('materialization › pending becomes ready, on confirmation and reservation', async () => {
    const journey = await ready('partner', 'anything');
    await journey.done('submit');
    const { reference } = await journey.partner.statusOnce(journey.open, ['confirmed']);
    const confirmation = () =>
      journey.partner.succeed('reservation.checkout.getConfirmation', journey.open.at);
    const first = await confirmation();
    const deadline = performance.now() + 10_000;
    let last = first;
    while (last.materialization === 'pending' && performance.now() < deadline) {
      await sleep(50);
      last = await confirmation();
    }
    assert.deepEqual(last, { ...first, materialization: 'ready' }, 'and nothing else changes');
    const reservation = await journey.partner.succeed('reservation.reservation.get', {
      params: { reference: String(reference) },
    });
    assert.equal(reservation.materialization, 'ready');
  });
});
