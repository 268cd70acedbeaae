/** The outcome of a guest's email, written manually from the specification, and the worker's effects. */
import type { FailureReason } from '../../src/contract/states.ts';
import { samePrice } from '../../src/pricing/index.ts';
import {
  chargesOf,
  isBookable,
  isSold,
  isSoldOutside,
  refundNow,
  serveOutside,
  stayWords,
  take,
  type HomeName,
  type Inventory,
} from './homes.ts';
import {
  accountNames,
  changesOf,
  checkoutsOf,
  requestsOf,
  type Account,
  type AccountName,
  type Announced,
  type BookingName,
  type Checkout,
  type Request,
  type World,
} from './world.ts';

interface Outcome {
  result: 'made' | 'refused' | 'expired' | 'unknown';
  reason?: FailureReason;
  announced?: Announced;
  /** The state after the supplier reports its result. */
  later?: Outcome;
}

const made: Outcome = { result: 'made' };
const because = (reason: FailureReason): Outcome => ({ result: 'refused', reason });

const outcomes: Record<string, Outcome> = {
  failed: because('refused'),
  sold_out: because('sold_out'),
  price_changed: because('price_changed'),
  policy_changed: because('policy_changed'),
  authority_revoked: because('authority_revoked'),
  quote_expired: { result: 'expired', reason: 'quote_expired' },
  uncertain: { result: 'unknown' },
  uncertain_confirmed: { result: 'unknown', later: made },
  uncertain_failed: { result: 'unknown', later: because('refused') },
  setup_unavailable: made,
  setup_declined: made,
  cancelled: { result: 'made', announced: 'cancelled' },
  changed: { result: 'made', announced: 'changed' },
};

/** Suffixes of an email, and one without meaning. */
export const suffixes = ['none', ...Object.keys(outcomes)] as const;

const outcomeOf = (suffix: string | null): Outcome => outcomes[suffix ?? 'none'] ?? made;

/** A booking that a worker can change. */
export interface Due {
  /** Of the operator's homes, the one whose nights it needs; null: none. */
  home: HomeName | null;
  /** The change by the worker. */
  move(): void;
  /** Its first half at the operator's homes, which only takes the nights. False: they cannot be had. */
  hold(): boolean;
}

/** A booking and its owner. */
interface Owned {
  world: World;
  by: AccountName;
  account: Account;
  name: BookingName;
}

type Holder = `${AccountName} ${BookingName}`;

/** The outcome of a booking that holds its nights: they are its own, unless another system has sold them since. */
function outcomeOfHeld(inventory: Inventory, holder: Holder): Outcome {
  const nights = inventory.taken.find(({ by }) => by === holder)!;
  inventory.held = inventory.held.filter((held) => held !== holder);
  if (!isSoldOutside(inventory, nights)) return made;
  inventory.taken = inventory.taken.filter((one) => one !== nights);
  serveOutside(inventory);
  return because('sold_out');
}

/** The outcome at the operator's homes: what was offered must be so still, and the nights free. */
function outcomeAt(
  inventory: Inventory,
  { by, account, name }: Owned,
  booking: Checkout | Request,
): Outcome {
  const holder: Holder = `${by} ${name}`;
  if (inventory.held.includes(holder)) return outcomeOfHeld(inventory, holder);
  const { stay, content } = account.quotes[booking.quote]!;
  const words = stayWords(stay);
  if (!isSold(inventory, by, words.home)) return because('sold_out');
  const now = inventory.content[words.home];
  if (now.terms !== content!.terms) return because('policy_changed');
  const { code } = booking;
  const [before, after] = [content!, now].map((one) => chargesOf(by, one, stay, code));
  if (!before || !after || !samePrice(before, after)) return because('price_changed');
  if (!isBookable(inventory, words)) return because('sold_out');
  take(inventory, { ...words, by: holder });
  return made;
}

/** Takes the nights of a pending booking at the operator's homes; false: it cannot have them, or has them already. */
function hold(owned: Owned, booking: Checkout | Request): boolean {
  const { inventory } = owned.world;
  const holder: Holder = `${owned.by} ${owned.name}`;
  if (!inventory || booking.state !== 'pending' || inventory.held.includes(holder)) return false;
  if (outcomeAt(inventory, owned, booking).result !== 'made') return false;
  inventory.held = [...inventory.held, holder].toSorted();
  return true;
}

function tell(
  { by, account, name }: Owned,
  booking: Checkout | Request,
  {
    reason = null,
    announced = null,
  }: { reason?: FailureReason | null; announced?: Announced | null },
): void {
  const { state, version } = booking;
  booking.failure = reason;
  account.unread[name].push(`checkout.resolved ${name} ${state} ${version}`);
  if (state !== 'confirmed') return;
  const { stay, content } = account.quotes[booking.quote]!;
  const charges = content && chargesOf(by, content, stay, booking.code);
  booking.reservation = {
    state: 'confirmed',
    stay,
    charges,
    refund: content && charges && refundNow(content, stay, charges),
    movedOneDay: false,
    announced,
    isDue: false,
  };
  account.unread[name].push(`reservation.confirmed ${name} confirmed`);
}

