/** What every card provider does alike: one suite for the provider that we use and for the one of the tests. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type CardOnFile,
  type CardProvider,
  createStripeProvider,
} from '../../src/payments/index.ts';
import { noRepeats } from '../../src/payments/stripe/repeats.ts';
import { standInFetch } from '../harness/stripe/in-process.ts';
import { StandIn } from '../harness/stripe/stand-in.ts';
import { FakeProvider } from './fake-provider.ts';

const forever = new AbortController().signal;
const now = Date.UTC(2026, 10, 22);

/** A provider with a card that pays, and one that is declined. */
interface Opened {
  provider: CardProvider;
  good: CardOnFile;
  declined: CardOnFile;
  /** Before a payment with the declined card. */
  beforeDecline(): void;
  /** The time from which its payments are. */
  since: number;
}

async function openStripe(): Promise<Opened> {
  const standIn = new StandIn({ now: () => now });
  const settings = {
    secretKey: 'sk_test_standin',
    publishableKey: 'pk_test_standin',
    apiUrl: null,
  };
  const provider = await createStripeProvider(settings, standInFetch(standIn), noRepeats);
  const keep = async (
    name: 'pm_card_visa' | 'pm_card_chargeCustomerFail',
    checkoutId: string,
  ): Promise<CardOnFile> => {
    const setup = await provider.prepareCard(
      {
        applicationId: 'a',
        checkoutId,
        number: 1,
        guest: { name: 'Ada Guest', email: 'ada@example.com' },
        currency: 'EUR',
        amountsMinor: [5_000],
      },
      forever,
    );
    assert.equal(setup.outcome, 'done');
    const { setupReference, clientSecret } = setup;
    const paymentMethodId = standIn.guest.confirmSetup(clientSecret, name);
    assert.ok(paymentMethodId);
    const card = await provider.verifyCard({ setupReference, paymentMethodId }, forever);
    assert.equal(card.outcome, 'done');
    return card;
  };
  return {
    provider,
    good: await keep('pm_card_visa', 'c1'),
    declined: await keep('pm_card_chargeCustomerFail', 'c2'),
    beforeDecline: () => undefined,
    since: now,
  };
}

async function openFake(): Promise<Opened> {
  const provider = new FakeProvider();
  const since = Date.now();
  return {
    provider,
    good: { customerReference: 'cus_1', paymentMethodReference: 'pm_1' },
    declined: { customerReference: 'cus_2', paymentMethodReference: 'pm_2' },
    beforeDecline() {
      provider.nextFault = () => {
        provider.nextFault = () => null;
        return 'declined';
      };
    },
    since,
  };
}

const named = (paymentId: string) => ({ paymentId, round: 0, name: null });

/** A payment that was charged with a card that pays. */
async function charged(opened: Opened) {
  const { provider, good: card } = opened;
  const identity = named(randomUUID());
  const request = {
    ...identity,
    card,
    amountMinor: 5_000,
    currency: 'EUR',
    description: 'LK-TEST',
    metadata: {},
  };
  const charge = () => provider.charge(request, forever);
  const made = await charge();
  assert.equal(made.outcome, 'done');
  const { providerReference } = made;
  const find = (reference: string | null) =>
    provider.findPayment({ ...identity, providerReference: reference, ...card }, forever);
  const refundId = randomUUID();
  const refund = (amountMinor: number, id = refundId) =>
    provider.refund(
      {
        refundId: id,
        round: 0,
        name: null,
        providerReference,
        amountMinor,
        currency: 'EUR',
        reason: 'cancelled',
      },
      forever,
    );
  const findRefund = () =>
    provider.findRefund(
      { refundId, name: null, providerReference, refundReference: null },
      forever,
    );
  return { ...opened, identity, providerReference, charge, find, refund, findRefund };
}

const linkOf = ({ good: { customerReference } }: Opened) => ({
  ...named(randomUUID()),
  amountMinor: 7_000,
  currency: 'EUR',
  customerReference,
  description: 'LK-TEST',
  metadata: {},
  expiresAt: now + 86_400_000,
  returnUrl: 'https://homes.example/paid',
});

