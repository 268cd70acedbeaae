import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CardOnFile, CardProvider, PaymentRequest } from '../../src/payments/index.ts';
import { createStripeProvider } from '../../src/payments/index.ts';
import type { ListedPayment, PaymentRange } from '../../src/payments/ports/card-provider.ts';
import { noRepeats, type Repeats, usualRepeats } from '../../src/payments/stripe/repeats.ts';
import type { CardName } from '../harness/stripe/cards.ts';
import description from '../harness/stripe/description.json' with { type: 'json' };
import { standInFetch } from '../harness/stripe/in-process.ts';
import { readDeclarations } from '../harness/stripe/read-declarations.ts';
import { type Fault, StandIn, type StandInSettings } from '../harness/stripe/stand-in.ts';

const forever = new AbortController().signal;
const settings = { secretKey: 'sk_test_standin', publishableKey: 'pk_test_standin', apiUrl: null };
const paymentId = '01939f2e-0000-7000-8000-000000000001';

interface System {
  standIn: StandIn;
  provider: CardProvider;
  /** The time of the stand-in, in milliseconds. */
  time: { now: number };
}

async function open(given: StandInSettings = {}, repeats = noRepeats): Promise<System> {
  const time = { now: Date.UTC(2026, 10, 22) };
  const standIn = new StandIn({ now: () => time.now, ...given });
  return {
    standIn,
    provider: await createStripeProvider(settings, standInFetch(standIn), repeats),
    time,
  };
}

const cardRequest = {
  applicationId: 'a',
  checkoutId: 'c',
  number: 1,
  guest: { name: 'Ada Guest', email: 'ada@example.com' },
  currency: 'EUR',
  amountsMinor: [5_000, 5_000],
};

/** Keeps a card on file, as a guest does with the hosted fields. */
async function keepCard({ standIn, provider }: System, name: CardName): Promise<CardOnFile> {
  const setup = await provider.prepareCard(cardRequest, forever);
  assert.equal(setup.outcome, 'done');
  const paymentMethodId = standIn.guest.confirmSetup(setup.clientSecret, name);
  assert(paymentMethodId);
  const { setupReference } = setup;
  const card = await provider.verifyCard({ setupReference, paymentMethodId }, forever);
  assert.equal(card.outcome, 'done');
  return card;
}

/** Every payment of a time, page by page. */
async function allPayments(provider: CardProvider, range: PaymentRange): Promise<ListedPayment[]> {
  const all: ListedPayment[] = [];
  let after: string | null = null;
  do {
    const page = await provider.listPayments({ range, after }, forever);
    assert.equal(page.outcome, 'done');
    all.push(...page.payments);
    after = page.next;
  } while (after !== null);
  return all;
}

const paymentWith = (card: CardOnFile, round = 0): PaymentRequest => ({
  paymentId,
  round,
  name: null,
  amountMinor: 5_000,
  currency: 'EUR',
  card,
  description: 'LK-TEST',
  metadata: { checkout_id: 'c' },
});

/** A system with a kept card, whose next call of this name gets the fault, once. */
async function openWithCard(name: CardName = 'pm_card_visa', repeats = noRepeats) {
  const system = await open({}, repeats);
  const card = await keepCard(system, name);
  const failNext = (call: string, fault: Fault): void => {
    system.standIn.faultOf = ({ name: called }) => {
      if (called !== call) return null;
      system.standIn.faultOf = () => null;
      return fault;
    };
  };
  const lookUp = (providerReference: string | null = null) =>
    system.provider.findPayment({ paymentId, name: null, providerReference, ...card }, forever);
  return { ...system, card, failNext, lookUp };
}

async function openAuthorized(name?: CardName) {
  const system = await openWithCard(name);
  const made = await system.provider.authorize(paymentWith(system.card), forever);
  assert.equal(made.outcome, 'done');
  const call = { paymentId, round: 0, name: null, providerReference: made.providerReference };
  return { ...system, made, call, amount: { amountMinor: 5_000, currency: 'EUR' } };
}

