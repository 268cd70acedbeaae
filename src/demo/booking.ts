import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Checkout, CheckoutStatus, GuestInput } from '../contract/partner/schemas/checkout.ts';
import type { Quote } from '../contract/partner/schemas/quote.ts';
import type { NextAction } from '../contract/states.ts';
import type { Settlement } from '../contract/wire.ts';
import { payOnPage } from './card-page.ts';
import { DemoFailure } from './failure.ts';
import type { Stay } from './finding.ts';
import { hidden, money, shortened } from './format.ts';
import type { Narrator, Row } from './narrator.ts';
import type { Partner } from './partner.ts';

/** The state of one booking, as a partner's server keeps it. */
interface Journey {
  narrator: Narrator;
  partner: Partner;
  quote: Quote;
  guest: GuestInput;
  /** The session capability: stored with the order, never shown. */
  session: string;
  /** The payment setup of the last response. */
  paymentSetup: Checkout['paymentSetup'];
  /** The payment method of the guest's card, once it is known. */
  paymentMethodId: string | null;
  /** The checkout of the last response. */
  status: CheckoutStatus;
}

/** A finished booking, confirmed or not. */
export type FinishedBooking = Pick<Journey, 'quote' | 'session' | 'status'>;

/** The guest of the demo; the suffix selects the simulated outcome. */
export const guestWith = (suffix?: string): GuestInput => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `ada${suffix === undefined ? '' : `+${suffix}`}@example.com`,
  phone: '+351912345678',
});

/** Creates a quote with the exact price and terms. */
export function createQuote(narrator: Narrator, partner: Partner, stay: Stay): Promise<Quote> {
  narrator.step(
    'Quote',
    'The exact price and the terms, valid for fifteen minutes. We choose its UUID, so we can repeat the call if the response is lost. A quote does not hold the nights.',
  );
  return narrator.call(
    partner,
    'reservation.quote.create',
    { body: { quoteId: randomUUIDv7(), ...stay } },
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

/** Why an application that settles otherwise does not fit. */
const otherSettlement: Readonly<Record<Settlement, string>> = {
  card: 'This application is partner-settled, so no guest pays by card: set APPLICATION_ID and APPLICATION_KEY of one that was made with --settlement card. Nothing was booked.',
  partner:
    'This application is card-paying: set APPLICATION_ID and APPLICATION_KEY of one that was made with --settlement partner. Nothing was booked.',
};

async function createCheckout(
  narrator: Narrator,
  partner: Partner,
  quote: Quote,
  guest: GuestInput,
  settlement: Settlement,
) {
  narrator.step(
    'Checkout',
    'Starts a booking from the quote. The response contains the session capability, which is never returned after the first command. Every later call on this checkout must send it.',
  );
  const body = { checkoutId: randomUUIDv7(), quoteId: quote.quoteId };
  const created = await narrator.call(
    partner,
    'reservation.checkout.create',
    { body },
    (checkout) => [
      ...progress(checkout),
      ['settlement', checkout.settlement],
      ['sessionCapability', hidden(checkout.sessionCapability ?? '')],
      ['sessionExpiresAt', checkout.sessionExpiresAt ?? ''],
    ],
  );
  if (created.settlement !== settlement) throw new DemoFailure(otherSettlement[settlement]);
  const session = created.sessionCapability ?? '';
  return {
    narrator,
    partner,
    quote,
    guest,
    session,
    status: created,
    paymentSetup: undefined,
    paymentMethodId: null,
  };
}

const progress = ({ state, version, nextActions }: CheckoutStatus): Row[] => [
  ['state, version', `${state}, ${version}`],
  ['nextActions', nextActions.join(', ')],
];

/** What each call on the checkout names. */
const at = ({ status: { checkoutId }, session }: Journey) => ({ params: { checkoutId }, session });

/** The version that we last read; every command sends it. */
const expected = ({ status }: Journey) => ({ expectedVersion: status.version });

function saveGuest(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner, guest } = journey;
  narrator.step(
    'Guest',
    'Saves the guest. Every command sends the version that we last read. If the checkout has changed since, the response is 412 and we read it again.',
  );
  return narrator.call(
    partner,
    'reservation.checkout.saveGuest',
    { ...at(journey), body: { ...expected(journey), guest } },
    progress,
  );
}

function setupPayment(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner } = journey;
  narrator.step(
    'Payment setup',
    'Asks the payment provider to prepare hosted card fields for the guest’s browser. 202 means in progress: we read the checkout until the setup is ready.',
  );
  return narrator.call(
    partner,
    'reservation.checkout.setupPayment',
    { ...at(journey), body: expected(journey) },
    (checkout) => [
      ...progress(checkout),
      ['paymentSetup.state', checkout.paymentSetup?.state ?? ''],
    ],
  );
}

