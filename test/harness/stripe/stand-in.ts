/**
 * A stand-in of the payment provider: deterministic, without sockets, with its own ledger. Its clock and its
 * randomness are parameters. It answers the calls that Latchkey makes; `guest` acts as the guest's browser.
 */
import description from './description.json' with { type: 'json' };
import { type Card, type CardName, type Decline, testCards } from './cards.ts';
import type {
  BalanceTransaction,
  Charge,
  Customer,
  Dispute,
  Event,
  Metadata,
  Movement,
  PaymentError,
  PaymentIntent,
  Payout,
  Refund,
  Session,
  SetupIntent,
} from './objects.ts';
import { checkParameters, type Parameters } from './parameters.ts';

/** A request as the client sends it. */
export interface Request {
  method: string;
  /** Without the query. */
  path: string;
  parameters: Parameters;
  key: string | null;
  authorization: string | null;
  /** The version of the API that the client speaks. */
  version: string | null;
}

/** A complete answer. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/**
 * What goes wrong with a call.
 *
 * - `429`, `409`, `503`: refused at once; nothing is kept under the key.
 * - `500_before`, `500_after`: an error without or with the effect, kept under the key.
 * - `cut_before`, `cut_after`: the connection is cut before or after the effect.
 * - `late`: no answer; the effect happens `lateMs` later, and until then the key is in use.
 * - `delay`: the answer comes after `delayMs`.
 */
export type Fault =
  | '409'
  | '429'
  | '503'
  | '500_before'
  | '500_after'
  | 'cut_before'
  | 'cut_after'
  | 'late'
  | 'delay';

/** What a client gets: an answer, perhaps after a delay, a cut connection, or nothing. */
export type Reply =
  | { kind: 'answer'; answer: Answer; delayMs: number }
  | { kind: 'cut' }
  | { kind: 'silence' };

/** A call as a fault plan sees it: `POST /v1/payment_intents/{id}/capture`. */
export interface Call {
  name: string;
  /** From 0, over all calls. */
  index: number;
  request: Request;
}

/** The settings of a stand-in. */
export interface StandInSettings {
  /** Milliseconds since 1970. Default: the process's clock. */
  now?: () => number;
  /** From 0 to below 1; only for secrets. Default: a constant sequence. */
  random?: () => number;
  /** The fault of each call. Default: none. */
  faultOf?: (call: Call) => Fault | null;
  secretKey?: string;
  /** False: the key may do nothing (403). */
  isPermitted?: boolean;
  /** The number of the first name that it gives. Default: 1. */
  firstNumber?: number;
  /** How long a late effect takes; of each one, if it is a function. */
  lateMs?: number | (() => number);
  delayMs?: number;
}

class ProviderError extends Error {
  readonly answer: Answer;
  /** False: the request was refused before it was executed, so nothing is kept under its key. */
  readonly isKept: boolean;

  constructor(status: number, error: Record<string, unknown>, isKept = true) {
    super(String(error['code'] ?? error['type']));
    this.answer = { status, body: { error } };
    this.isKept = isKept;
  }
}

const invalid = (code: string, message: string, status = 400): ProviderError =>
  new ProviderError(status, { type: 'invalid_request_error', code, message });

const missing = (id: string): ProviderError =>
  invalid('resource_missing', `No such object: ${id}`, 404);

const threeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const wholeOnly = new Set(['isk', 'ugx']);

function checkAmount(amount: number, currency: string): void {
  const step = threeDecimals.has(currency) ? 10 : wholeOnly.has(currency) ? 100 : 1;
  if (amount < 1) throw invalid('parameter_invalid_integer', 'The amount must be at least 1.');
  if (amount % step !== 0) throw invalid('parameter_invalid_integer', `Not a multiple of ${step}.`);
}

/** The rules of the paths: `{id}` is one segment. */
const routes = Object.keys(description.calls).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, pattern: new RegExp(`^${path.replace('{id}', '([^/]+)')}$`) };
});

interface Kept {
  fingerprint: string;
  /** Null: the first request is still being executed. */
  answer: Answer | null;
}

