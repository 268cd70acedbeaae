/** The outcome of a guest's email, written manually from the specification, and the worker's effects. */
import type { FailureReason } from '../../src/contract/states.ts';
import {
  accountNames,
  checkoutsOf,
  requestsOf,
  type Account,
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

/** A booking that a worker can change, by owner and name. */
export interface Due {
  account: Account;
  name: BookingName;
  /** The change by the worker. */
  move(): void;
}

function tell(
  account: Account,
  name: BookingName,
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
  booking.reservation = { state: 'confirmed', movedOneDay: false, announced, isDue: false };
  account.unread[name].push(`reservation.confirmed ${name} confirmed`);
}

function resolveCheckout(
  account: Account,
  name: BookingName,
  checkout: Checkout,
  outcome: Outcome,
) {
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
  tell(account, name, checkout, outcome);
}

function resolveRequest(account: Account, name: BookingName, request: Request, outcome: Outcome) {
  const states = {
    made: 'confirmed',
    refused: 'failed',
    expired: 'failed',
    unknown: 'unresolved',
  } as const;
  request.state = states[outcome.result];
  request.version += 1;
  if (outcome.result !== 'unknown') tell(account, name, request, outcome);
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
function dueOf(account: Account, name: BookingName, checkout: Checkout): (() => void) | null {
  const resolve = (outcome: Outcome) => () => resolveCheckout(account, name, checkout, outcome);
  const outcome = outcomeOf(checkout.suffix);
  switch (checkout.state) {
    case 'needs_payment':
      return checkout.setup?.state === 'pending' ? () => answerSetup(checkout) : null;
    case 'requires_action':
      return checkout.isActionOverdue ? resolve(because('refused')) : null;
    case 'pending': {
      const isDeclined = checkout.method === 'pm_simulated_declined';
      return resolve(isDeclined ? because('refused') : outcome);
    }
    case 'uncertain':
      return checkout.isAnnounced && outcome.later ? resolve(outcome.later) : null;
    default:
      return null;
  }
}

function requestDueOf(account: Account, name: BookingName, request: Request): (() => void) | null {
  const outcome = outcomeOf(request.suffix);
  if (request.state === 'pending') return () => resolveRequest(account, name, request, outcome);
  const { later } = outcome;
  const isAnnounced = request.state === 'unresolved' && request.isAnnounced;
  return isAnnounced && later ? () => resolveRequest(account, name, request, later) : null;
}

const moves = (account: Account, name: BookingName, move: (() => void) | null): Due[] =>
  move ? [{ account, name, move }] : [];

/** Everything that a worker would claim now. */
export const dueIn = (world: World): Due[] =>
  accountNames.flatMap((by) => {
    const account = world.accounts[by];
    return [
      ...checkoutsOf(account).flatMap(([name, checkout]) =>
        moves(account, name, dueOf(account, name, checkout)),
      ),
      ...requestsOf(account).flatMap(([name, request]) =>
        moves(account, name, requestDueOf(account, name, request)),
      ),
    ];
  });

/** Applies the worker's changes until nothing is due. */
export function work(world: World): void {
  for (let due = dueIn(world); due.length > 0; due = dueIn(world)) {
    for (const { move } of due) move();
  }
}