const create = 'POST /v1/payment_intents';
const movementsOf = ({ ledger }: StandIn) => ledger.map(({ kind, amount }) => `${kind} ${amount}`);

describe('card provider › card fields', () => {
  test('a card that the guest confirmed is kept for later payments', async () => {
    const system = await open();
    const card = await keepCard(system, 'pm_card_visa');
    const [customer] = system.standIn.customers.values();
    assert.equal(card.customerReference, customer?.id);
    assert.deepEqual(customer?.metadata, { application_id: 'a', checkout_id: 'c' });
    assert.equal(customer?.email, 'ada@example.com');
  });

  test('a repeated setup is the same setup', async () => {
    const { provider, standIn } = await open();
    const first = await provider.prepareCard(cardRequest, forever);
    assert.deepEqual(await provider.prepareCard(cardRequest, forever), first);
    assert.equal(standIn.setups.size, 1);
  });

  test('a setup that is not confirmed, or with another payment method, is not verified', async () => {
    const { provider, standIn } = await open();
    const setup = await provider.prepareCard(cardRequest, forever);
    assert.equal(setup.outcome, 'done');
    const { setupReference, clientSecret } = setup;
    const verify = (paymentMethodId: string) =>
      provider.verifyCard({ setupReference, paymentMethodId }, forever);
    const refused = { outcome: 'refused', reason: 'not_verified' };
    assert.deepEqual(await verify('pm_any'), refused);
    standIn.guest.confirmSetup(clientSecret, 'pm_card_visa');
    assert.deepEqual(await verify('pm_any'), refused);
  });

  const failures: readonly (readonly [string, StandInSettings, object])[] = [
    [
      'a wrong key',
      { secretKey: 'sk_test_other' },
      { outcome: 'refused', reason: 'not_authorized' },
    ],
    ['no permission', { isPermitted: false }, { outcome: 'refused', reason: 'not_authorized' }],
    ['429', { faultOf: () => '429' }, { outcome: 'refused', reason: 'unavailable' }],
    ['500', { faultOf: () => '500_before' }, { outcome: 'unknown' }],
    ['a cut connection', { faultOf: () => 'cut_before' }, { outcome: 'unknown' }],
    ['a lost reply', { faultOf: () => 'cut_after' }, { outcome: 'unknown' }],
  ];
  for (const [name, given, expected] of failures) {
    test(`${name}: ${Object.values(expected).join(' ')}`, async () => {
      const { provider } = await open(given);
      assert.deepEqual(await provider.prepareCard(cardRequest, forever), expected);
    });
  }

  test('an amount that the provider cannot count is refused before any call', async () => {
    const { provider, standIn } = await open();
    const request = { ...cardRequest, currency: 'KWD', amountsMinor: [5_000, 5_123] };
    assert.deepEqual(await provider.prepareCard(request, forever), {
      outcome: 'refused',
      reason: 'unavailable',
    });
    assert.equal(standIn.calls.length, 0);
  });
});

