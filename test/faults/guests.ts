/** The guests of the workload: bookings from quote to outcome, in every way of the API. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import type { Suffix } from '../../src/simulation/outcomes.ts';
import { guest, requestOf } from '../harness/partner.ts';
import { Surprise, type CarefulClient } from './careful-client.ts';
import type { Chance } from '../harness/chance.ts';

/** The stay to book. */
export type Stay = Awaited<ReturnType<CarefulClient['partner']['freeStay']>>;

/** What the guests of a workload book. */
export interface Selling {
  /** The stay of the next guest. */
  stay(chance: Chance): Stay;
  /** The outcomes that guests ask for by their email. */
  suffixes: readonly (Suffix | undefined)[];
  /** The code of a promotion that applies. */
  code: string;
  /** What the guest does with the card fields. Returns the payment method. Absent: the fields of the simulation. */
  enterCard?(clientSecret: string, chance: Chance): string;
  /** The codes with which a quote or a promotion can be refused, because others act at the same time. */
  refusals: ReadonlySet<ErrorCode>;
}

/** A guest while booking. */
interface Guest extends Omit<Selling, 'stay' | 'suffixes'> {
  client: CarefulClient;
  stay: Stay;
  suffix: Suffix | undefined;
  chance: Chance;
}

/** The outcome that the guest saw; null: none. */
export type Ended = { state: string; reference: string | null } | null;

/** The state of a booking whose stay could not be quoted. */
const notOffered = { state: 'not offered', reference: null };

type Way = (guest: Guest) => Promise<Ended>;

const pollMs = 120;
// The guest abandons such a booking.
const staysUncertain: Suffix = 'uncertain';
const finalStates = new Set(['confirmed', 'failed', 'expired']);
const waitingStates = new Set(['uncertain', 'unresolved']);

const isOver = ({ suffix }: Guest, state: string): boolean =>
  finalStates.has(state) || (suffix === staysUncertain && waitingStates.has(state));

async function quoted({ client, stay, refusals }: Guest): Promise<Quote | null> {
  const quoteId = randomUUID();
  const body = { quoteId, ...stay };
  return client.unlessRefused('reservation.quote.create', { body }, refusals);
}

/** The data that the next call of a checkout needs. */
class OpenCheckout {
  readonly guest: Guest;
  readonly quote: Quote;
  readonly checkoutId: string;
  readonly at: { params: { checkoutId: string }; session: string };
  version = 1;

  constructor(going: Guest, quote: Quote, checkoutId: string, session: string) {
    this.guest = going;
    this.quote = quote;
    this.checkoutId = checkoutId;
    this.at = { params: { checkoutId }, session };
  }

  async read() {
    const { client } = this.guest;
    const checkout = await client.succeed('reservation.checkout.get', this.at);
    this.version = checkout.version;
    return checkout;
  }

  async saveGuest(): Promise<void> {
    const { client, suffix } = this.guest;
    const body = { expectedVersion: this.version, guest: guest(suffix) };
    const input = { ...this.at, body };
    await client.succeed('reservation.checkout.saveGuest', input);
    await this.read();
  }

  async applyPromo(): Promise<void> {
    const { client, code, refusals } = this.guest;
    const input = { ...this.at, body: { expectedVersion: this.version, code } };
    const id = 'reservation.checkout.applyPromo';
    await client.unlessRefused(id, input, refusals);
    await this.read();
  }

  /** Requests setups until one is ready. */
  async setUpPayment(): Promise<{ setupReference: string; clientSecret: string }> {
    const { client } = this.guest;
    const input = { ...this.at, body: { expectedVersion: this.version } };
    await client.succeed('reservation.checkout.setupPayment', input);
    for (;;) {
      const { paymentSetup } = await this.read();
      if (paymentSetup?.state === 'failed') return this.setUpPayment();
      const { setupReference, clientSecret } = paymentSetup ?? {};
      if (setupReference !== undefined && clientSecret !== undefined) {
        return { setupReference, clientSecret };
      }
      await sleep(pollMs);
    }
  }

  async verifyPayment(setupReference: string, paymentMethodId: string): Promise<void> {
    const body = {
      expectedVersion: this.version,
      setupReference,
      paymentMethodId,
      consentAccepted: true as const,
    };
    const input = { ...this.at, body };
    await this.guest.client.succeed('reservation.checkout.verifyPayment', input);
    await this.read();
  }