async function readSetup(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner } = journey;
  const checkout = await narrator.call(
    partner,
    'reservation.checkout.get',
    at(journey),
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

/** How the guest confirms the card, for each kind of payment setup. Returns the payment method. */
const guestConfirms: Readonly<Record<string, (journey: Journey) => Promise<string>>> = {
  async simulation({ narrator }) {
    narrator.note(
      'A guest would now enter the card in the provider’s fields; its number never reaches us. The kind “simulation” has no fields, so we send a payment method of the simulation.',
    );
    return 'pm_simulated_card';
  },
  async stripe({ narrator, partner, paymentSetup, paymentMethodId }) {
    const { publishableKey = '', clientSecret = '' } = paymentSetup ?? {};
    return payOnPage(narrator, partner.baseUrl, { publishableKey, clientSecret, paymentMethodId });
  },
};

async function verifyPayment(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner } = journey;
  if (journey.status.state === 'requires_action') {
    narrator.step(
      'Authentication',
      'The bank wants the guest to authenticate the payment. The checkout has a client secret for this, another one than that of the setup.',
    );
    journey.status = await readSetup(journey);
  }
  narrator.step('Payment method', 'Names the payment method that the guest has confirmed.');
  const { kind = '', setupReference = '' } = journey.paymentSetup ?? {};
  const confirm = guestConfirms[kind];
  if (!confirm) throw new DemoFailure(`The demo knows no card fields of the kind ${kind}.`);
  const paymentMethodId = await confirm(journey);
  journey.paymentMethodId = paymentMethodId;
  const body = {
    ...expected(journey),
    setupReference,
    paymentMethodId,
    consentAccepted: true as const,
  };
  return narrator.call(
    partner,
    'reservation.checkout.verifyPayment',
    { ...at(journey), body },
    progress,
  );
}

function submit(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner, quote } = journey;
  narrator.step(
    'Submit',
    'The guest accepts the terms; their version proves which terms. 202 means accepted, not confirmed. Location says what to read, Retry-After says when.',
  );
  const body = {
    ...expected(journey),
    termsVersion: quote.terms.version,
    termsAccepted: true as const,
  };
  return narrator.call(
    partner,
    'reservation.checkout.submit',
    { ...at(journey), body },
    (status, { headers }) => [
      ...progress(status),
      ['Location (header)', shortened(headers.get('location') ?? '', 60)],
      ['Retry-After (header)', `${headers.get('retry-after')}`],
    ],
  );
}

function readStatus(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, partner } = journey;
  return narrator.call(partner, 'reservation.checkout.getStatus', at(journey), (status) => [
    ...progress(status),
    ...(status.failure ? ([['failure.reason', status.failure.reason]] as const) : []),
    ...(status.reference === undefined ? [] : ([['reference', status.reference]] as const)),
  ]);
}

/** Waits `pollAfterSeconds` and reads again. */
async function poll(journey: Journey): Promise<CheckoutStatus> {
  const { narrator, status } = journey;
  const seconds = status.pollAfterSeconds ?? 1;
  const preparing = status.state === 'needs_payment';
  narrator.step(
    'Poll',
    `nextActions contains “poll”, so we wait pollAfterSeconds (${seconds}) and read the ${preparing ? 'checkout' : 'status'}. A read changes nothing.`,
  );
  await sleep(seconds * 1000);
  return preparing ? readSetup(journey) : readStatus(journey);
}

/** The function for each next action; the final actions have none. */
const actions: Partial<Record<NextAction, (journey: Journey) => Promise<CheckoutStatus>>> = {
  save_guest: saveGuest,
  setup_payment: setupPayment,
  verify_payment: verifyPayment,
  submit,
  poll,
};

const finalActions: ReadonlySet<NextAction> = new Set([
  'view_confirmation',
  'refresh_quote',
  'contact_support',
]);
const actionsAtMost = 60;

/** Selects the function of the first known action. Unknown actions are possible: read again later. */
const functionFor = ({ status }: Journey): ((journey: Journey) => Promise<CheckoutStatus>) =>
  status.nextActions.map((name) => actions[name]).find((action) => action !== undefined) ?? poll;

/**
 * Creates a checkout and follows its `nextActions` until a final action. Throws `DemoFailure`, also if the
 * application settles otherwise.
 */
export async function book(
  narrator: Narrator,
  partner: Partner,
  quote: Quote,
  guest: GuestInput,
  settlement: Settlement,
): Promise<FinishedBooking> {
  const journey: Journey = await createCheckout(narrator, partner, quote, guest, settlement);
  for (let count = 0; count < actionsAtMost; count += 1) {
    if (journey.status.nextActions.some((action) => finalActions.has(action))) return journey;
    journey.status = await functionFor(journey)(journey);
  }
  throw new DemoFailure(
    `The checkout is still ${journey.status.state}: look at the log of the service, and run "npm run demo" again.`,
  );
}
