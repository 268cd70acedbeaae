import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Checkout, CheckoutStatus, GuestInput } from '../contract/partner/schemas/checkout.ts';
import type { Quote } from '../contract/partner/schemas/quote.ts';
import type { NextAction } from '../contract/states.ts';
import { DemoFailure } from './failure.ts';
import type { Stay } from './finding.ts';
import { hidden, money, shortened } from './format.ts';
import type { Narrator, Row } from './narrator.ts';
import type { Partner } from './partner.ts';

/** A booking on its way, as a partner's server keeps it. */
interface Journey {
  tell: Narrator;
  partner: Partner;
  quote: Quote;
  guest: GuestInput;
  /** The secret of the checkout: stored beside the order, never shown. */
  session: string;
  /** What is known of the payment, from the checkout as last read. */
  paymentSetup: Checkout['paymentSetup'];
  /** The checkout as last read. */
  at: CheckoutStatus;
}

/** A booking that has come to its end, one way or the other. */
export type Ended = Pick<Journey, 'quote' | 'session' | 'at'>;

/** The guest of the demo; the suffix selects what the simulation makes of the booking. */
export const guestWith = (suffix?: string): GuestInput => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `ada${suffix === undefined ? '' : `+${suffix}`}@example.com`,
  phone: '+351912345678',
});

/** Asks for the exact price and terms. */
export function createQuote(tell: Narrator, partner: Partner, stay: Stay): Promise<Quote> {
  tell.step(
    'Quote',
    'The exact price and the terms, for fifteen minutes. We name it with a UUID of our own, so that the call can be sent again if its answer is lost. It holds nothing.',
  );
  return tell.call<'reservation.quote.create'>(
    partner,
    { method: 'POST', path: '/v1/quotes', body: { quoteId: randomUUIDv7(), ...stay } },
    ({ charges, terms, expiresAt }) => [
      ['charges.accommodation', money(charges.accommodation, charges.currency)],
      ['charges.fees', money(charges.fees, charges.currency)],
      ['charges.taxes', money(charges.taxes, charges.currency)],
      ['charges.total', money(charges.total, charges.currency)],
      ['charges.dueNow', money(charges.dueNow, charges.currency)],
      ...charges.schedule.map(({ dueOn, amount }): [string, string] => [
        'charges.schedule[]',
        `${money(amount, charges.currency)} on ${dueOn}`,
      ]),
      ['terms.version', terms.version],
      ...terms.cancellation.map(({ before, refundAmount }): [string, string] => [
        'terms.cancellation[]',
        `before ${before}: ${money(refundAmount, charges.currency)} is refunded`,
      ]),
      ['expiresAt', expiresAt],
    ],
  );
}

async function createCheckout(tell: Narrator, partner: Partner, quote: Quote, guest: GuestInput) {
  tell.step(
    'Checkout',
    'ConnectionQueue the quote into a booking. The session capability in the answer is shown now and never after the first command: every later call on this checkout presents it.',
  );
  const body = { checkoutId: randomUUIDv7(), quoteId: quote.quoteId };
  const created = await tell.call<'reservation.checkout.create'>(
    partner,
    { method: 'POST', path: '/v1/checkouts', body },
    (checkout) => [
      ...progress(checkout),
      ['settlement', checkout.settlement],
      ['sessionCapability', hidden(checkout.sessionCapability ?? '')],
      ['sessionExpiresAt', checkout.sessionExpiresAt ?? ''],
    ],
  );
  const session = created.sessionCapability ?? '';
  return { tell, partner, quote, guest, session, at: created, paymentSetup: undefined };
}

const progress = ({ state, version, nextActions }: CheckoutStatus): Row[] => [
  ['state, version', `${state}, ${version}`],
  ['nextActions', nextActions.join(', ')],
];

const pathOf = ({ at }: Journey, part = ''): string => `/v1/checkouts/${at.checkoutId}${part}`;

/** What every command names: the version that we have read. */
const expected = ({ at }: Journey) => ({ expectedVersion: at.version });

function saveGuest(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session, guest } = journey;
  tell.step(
    'Guest',
    'Whose stay it is. Commands name the version that we last read: had somebody else moved the checkout meanwhile, 412 would tell us to read again.',
  );
  return tell.call<'reservation.checkout.saveGuest'>(
    partner,
    {
      method: 'PATCH',
      path: pathOf(journey, '/guest'),
      session,
      body: { ...expected(journey), guest },
    },
    progress,
  );
}

