import { isRefusal, refuse, type Refusal } from '../../../contract/errors.ts';
import type { OperationId } from '../../../contract/operations.ts';
import { moveBooking } from '../../../db/bookings.ts';
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
import { openCheckout } from './open.ts';

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
  for (;;) {
    const found = await openCheckout(house, anyCall, command);
    if (isRefusal(found)) return found;
    const { checkout, present } = found;
    const notOffered = rules.settlement?.(checkout);
    if (notOffered) return notOffered;
    if (found.journaled !== null) {
      call.exempt();
      return found.journaled === 'refused' ? refuse('quote_expired') : found;
    }
    const stale = call.meter() ?? versionRefusal(checkout, call.expectedVersion);
    if (stale) return stale;
    if (quoteLapsed(checkout, present)) {
      if (await lapse(house, found, command)) return refuse('quote_expired');
      continue;
    }
    const refusal = stateRefusal(checkout, commandOf(operation));
    if (refusal) return refusal;
    const change = await rules.decide(found);
    if (change === 'overtaken') continue;
    if ('refused' in change) return change;
    const verdict = await moveBooking(house.executor, change, {
      command: { ...command, refused: false },
    });
    if (verdict === 'promotion_used_up' && rules.promotionUsedUp) return rules.promotionUsedUp;
    if (verdict === 'moved') {
      if (change.dueInSeconds === 0) house.wakeWorker();
      return { checkout: change.next, present };
    }
  }
}
