import type { ResponseOf } from '../../api/kinds.ts';
import { writeInTime } from '../../platform/clock.ts';
import { again, type Again, type Operation } from '../../api/operation.ts';
import type { CommandCall } from '../../api/call.ts';
import type { MaybePromise } from '../../api/maybe-promise.ts';
import { refuse, type Refusal } from '../../contract/errors.ts';
import type { ErrorOf, OperationId, operations } from '../../contract/partner/operations.ts';
import {
  canBeClaimed,
  transitionAndClaim,
  transitionBooking,
  transitionByCommand,
  type TransitionGuard,
  type TransitionVerdict,
} from '../store/bookings.ts';
import { findCheckout, type CommandIdentity, type FoundCheckout } from '../store/checkouts.ts';
import type { BookingChange, Checkout } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  decideExpire,
  quoteExpired,
  stateRefusal,
  type CheckoutCommand,
} from '../rules/checkout.ts';
import type { BookingContext } from '../context.ts';
import type { PartnerActor } from '../../access/index.ts';
import { command } from '../context.ts';
import { rememberTrace } from '../traces.ts';

/** The operations that are commands on a checkout. */
export type CommandOperation = Extract<OperationId, `reservation.checkout.${CheckoutCommand}`>;

type Row<Id extends OperationId> = (typeof operations)[Id];

/** A command on a checkout after validation. */
export type CheckoutCall<Id extends CommandOperation> = CommandCall<
  Id,
  Row<Id>,
  BookingContext,
  PartnerActor
>;

/** The checkout after a command, at the database's time `now`. */
export interface CommandResult {
  checkout: Checkout;
  now: EpochMs;
}

/** A checkout, read or remembered at `now`. */
interface FoundAt extends FoundCheckout {
  /** From memory: the statement that writes then checks session and quote by the database's clock. */
  isRemembered: boolean;
}

type AnyCheckoutCall = CheckoutCall<CommandOperation>;

const commandOf = (operation: CommandOperation) =>
  operation.slice('reservation.checkout.'.length) as CheckoutCommand;

const identityOf = ({
  operation,
  expectedVersion,
  inputDigest,
  earlierDigests,
}: AnyCheckoutCall): CommandIdentity => ({
  operation,
  expectedVersion,
  inputDigest,
  earlierDigests,
});

/**
 * Writes a change, and returns the checkout as written. A booking that is due now is claimed for the
 * worker of this process in the same statement.
 */
async function transition(
  { executor, worker }: BookingContext,
  change: BookingChange<Checkout>,
  guard: TransitionGuard & Required<Pick<TransitionGuard, 'command'>>,
): Promise<Checkout | Exclude<TransitionVerdict, 'written'>> {
  const lease = canBeClaimed(change) ? worker.leaseSeconds() : null;
  if (lease === null) {
    const written = await transitionByCommand(executor, change, guard);
    if (change.dueInSeconds === 0) worker.wake();
    return written;
  }
  const claim = await transitionAndClaim(executor, change, guard, lease);
  if (claim === 'overtaken') return claim;
  worker.start(claim);
  return claim.booking as Checkout;
}

/**
 * The checkout as this process last wrote it, if it has the expected version. A command that took
 * effect has increased the version, so this command is not a repeat. The statement that writes checks the
 * version again.
 */
function remembered({ context, actor, params, expectedVersion }: AnyCheckoutCall): FoundAt | null {
  const recent = context.recent.checkouts.find(actor.applicationId, params.checkoutId);
  if (recent?.checkout.version !== expectedVersion) return null;
  const now = context.now();
  return { ...recent, now, journaled: null, isRemembered: true };
}

async function load(call: AnyCheckoutCall): Promise<FoundAt | undefined> {
  const { context, actor, params } = call;
  const found = await findCheckout(
    context.executor,
    actor.applicationId,
    params.checkoutId,
    identityOf(call),
  );
  return found && { ...found, isRemembered: false };
}

function repeated(found: FoundAt): FoundAt | Refusal<'quote_expired'> | null {
  if (found.journaled === null) return null;
  return found.journaled === 'refused' ? refuse('quote_expired') : found;
}

/** Expires a checkout whose quote has expired; a remembered checkout is read again first. */
async function alive(
  call: AnyCheckoutCall,
  { checkout, now, isRemembered }: FoundAt,
): Promise<Refusal<'quote_expired'> | Again | null> {
  if (!quoteExpired(checkout, now)) return null;
  if (isRemembered || !(await call.context.confirmsTime(now))) return again;
  const verdict = await transitionBooking(call.context.executor, decideExpire(checkout, now), {
    command: { ...identityOf(call), refused: true },
  });
  return verdict === 'written' ? refuse('quote_expired') : again;
}

async function write<R extends Refusal>(
  call: AnyCheckoutCall,
  change: BookingChange<Checkout>,
  { session, now, isRemembered }: FoundAt,
  ifUsedUp: R | Again,
): Promise<CommandResult | R | Again> {
  await rememberTrace(call.context.executor, change.next);
  const checkout = await writeInTime(call.context, async (line) => {
    const written = await transition(call.context, change, {
      ...(isRemembered && { live: true }),
      limited: call.actor.application.reservationsPerDay !== null,
      command: { ...identityOf(call), refused: false },
      line,
    });
    return written === 'overtaken' ? null : written;
  });
  if (checkout === 'promotion_used_up') return ifUsedUp;
  if (checkout === null) return again;
  call.context.recent.checkouts.remember(checkout.applicationId, checkout.bookingId, {
    checkout,
    session,
  });
  // The next actions depend on both, so the time is not before the change was written.
  return { checkout, now: Math.max(now, checkout.updatedAt) };
}

/** The part of a command that differs between commands. */
export interface CheckoutCommandHandler<Id extends CommandOperation> {
  /** The part of the input that identifies a repeat; absent: the body without the version. */
  inputOf?(call: CheckoutCall<Id>): unknown;
  /** Returns `again` if the checkout changed while other data was read. */
  decide(
    call: CheckoutCall<Id>,
    checkout: Checkout,
    now: EpochMs,
  ): MaybePromise<BookingChange<Checkout> | Refusal<ErrorOf<Id>> | Again>;
  reply(call: CheckoutCall<Id>, done: CommandResult): ResponseOf<Row<Id>>;
  /** The refusal if no use of the promotion is left at the write. */
  promotionUsedUp?: Refusal<ErrorOf<Id>>;
}

type AnyCommandHandler = CheckoutCommandHandler<CommandOperation>;

/** Builds the operation of a checkout command from its handler. */
export function checkoutCommand<Id extends CommandOperation>(
  id: Id,
  specific: CheckoutCommandHandler<Id>,
): Operation<Id, BookingContext> {
  const {
    decide,
    reply,
    inputOf,
    promotionUsedUp = again,
  } = specific as unknown as AnyCommandHandler;
  const bound = command<CommandOperation, FoundAt, BookingChange<Checkout>, CommandResult>(id, {
    notFound: 'There is no checkout with this checkoutId.',
    ...(inputOf && { inputOf }),
    remembered,
    load,
    repeated,
    versionOf: ({ checkout }) => checkout.version,
    alive,
    stateAllows: ({ operation }, { checkout }) => stateRefusal(checkout, commandOf(operation)),
    decide: (call, { checkout, now }) => decide(call, checkout, now),
    write: (call, change, found) => write(call, change, found, promotionUsedUp),
    reply,
  });
  return bound as Operation<Id, BookingContext>;
}