function setupPayment(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session } = journey;
  tell.step(
    'Payment setup',
    'Asks the payment provider to prepare hosted card fields for the guest’s browser. 202: it is under way, and we read the checkout until it is ready.',
  );
  return tell.call<'reservation.checkout.setupPayment'>(
    partner,
    { method: 'POST', path: pathOf(journey, '/payment-setup'), session, body: expected(journey) },
    (checkout) => [
      ...progress(checkout),
      ['paymentSetup.state', checkout.paymentSetup?.state ?? ''],
    ],
  );
}

async function readSetup(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session } = journey;
  const checkout = await tell.call<'reservation.checkout.get'>(
    partner,
    { method: 'GET', path: pathOf(journey), session },
    ({ paymentSetup: setup, ...rest }) => [
      ...progress(rest),
      ['paymentSetup.state', setup?.state ?? ''],
      ...(setup?.state === 'ready'
        ? ([
            ['paymentSetup.kind', setup.kind ?? ''],
            ['paymentSetup.setupReference', setup.setupReference ?? ''],
            ['paymentSetup.clientSecret', hidden(setup.clientSecret ?? '')],
          ] as const)
        : []),
    ],
  );
  journey.paymentSetup = checkout.paymentSetup;
  return checkout;
}

function verifyPayment(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session, paymentSetup } = journey;
  tell.step(
    'Payment method',
    'The guest would now enter the card in the provider’s fields; its number never reaches us. The kind “simulation” shows no fields, so we name a method of the simulation.',
  );
  const body = {
    ...expected(journey),
    setupReference: paymentSetup?.setupReference ?? '',
    paymentMethodId: 'pm_simulated_card',
    consentAccepted: true,
  };
  return tell.call<'reservation.checkout.verifyPayment'>(
    partner,
    { method: 'POST', path: pathOf(journey, '/payment-method'), session, body },
    progress,
  );
}

function submit(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session, quote } = journey;
  tell.step(
    'Submit',
    'The guest has read the terms and accepts them; their version proves which. 202 means accepted, not confirmed. Location names what to read, Retry-After when.',
  );
  const body = { ...expected(journey), termsVersion: quote.terms.version, termsAccepted: true };
  return tell.call<'reservation.checkout.submit'>(
    partner,
    { method: 'POST', path: pathOf(journey, '/submit'), session, body },
    (status, { headers }) => [
      ...progress(status),
      ['Location (header)', shortened(headers.get('location') ?? '', 60)],
      ['Retry-After (header)', `${headers.get('retry-after')}`],
    ],
  );
}

function readStatus(journey: Journey): Promise<CheckoutStatus> {
  const { tell, partner, session } = journey;
  return tell.call<'reservation.checkout.getStatus'>(
    partner,
    { method: 'GET', path: pathOf(journey, '/status'), session },
    (status) => [
      ...progress(status),
      ...(status.failure ? ([['failure.reason', status.failure.reason]] as const) : []),
      ...(status.reference === undefined ? [] : ([['reference', status.reference]] as const)),
    ],
  );
}

/** Reads again, after as long as we were asked to wait. */
async function poll(journey: Journey): Promise<CheckoutStatus> {
  const { tell, at } = journey;
  const seconds = at.pollAfterSeconds ?? 1;
  const preparing = at.state === 'needs_payment';
  tell.step(
    'Poll',
    `The answer said “poll”, so we wait pollAfterSeconds (${seconds}) and read the ${preparing ? 'checkout' : 'status'}. Reading moves nothing.`,
  );
  await sleep(seconds * 1000);
  return preparing ? readSetup(journey) : readStatus(journey);
}

/** What we do about each action; the others end the journey. */
const moves: Partial<Record<NextAction, (journey: Journey) => Promise<CheckoutStatus>>> = {
  save_guest: saveGuest,
  setup_payment: setupPayment,
  verify_payment: verifyPayment,
  submit,
  poll,
};

const ends: ReadonlySet<NextAction> = new Set([
  'view_confirmation',
  'refresh_quote',
  'contact_support',
]);
const movesAtMost = 60;

/** An action that we do not know is no success: it means that we read again later. */
const moveFor = ({ at }: Journey): ((journey: Journey) => Promise<CheckoutStatus>) =>
  at.nextActions.map((action) => moves[action]).find((move) => move !== undefined) ?? poll;

/** Creates a checkout and does what its `nextActions` say until none of them is ours to do. */
export async function book(
  tell: Narrator,
  partner: Partner,
  quote: Quote,
  guest: GuestInput,
): Promise<Ended> {
  const journey: Journey = await createCheckout(tell, partner, quote, guest);
  for (let count = 0; count < movesAtMost; count += 1) {
    if (journey.at.nextActions.some((action) => ends.has(action))) return journey;
    journey.at = await moveFor(journey)(journey);
  }
  throw new DemoFailure(
    `The checkout is still ${journey.at.state}: look at the log of the service, and run "npm run demo" again.`,
  );
}
