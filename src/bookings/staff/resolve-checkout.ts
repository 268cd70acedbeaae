import { randomBytes } from 'node:crypto';
import { OperatorRefusal } from '../../access/index.ts';
import type { TakenNights } from '../../inventory/index.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { late, withinTime } from '../../platform/sleeper.ts';
import type { Supply } from '../ports/supply.ts';
import type { BookingChange } from '../rules/booking.ts';
import { referenceFrom } from '../rules/reference.ts';
import { decideByStaff, type FoundOutcome } from '../rules/resolve-by-staff.ts';
import { isToDecideAgain, moveBooking } from '../store/bookings.ts';
import { holdBooking, type BookingFile } from '../store/uncertain-bookings.ts';
import { decided, onFreshData, OvertakenError, type StaffContext } from './context.ts';
import { settlePayment } from './settle-payment.ts';
import { bookingNamed, type BookingName, evidenceOf } from './show-checkout.ts';
import { availabilityOf, conflictsOf, takenText } from './taken-nights.ts';

const holdWithinMs = 3_000;

const notHeldInTime = (): OperatorRefusal =>
  new OperatorRefusal('The supplier does not answer. Nothing was changed; try again.', {
    code: 'unavailable',
  });

/** The outcome that staff found out. */
export interface ResolutionInput extends BookingName {
  as: FoundOutcome;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

type Evidence = Awaited<ReturnType<typeof evidenceOf>>;

/** The facts on which staff decide. */
interface Found {
  file: BookingFile;
  evidence: Evidence;
}

const resolutionView = (
  { file: { application }, evidence }: Found,
  { from, next, events }: BookingChange,
  taken: TakenNights[] | null,
) => ({
  checkoutId: next.bookingId,
  kind: next.kind,
  application,
  before: { state: from.state, version: from.version },
  state: next.state,
  version: next.version,
  reference: next.reference,
  failure: next.failureReason,
  evidence,
  // Null: it takes no nights of this service.
  availability: taken && availabilityOf(taken),
  events,
});

const entryOf =
  (actor: string, { as, reason }: ResolutionInput, { file: { home }, evidence }: Found) =>
  ({ change: { from, next, events }, payments }: Written): AuditEntry => ({
    actor,
    action: 'checkout.resolve',
    applicationId: next.applicationId,
    // Without a reservation, the trail is found by the ID.
    reference: next.reference ?? next.bookingId,
    details: {
      reason,
      as,
      checkoutId: next.bookingId,
      kind: next.kind,
      stay: {
        listingId: home.listingId,
        checkIn: from.quote.checkIn,
        checkOut: from.quote.checkOut,
      },
      total: { amount: from.charges.total, currency: from.charges.currency },
      evidence,
      before: { state: from.state, version: from.version },
      after: {
        state: next.state,
        version: next.version,
        reference: next.reference,
        failure: next.failureReason,
        payments,
      },
      events,
    },
  });

/** A resolution that was written, and its payments after it. */
interface Written {
  change: BookingChange;
  payments: Evidence['payments'];
}

const takesNights = ({ supplyOn, database }: StaffContext, { next }: BookingChange): boolean =>
  next.state === 'confirmed' && supplyOn(database).keepsNights;

/** Throws `OperatorRefusal` if the nights are taken, or `OvertakenError` if that is not known. */
async function checkHeld(
  executor: Executor,
  { from, next }: BookingChange,
  { outcome }: Awaited<ReturnType<Supply['hold']>>,
): Promise<void> {
  if (outcome === 'done') return;
  if (outcome === 'unknown') throw new OvertakenError();
  const taken = await conflictsOf(executor, from, from.quote);
  throw new OperatorRefusal(
    `The nights of ${next.bookingId} are no longer free (sold_out): ${takenText(taken)}. It can only be resolved as failed.`,
  );
}

/**
 * Takes the nights of a booking that staff have claimed and confirm, unless its attempt holds them already. Throws
 * like `checkHeld`, and `OperatorRefusal` if the supplier is slow.
 */
async function takeNights(
  { supplyOn, database }: StaffContext,
  change: BookingChange,
  fence: number,
): Promise<void> {
  if (change.next.state !== 'confirmed') return;
  const ending = new AbortController();
  const held = supplyOn(database).hold(change.from, fence, ending.signal);
  const answer = await withinTime(holdWithinMs, held, () => ending.abort());
  if (answer === late) throw notHeldInTime();
  await checkHeld(database, change, answer);
}

/**
 * The same within the transaction that has locked the booking. Waits for the answer: a statement of a transaction
 * must not go on when its caller has left, and PostgreSQL limits its time.
 */
async function takeNightsLocked(
  { supplyOn }: StaffContext,
  executor: Executor,
  change: BookingChange,
): Promise<void> {
  if (change.next.state !== 'confirmed') return;
  const signal = AbortSignal.timeout(holdWithinMs);
  await checkHeld(executor, change, await supplyOn(executor).hold(change.from, null, signal));
}

const overtakenIfToDecideAgain = (error: unknown): never => {
  throw isToDecideAgain(error) ? new OvertakenError() : error;
};

/**
 * Resolves a checkout or request whose outcome is not known, and writes exactly what a worker would. If a
 * worker is faster, its outcome is kept. A card payment is captured or given back before. Throws `OperatorRefusal`.
 * Spec: Checkout states, reconciliation.
 */
export function resolveCheckout(context: StaffContext, actor: string, input: ResolutionInput) {
  const { database } = context;
  const { as, dryRun = false } = input;
  return onFreshData(async () => {
    const file = await bookingNamed(database, input);
    const reference = referenceFrom(randomBytes(5));
    const change = decided(decideByStaff(file.booking, as, reference, file.now));
    const found = { file, evidence: await evidenceOf(context, file) };
    if (dryRun) {
      const { from } = change;
      const taken = takesNights(context, change)
        ? await conflictsOf(database, from, from.quote)
        : null;
      return { dryRun, ...resolutionView(found, change, taken) };
    }
    const fence = await settlePayment(context, change, as, (claimed) =>
      takeNights(context, change, claimed),
    );
    await auditedChange(
      database,
      async (executor) => {
        if (!(await holdBooking(executor, change.from))) throw new OvertakenError();
        await takeNightsLocked(context, executor, change);
        const verdict = await moveBooking(executor, change, fence === null ? {} : { fence }).catch(
          overtakenIfToDecideAgain,
        );
        if (verdict !== 'moved') throw new OvertakenError();
        const payments = fence === null ? [] : await context.money.payments(executor, change.from);
        return { change, payments };
      },
      entryOf(actor, input, found),
    );
    context.wakeDeliverer(change.next.applicationId);
    return {
      dryRun,
      ...resolutionView(found, change, takesNights(context, change) ? [] : null),
    };
  });
}
