import type {
  CardProvider,
  FoundPayment,
  ProviderState,
  RefundState,
} from '../../src/payments/ports/card-provider.ts';

/** What goes wrong with one call. `lost`: the answer; `kept`: an error that the provider keeps under the key. */
export type Fault = 'declined' | 'lost before' | 'lost after' | 'kept before' | 'kept after';

interface MadePayment {
  paymentId: string;
  providerReference: string;
  customerReference: string;
  state: ProviderState;
  amountMinor: number;
  currency: string;
  declineCode: string | null;
  refunds: {
    declineCode?: string;
    /** Null: it was made in the dashboard. */
    refundId: string | null;
    refundReference: string;
    amountMinor: number;
    state: Exclude<RefundState, 'none'>;
  }[];
  createdAt: number;
}

const unknown = { outcome: 'unknown' } as const;

/** A card provider in memory, with a ledger of its own. It knows every idempotency key. */
export class FakeProvider implements CardProvider {
  kind = 'fake';
  publishableKey = 'pk_fake';
  payments: MadePayment[] = [];
  /** The fault of the next call that has an effect; null: none. */
  nextFault: () => Fault | null = () => null;
  /** The number of calls that a lookup does not answer. */
  lookUpsLost = 0;
  #kept = new Map<string, object>();