/** The parameters of all calls; the description has checked them before. */
interface Given {
  amount?: string;
  amount_to_capture?: string;
  cancellation_reason?: string;
  capture_method?: PaymentIntent['capture_method'];
  confirm?: string;
  created?: { gte?: string; lt?: string };
  status?: string;
  currency: string;
  customer: string;
  description?: string;
  email?: string;
  limit?: string;
  metadata?: Metadata;
  expires_at?: string;
  line_items?: { price_data: { currency: string; unit_amount: string } }[];
  name?: string;
  payment_intent: string;
  payment_intent_data?: { description?: string; metadata?: Metadata };
  payment_method: string;
  arrival_date?: { gte?: string; lt?: string };
  payout?: string;
  starting_after?: string;
  success_url?: string;
  usage?: string;
}

const isIn = (range: Given['created'], { created }: { created: number }): boolean =>
  created >= Number(range?.gte ?? 0) && created < Number(range?.lt ?? Infinity);

type Handler = (given: Given, id: string) => object;

/** The stand-in. */
export class StandIn {
  /** What the provider would sell as its ledger: every movement of money, in order. */
  readonly ledger: Movement[] = [];
  readonly events: Event[] = [];
  /** Every call, with its fault. */
  readonly calls: (Call & { fault: Fault | null; status: number | null })[] = [];
  readonly payments = new Map<string, PaymentIntent>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly setups = new Map<string, SetupIntent>();
  readonly customers = new Map<string, Customer>();
  readonly sessions = new Map<string, Session>();
  readonly payouts = new Map<string, { payout: Payout; moves: BalanceTransaction[] }>();
  /** Called with each event when it happens. */
  onEvent: (event: Event) => void = () => undefined;
  /** The fault of each call; a test may replace it at any time. */
  faultOf: (call: Call) => Fault | null;
  /** The state of the next refunds: `pending` until the test finishes them. */
  refundsStayPending = false;
  /** The code with which each refund is refused; null: none is. */
  refundRefusal: string | null = null;
  readonly #settings: Required<Omit<StandInSettings, 'faultOf'>>;
  readonly #charges = new Map<string, Charge>();
  readonly #cards = new Map<string, { card: Card; customer: string }>();
  readonly #kept = new Map<string, Kept>();
  #paidOut = 0;
  readonly #paidBy = new Map<string, NonNullable<Given['payment_intent_data']>>();
  #late: { at: number; run: () => void }[] = [];
  #count: number;

