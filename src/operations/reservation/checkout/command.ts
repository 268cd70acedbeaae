import { isRefusal, refuse, type Refusal } from '../../../contract/errors.ts';
import type { OperationId } from '../../../contract/operations.ts';
import {
  moveAndClaim,
  moveBooking,
  type MoveGuard,
  type MoveVerdict,
} from '../../../db/bookings.ts';
import type { CommandIdentity, FoundCheckout } from '../../../db/checkouts.ts';
import type { BookingChange, Checkout, EpochMs } from '../../../domain/booking.ts';
import {
  decideLapse,
  quoteLapsed,
  stateRefusal,
  versionRefusal,
  type CheckoutCommand,
} from '../../../domain/checkout.ts';
import type { Call, House } from '../../call.ts';
import { inputDigest } from '../../identity.ts';
import { openCheckout, sessionOfCallRefusal } from './open.ts';

/** The operations that are commands on a checkout. */
export type CommandOperation = Extract<OperationId, `reservation.checkout.${CheckoutCommand}`>;

/** The checkout as it is after a command, at the database's time `present`. */
export interface Commanded {
  checkout: Checkout;
  present: EpochMs;
}

type CommonRefusal = Refusal<
  | 'not_found'
  | 'forbidden'
  | 'precondition_failed'
  | 'invalid_state'
  | 'quote_expired'
  | 'rate_limited'
>;

const commandOf = (operation: CommandOperation) =>
  operation.slice('reservation.checkout.'.length) as CheckoutCommand;

function identityOf(
  house: House,
  operation: CommandOperation,
  call: Pick<Call<CommandOperation>, 'body' | 'expectedVersion'>,
): CommandIdentity {
  const { expectedVersion: _, ...input } = call.body;
  return {
    operation,
    expectedVersion: call.expectedVersion,
    inputDigest: inputDigest(house.executor.vault, input),
  };
}

/** Expires a checkout whose quote ran out. False: somebody was faster. */
async function lapse(
  house: House,
  found: FoundCheckout,
  command: CommandIdentity,
): Promise<boolean> {
  const change = decideLapse(found.checkout, found.present);
  const verdict = await moveBooking(house.executor, change, {
    command: { ...command, refused: true },
  });
  return verdict === 'moved';
}

/** What a command adds to the way that all commands take. `R`: the refusals of its own. */
export interface CommandRules<R extends Refusal> {
  /** Whether a checkout that settles like this has the command at all. */
  settlement?: (checkout: Checkout) => R | null;
  /** `overtaken`: what was read beside the checkout is of a time when that had moved on. */
  decide(
    found: FoundCheckout,
  ): Promise<BookingChange<Checkout> | R | 'overtaken'> | BookingChange<Checkout> | R;
  /** The answer where the last use of a promotion has gone meanwhile. */
  promotionUsedUp?: R;
}

/** Spec: States and transitions, rule 4. */
export const cardOnly = (checkout: Checkout): Refusal<'payment_not_required'> | null =>
  checkout.settlement === 'card' ? null : refuse('payment_not_required');

/** A command on its way. */
interface Commanding<R extends Refusal> {
  house: House;
  call: Call<CommandOperation>;
  operation: CommandOperation;
  command: CommandIdentity;
  rules: CommandRules<R>;
}

/** Writes a change. What a worker can take up at once, the one in this process takes up without asking. */
async function move(
  { executor, worker }: House,
  change: BookingChange<Checkout>,
  guard: MoveGuard,
): Promise<MoveVerdict> {
  const isDue = change.dueInSeconds === 0 && change.takesPromotion === undefined;
  const lease = isDue ? worker.leaseSeconds() : null;
  if (lease === null) {
    const verdict = await moveBooking(executor, change, guard);
    if (change.dueInSeconds === 0) worker.wake();
    return verdict;
  }
  const claim = await moveAndClaim(executor, change, guard, lease);
  if (claim === 'overtaken') return claim;
  worker.takeUp(claim);
  return 'moved';
}

const isMoved = (done: object): done is Commanded => 'checkout' in done;

/** Decides on a checkout as it was found, and writes it. Null: somebody was faster. */
async function decideAndMove<R extends Refusal>(
  { house, call, operation, command, rules }: Commanding<R>,
  found: FoundCheckout,
  guard: Pick<MoveGuard, 'live'> = {},
): Promise<Commanded | CommonRefusal | R | null> {
  const { checkout, session, present } = found;
  const stale = call.meter() ?? versionRefusal(checkout, call.expectedVersion);
  if (stale) return stale;
  if (quoteLapsed(checkout, present)) {
    return (await lapse(house, found, command)) ? refuse('quote_expired') : null;
  }
  const refusal = stateRefusal(checkout, commandOf(operation));
  if (refusal) return refusal;
  const change = await rules.decide(found);
  if (change === 'overtaken') return null;
  if ('refused' in change) return change;
  const verdict = await move(house, change, {
    ...guard,
    command: { ...command, refused: false },
  });
  if (verdict === 'promotion_used_up' && rules.promotionUsedUp) return rules.promotionUsedUp;
  if (verdict !== 'moved') return null;
  house.recent.checkouts.remember(checkout.applicationId, checkout.bookingId, {
    checkout: change.next,
    session,
  });
  return { checkout: change.next, present };
}

/**
 * The checkout as this process moved it last, if the command is meant for it as it was then. A command
 * that took effect has moved it on, so this one was not sent before: the version tells, and the
 * statement that writes holds to it.
 */
function rememberedFor<R extends Refusal>({
  house,
  call,
  rules,
}: Commanding<R>): FoundCheckout | null {
  const { applicationId } = call.application;
  const recent = house.recent.checkouts.find(applicationId, call.params.checkoutId);
  if (recent?.checkout.version !== call.expectedVersion) return null;
  const { checkout, session } = recent;
  const present = house.now();
  const refusal =
    rules.settlement?.(checkout) ?? sessionOfCallRefusal(house, call, session, present);
  return refusal ? null : { checkout, session, present, journaled: null };
}

/**
 * The way of every command: exists, session, settlement, repeat, quota, version, quote, state, then
 * what `decide` says; written by one guarded statement, and decided again where somebody was faster.
 * Spec: Endpoints, common rule 4.
 */
export async function runCommand<Id extends CommandOperation, R extends Refusal>(
  house: House,
  operation: Id,
  call: Call<Id>,
  rules: CommandRules<R>,
): Promise<Commanded | CommonRefusal | R> {
  const anyCall = call as Call<CommandOperation>;
  const command = identityOf(house, operation, anyCall);
  const commanding = { house, call: anyCall, operation, command, rules };
  const remembered = rememberedFor(commanding);
  const atOnce = remembered && (await decideAndMove(commanding, remembered, { live: true }));
  // What memory refuses is for the database to say.
  if (atOnce && isMoved(atOnce)) return atOnce;
  for (;;) {
    const found = await openCheckout(house, anyCall, command);
    if (isRefusal(found)) return found;
    const notOffered = rules.settlement?.(found.checkout);
    if (notOffered) return notOffered;
    if (found.journaled !== null) {
      call.exempt();
      return found.journaled === 'refused' ? refuse('quote_expired') : found;
    }
    const done = await decideAndMove(commanding, found);
    if (done) return done;
  }
}