function resolveCheckout(owned: Owned, checkout: Checkout, outcome: Outcome) {
  const states = {
    made: 'confirmed',
    refused: 'failed',
    expired: 'expired',
    unknown: 'uncertain',
  } as const;
  checkout.state = states[outcome.result];
  checkout.version += 1;
  if (outcome.result === 'unknown') return;
  if (outcome.result !== 'made') checkout.holdsUse = false;
  tell(owned, checkout, outcome);
}

function resolveRequest(owned: Owned, request: Request, outcome: Outcome) {
  const states = {
    made: 'confirmed',
    refused: 'failed',
    expired: 'failed',
    unknown: 'unresolved',
  } as const;
  request.state = states[outcome.result];
  request.version += 1;
  if (outcome.result === 'unknown') return;
  if (outcome.result !== 'made') request.holdsUse = false;
  tell(owned, request, outcome);
}

function answerSetup(checkout: Checkout): void {
  const { setup, suffix } = checkout;
  if (!setup) return;
  const failure =
    suffix === 'setup_declined'
      ? 'not_authorized'
      : suffix === 'setup_unavailable' && setup.attempt === 1
        ? 'unavailable'
        : null;
  checkout.setup = { ...setup, failure, state: failure ? 'failed' : 'ready' };
  checkout.version += 1;
}

/** The change that a worker would make to a checkout; null: none. */
function dueOf(owned: Owned, checkout: Checkout): (() => void) | null {
  const resolve = (outcome: Outcome) => () => resolveCheckout(owned, checkout, outcome);
  const outcome = outcomeOf(checkout.suffix);
  switch (checkout.state) {
    case 'needs_payment':
      return checkout.setup?.state === 'pending' ? () => answerSetup(checkout) : null;
    case 'requires_action':
      return checkout.isActionOverdue ? resolve(because('refused')) : null;
    case 'pending': {
      const { inventory } = owned.world;
      if (inventory) {
        return () => resolveCheckout(owned, checkout, outcomeAt(inventory, owned, checkout));
      }
      const isDeclined = checkout.method === 'pm_simulated_declined';
      return resolve(isDeclined ? because('refused') : outcome);
    }
    case 'uncertain':
      return checkout.isAnnounced && outcome.later ? resolve(outcome.later) : null;
    default:
      return null;
  }
}

function requestDueOf(owned: Owned, request: Request): (() => void) | null {
  const { inventory } = owned.world;
  const outcome = outcomeOf(request.suffix);
  if (request.state === 'pending') {
    return () =>
      resolveRequest(owned, request, inventory ? outcomeAt(inventory, owned, request) : outcome);
  }
  const { later } = outcome;
  const isAnnounced = request.state === 'unresolved' && request.isAnnounced;
  return isAnnounced && later ? () => resolveRequest(owned, request, later) : null;
}

function moves(owned: Owned, booking: Checkout | Request, move: (() => void) | null): Due[] {
  if (!move) return [];
  const { stay } = owned.account.quotes[booking.quote]!;
  const home = owned.world.inventory && stayWords(stay).home;
  return [{ home, move, hold: () => hold(owned, booking) }];
}

/** Everything that a worker would claim now. */
export const dueIn = (world: World): Due[] =>
  accountNames.flatMap((by) => {
    const account = world.accounts[by];
    return [
      ...checkoutsOf(account).flatMap(([name, checkout]) => {
        const owned = { world, by, account, name };
        return moves(owned, checkout, dueOf(owned, checkout));
      }),
      ...requestsOf(account).flatMap(([name, request]) => {
        const owned = { world, by, account, name };
        return moves(owned, request, requestDueOf(owned, request));
      }),
    ];
  });

/** Applies the worker's changes until nothing is due. */
function work(world: World): void {
  for (let due = dueIn(world); due.length > 0; due = dueIn(world)) {
    for (const { move } of due) move();
  }
}

const isContested = (due: readonly Due[]): boolean => {
  const homes = due.flatMap(({ home }) => home ?? []);
  return new Set(homes).size < homes.length;
};

/** The possible worlds after a worker has done everything: the order decides who gets nights of a home. */
export function worldsAfterWork(world: World): World[] {
  const seen = new Map<string, World>();
  const ends: World[] = [];

  function visit(from: World): void {
    const text = JSON.stringify(from);
    if (seen.has(text)) return;
    seen.set(text, from);
    const due = dueIn(from);
    if (!isContested(due)) {
      work(from);
      ends.push(from);
      return;
    }
    for (const [at, { home }] of due.entries()) {
      if (due.filter((other) => other.home === home).length < 2) continue;
      const next = JSON.parse(text) as World;
      dueIn(next)[at]!.move();
      visit(next);
    }
  }

  visit(world);
  const distinct = new Map(ends.map((end) => [JSON.stringify(end), end]));
  return [...distinct.values()];
}

/** What was asked for in a session and how it has ended, in words. */
export const askedIn = ({ accounts }: World): string[] =>
  Object.values(accounts).flatMap((account) =>
    changesOf(account).map(([, { kind, state }]) => `${kind} ${state}`),
  );

/** How the bookings of a session have ended, in words. */
export const outcomesIn = ({ accounts }: World): string[] =>
  Object.values(accounts).flatMap((account) =>
    [...checkoutsOf(account), ...requestsOf(account)].map(([, { state, failure, reservation }]) =>
      [state, failure, reservation?.state].filter(Boolean).join(' '),
    ),
  );