  constructor(settings: StandInSettings = {}) {
    const { faultOf = () => null, ...rest } = settings;
    this.faultOf = faultOf;
    this.#settings = {
      now: Date.now,
      random: () => 0.5,
      secretKey: 'sk_test_standin',
      isPermitted: true,
      firstNumber: 1,
      lateMs: 20_000,
      delayMs: 200,
      ...rest,
    };
    this.#count = this.#settings.firstNumber - 1;
  }

  /** Answers a request, with the fault that the plan has for it. */
  reply(request: Request): Reply {
    this.finishLate();
    const route = routes.find(
      ({ method, pattern }) => method === request.method && pattern.test(request.path),
    );
    const name = route?.name ?? `${request.method} ${request.path}`;
    const call = { name, index: this.calls.length, request };
    const fault = this.faultOf(call);
    const recorded = { ...call, fault, status: null as number | null };
    this.calls.push(recorded);
    if (fault === 'cut_before') return { kind: 'cut' };
    if (fault === 'late') return this.#executeLate(name, request);
    const answer = this.#answer(name, request, fault);
    recorded.status = answer.status;
    if (fault === 'cut_after') return { kind: 'cut' };
    return { kind: 'answer', answer, delayMs: fault === 'delay' ? this.#settings.delayMs : 0 };
  }

  /** Executes what arrived `late`, as far as it is due by the clock; with `all`, everything. */
  finishLate(all = false): void {
    const now = this.#settings.now();
    const due = this.#late.filter(({ at }) => all || at <= now);
    this.#late = this.#late.filter((late) => !due.includes(late));
    for (const { run } of due) run();
  }

  #executeLate(name: string, request: Request): Reply {
    const { key } = request;
    const before = key === null ? undefined : this.#kept.get(key);
    if (before) return { kind: 'silence' };
    if (key !== null) this.#kept.set(key, { fingerprint: fingerprintOf(request), answer: null });
    this.#late.push({
      at: this.#settings.now() + this.#lateMs(),
      run: () => {
        if (key !== null) this.#kept.delete(key);
        this.#answer(name, request, null);
      },
    });
    return { kind: 'silence' };
  }

  #lateMs(): number {
    const { lateMs } = this.#settings;
    return typeof lateMs === 'function' ? lateMs() : lateMs;
  }

  #answer(name: string, request: Request, fault: Fault | null): Answer {
    try {
      this.#admit(name, request, fault);
    } catch (error) {
      if (error instanceof ProviderError) return error.answer;
      throw error;
    }
    const { key } = request;
    const kept = key === null ? undefined : this.#kept.get(key);
    if (kept?.answer) {
      return { ...kept.answer, headers: { 'idempotent-replayed': 'true' } };
    }
    const { answer, isKept } = this.#execute(name, request, fault);
    if (key !== null && isKept) {
      this.#kept.set(key, { fingerprint: fingerprintOf(request), answer: structuredClone(answer) });
    }
    return structuredClone(answer);
  }

  /** Refuses what the provider refuses before it executes anything. */
  #admit(name: string, request: Request, fault: Fault | null): void {
    const { secretKey, isPermitted } = this.#settings;
    if (request.authorization !== `Bearer ${secretKey}`) {
      throw new ProviderError(401, { type: 'invalid_request_error', message: 'Invalid API Key' });
    }
    if (!isPermitted) {
      throw new ProviderError(403, {
        type: 'invalid_request_error',
        code: 'more_permissions_required',
      });
    }
    if (request.version !== description.apiVersion) {
      throw invalid('invalid_api_version', `This is ${description.apiVersion}.`);
    }
    if (fault === '429')
      throw new ProviderError(429, { type: 'invalid_request_error', code: 'rate_limit' });
    if (fault === '503') throw new ProviderError(503, { type: 'api_error', message: 'Try later.' });
    if (fault === '409') {
      throw new ProviderError(409, { type: 'invalid_request_error', code: 'lock_timeout' });
    }
    const problem = checkParameters(name, request.parameters);
    if (problem) {
      throw new ProviderError(400, { type: 'invalid_request_error', ...problem });
    }
    const kept = request.key === null ? undefined : this.#kept.get(request.key);
    if (kept && kept.fingerprint !== fingerprintOf(request)) {
      throw new ProviderError(400, { type: 'idempotency_error', message: 'Other parameters.' });
    }
    if (kept && kept.answer === null) {
      throw new ProviderError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
    }
  }

  #execute(
    name: string,
    request: Request,
    fault: Fault | null,
  ): { answer: Answer; isKept: boolean } {
    const broken = { status: 500, body: { error: { type: 'api_error', message: 'Try later.' } } };
    if (fault === '500_before') return { answer: broken, isKept: true };
    let result: { answer: Answer; isKept: boolean };
    try {
      const id = routes.find((route) => route.name === name)?.pattern.exec(request.path)?.[1] ?? '';
      const body = this.#handlers[name]?.(request.parameters as unknown as Given, id);
      result = { answer: { status: 200, body: body as Record<string, unknown> }, isKept: true };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      result = { answer: error.answer, isKept: error.isKept };
    }
    return fault === '500_after' ? { answer: broken, isKept: true } : result;
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${String(this.#count).padStart(14, '0')}`;
  }

  #secret(id: string): string {
    return `${id}_secret_${Math.floor(this.#settings.random() * 2 ** 48).toString(36)}`;
  }

  get #created(): number {
    return Math.floor(this.#settings.now() / 1000);
  }

  #emit(type: string, object: Event['data']['object']): void {
    const event: Event = {
      id: this.#id('evt'),
      object: 'event',
      api_version: description.apiVersion,
      created: this.#created,
      data: { object: structuredClone(object) },
      livemode: false,
      type,
    };
    this.events.push(event);
    this.onEvent(event);
  }

  #move(kind: Movement['kind'], payment: PaymentIntent, amount: number, refund?: string): void {
    this.ledger.push({
      kind,
      paymentIntent: payment.id,
      paymentId: payment.metadata['payment_id'] ?? null,
      refund: refund ?? null,
      amount,
      currency: payment.currency,
    });
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    'POST /v1/customers': ({ email = null, name = null, metadata = {} }) => {
      const customer: Customer = {
        id: this.#id('cus'),
        object: 'customer',
        created: this.#created,
        email,
        name,
        livemode: false,
        metadata,
      };
      this.customers.set(customer.id, customer);
      return customer;
    },
    'GET /v1/customers': ({ email }) => ({
      object: 'list',
      data: [...this.customers.values()].filter((customer) => customer.email === email),
      has_more: false,
    }),
    'DELETE /v1/customers/{id}': (_, id) => {
      if (!this.customers.delete(id)) throw missing(id);
      return { id, object: 'customer', deleted: true };
    },
    'POST /v1/setup_intents': ({ customer, usage = 'off_session', metadata = {} }) => {
      if (!this.customers.has(customer)) throw missing(customer);
      const id = this.#id('seti');
      const setup: SetupIntent = {
        id,
        object: 'setup_intent',
        client_secret: this.#secret(id),
        created: this.#created,
        customer,
        last_setup_error: null,
        livemode: false,
        metadata,
        payment_method: null,
        status: 'requires_payment_method',
        usage,
      };
      this.setups.set(id, setup);
      return setup;
    },
    'GET /v1/setup_intents/{id}': (_parameters, id) => found(this.setups, id),
    'POST /v1/payment_intents': (parameters) => this.#createPayment(parameters),
    'GET /v1/payment_intents/{id}': (_parameters, id) => this.#withCharge(found(this.payments, id)),
    'GET /v1/payment_intents': ({ customer, created, ...page }) => {
      const matching = [...this.payments.values()].filter(
        (payment) => isIn(created, payment) && payment.customer === (customer ?? payment.customer),
      );
      return pageOf('/v1/payment_intents', matching, page, (payment) => this.#withCharge(payment));
    },
    'POST /v1/payment_intents/{id}/capture': ({ amount_to_capture }, id) =>
      this.#capture(found(this.payments, id), amount_to_capture),
    'POST /v1/payment_intents/{id}/cancel': ({ cancellation_reason }, id) =>
      this.#cancel(found(this.payments, id), cancellation_reason ?? null),
    'POST /v1/refunds': ({ payment_intent, amount, metadata = {} }) =>
      this.#refund(found(this.payments, payment_intent), amount, metadata),
    'GET /v1/refunds/{id}': (_parameters, id) => found(this.refunds, id),
    'GET /v1/refunds': ({ payment_intent, created, ...page }) => {
      const matching = [...this.refunds.values()].filter(
        (refund) =>
          refund.payment_intent === (payment_intent ?? refund.payment_intent) &&
          isIn(created, refund),
      );
      return pageOf('/v1/refunds', matching, page, (refund) => refund);
    },
    'POST /v1/checkout/sessions': (parameters) => this.#createSession(parameters),
    'GET /v1/checkout/sessions/{id}': (_parameters, id) => this.#session(id),
    'GET /v1/checkout/sessions': ({ customer, created, status, ...page }) => {
      const matching = [...this.sessions.values()].filter(
        (session) =>
          isIn(created, session) &&
          session.customer === (customer ?? session.customer) &&
          (status === undefined || this.#session(session.id).status === status),
      );
      return pageOf('/v1/checkout/sessions', matching, page, ({ id }) => this.#session(id));
    },
    'POST /v1/checkout/sessions/{id}/expire': (_parameters, id) => {
      const session = this.#session(id);
      if (session.status !== 'open') {
        throw invalid('resource_missing', `Only open sessions expire; this is ${session.status}.`);
      }
      return this.#expireSession(session);
    },
    'GET /v1/payouts': ({ arrival_date, ...page }) => {
      const matching = [...this.payouts.values()]
        .map(({ payout }) => payout)
        .filter((payout) => isIn(arrival_date, { created: payout.arrival_date }));
      return pageOf('/v1/payouts', matching, page, (payout) => payout);
    },
    'GET /v1/balance_transactions': ({ payout = '', ...page }) => {
      const paid = this.payouts.get(payout);
      if (!paid) throw missing(payout);
      if (!paid.payout.automatic)
        throw invalid('payout_not_automatic', 'It was asked for by hand.');
      return pageOf('/v1/balance_transactions', paid.moves, page, (move) => move);
    },
    'GET /v1/disputes': ({ created, ...page }) => {
      const matching = [...this.disputes.values()].filter((dispute) => isIn(created, dispute));
      return pageOf('/v1/disputes', matching, page, (dispute) => dispute);
    },
  };

  #createSession(given: Given): Session {
    const [item] = given.line_items ?? [];
    if (!item) throw invalid('parameter_missing', 'There is no line item.');
    const { currency, unit_amount } = item.price_data;
    const amount = Number(unit_amount);
    checkAmount(amount, currency);
    if (!this.customers.has(given.customer)) throw missing(given.customer);
    const expiresAt = Number(given.expires_at ?? this.#created + 86_400);
    const lasts = expiresAt - this.#created;
    if (lasts < 1_800 || lasts > 86_400)
      throw invalid('invalid_expires_at', `It lasts ${lasts} s.`);
    const id = this.#id('cs');
    const session: Session = {
      id,
      object: 'checkout.session',
      amount_total: amount,
      created: this.#created,
      currency,
      customer: given.customer,
      expires_at: expiresAt,
      livemode: false,
      metadata: given.metadata ?? {},
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: given.success_url ?? '',
      url: `https://checkout.stand-in.test/${id}`,
    };
    this.sessions.set(id, session);
    this.#paidBy.set(id, given.payment_intent_data ?? {});
    return session;
  }

  /** A session as it is by the clock. */
  #session(id: string): Session {
    const session = found(this.sessions, id);
    const isOver = session.status === 'open' && session.expires_at <= this.#created;
    return isOver ? this.#expireSession(session) : session;
  }

  #expireSession(session: Session): Session {
    session.status = 'expired';
    session.url = null;
    this.#emit('checkout.session.expired', session);
    return session;
  }

  #withCharge(payment: PaymentIntent): object {
    return { ...payment, latest_charge: this.#charges.get(payment.latest_charge ?? '') ?? null };
  }

  #createPayment(given: Given): PaymentIntent {
    const { currency, customer, payment_method } = given;
    const amount = Number(given.amount);
    if (!this.customers.has(customer)) throw missing(customer);
    const card = this.#cards.get(payment_method);
    if (card?.customer !== customer) throw missing(payment_method);
    checkAmount(amount, currency);
    const id = this.#id('pi');
    const payment: PaymentIntent = {
      id,
      object: 'payment_intent',
      amount,
      amount_capturable: 0,
      amount_received: 0,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: given.capture_method ?? 'automatic',
      client_secret: this.#secret(id),
      created: this.#created,
      currency,
      customer,
      description: given.description ?? null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: given.metadata ?? {},
      payment_method,
      status: 'requires_confirmation',
    };
    this.payments.set(id, payment);
    if (given.confirm === 'true') this.#confirm(payment, card.card, false);
    return payment;
  }

  /** Asks the bank. With the guest at the browser, an authentication is possible. */
  #confirm(payment: PaymentIntent, card: Card, isAuthenticated: boolean): void {
    if (card.chargeDecline) this.#decline(payment, card.chargeDecline);
    if (card.authenticates && !isAuthenticated) {
      const code = 'authentication_required';
      this.#decline(payment, { code, decline_code: code });
    }
    payment.last_payment_error = null;
    const charge: Charge = {
      id: this.#id('ch'),
      object: 'charge',
      amount: payment.amount,
      amount_captured: 0,
      amount_refunded: 0,
      captured: false,
      disputed: false,
      payment_intent: payment.id,
    };
    this.#charges.set(charge.id, charge);
    payment.latest_charge = charge.id;
    payment.status = 'requires_capture';
    payment.amount_capturable = payment.amount;
    this.#move('authorized', payment, payment.amount);
    if (payment.capture_method === 'manual') {
      this.#emit('payment_intent.amount_capturable_updated', payment);
    } else {
      this.#collect(payment, payment.amount);
    }
  }

  #decline(payment: PaymentIntent, decline: Decline): never {
    const error: PaymentError = {
      type: 'card_error',
      message: 'The card was declined.',
      ...decline,
    };
    payment.status = 'requires_payment_method';
    payment.last_payment_error = error;
    this.#emit('payment_intent.payment_failed', payment);
    throw new ProviderError(402, { ...error, payment_intent: structuredClone(payment) });
  }

  #collect(payment: PaymentIntent, amount: number): void {
    const charge = this.#charges.get(payment.latest_charge ?? '');
    if (!charge) throw new Error(`${payment.id} has no charge`);
    this.#move('captured', payment, amount);
    if (amount < payment.amount) this.#move('released', payment, payment.amount - amount);
    charge.amount_captured = amount;
    charge.captured = true;
    payment.status = 'succeeded';
    payment.amount_capturable = 0;
    payment.amount_received = amount;
    this.#emit('payment_intent.succeeded', payment);
  }

  #capture(payment: PaymentIntent, given: string | undefined): PaymentIntent {
    if (payment.status !== 'requires_capture') throw this.#unexpectedState(payment);
    const amount = given === undefined ? payment.amount : Number(given);
    checkAmount(amount, payment.currency);
    if (amount > payment.amount_capturable)
      throw invalid('amount_too_large', 'More than authorized.');
    this.#collect(payment, amount);
    return payment;
  }

  #unexpectedState(payment: PaymentIntent): ProviderError {
    const code = 'payment_intent_unexpected_state';
    const error = { type: 'invalid_request_error', code, message: `It is ${payment.status}.` };
    return new ProviderError(400, { ...error, payment_intent: structuredClone(payment) });
  }

  #cancel(payment: PaymentIntent, reason: string | null): PaymentIntent {
    if (payment.status === 'succeeded' || payment.status === 'canceled') {
      throw this.#unexpectedState(payment);
    }
    if (payment.status === 'requires_capture') {
      this.#move('released', payment, payment.amount_capturable);
    }
    payment.status = 'canceled';
    payment.amount_capturable = 0;
    payment.canceled_at = this.#created;
    payment.cancellation_reason = reason;
    this.#emit('payment_intent.canceled', payment);
    return payment;
  }

  #refund(payment: PaymentIntent, given: string | undefined, metadata: Refund['metadata']): Refund {
    const charge = this.#charges.get(payment.latest_charge ?? '');
    if (!charge?.captured) throw invalid('charge_not_captured', 'Nothing was captured.');
    if (this.refundRefusal) throw invalid(this.refundRefusal, 'It cannot be refunded.', 402);
    const rest = charge.amount_captured - charge.amount_refunded;
    if (rest === 0) throw invalid('charge_already_refunded', 'All of it was refunded.');
    const amount = given === undefined ? rest : Number(given);
    checkAmount(amount, payment.currency);
    if (amount > rest) throw invalid('amount_too_large', 'More than what was captured.');
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      amount,
      charge: charge.id,
      created: this.#created,
      currency: payment.currency,
      metadata,
      payment_intent: payment.id,
      status: this.refundsStayPending ? 'pending' : 'succeeded',
    };
    charge.amount_refunded += amount;
    this.refunds.set(refund.id, refund);
    this.#move('refunded', payment, amount, refund.id);
    this.#emit('refund.created', refund);
    this.#emit('charge.refunded', charge);
    return refund;
  }

  /** Staff refund a payment in the provider's dashboard; null: all of it. */
  refundInDashboard(id: string, amount: number | null = null): Refund {
    return this.#refund(found(this.payments, id), amount === null ? undefined : `${amount}`, {});
  }

  /** Finishes a pending refund, as the card's bank does days later. */
  finishRefund(id: string, status: 'succeeded' | 'failed'): void {
    const refund = found(this.refunds, id);
    refund.status = status;
    if (status === 'failed') {
      refund.failure_reason = 'lost_or_stolen_card';
      const payment = found(this.payments, refund.payment_intent);
      found(this.#charges, refund.charge).amount_refunded -= refund.amount;
      this.#move('refund_failed', payment, refund.amount, refund.id);
    }
    this.#emit(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  /** Lets an authorization expire, as after seven days. */
  expireAuthorization(id: string): void {
    this.#cancel(found(this.payments, id), 'automatic');
  }

  /** Pays out what has moved since the last payout, less a fee of each payment. */
  payOut(arrivesAt: number, isAutomatic = true): Payout {
    const moves: BalanceTransaction[] = this.ledger.slice(this.#paidOut).flatMap((one) => {
      const { kind } = one;
      if (kind !== 'captured' && kind !== 'refunded') return [];
      const isCharge = kind === 'captured';
      const fee = isCharge ? Math.round(one.amount * 0.014) + 25 : 0;
      const amount = isCharge ? one.amount : -one.amount;
      const source = { id: one.refund ?? 'ch', payment_intent: one.paymentIntent };
      return { ...this.#transaction(amount, fee, one.currency), source, ...kindsOf[kind] };
    });
    this.#paidOut = this.ledger.length;
    const currency = moves[0]?.currency ?? 'usd';
    moves.push({ ...this.#transaction(-300, 0, currency), ...kindsOf.fee });
    const amount = moves.reduce((sum, { net }) => sum + net, 0);
    moves.push({ ...this.#transaction(-amount, 0, currency), ...kindsOf.payout });
    const payout: Payout = {
      id: this.#id('po'),
      object: 'payout',
      amount,
      arrival_date: Math.floor(arrivesAt / 1_000),
      automatic: isAutomatic,
      created: this.#created,
      currency,
    };
    this.payouts.set(payout.id, { payout, moves });
    return payout;
  }

  #transaction(amount: number, fee: number, currency: string) {
    const id = this.#id('txn');
    const object = 'balance_transaction' as const;
    return { id, object, amount, fee, net: amount - fee, currency, source: null };
  }

  /** The cardholder disputes a captured payment. */
  dispute(id: string, reason = 'fraudulent'): Dispute {
    const payment = found(this.payments, id);
    found(this.#charges, payment.latest_charge ?? '').disputed = true;
    const dispute: Dispute = {
      id: this.#id('dp'),
      object: 'dispute',
      amount: payment.amount_received,
      charge: payment.latest_charge ?? '',
      created: this.#created,
      currency: payment.currency,
      payment_intent: id,
      reason,
      status: 'needs_response',
      evidence_details: { due_by: this.#created + 7 * 86_400 },
      balance_transactions: [
        { amount: -payment.amount_received, currency: payment.currency, fee: 2_000 },
      ],
    };
    this.disputes.set(dispute.id, dispute);
    this.#emit('charge.dispute.created', dispute);
    return dispute;
  }

  /** A dispute ends. */
  endDispute(dispute: Dispute, status: 'lost' | 'won'): void {
    dispute.status = status;
    this.#emit('charge.dispute.closed', dispute);
  }

  /** Changes how a card behaves from now on, for instance before a later instalment. */
  changeCard(paymentMethod: string, name: CardName): void {
    const kept = this.#cards.get(paymentMethod);
    if (!kept) throw new Error(`there is no payment method ${paymentMethod}`);
    kept.card = testCards[name];
  }

  /** What the provider's script does in the guest's browser. */
  readonly guest = {
    /** The guest pays a hosted page with another card. Returns the payment; null: the page is not open, or declined. */
    payPage: (url: string, name: CardName = 'pm_card_visa'): PaymentIntent | null => {
      this.finishLate();
      const session = this.#session(url.split('/').at(-1) ?? '');
      if (session.status !== 'open') return null;
      const { description: shown, metadata } = this.#paidBy.get(session.id)!;
      const paymentMethod = this.#id('pm');
      const card: Card = testCards[name];
      this.#cards.set(paymentMethod, { card, customer: session.customer! });
      try {
        const payment = this.#createPayment({
          amount: `${session.amount_total}`,
          currency: session.currency,
          customer: session.customer!,
          payment_method: paymentMethod,
          payment_intent: '',
          ...(shown !== undefined && { description: shown }),
          ...(metadata && { metadata }),
        });
        this.#confirm(payment, card, true);
        session.status = 'complete';
        session.payment_status = 'paid';
        session.payment_intent = payment.id;
        session.url = null;
        this.#emit('checkout.session.completed', session);
        return payment;
      } catch (error) {
        if (error instanceof ProviderError) return null;
        throw error;
      }
    },
    /** The guest types a card. Returns the payment method; null: the bank declined it. */
    confirmSetup: (clientSecret: string, name: CardName): string | null => {
      const setup = bySecret(this.setups, clientSecret);
      if (setup.status !== 'requires_payment_method')
        throw new Error(`${setup.id} is ${setup.status}`);
      const card: Card = testCards[name];
      if (card.setupDecline) {
        setup.last_setup_error = { code: card.setupDecline.code };
        this.#emit('setup_intent.setup_failed', setup);
        return null;
      }
      const paymentMethod = this.#id('pm');
      this.#cards.set(paymentMethod, { card, customer: setup.customer });
      setup.payment_method = paymentMethod;
      setup.status = 'succeeded';
      this.#emit('setup_intent.succeeded', setup);
      return paymentMethod;
    },
    /** The guest authenticates a payment, or fails to. */
    authenticate: (clientSecret: string, succeeds = true): PaymentIntent['status'] => {
      this.finishLate();
      const payment = bySecret(this.payments, clientSecret);
      const kept = this.#cards.get(payment.payment_method ?? '');
      if (payment.status !== 'requires_payment_method' || !kept) return payment.status;
      try {
        if (succeeds) this.#confirm(payment, kept.card, true);
        else this.#decline(payment, { code: 'payment_intent_authentication_failure' });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
      }
      return payment.status;
    },
  };
}

/** What a balance transaction is. */
const kindsOf = {
  captured: { type: 'charge', reporting_category: 'charge' },
  refunded: { type: 'refund', reporting_category: 'refund' },
  fee: { type: 'stripe_fee', reporting_category: 'fee' },
  payout: { type: 'payout', reporting_category: 'payout' },
} as const;

const fingerprintOf = ({ method, path, parameters }: Request): string =>
  JSON.stringify([method, path, parameters]);

function found<T>(objects: ReadonlyMap<string, T>, id: string): T {
  const object = objects.get(id);
  if (!object) throw missing(id);
  return object;
}

function bySecret<T extends { client_secret: string }>(
  objects: ReadonlyMap<string, T>,
  secret: string,
): T {
  const object = [...objects.values()].find(({ client_secret }) => client_secret === secret);
  if (!object) throw new Error('nothing has this client secret');
  return object;
}

const defaultLimit = 10;

/** A page of a list, newest first. */
function pageOf<T extends { id: string }>(
  url: string,
  oldestFirst: readonly T[],
  page: { limit?: string; starting_after?: string },
  view: (object: T) => object,
): object {
  const newestFirst = oldestFirst.toReversed();
  const after = page.starting_after;
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
  if (after && start === 0) throw missing(after);
  const limit = Number(page.limit ?? defaultLimit);
  const data = newestFirst.slice(start, start + limit).map(view);
  return { object: 'list', url, has_more: start + limit < newestFirst.length, data };
}
