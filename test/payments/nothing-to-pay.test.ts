/** Card-paying checkouts of which nothing will ever be due to us: no card is asked for. Spec: CARD-11. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { changeHome, easyStays, freeNights, homesOf, plainRates } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { newPromotion } from '../harness/promotions.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { confirmedReference } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

/** A home whose price a code can take away as a whole. */
async function plainHome(service: TestService, partner: Partner): Promise<Listing> {
  const [first] = await homesOf(service);
  return changeHome(service, partner, first!, {
    sleeps: null,
    timeZone: 'UTC',
    stayRules: easyStays,
    currency: 'EUR',
    rates: { ...plainRates, nightly: 10_000 },
    fees: [],
    taxes: [],
    payment: { dueNowPercent: 30, balanceDaysBefore: 14 },
  });
}

/** A partner, a home, and codes that leave nothing, or a part, of its price. */
async function openCase(service: TestService) {
  const partner = await service.partner({ settlement: 'card' });
  const home = await plainHome(service, partner);
  const free = await newPromotion(service, { percent: 100 });
  const tenth = await newPromotion(service);
  let day = 30;
  return {
    partner,
    free,
    tenth,
    async begin(promotionCode?: string): Promise<Journey> {
      const stay = await freeNights(partner, home.listingId, 2, daysAhead(day));
      day += 4;
      const body = {
        quoteId: randomUUID(),
        ...stay,
        party: { adults: 2 },
        ...(promotionCode !== undefined && { promotionCode }),
      };
      const quote = await partner.succeed('reservation.quote.create', { body });
      return new Journey(partner, await partner.checkout(quote));
    },
    async removeCode(journey: Journey) {
      const headers = { 'if-match': `"${journey.version}"` };
      const at = { ...journey.open.at, headers };
      const checkout = await partner.succeed('reservation.checkout.removePromo', at);
      journey.version = checkout.version;
      return checkout;
    },
  };
}

type Case = Awaited<ReturnType<typeof openCase>>;

const shown = ({ state, nextActions }: { state: string; nextActions: string[] }): string =>
  `${state} ${nextActions.join()}`;

suite('payments › nothing to pay, with a card provider', () => {
  let service: PaidService;
  let opened: Case;
  before(async () => {
    service = await startPaidService();
    opened = await openCase(service);
  });
  after(() => service.stop());

  const paymentsAsked = (): number =>
    service.standIn.calls.filter(({ name }) => name.startsWith('POST ')).length;

  for (const when of ['of the quote', 'before the guest', 'after the guest'] as const) {
    test(`a code ${when} that leaves 0: ready without a card, confirmed without a call of the provider`, async () => {
      const asked = paymentsAsked();
      const { free } = opened;
      const journey = await opened.begin(when === 'of the quote' ? free : undefined);
      if (when === 'before the guest') await journey.done('applyPromo', { body: { code: free } });
      let checkout = await journey.done('saveGuest');
      if (when === 'after the guest') {
        assert.equal(shown(checkout), 'needs_payment setup_payment');
        checkout = await journey.done('applyPromo', { body: { code: free } });
      }
      assert.equal(shown(checkout), 'ready submit');
      assert.deepEqual([checkout.charges.total, checkout.charges.dueNow], [0, 0]);
      await journey.refused('setupPayment', [409, 'invalid_state']);
      await journey.send('submit');
      await confirmedReference(journey);
      assert.equal(paymentsAsked(), asked);
    });
  }

  test('the code is removed, or another one leaves something: a card is asked for again', async () => {
    const { free, tenth } = opened;
    const journey = await opened.begin();
    await journey.done('saveGuest');
    await journey.done('applyPromo', { body: { code: free } });
    assert.equal(shown(await opened.removeCode(journey)), 'needs_payment setup_payment');
    await journey.done('applyPromo', { body: { code: free } });
    const other = await journey.done('applyPromo', { body: { code: tenth } });
    assert.equal(shown(other), 'needs_payment setup_payment');
    await journey.refused('submit', [409, 'invalid_state']);
  });

  test('a card that was verified stays so, and is not charged while nothing is due', async () => {
    const journey = await opened.begin();
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
    const { paymentSetup } = await journey.read();
    const secret = paymentSetup?.clientSecret ?? '';
    const paymentMethodId = service.standIn.guest.confirmSetup(secret, 'pm_card_visa');
    await journey.done('verifyPayment', { body: { paymentMethodId } });
    const asked = paymentsAsked();
    assert.equal(
      (await journey.done('applyPromo', { body: { code: opened.free } })).state,
      'ready',
    );
    assert.equal((await opened.removeCode(journey)).state, 'ready', 'its card is verified');
    await journey.done('applyPromo', { body: { code: opened.free } });
    await journey.send('submit');
    await confirmedReference(journey);
    assert.equal(paymentsAsked(), asked);
  });

  test('a setup that was under way when the code came ends, and is there when the code goes', async () => {
    const journey = await opened.begin();
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await journey.read();
    const free = () => journey.send('applyPromo', { body: { code: opened.free } });
    // Its answer may come between the read and the command.
    if ((await free()).status === 412) {
      await journey.read();
      assert.equal((await free()).status, 200);
    }
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
    assert.equal((await journey.read()).state, 'ready');
    assert.equal(shown(await opened.removeCode(journey)), 'needs_payment verify_payment');
  });
});

suite('payments › nothing to pay, in the simulation', () => {
  let service: TestService;
  let opened: Case;
  before(async () => {
    service = await startTestService();
    opened = await openCase(service);
  });
  after(() => service.stop());

  for (const method of ['pm_simulated_declined', 'pm_simulated_requires_action']) {
    test(`${method} is not asked when nothing is due any more`, async () => {
      const journey = await opened.begin();
      await journey.done('saveGuest');
      await journey.done('setupPayment');
      await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
      await journey.done('verifyPayment', { body: { paymentMethodId: method } });
      await journey.done('applyPromo', { body: { code: opened.free } });
      await journey.send('submit');
      await confirmedReference(journey);
    });
  }

  test('it is confirmed without a card', async () => {
    const journey = await opened.begin(opened.free);
    assert.equal(shown(await journey.done('saveGuest')), 'ready submit');
    await journey.send('submit');
    await confirmedReference(journey);
  });
});