describe('card provider › authorize and capture', () => {
  test('an authorized payment is captured once, and a repeat changes nothing', async () => {
    const { provider, standIn, call, amount, lookUp, card } = await openAuthorized();
    await provider.authorize(paymentWith(card), forever);
    assert.deepEqual(await provider.capture({ ...call, ...amount }, forever), { outcome: 'done' });
    assert.deepEqual(await provider.capture({ ...call, ...amount }, forever), { outcome: 'done' });
    assert.deepEqual(movementsOf(standIn), ['authorized 5000', 'captured 5000']);
    const found = await lookUp();
    assert(found.outcome === 'done');
    assert.deepEqual(
      [found.state, found.amountMinor, found.capturedMinor, found.refundedMinor],
      ['captured', 5_000, 5_000, 0],
    );
  });

  test('a smaller capture releases the rest', async () => {
    const { provider, standIn, call } = await openAuthorized();
    await provider.capture({ ...call, amountMinor: 3_000, currency: 'EUR' }, forever);
    assert.deepEqual(movementsOf(standIn), ['authorized 5000', 'captured 3000', 'released 2000']);
  });

  test('a void releases the money, and a repeat in a later round changes nothing', async () => {
    const { provider, standIn, call, amount, lookUp } = await openAuthorized();
    assert.deepEqual(await provider.void(call, forever), { outcome: 'done' });
    assert.deepEqual(await provider.void({ ...call, round: 1 }, forever), { outcome: 'done' });
    assert.deepEqual(movementsOf(standIn), ['authorized 5000', 'released 5000']);
    const found = await lookUp(call.providerReference);
    assert(found.outcome === 'done' && found.state === 'voided');
    const late = await provider.capture({ ...call, ...amount }, forever);
    assert.deepEqual(late, { outcome: 'refused', reason: 'declined', declineCode: 'voided' });
  });

  test('a captured payment is not voided, and its capture in a later round changes nothing', async () => {
    const { provider, standIn, call, amount } = await openAuthorized();
    await provider.capture({ ...call, ...amount }, forever);
    const voided = await provider.void(call, forever);
    assert.deepEqual(voided, { outcome: 'refused', reason: 'captured', declineCode: null });
    const again = await provider.capture({ ...call, ...amount, round: 1 }, forever);
    assert.deepEqual(again, { outcome: 'done' });
    assert.deepEqual(movementsOf(standIn), ['authorized 5000', 'captured 5000']);
  });

  test('a declined card: refused with the code of the bank', async () => {
    const { provider, card, lookUp } = await openWithCard(
      'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    );
    const refused = { outcome: 'refused', reason: 'declined', declineCode: 'insufficient_funds' };
    assert.deepEqual(await provider.authorize(paymentWith(card), forever), refused);
    assert.deepEqual(await provider.charge(paymentWith(card), forever), refused);
    const found = await lookUp();
    assert(found.outcome === 'done');
    assert.deepEqual([found.state, found.declineCode], ['declined', 'insufficient_funds']);
  });

  test('keys of another account are no decline of a booking; a later payment waits for staff', async () => {
    const { provider, card, standIn } = await openWithCard();
    const other = { ...card, paymentMethodReference: 'pm_of_another_account' };
    assert.deepEqual(await provider.authorize(paymentWith(other), forever), { outcome: 'unknown' });
    assert.deepEqual(movementsOf(standIn), []);
    assert.deepEqual(await provider.charge(paymentWith(other), forever), {
      outcome: 'refused',
      reason: 'declined',
      declineCode: 'resource_missing',
      kind: 'account',
    });
  });

  test('the guest is there while a booking is paid, and not at a later payment', async () => {
    const { provider, card, standIn } = await openWithCard();
    await provider.authorize(paymentWith(card), forever);
    await provider.charge(paymentWith(card), forever);
    const made = standIn.calls.filter(({ name }) => name === 'POST /v1/payment_intents');
    assert.deepEqual(
      made.map(({ request: { parameters } }) => parameters['off_session']),
      ['false', 'true'],
    );
  });

  test('the amounts of other currencies are counted as the provider does', async () => {
    const { provider, standIn, card } = await openWithCard();
    const payment = { ...paymentWith(card), amountMinor: 700, currency: 'ISK' };
    assert.equal((await provider.authorize(payment, forever)).outcome, 'done');
    assert.deepEqual(movementsOf(standIn), ['authorized 70000']);
    const listed = await allPayments(provider, { since: 0, until: null });
    assert.deepEqual([listed[0]?.amountMinor, listed[0]?.currency], [700, 'ISK']);
    const refused = await provider.charge({ ...payment, currency: 'BHD', amountMinor: 7 }, forever);
    assert.deepEqual(refused, {
      outcome: 'refused',
      reason: 'declined',
      declineCode: 'amount_not_representable',
      kind: 'amount',
    });
  });
});

describe('card provider › authentication', () => {
  const name = 'pm_card_authenticationRequired';

  test('the guest authenticates with the client secret, and the payment is authorized', async () => {
    const { standIn, made, lookUp } = await openAuthorized(name);
    assert(made.outcome === 'done' && made.action);
    const before = await lookUp(made.providerReference);
    assert(before.outcome === 'done');
    assert.equal(before.state, 'action_needed');
    assert.equal(before.clientSecret, made.action.clientSecret);
    assert.equal(standIn.guest.authenticate(made.action.clientSecret), 'requires_capture');
    const after = await lookUp(made.providerReference);
    assert(after.outcome === 'done' && after.state === 'authorized' && after.clientSecret === null);
  });

  test('a guest who fails is declined', async () => {
    const { standIn, made, lookUp } = await openAuthorized(name);
    assert(made.outcome === 'done' && made.action);
    standIn.guest.authenticate(made.action.clientSecret, false);
    const found = await lookUp();
    assert(found.outcome === 'done');
    assert.deepEqual(
      [found.state, found.declineCode],
      ['declined', 'payment_intent_authentication_failure'],
    );
  });

  test('a payment that waits for the guest is voided, and the guest can no longer authenticate', async () => {
    const { provider, standIn, made, call } = await openAuthorized(name);
    assert(made.outcome === 'done' && made.action);
    assert.deepEqual(await provider.void(call, forever), { outcome: 'done' });
    assert.equal(standIn.guest.authenticate(made.action.clientSecret), 'canceled');
    assert.deepEqual(standIn.ledger, []);
  });

  test('a later instalment has no guest: refused', async () => {
    const { provider, card } = await openWithCard(name);
    assert.deepEqual(await provider.charge(paymentWith(card), forever), {
      outcome: 'refused',
      reason: 'authentication_required',
      declineCode: 'authentication_required',
      kind: 'guest',
    });
  });
});

describe('card provider › unknown outcomes', () => {
  const faults: readonly (readonly [Fault, { retryRound?: true }, 'authorized' | 'none'])[] = [
    ['cut_before', {}, 'none'],
    ['cut_after', {}, 'authorized'],
    ['500_before', { retryRound: true }, 'none'],
    ['500_after', { retryRound: true }, 'authorized'],
    ['429', {}, 'none'],
    ['409', {}, 'none'],
  ];
  for (const [fault, more, state] of faults) {
    test(`${fault}: unknown, the lookup finds ${state}, and there is one payment in the end`, async () => {
      const { provider, standIn, card, failNext, lookUp } = await openWithCard();
      failNext(create, fault);
      const answer = await provider.authorize(paymentWith(card), forever);
      assert.deepEqual(answer, { outcome: 'unknown', ...more });
      const found = await lookUp();
      assert(found.outcome === 'done' && found.state === state);
      if (state === 'none') {
        const round = more.retryRound ? 1 : 0;
        const repeated = await provider.authorize(paymentWith(card, round), forever);
        assert.equal(repeated.outcome, 'done');
      }
      assert.deepEqual(movementsOf(standIn), ['authorized 5000']);
    });
  }

  test('a kept error is answered again under the same key', async () => {
    const { provider, card, failNext } = await openWithCard();
    failNext(create, '500_before');
    await provider.authorize(paymentWith(card), forever);
    const again = await provider.authorize(paymentWith(card), forever);
    assert.deepEqual(again, { outcome: 'unknown', retryRound: true });
  });

  test('an effect that comes late is made once, although a lookup before found nothing', async () => {
    const { provider, standIn, card, time, failNext, lookUp } = await openWithCard();
    failNext(create, 'late');
    assert.deepEqual(await provider.authorize(paymentWith(card), forever), { outcome: 'unknown' });
    const early = await lookUp();
    assert(early.outcome === 'done' && early.state === 'none');
    assert.deepEqual(await provider.authorize(paymentWith(card), forever), { outcome: 'unknown' });
    time.now += 60_000;
    assert.equal((await provider.authorize(paymentWith(card), forever)).outcome, 'done');
    assert.deepEqual(movementsOf(standIn), ['authorized 5000']);
  });

  test('a capture refused in an earlier state is repeated in the next round', async () => {
    const { provider, standIn, made, call, amount } = await openAuthorized(
      'pm_card_authenticationRequired',
    );
    assert(made.outcome === 'done' && made.action);
    const early = await provider.capture({ ...call, ...amount }, forever);
    assert.deepEqual(early, { outcome: 'unknown', retryRound: true });
    standIn.guest.authenticate(made.action.clientSecret);
    const next = await provider.capture({ ...call, ...amount, round: 1 }, forever);
    assert.deepEqual(next, { outcome: 'done' });
  });

  test('the same identity with another amount makes no second payment', async () => {
    const { provider, standIn, card } = await openAuthorized();
    const other = { ...paymentWith(card), amountMinor: 6_000 };
    const answer = await provider.authorize(other, forever);
    assert.deepEqual(answer, { outcome: 'unknown', retryRound: true });
    assert.equal(standIn.payments.size, 1);
  });

  test('a lookup that fails is unknown, also where the account does not know the payment', async () => {
    const { provider, card, failNext, lookUp } = await openAuthorized();
    for (const fault of ['429', '500_before', 'cut_after'] as const) {
      failNext('GET /v1/payment_intents', fault);
      assert.deepEqual(await lookUp(), { outcome: 'unknown' });
    }
    const foreign = { paymentId, name: null, providerReference: 'pi_of_another_account', ...card };
    assert.deepEqual(await provider.findPayment(foreign, forever), { outcome: 'unknown' });
  });

  test('a call whose signal ends is not sent', async () => {
    const { provider, standIn, card } = await openWithCard();
    const before = standIn.calls.length;
    const answer = await provider.authorize(paymentWith(card), AbortSignal.abort());
    assert.deepEqual(answer, { outcome: 'unknown' });
    assert.equal(standIn.calls.length, before);
  });
});

describe('card provider › refunds', () => {
  const refundOf = (providerReference: string, round = 0) => ({
    refundId: '01939f2e-0000-7000-8000-0000000000ff',
    round,
    name: null,
    providerReference,
    amountMinor: 2_000,
    currency: 'EUR',
    reason: 'cancellation',
  });
  const identityOf = ({ refundId, providerReference }: ReturnType<typeof refundOf>) => ({
    refundId,
    name: null,
    providerReference,
  });

  async function openCaptured() {
    const system = await openAuthorized();
    await system.provider.capture({ ...system.call, ...system.amount }, forever);
    const refund = refundOf(system.call.providerReference);
    const find = (refundReference: string | null) =>
      system.provider.findRefund({ ...identityOf(refund), refundReference }, forever);
    return { ...system, refund, find };
  }

  test('a refund is made once, and found by its reference and by the list', async () => {
    const { provider, standIn, refund, find, lookUp } = await openCaptured();
    const first = await provider.refund(refund, forever);
    assert(first.outcome === 'done' && first.state === 'done');
    assert.deepEqual(await provider.refund(refund, forever), first);
    const found = {
      outcome: 'done',
      state: 'done',
      refundReference: first.refundReference,
      declineCode: null,
    };
    assert.deepEqual(await find(null), found);
    assert.deepEqual(await find(first.refundReference), found);
    assert.equal(standIn.refunds.size, 1);
    const payment = await lookUp();
    assert(payment.outcome === 'done' && payment.refundedMinor === 2_000);
  });

  test('a lost reply: unknown, and the lookup finds the refund', async () => {
    const { provider, refund, find, failNext } = await openCaptured();
    const before = await find(null);
    assert(before.outcome === 'done' && before.state === 'none');
    failNext('POST /v1/refunds', 'cut_after');
    assert.deepEqual(await provider.refund(refund, forever), { outcome: 'unknown' });
    const after = await find(null);
    assert(after.outcome === 'done' && after.state === 'done');
  });

  test('a pending refund may fail days later', async () => {
    const { provider, standIn, refund, find } = await openCaptured();
    standIn.refundsStayPending = true;
    const made = await provider.refund(refund, forever);
    assert(made.outcome === 'done' && made.state === 'pending');
    standIn.finishRefund(made.refundReference, 'failed');
    const found = await find(made.refundReference);
    assert(found.outcome === 'done');
    assert.deepEqual([found.state, found.declineCode], ['failed', 'lost_or_stolen_card']);
  });

  test('more than what was captured is refused', async () => {
    const { provider, refund } = await openCaptured();
    assert.deepEqual(await provider.refund({ ...refund, amountMinor: 5_001 }, forever), {
      outcome: 'refused',
      reason: 'declined',
      declineCode: 'amount_too_large',
      kind: 'amount',
    });
  });
});

describe('card provider › list of payments', () => {
  test('every payment since then, over several pages', async () => {
    const { provider, standIn, card, time } = await openWithCard();
    const chargeNumber = async (number: number): Promise<void> => {
      const id = `payment-${String(number).padStart(3, '0')}`;
      const made = await provider.charge({ ...paymentWith(card), paymentId: id }, forever);
      assert.equal(made.outcome, 'done');
    };
    for (let number = 0; number < 5; number += 1) await chargeNumber(number);
    time.now += 60_000;
    for (let number = 5; number < 110; number += 1) await chargeNumber(number);
    const listed = await allPayments(provider, { since: time.now, until: null });
    assert.equal(listed.length, 105);
    assert.equal(new Set(listed.map((payment) => payment.paymentId)).size, 105);
    const pages = standIn.calls.filter(({ name }) => name === 'GET /v1/payment_intents');
    assert.equal(pages.length, 2);
    assert.deepEqual(listed.at(-1), {
      paymentId: 'payment-005',
      customerReference: card.customerReference,
      providerReference: listed.at(-1)?.providerReference,
      state: 'captured',
      amountMinor: 5_000,
      capturedMinor: 5_000,
      refundedMinor: 0,
      currency: 'EUR',
      origin: null,
      isDisputed: false,
      createdAt: time.now,
    });
    const before = { since: time.now - 60_000, until: time.now };
    const earlier = await allPayments(provider, before);
    assert.equal(earlier.length, 5);
  });

  test('a failure of the provider: unknown', async () => {
    const { provider } = await open({ faultOf: () => '500_before' });
    const page = { range: { since: 0, until: null }, after: null };
    assert.deepEqual(await provider.listPayments(page, forever), { outcome: 'unknown' });
  });
});

describe('stand-in of the card provider', () => {
  test('its description is the one of the installed package', () => {
    assert.deepEqual(description, readDeclarations());
  });
});

describe('card provider › short faults', () => {
  /** Repeats without real time. */
  function counted(): Repeats & { waited: number[] } {
    const waited: number[] = [];
    return { ...usualRepeats, waited, wait: async (ms) => waited.push(ms) };
  }

  /** The next calls of this name get the faults, one each. */
  const failing = (standIn: StandIn, called: string, faults: readonly Fault[]): void => {
    const left = [...faults];
    standIn.faultOf = ({ name }) => (name === called ? (left.shift() ?? null) : null);
  };

  for (const fault of ['429', '409', '503', 'cut_before', 'cut_after'] as const) {
    test(`${fault} three times: repeated under the same key, and paid once`, async () => {
      const repeats = counted();
      const { provider, standIn, card } = await openWithCard('pm_card_visa', repeats);
      failing(standIn, create, [fault, fault, fault]);
      const answer = await provider.authorize(paymentWith(card), forever);
      assert.equal(answer.outcome, 'done');
      assert.deepEqual(repeats.waited, [250, 750, 1_500]);
      const sent = standIn.calls.filter(({ name }) => name === create);
      assert.equal(new Set(sent.map(({ request }) => request.key)).size, 1);
      assert.deepEqual(movementsOf(standIn), ['authorized 5000']);
    });
  }

  test('a fault that lasts longer: unknown after the third repeat', async () => {
    const { provider, standIn, card } = await openWithCard('pm_card_visa', counted());
    standIn.faultOf = ({ name }) => (name === create ? '503' : null);
    assert.deepEqual(await provider.authorize(paymentWith(card), forever), { outcome: 'unknown' });
    assert.equal(standIn.calls.filter(({ name }) => name === create).length, 4);
  });

  test('an error that the provider keeps is not repeated under its key', async () => {
    const repeats = counted();
    const { provider, card, failNext } = await openWithCard('pm_card_visa', repeats);
    failNext(create, '500_before');
    const answer = await provider.authorize(paymentWith(card), forever);
    assert.deepEqual(answer, { outcome: 'unknown', retryRound: true });
    assert.deepEqual(repeats.waited, []);
  });

  test('nothing is repeated after the signal has ended', async () => {
    const ending = new AbortController();
    const repeats = { ...usualRepeats, wait: async () => ending.abort() };
    const { provider, standIn, card } = await openWithCard('pm_card_visa', repeats);
    standIn.faultOf = ({ name }) => (name === create ? '503' : null);
    const answer = await provider.authorize(paymentWith(card), ending.signal);
    assert.deepEqual(answer, { outcome: 'unknown' });
    assert.equal(standIn.calls.filter(({ name }) => name === create).length, 1);
  });
});

describe('card provider › names of effects', () => {
  const name = { applicationId: 'a', checkoutId: 'c', part: 'instalment 2027-02-01', try: 2 };

  // Spec: CARD-10.
  test('checkout, part and try are the key and the metadata, and find the payment without our row', async () => {
    const { provider, standIn, card } = await openWithCard();
    const charged = await provider.charge({ ...paymentWith(card), name }, forever);
    assert.equal(charged.outcome, 'done');
    const { request } = standIn.calls.at(-1)!;
    assert.equal(request.key, 'a:c:instalment 2027-02-01:2:charge');
    const [payment] = standIn.payments.values();
    const { part, try: number, checkoutId } = payment!.metadata;
    assert.deepEqual([checkoutId, part, number], ['c', 'instalment 2027-02-01', '2']);
    const otherRow = { paymentId: 'another', providerReference: null, ...card };
    const found = await provider.findPayment({ ...otherRow, name }, forever);
    assert.equal(found.outcome === 'done' && found.state, 'captured');
    const other = { ...name, try: 3 };
    const none = await provider.findPayment({ ...otherRow, name: other }, forever);
    assert.equal(none.outcome === 'done' && none.state, 'none');
  });

  test('a refund is found by its name without our row', async () => {
    const { provider, standIn, card } = await openWithCard();
    const charged = await provider.charge(paymentWith(card), forever);
    assert(charged.outcome === 'done');
    const { providerReference } = charged;
    const refund = { ...name, part: 'refund 1', try: 1 };
    const asked = { round: 0, amountMinor: 2_000, currency: 'EUR', reason: 'cancelled' };
    const sent = { ...asked, refundId: 'one', name: refund, providerReference };
    assert.equal((await provider.refund(sent, forever)).outcome, 'done');
    assert.equal(standIn.calls.at(-1)!.request.key, 'a:c:refund 1:1:refund');
    const lost = { refundId: 'another', name: refund, providerReference, refundReference: null };
    const found = await provider.findRefund(lost, forever);
    assert.equal(found.outcome === 'done' && found.state, 'done');
  });
});
