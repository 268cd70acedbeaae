/** The world as the contract describes it, by itself: plain data, to be copied and compared. */
import type {
  CheckoutState,
  FailureReason,
  NextAction,
  PaymentSetupFailure,
  PaymentSetupState,
  RequestState,
} from '../../src/contract/states.ts';
import type { Tier } from '../../src/contract/limits.ts';
import type { Settlement } from '../../src/contract/wire.ts';

/** The applications of a session; the last one has small quotas. */
export const accountNames = ['card', 'partner', 'thrifty'] as const;
export type AccountName = (typeof accountNames)[number];

// Few names, so that they meet again; the last of each kind is made with an `Idempotency-Key`.
export const quoteNames = ['q1', 'q2', 'q3', 'q4'] as const;
export type QuoteName = (typeof quoteNames)[number];
export const checkoutNames = ['c1', 'c2', 'c3'] as const;
export type CheckoutName = (typeof checkoutNames)[number];
export const requestNames = ['r1', 'r2'] as const;
export type RequestName = (typeof requestNames)[number];
export const signalNames = ['s1', 's2', 's3'] as const;
export type SignalName = (typeof signalNames)[number];
export type BookingName = CheckoutName | RequestName;

/** What can be asked a quote for: two stays, one for too many guests, one that is taken, no home at all. */
export const stayNames = ['one', 'other', 'tooMany', 'taken', 'nowhere'] as const;
export type StayName = (typeof stayNames)[number];

/** A promotion of the session's own, with few uses. */
export const limitedCode = 'LIMITED';

export interface Quote {
  stay: StayName;
  expired: boolean;
  used: boolean;
}

/** What the reservations team does to a reservation later. */
export type Announced = 'cancelled' | 'changed';

export interface Reservation {
  state: 'confirmed' | 'cancelled';
  movedOneDay: boolean;
  announced: Announced | null;
  isDue: boolean;
}

interface Booking {
  quote: QuoteName;
  version: number;
  /** Of the guest's email; null: no guest yet. */
  suffix: string | null;
  failure: FailureReason | null;
  /** Whether the supplier now tells what it was silent about. */
  isAnnounced: boolean;
  reservation: Reservation | null;
}

export interface Setup {
  state: PaymentSetupState;
  failure: PaymentSetupFailure | null;
  attempt: number;
  isMinuteOld: boolean;
}

export interface Checkout extends Booking {
  state: CheckoutState;
  code: string | null;
  /** Whether it counts against the uses of its code. */
  holdsUse: boolean;
  setup: Setup | null;
  method: string | null;
  isSubmitted: boolean;
  isActionOverdue: boolean;
  /** The commands that took effect, or that found the quote expired; sorted by text. */
  applied: string[];
  lapsedBy: string | null;
}

export interface Request extends Booking {
  state: RequestState;
  partnerReference: string | null;
  /** What it was made of, as text. */
  input: string;
}

/** The tiers that the application with small quotas runs into. */
export type SmallTier = Exclude<Tier, 'read'>;

export interface Account {
  settlement: Settlement;
  /** What is left of its quotas; null: they are ample. */
  left: Record<SmallTier, number> | null;
  quotes: Record<QuoteName, Quote | null>;
  checkouts: Record<CheckoutName, Checkout | null>;
  requests: Record<RequestName, Request | null>;
  /** What each was made of, as text. */
  signals: Record<SignalName, string | null>;
  /** Events that were read, in their order. */
  events: string[];
  /** Events since: in order for each booking, in no known order among bookings. */
  unread: Record<BookingName, string[]>;
}

export interface World {
  accounts: Record<AccountName, Account>;
  limitedUses: number;
}

/** What the small quotas allow a minute. */
export const smallQuotas: Readonly<Record<SmallTier, number>> = { write: 12, search: 6, signal: 6 };

const none = <N extends string>(names: readonly N[]): Record<N, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<N, null>;

const emptyAccount = (settlement: Settlement, left: Account['left']): Account => ({
  settlement,
  left,
  quotes: none(quoteNames),
  checkouts: none(checkoutNames),
  requests: none(requestNames),
  signals: none(signalNames),
  events: [],
  unread: { c1: [], c2: [], c3: [], r1: [], r2: [] },
});

/** A world in which nothing has happened. */
export const newWorld = (limitedUses: number): World => ({
  accounts: {
    card: emptyAccount('card', null),
    partner: emptyAccount('partner', null),
    thrifty: emptyAccount('partner', { ...smallQuotas }),
  },
  limitedUses,
});

/** Every checkout of an account that there is, by its name. */
export const checkoutsOf = ({ checkouts }: Account): [CheckoutName, Checkout][] =>
  checkoutNames.flatMap((name): [CheckoutName, Checkout][] =>
    checkouts[name] ? [[name, checkouts[name]]] : [],
  );

/** Every request of an account that there is, by its name. */
export const requestsOf = ({ requests }: Account): [RequestName, Request][] =>
  requestNames.flatMap((name): [RequestName, Request][] =>
    requests[name] ? [[name, requests[name]]] : [],
  );

/** How often the limited promotion is in use. */
export const usesIn = (world: World): number =>
  accountNames
    .flatMap((by) => checkoutsOf(world.accounts[by]))
    .filter(([, { code, holdsUse }]) => code === limitedCode && holdsUse).length;

/** What a guest can do about a failure. */
export const actionsAfter = (failure: FailureReason | null): NextAction[] => [
  failure === null || failure === 'authority_revoked' || failure === 'refused'
    ? 'contact_support'
    : 'refresh_quote',
];