  async submit(): Promise<void> {
    const body = {
      expectedVersion: this.version,
      termsVersion: this.quote.terms.version,
      termsAccepted: true as const,
    };
    const input = { ...this.at, body };
    await this.guest.client.succeed('reservation.checkout.submit', input);
  }

  async outcome(): Promise<Ended> {
    for (;;) {
      const { client } = this.guest;
      const status = await client.succeed('reservation.checkout.getStatus', this.at);
      const { state, reference = null } = status;
      if (isOver(this.guest, state)) return { state, reference };
      await sleep(pollMs);
    }
  }
}

async function opened(going: Guest): Promise<OpenCheckout | null> {
  const quote = await quoted(going);
  if (!quote) return null;
  const checkoutId = randomUUID();
  const body = { checkoutId, quoteId: quote.quoteId };
  const { client } = going;
  const created = await client.succeed('reservation.checkout.create', { body });
  if (created.sessionCapability === undefined) {
    client.surprise(`the session of ${checkoutId} is lost`);
    throw new Surprise('reservation.checkout.create');
  }
  return new OpenCheckout(going, quote, checkoutId, created.sessionCapability);
}

async function withGuest(going: Guest): Promise<OpenCheckout | null> {
  const checkout = await opened(going);
  if (!checkout) return null;
  await checkout.saveGuest();
  if (going.chance.happens(0.2)) await checkout.applyPromo();
  if (going.chance.happens(0.1)) await checkout.saveGuest();
  return checkout;
}

async function settledByPartner(going: Guest): Promise<Ended> {
  const checkout = await withGuest(going);
  if (!checkout) return notOffered;
  await checkout.submit();
  return checkout.outcome();
}

const authenticatingMethod = 'pm_simulated_requires_action';

const enterSimulatedCard = (_clientSecret: string, chance: Chance): string =>
  chance.happens(0.2) ? authenticatingMethod : 'pm_any';

async function paidByCard(going: Guest): Promise<Ended> {
  const checkout = await withGuest(going);
  if (!checkout) return notOffered;
  const { setupReference, clientSecret } = await checkout.setUpPayment();
  const { enterCard = enterSimulatedCard, chance } = going;
  const method = enterCard(clientSecret, chance);
  await checkout.verifyPayment(setupReference, method);
  await checkout.submit();
  if (method === authenticatingMethod) {
    await checkout.read();
    await checkout.verifyPayment(setupReference, 'pm_authenticated');
  }
  return checkout.outcome();
}

async function inOneCall(going: Guest): Promise<Ended> {
  const { client } = going;
  const quote = await quoted(going);
  if (!quote) return notOffered;
  const reservationRequestId = randomUUID();
  const body = requestOf(quote, {
    reservationRequestId,
    guest: guest(going.suffix),
    partnerReference: `order ${reservationRequestId}`,
  });
  const create = 'reservation.reservationRequest.create';
  await client.succeed(create, { body });
  for (;;) {
    const { state, reference } = await client.succeed('reservation.reservationRequest.get', {
      params: { reservationRequestId },
    });
    if (isOver(going, state)) return { state, reference };
    await sleep(pollMs);
  }
}

/** The ways to book, by settlement. */
const ways: Readonly<Record<Settlement, readonly Way[]>> = {
  card: [paidByCard],
  partner: [settledByPartner, inOneCall],
};

/** Homes of the simulation: mostly with the normal outcome. */
export const simulated = (stays: readonly Stay[]): Selling => ({
  stay: (chance) => chance.pick(stays),
  suffixes: [
    ...Array.from({ length: 12 }, () => undefined),
    'failed',
    'sold_out',
    'quote_expired',
    'uncertain',
    'uncertain_confirmed',
    'uncertain_failed',
    'setup_unavailable',
    'cancelled',
    'changed',
  ],
  code: 'WELCOME10',
  refusals: new Set(),
});

/** One booking of a stay, in a random way. Null: it got no outcome; the history has the reason. */
export async function book(
  client: CarefulClient,
  stay: Stay,
  { suffixes, ...selling }: Selling,
  chance: Chance,
): Promise<Ended> {
  const way = chance.pick(ways[client.partner.credentials.settlement]);
  try {
    return await way({ ...selling, client, stay, suffix: chance.pick(suffixes), chance });
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    return null;
  }
}