/** What the callers of the port rely on. Spec: CARD-10. */
function behavesAsProvider(name: string, open: () => Promise<Opened>): void {
  describe(`card provider › ${name}`, () => {
    it('a charge that is repeated is one payment', async () => {
      const { charge, provider, since, providerReference } = await charged(await open());
      const again = await charge();
      assert.deepEqual(again, { outcome: 'done', providerReference });
      const page = { range: { since, until: null }, after: null };
      const listed = await provider.listPayments(page, forever);
      assert.equal(listed.outcome, 'done');
      assert.deepEqual(
        listed.payments.map((one) => [one.providerReference, one.state, one.capturedMinor]),
        [[providerReference, 'captured', 5_000]],
      );
    });

    it('a payment is found by its reference and without it; an unknown one is none', async () => {
      const opened = await charged(await open());
      const { find, provider, good, providerReference } = opened;
      for (const reference of [providerReference, null]) {
        const found = await find(reference);
        assert.equal(found.outcome, 'done');
        assert.deepEqual(
          [found.state, found.providerReference, found.amountMinor, found.refundedMinor],
          ['captured', providerReference, 5_000, 0],
        );
      }
      const asked = { paymentId: randomUUID(), name: null, providerReference: null, ...good };
      const unknown = await provider.findPayment(asked, forever);
      assert.equal(unknown.outcome, 'done');
      assert.equal(unknown.state, 'none');
    });

    it('a declined charge is refused with a code, and took nothing', async () => {
      const opened = await open();
      const { provider, declined: card, beforeDecline } = opened;
      const identity = named(randomUUID());
      beforeDecline();
      const request = { amountMinor: 5_000, currency: 'EUR', description: 'LK-TEST', metadata: {} };
      const answer = await provider.charge({ ...identity, ...request, card }, forever);
      assert.equal(answer.outcome, 'refused');
      assert.equal(answer.reason, 'declined');
      assert.ok(answer.declineCode);
      const asked = { ...identity, providerReference: null, ...card };
      const found = await provider.findPayment(asked, forever);
      assert.equal(found.outcome, 'done');
      assert.deepEqual([found.state, found.capturedMinor], ['declined', 0]);
    });

    it('a captured payment is not voided', async () => {
      const { provider, identity, providerReference } = await charged(await open());
      const answer = await provider.void({ ...identity, providerReference }, forever);
      assert.equal(answer.outcome, 'refused');
      assert.equal(answer.reason, 'captured');
    });

    it('a refund that is repeated is one refund, and is found; one that was not made is none', async () => {
      const opened = await charged(await open());
      const { refund, findRefund, find, provider, providerReference } = opened;
      const before = await findRefund();
      assert.equal(before.outcome, 'done');
      assert.equal(before.state, 'none');
      const made = await refund(2_000);
      assert.equal(made.outcome, 'done');
      assert.deepEqual(await refund(2_000), made);
      const found = await findRefund();
      assert.equal(found.outcome, 'done');
      assert.equal(found.refundReference, made.refundReference);
      const listed = await provider.refundsOf({ providerReference }, forever);
      assert.equal(listed.outcome, 'done');
      assert.deepEqual(
        listed.refunds.map((one) => [one.refundReference, one.amountMinor]),
        [[made.refundReference, 2_000]],
      );
      const payment = await find(providerReference);
      assert.equal(payment.outcome, 'done');
      assert.equal(payment.refundedMinor, 2_000);
    });

    it('more than what is left is not refunded', async () => {
      const { refund, find, providerReference } = await charged(await open());
      assert.equal((await refund(4_000)).outcome, 'done');
      const more = await refund(2_000, randomUUID());
      assert.equal(more.outcome, 'refused');
      assert.equal(more.kind, 'amount');
      const payment = await find(providerReference);
      assert.equal(payment.outcome, 'done');
      assert.equal(payment.refundedMinor, 4_000);
    });

    it('a page that is asked for again is one page; it is found, ended once, and stays so', async () => {
      const opened = await open();
      const { provider } = opened;
      const link = linkOf(opened);
      const made = await provider.createLink(link, forever);
      assert.equal(made.outcome, 'done');
      assert.deepEqual(await provider.createLink(link, forever), made);
      const { pageReference } = made;
      for (const reference of [pageReference, null]) {
        const found = await provider.findLink({ ...link, pageReference: reference }, forever);
        assert.equal(found.outcome, 'done');
        assert.deepEqual([found.state, found.pageReference], ['open', pageReference]);
      }
      for (let times = 0; times < 2; times += 1) {
        const ended = await provider.endLink({ ...link, pageReference }, forever);
        assert.equal(ended.outcome, 'done');
        assert.deepEqual([ended.state, ended.url], ['expired', null]);
      }
      const other = { ...link, ...named(randomUUID()), pageReference: null };
      const none = await provider.findLink(other, forever);
      assert.equal(none.outcome, 'done');
      assert.equal(none.state, 'none');
    });
  });
}

behavesAsProvider('Stripe', openStripe);
behavesAsProvider('the provider of the tests', openFake);