  #effect<Answer extends object>(key: string, effect: (isDeclined: boolean) => Answer) {
    const kept = this.#kept.get(key) as Answer | undefined;
    if (kept) return kept;
    const fault = this.nextFault();
    if (fault === 'lost before') return unknown;
    if (fault === 'kept before') return this.#keep(key, { ...unknown, retryRound: true } as const);
    const answer = effect(fault === 'declined');
    if (fault === 'kept after') return this.#keep(key, { ...unknown, retryRound: true } as const);
    this.#keep(key, answer);
    return fault === 'lost after' ? unknown : answer;
  }

  #keep<Answer extends object>(key: string, answer: Answer): Answer {
    this.#kept.set(key, answer);
    return answer;
  }

  prepareCard: CardProvider['prepareCard'] = async () => unknown;
  prepareCustomer: CardProvider['prepareCustomer'] = async ({ checkoutId }) =>
    this.#isLost() ? unknown : { outcome: 'done', customerReference: `cus_${checkoutId}` };
  verifyCard: CardProvider['verifyCard'] = async () => unknown;
  deleteCustomers: CardProvider['deleteCustomers'] = async () => unknown;
  authorize: CardProvider['authorize'] = async () => unknown;
  capture: CardProvider['capture'] = async () => unknown;

  charge: CardProvider['charge'] = async ({ paymentId, round, amountMinor, currency, card }) =>
    this.#effect(`charge/${paymentId}/${round}`, (isDeclined) => {
      const made = this.add({ paymentId, amountMinor, currency, isDeclined, ...card });
      return isDeclined
        ? { outcome: 'refused', reason: 'declined', declineCode: made.declineCode }
        : { outcome: 'done', providerReference: made.providerReference };
    }) as Awaited<ReturnType<CardProvider['charge']>>;

  void: CardProvider['void'] = async ({ providerReference }) => {
    const made = this.#made(providerReference);
    if (made.state === 'captured') {
      return { outcome: 'refused', reason: 'captured', declineCode: null };
    }
    made.state = 'voided';
    return { outcome: 'done' };
  };

  refund: CardProvider['refund'] = async ({ refundId, round, providerReference, amountMinor }) =>
    this.#effect(`refund/${refundId}/${round}`, (isDeclined) => {
      if (isDeclined) return { outcome: 'refused', reason: 'declined', declineCode: 'no_funds' };
      const refundReference = `re_${refundId}_${round}`;
      const made = this.#made(providerReference);
      const left = leftOf(made);
      if (amountMinor > left) {
        const declineCode = left === 0 ? 'charge_already_refunded' : 'amount_too_large';
        return { outcome: 'refused', reason: 'declined', declineCode, kind: 'amount' };
      }
      made.refunds.push({
        refundId,
        refundReference,
        amountMinor,
        state: 'done',
      });
      return { outcome: 'done', refundReference, state: 'done' };
    }) as Awaited<ReturnType<CardProvider['refund']>>;

  findPayment: CardProvider['findPayment'] = async ({ paymentId }) => {
    if (this.#isLost()) return unknown;
    const made = this.payments.find((one) => one.paymentId === paymentId);
    return { outcome: 'done', ...(made ? foundOf(made) : nothing) };
  };

  findRefund: CardProvider['findRefund'] = async ({
    refundId,
    refundReference: asked,
    providerReference,
  }) => {
    if (this.#isLost()) return unknown;
    const { refunds } = this.#made(providerReference);
    const made = refunds.find((one) => one.refundId === refundId || one.refundReference === asked);
    const { state, refundReference } = made ?? { state: 'none' as const, refundReference: null };
    return { outcome: 'done', state, refundReference, declineCode: made?.declineCode ?? null };
  };

  /** Staff refund the latest payment of this customer in the provider's dashboard. */
  refundElsewhere(customerReference: string, amountMinor: number, at = -1): MadePayment {
    const made = this.payments.filter((one) => one.customerReference === customerReference).at(at)!;
    const refundReference = `re_elsewhere_${made.paymentId}_${made.refunds.length}`;
    made.refunds.push({ refundId: null, refundReference, amountMinor, state: 'done' });
    return made;
  }

  /** The bank of this customer sends all refunds back. */
  sendRefundsBack(customerReference: string): void {
    const own = this.payments.filter((one) => one.customerReference === customerReference);
    for (const refund of own.flatMap(({ refunds }) => refunds)) {
      Object.assign(refund, { state: 'failed', declineCode: 'expired_or_canceled_card' });
    }
  }

  /** Pages of two, so that every list with more has several. */
  listPayments: CardProvider['listPayments'] = async ({ range: { since, until }, after }) => {
    if (this.#isLost()) return unknown;
    const inRange = this.payments
      .toReversed()
      .filter(({ createdAt }) => createdAt >= since && createdAt < (until ?? Infinity));
    const from = inRange.findIndex(({ providerReference }) => providerReference === after) + 1;
    const page = inRange.slice(from, from + 2);
    const last = inRange.length > from + 2 ? page.at(-1)! : null;
    return {
      outcome: 'done',
      payments: page.map((made) => {
        const { paymentId, providerReference, customerReference, currency, createdAt } = made;
        const { clientSecret: _secret, declineCode: _code, ...found } = foundOf(made);
        return {
          ...found,
          origin: null,
          paymentId,
          customerReference,
          providerReference,
          currency,
          createdAt,
        };
      }),
      next: last && last.providerReference,
    };
  };

  /** The hosted pages, by reference. */
  pages = new Map<
    string,
    {
      paymentId: string;
      state: 'open' | 'paid' | 'expired';
      amountMinor: number;
      currency: string;
      customerReference: string;
      providerReference: string | null;
    }
  >();

  #page(pageReference: string) {
    const { state, providerReference } = this.pages.get(pageReference)!;
    const url = state === 'open' ? `https://pay.test/${pageReference}` : null;
    return { outcome: 'done' as const, state, pageReference, url, providerReference };
  }

  createLink: CardProvider['createLink'] = async ({ paymentId, round, ...link }) =>
    this.#effect(`link/${paymentId}/${round}`, (isDeclined) => {
      if (isDeclined)
        return { outcome: 'refused', reason: 'declined', declineCode: 'amount_too_large' };
      const { amountMinor, currency, customerReference } = link;
      const pageReference = `cs_${paymentId}_${round}`;
      const page = { paymentId, amountMinor, currency, customerReference };
      this.pages.set(pageReference, { ...page, state: 'open', providerReference: null });
      return { outcome: 'done', pageReference, url: `https://pay.test/${pageReference}` };
    }) as Awaited<ReturnType<CardProvider['createLink']>>;

  findLink: CardProvider['findLink'] = async ({ paymentId, pageReference }) => {
    if (this.#isLost()) return unknown;
    const listed = [...this.pages].find(([, page]) => page.paymentId === paymentId)?.[0];
    const found = pageReference ?? listed;
    if (found !== undefined) return this.#page(found);
    return {
      outcome: 'done',
      state: 'none',
      pageReference: null,
      url: null,
      providerReference: null,
    };
  };

  endLink: CardProvider['endLink'] = async ({ pageReference }) => {
    if (this.#isLost()) return unknown;
    const page = this.pages.get(pageReference)!;
    if (page.state === 'open') page.state = 'expired';
    return this.#page(pageReference);
  };

  /** The guest pays a page with another card; one that is not open cannot be paid. */
  payPage(url: string): void {
    const pageReference = url.split('/').at(-1)!;
    const page = this.pages.get(pageReference)!;
    if (page.state !== 'open') throw new Error(`${pageReference} is ${page.state}`);
    page.state = 'paid';
    page.providerReference = this.add(page).providerReference;
  }

  refundsOf: CardProvider['refundsOf'] = async ({ providerReference }) => {
    if (this.#isLost()) return unknown;
    const refunds = this.#made(providerReference).refunds.map((one) => ({
      ...one,
      origin: null,
      declineCode: one.declineCode ?? null,
    }));
    return { outcome: 'done', refunds };
  };

  listOpenLinks: CardProvider['listOpenLinks'] = async () => unknown;
  listRefunds: CardProvider['listRefunds'] = async () => unknown;
  listDisputes: CardProvider['listDisputes'] = async () => unknown;
  listPayouts: CardProvider['listPayouts'] = async () => unknown;
  listPayoutLines: CardProvider['listPayoutLines'] = async () => unknown;

  /** Adds a payment, as if it had been made before the test. */
  add(payment: {
    paymentId: string;
    amountMinor: number;
    currency: string;
    customerReference: string;
    isDeclined?: boolean;
  }): MadePayment {
    const { isDeclined = false, paymentId, amountMinor, currency, customerReference } = payment;
    const made: MadePayment = {
      paymentId,
      amountMinor,
      currency,
      customerReference,
      providerReference: `pi_${paymentId}_${this.payments.length}`,
      state: isDeclined ? 'declined' : 'captured',
      declineCode: isDeclined ? 'insufficient_funds' : null,
      refunds: [],
      createdAt: Date.now(),
    };
    this.payments.push(made);
    return made;
  }

  #made(providerReference: string): MadePayment {
    return this.payments.find((one) => one.providerReference === providerReference)!;
  }

  #isLost(): boolean {
    if (this.lookUpsLost === 0) return false;
    this.lookUpsLost -= 1;
    return true;
  }
}

const leftOf = ({ amountMinor, refunds }: MadePayment): number =>
  refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((left, one) => left - one.amountMinor, amountMinor);

const nothing: FoundPayment = {
  state: 'none',
  providerReference: null,
  amountMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  clientSecret: null,
  declineCode: null,
  isDisputed: false,
};

const foundOf = (made: MadePayment): FoundPayment => {
  const { state, providerReference, amountMinor, declineCode, refunds } = made;
  return {
    state,
    providerReference,
    amountMinor,
    capturedMinor: state === 'captured' ? amountMinor : 0,
    refundedMinor: refunds
      .filter((one) => one.state !== 'failed')
      .reduce((sum, one) => sum + one.amountMinor, 0),
    clientSecret: null,
    declineCode,
    isDisputed: false,
  };
};
