/** The checkout as the contract describes it, by itself: what the model test compares the service with. */

import type { Command } from '../../harness/journey.ts';

export type Settlement = 'card' | 'partner';
export type State =
  | 'needs_guest'
  | 'needs_payment'
  | 'ready'
  | 'pending'
  | 'requires_action'
  | 'confirmed'
  | 'uncertain'
  | 'failed'
  | 'expired';

export interface Input {
  expectedVersion: number;
  guest?: { email: string };
  code?: string;
  setupReference?: string;
  paymentMethodId?: string;
  termsVersion?: string;
}

interface Setup {
  state: 'pending' | 'ready' | 'failed';
  failure?: string;
  attempts: number;
  aMinuteOld: boolean;
}

/** What the service must answer: `ok`, or a code with its reason. */
export type Verdict = 'ok' | string;

const allowed: Record<Command, State[]> = {
  saveGuest: ['needs_guest', 'needs_payment', 'ready'],
  applyPromo: ['needs_guest', 'needs_payment', 'ready'],
  setupPayment: ['needs_payment'],
  verifyPayment: ['needs_payment', 'requires_action'],
  submit: ['ready'],
};
const unsubmitted: ReadonlySet<State> = new Set(['needs_guest', 'needs_payment', 'ready']);
const promotions: Record<string, Verdict> = {
  WELCOME10: 'ok',
  ENDED2020: 'policy_restricted promotion_ended',
};

/** What a resolution comes to: state, reason, and what it becomes later on. */
const outcomes: Record<string, [State, string?]> = {
  failed: ['failed', 'refused'],
  sold_out: ['failed', 'sold_out'],
  quote_expired: ['expired', 'quote_expired'],
  uncertain: ['uncertain'],
  uncertain_confirmed: ['uncertain'],
  uncertain_failed: ['uncertain'],
};
const told: Record<string, [State, string?]> = {
  uncertain_confirmed: ['confirmed'],
  uncertain_failed: ['failed', 'refused'],
};

export const suffixes = [
  'none',
  'setup_unavailable',
  'setup_declined',
  ...Object.keys(outcomes),
] as const;

export class Model {
  readonly settlement: Settlement;
  readonly termsVersion: string;
  state: State = 'needs_guest';
  version = 1;
  guest: { email: string } | null = null;
  code: string | null = null;
  setup: Setup | null = null;
  setupReference = 'unknown';
  method: string | null = null;
  failure: string | null = null;
  quoteExpired = false;
  actionOverdue = false;
  supplierTells = false;
  events: string[] = [];
  readonly journal = new Map<string, Verdict>();

  constructor(settlement: Settlement, termsVersion: string) {
    this.settlement = settlement;
    this.termsVersion = termsVersion;
  }

  /** Takes a command, in the order of the decisions. */
  take(command: Command, input: Input): Verdict {
    if (this.settlement === 'partner' && /Payment/.test(command)) return 'payment_not_required';
    const name = JSON.stringify([command, input]);
    const was = this.journal.get(name);
    if (was !== undefined) return was;
    if (input.expectedVersion !== this.version) return 'precondition_failed';
    if (this.quoteExpired && unsubmitted.has(this.state)) {
      this.journal.set(name, 'quote_expired');
      this.#move('expired', 'quote_expired');
      return 'quote_expired';
    }
    if (!allowed[command].includes(this.state)) return 'invalid_state';
    const verdict = this.#does[command](input);
    if (verdict === 'ok') this.journal.set(name, 'ok');
    return verdict;
  }

