import assert from 'node:assert/strict';
import type { Checkout, CheckoutStatus } from '../../src/contract/partner/schemas/checkout.ts';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { TestWorker } from './test-worker.ts';
import {
  guest,
  type CallError,
  type CallReply,
  type OpenCheckout,
  type Partner,
} from './partner.ts';

/** The commands on a checkout. */
export const commands = [
  'saveGuest',
  'applyPromo',
  'setupPayment',
  'verifyPayment',
  'submit',
] as const;
export type Command = (typeof commands)[number];

/** Differences from a normal command. */
export interface Sending {
  /** Replaces or adds members; `expectedVersion: undefined` omits it. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  session?: string;
}

export const operationOf = <C extends Command>(command: C) =>
  `reservation.checkout.${command}` as const satisfies OperationId;

/** A checkout with its last read version. */
export class Journey {
  readonly partner: Partner;
  readonly open: OpenCheckout;
  version = 1;
  setupReference = 'unknown';

  constructor(partner: Partner, open: OpenCheckout) {
    this.partner = partner;
    this.open = open;
  }

  get checkoutId(): string {
    return this.open.created.checkoutId;
  }

  /** The members of a normal command. */
  body(command: Command): Record<string, unknown> {
    const { version } = this.open.quote.terms;
    const inputs: Record<Command, Record<string, unknown>> = {
      saveGuest: { guest: guest() },
      applyPromo: { code: 'WELCOME10' },
      setupPayment: {},
      verifyPayment: {
        setupReference: this.setupReference,
        paymentMethodId: 'pm_any',
        consentAccepted: true,
      },
      submit: { termsVersion: version, termsAccepted: true },
    };
    return { expectedVersion: this.version, ...inputs[command] };
  }

  #input(command: Command, { body, headers, session }: Sending) {
    const rawBody = JSON.stringify({ ...this.body(command), ...body });
    const { params } = this.open.at;
    const sent = { params, session: session ?? this.open.at.session, rawBody };
    return headers ? { ...sent, headers } : sent;
  }

  /** Sends a command and returns any response. */
  send(command: Command, sending: Sending = {}): Promise<CallReply> {
    return this.partner.call(operationOf(command), this.#input(command, sending));
  }

  /** Sends a command that must be refused so. */
  async refused(
    command: Command,
    expected: readonly [status: number, code: string, reason?: string],
    sending: Sending = {},
  ): Promise<CallError> {
    const error = await this.partner.refused(operationOf(command), this.#input(command, sending));
    assertError(error, expected);
    return error;
  }

  /** Sends a command that must take effect; from then on its version counts. */
  async done(command: Command, sending: Sending = {}): Promise<Checkout & CheckoutStatus> {
    const reply = await this.send(command, sending);
    assert.ok(reply.status < 300, `${command} returned ${reply.status}: ${reply.text}`);
    const body = reply.body as Checkout & CheckoutStatus;
    assert.equal(body.version, this.version + 1, `${command} moves the version by one`);
    this.version = body.version;
    return body;
  }

  /** Reads the checkout and uses its version from now on. */
  async read(): Promise<Checkout> {
    const checkout = await this.partner.succeed('reservation.checkout.get', this.open.at);
    this.version = checkout.version;
    this.setupReference = checkout.paymentSetup?.setupReference ?? this.setupReference;
    return checkout;
  }

  status(): Promise<CheckoutStatus> {
    return this.partner.succeed('reservation.checkout.getStatus', this.open.at);
  }
}

/** Asserts code and reason of an error. */
export function assertError(
  error: CallError,
  [status, code, reason]: readonly [status: number, code: string, reason?: string],
): void {
  const given = { status: error.status, code: error.code, reason: reasonOf(error) };
  assert.deepEqual(given, { status, code, reason });
}

const reasonOf = ({ details }: CallError): string | undefined =>
  (details as { reason?: string } | undefined)?.reason;

type Stay = Awaited<ReturnType<Partner['freeStay']>>;

const stays = new WeakMap<Partner, Stay | Promise<Stay>>();

/** Sets the stay of the partner's quotes. */
export const bookStayOf = (partner: Partner, stay: Stay): void => void stays.set(partner, stay);

/** A new quote, always for the same stay: simulated reservations do not occupy nights. */
export async function quoteOf(partner: Partner): Promise<Quote> {
  const stay = stays.get(partner) ?? partner.freeStay();
  stays.set(partner, stay);
  return partner.quote(await stay);
}

/** A new checkout with its own quote. */
export async function begin(partner: Partner): Promise<Journey> {
  return new Journey(partner, await partner.checkout(await quoteOf(partner)));
}

const suffixes: Partial<Record<Checkout['state'], string>> = {
  uncertain: 'uncertain',
  failed: 'failed',
  expired: 'quote_expired',
};

/** A checkout in a state, reached by commands of the contract and the test worker. */
export async function journeyTo(
  state: Checkout['state'],
  partner: Partner,
  testWorker: TestWorker,
  suffix = suffixes[state],
): Promise<Journey> {
  const journey = await begin(partner);
  await advance(journey, state, testWorker, suffix);
  assert.equal((await journey.read()).state, state);
  return journey;
}

async function advance(
  journey: Journey,
  state: Checkout['state'],
  testWorker: TestWorker,
  suffix: string | undefined,
): Promise<void> {
  if (state === 'needs_guest') return;
  await journey.done('saveGuest', { body: { guest: guest(suffix) } });
  if (state === 'needs_payment') return;
  if (journey.partner.credentials.settlement === 'card') {
    await journey.done('setupPayment');
    await testWorker.runDue();
    await journey.read();
    const paymentMethodId = state === 'requires_action' ? 'pm_simulated_requires_action' : 'pm_any';
    await journey.done('verifyPayment', { body: { paymentMethodId } });
  }
  if (state === 'ready') return;
  await journey.done('submit');
  if (state === 'pending' || state === 'requires_action') return;
  await testWorker.runDue();
}
