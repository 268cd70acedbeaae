/** The state of the model: plain data that can be copied and compared. */
import type {
  CheckoutState,
  FailureReason,
  NextAction,
  PaymentSetupFailure,
  PaymentSetupState,
  RequestState,
} from '../../src/contract/states.ts';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import type { ChangePreview } from '../../src/contract/partner/schemas/change-request.ts';
import type { Tier } from '../../src/contract/limits.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import { newInventory, type HomeContent, type Inventory, type WantedStay } from './homes.ts';

/** The environments that the model knows: simulated homes, or the operator's own. */
export const modelEnvironments = ['simulation', 'test'] as const;
export type ModelEnvironment = (typeof modelEnvironments)[number];

/** The applications of a session; the last one has small quotas. */
export const accountNames = ['card', 'partner', 'thrifty'] as const;
export type AccountName = (typeof accountNames)[number];

// Few names, so that conflicts are frequent. The last of each kind is created with an `Idempotency-Key`.
export const quoteNames = ['q1', 'q2', 'q3', 'q4'] as const;
export type QuoteName = (typeof quoteNames)[number];
export const checkoutNames = ['c1', 'c2', 'c3'] as const;
export type CheckoutName = (typeof checkoutNames)[number];
export const requestNames = ['r1', 'r2'] as const;
export type RequestName = (typeof requestNames)[number];
export const signalNames = ['s1', 's2', 's3'] as const;
export type SignalName = (typeof signalNames)[number];
export const changeNames = ['k1', 'k2'] as const;
export type ChangeName = (typeof changeNames)[number];
export type BookingName = CheckoutName | RequestName;

/** A stay of a home: in the simulation one of a few, otherwise its home, nights and party in words. */
export type StayName = string;

/** The session's own promotion, with few uses. */
export const limitedCode = 'LIMITED';
/** A promotion of 10 percent without a limit. */
export const plainCode = 'WELCOME10';

export interface Quote {
  stay: StayName;
  /** What was offered; null: in the simulation. */
  content: HomeContent | null;
  /** The promotion code that it was asked with. */
  code: string | null;
  expired: boolean;
  used: boolean;
}

/** A later change by the reservations team. */
export type Announced = 'cancelled' | 'changed';

export interface Reservation {
  state: 'confirmed' | 'cancelled';
  stay: StayName;
  /** Null: in the simulation. */
  charges: Charges | null;
  /** What a cancellation refunds by the terms; null: in the simulation. */
  refund: number | null;
  movedOneDay: boolean;
  announced: Announced | null;
  isDue: boolean;
}

interface Booking {
  quote: QuoteName;
  version: number;
  /** The suffix of the guest's email; null: no guest yet. */
  suffix: string | null;
  failure: FailureReason | null;
  /** Whether the supplier now reports the unknown result. */
  isAnnounced: boolean;
  reservation: Reservation | null;
  code: string | null;
  /** Whether it counts against the uses of its code. */
  holdsUse: boolean;
}

export interface Setup {
  state: PaymentSetupState;
  failure: PaymentSetupFailure | null;
  attempt: number;
  isMinuteOld: boolean;
}

export interface Checkout extends Booking {
  state: CheckoutState;
  setup: Setup | null;
  method: string | null;
  isSubmitted: boolean;
  isActionOverdue: boolean;
  /** The commands that took effect, or that found the quote expired; sorted by text. */
  applied: string[];
  /** The command that found the quote expired. */
  expiredBy: string | null;
}

export interface Request extends Booking {
  state: RequestState;
  partnerReference: string | null;
  /** Its input, as text. */
  input: string;
}

/** What a partner asks for a reservation. */
export interface Change {
  booking: BookingName;
  kind: 'cancel' | 'change';
  wanted: WantedStay;
  note: string | null;
  /** What the partner has seen of the money; null: in the simulation. */
  preview: ChangePreview | null;
  state: 'open' | 'accepted' | 'declined' | 'withdrawn';
  /** Whether the simulation decides it at the next read. */
  isDue: boolean;
}

/** The tiers with small quotas. */
export type SmallTier = Exclude<Tier, 'read'>;

export interface Account {
  settlement: Settlement;
  /** The remaining quotas; null: not limited. */
  left: Record<SmallTier, number> | null;
  quotes: Record<QuoteName, Quote | null>;
  /** Quotes that are decided but not written yet, while concurrent calls are explained. */
  decided: Partial<Record<QuoteName, Quote>>;
  checkouts: Record<CheckoutName, Checkout | null>;
  requests: Record<RequestName, Request | null>;
  changes: Record<ChangeName, Change | null>;
  /** Requests that are decided but not written yet, while concurrent calls are explained. */
  decidedChanges: Partial<Record<ChangeName, Change>>;
  /** The input of each, as text. */
  signals: Record<SignalName, string | null>;
  /** Events that were read, in their order. */
  events: string[];
  /** Later events: in order for each booking, in unknown order among bookings. */
  unread: Record<BookingName, string[]>;
}

export interface World {
  accounts: Record<AccountName, Account>;
  limitedUses: number;
  /** The operator's own homes; null: the simulation. */
  inventory: Inventory | null;
}

/** The small quotas per minute. */
export const smallQuotas: Readonly<Record<SmallTier, number>> = { write: 12, search: 6, signal: 6 };

const none = <N extends string>(names: readonly N[]): Record<N, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<N, null>;

const emptyAccount = (settlement: Settlement, left: Account['left']): Account => ({
  settlement,
  left,
  quotes: none(quoteNames),
  decided: {},
  checkouts: none(checkoutNames),
  requests: none(requestNames),
  changes: none(changeNames),
  decidedChanges: {},
  signals: none(signalNames),
  events: [],
  unread: { c1: [], c2: [], c3: [], r1: [], r2: [] },
});

/** The initial world. */
export const newWorld = (limitedUses: number, environment: ModelEnvironment): World => ({
  accounts: {
    card: emptyAccount('card', null),
    partner: emptyAccount('partner', null),
    thrifty: emptyAccount('partner', { ...smallQuotas }),
  },
  limitedUses,
  inventory: environment === 'test' ? newInventory() : null,
});

/** All checkouts of an account, by name. */
export const checkoutsOf = ({ checkouts }: Account): [CheckoutName, Checkout][] =>
  checkoutNames.flatMap((name): [CheckoutName, Checkout][] =>
    checkouts[name] ? [[name, checkouts[name]]] : [],
  );

/** All requests of an account, by name. */
export const requestsOf = ({ requests }: Account): [RequestName, Request][] =>
  requestNames.flatMap((name): [RequestName, Request][] =>
    requests[name] ? [[name, requests[name]]] : [],
  );

/** All requests for changes of an account, by name. */
export const changesOf = ({ changes }: Account): [ChangeName, Change][] =>
  changeNames.flatMap((name): [ChangeName, Change][] =>
    changes[name] ? [[name, changes[name]]] : [],
  );

/** The uses of the limited promotion. */
export const usesIn = (world: World): number =>
  accountNames
    .flatMap((by) => [...checkoutsOf(world.accounts[by]), ...requestsOf(world.accounts[by])])
    .filter(([, { code, holdsUse }]) => code === limitedCode && holdsUse).length;

/** The next actions after a failure. */
export const actionsAfter = (failure: FailureReason | null): NextAction[] => [
  failure === null || failure === 'authority_revoked' || failure === 'refused'
    ? 'contact_support'
    : 'refresh_quote',
];