  #move(state: State, failure: string | null = null): void {
    this.state = state;
    this.failure = failure;
    this.version += 1;
  }

  readonly #does: Record<Command, (input: Input) => Verdict> = {
    saveGuest: ({ guest }) => {
      this.guest = guest ?? null;
      const first = this.settlement === 'card' ? 'needs_payment' : 'ready';
      this.#move(this.state === 'needs_guest' ? first : this.state);
      return 'ok';
    },
    applyPromo: ({ code = '' }) => {
      const verdict = promotions[code] ?? 'policy_restricted promotion_unknown';
      if (verdict !== 'ok') return verdict;
      this.code = code;
      this.#move(this.state);
      return 'ok';
    },
    setupPayment: () => {
      if (this.setup?.state === 'pending' && !this.setup.aMinuteOld) return 'invalid_state';
      const attempts = (this.setup?.attempts ?? 0) + 1;
      this.setup = { state: 'pending', attempts, aMinuteOld: false };
      this.#move(this.state);
      return 'ok';
    },
    verifyPayment: ({ setupReference, paymentMethodId }) => {
      if (this.setup?.state !== 'ready') return 'invalid_state';
      if (setupReference !== this.setupReference) return 'conflict setup_reference';
      this.method = paymentMethodId ?? null;
      this.#move(this.state === 'requires_action' ? 'pending' : 'ready');
      return 'ok';
    },
    submit: ({ termsVersion }) => {
      if (termsVersion !== this.termsVersion) return 'conflict terms_version';
      const authentication = this.method === 'pm_simulated_requires_action';
      this.#move(authentication ? 'requires_action' : 'pending');
      return 'ok';
    },
  };

  get suffix(): string {
    return /\+(\w+)@/.exec(this.guest?.email ?? '')?.[1] ?? 'none';
  }

  /** What a worker does until nothing is due. */
  work(): void {
    if (this.state === 'needs_payment' && this.setup?.state === 'pending') {
      this.#answerSetup(this.setup);
    } else if (this.state === 'requires_action' && this.actionOverdue) {
      this.#resolve('failed', 'refused');
    } else if (this.state === 'pending') {
      const declined = this.method === 'pm_simulated_declined';
      const [state, reason] = declined
        ? (['failed', 'refused'] as const)
        : (outcomes[this.suffix] ?? ['confirmed']);
      this.#resolve(state, reason);
    } else if (this.state === 'uncertain' && this.supplierTells && told[this.suffix]) {
      this.#resolve(...told[this.suffix]!);
    }
  }

  #answerSetup(setup: Setup): void {
    const { attempts, aMinuteOld } = setup;
    const declined = this.suffix === 'setup_declined';
    const unavailable = this.suffix === 'setup_unavailable' && attempts === 1;
    const failure = declined ? 'not_authorized' : unavailable ? 'unavailable' : null;
    this.setup = failure
      ? { state: 'failed', failure, attempts, aMinuteOld }
      : { state: 'ready', attempts, aMinuteOld };
    this.#move(this.state);
  }

  #resolve(state: State, reason?: string): void {
    this.#move(state, reason ?? null);
    if (state === 'uncertain') return;
    this.events.push(`checkout.resolved ${state} ${this.version}`);
    if (state === 'confirmed') this.events.push('reservation.confirmed confirmed');
  }

  get nextActions(): string[] {
    switch (this.state) {
      case 'needs_guest':
        return ['save_guest'];
      case 'needs_payment':
        return [this.#paymentAction()];
      case 'ready':
        return ['submit'];
      case 'pending':
      case 'uncertain':
        return ['poll'];
      case 'requires_action':
        return ['verify_payment'];
      case 'confirmed':
        return ['view_confirmation'];
      case 'failed':
        return [this.failure === 'sold_out' ? 'refresh_quote' : 'contact_support'];
      case 'expired':
        return ['refresh_quote'];
    }
  }

  #paymentAction(): string {
    const { setup } = this;
    if (setup?.state === 'ready') return 'verify_payment';
    if (setup?.state === 'pending' && !setup.aMinuteOld) return 'poll';
    return setup?.failure === 'not_authorized' ? 'contact_support' : 'setup_payment';
  }

  /** What a read must show. */
  view(): object {
    return {
      state: this.state,
      version: this.version,
      nextActions: this.nextActions,
      email: this.guest?.email ?? null,
      promotionCode: this.code,
      setup: this.setup && [this.setup.state, this.setup.failure],
      failure: this.failure,
      reference: this.state === 'confirmed',
      polls: this.nextActions.includes('poll'),
    };
  }
}
