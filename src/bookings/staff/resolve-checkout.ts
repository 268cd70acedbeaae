import { randomBytes } from 'node:crypto';
import { OperatorRefusal } from '../../access/index.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { BookingChange } from '../rules/booking.ts';
import { referenceFrom } from '../rules/reference.ts';
import { decideByStaff, type FoundOutcome } from '../rules/resolve-by-staff.ts';
import { isToDecideAgain, moveBooking } from '../store/bookings.ts';
import { holdBooking, type BookingFile } from '../store/uncertain-bookings.ts';
import { decided, onFreshData, OvertakenError, type StaffContext } from './context.ts';
import { settlePayment } from './settle-payment.ts';
import { bookingNamed, type BookingName } from './show-checkout.ts';

const heldWithinMs = 3_000;

/** The outcome that staff found out. */
export interface ResolutionInput extends BookingName {
  as: FoundOutcome;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

const resolutionView = ({ application }: BookingFile, { next, events }: BookingChange) => ({
  checkoutId: next.bookingId,
  kind: next.kind,
  application,
  state: next.state,
  version: next.version,
  reference: next.reference,
  failure: next.failureReason,
  events,
});

const entryOf =
  (actor: string, { as, reason }: ResolutionInput, file: BookingFile) =>
  ({ from, next, events }: BookingChange): AuditEntry => ({
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
      evidence: { attemptId: from.attemptId, unknownStep: file.unknownStep, tries: file.tries },
      before: { state: from.state, version: from.version },
      after: { state: next.state, version: next.version, reference: next.reference },
      events,
    },
  });

/** Takes the nights of a booking that staff confirm, unless its attempt holds them already. */
async function takeNights(
  { supplyOn }: StaffContext,
  executor: Executor,
  { from, next }: BookingChange,
): Promise<void> {
  if (next.state !== 'confirmed') return;
  const supply = supplyOn(executor);
  const { outcome } = await supply.hold(from, null, AbortSignal.timeout(heldWithinMs));
  if (outcome === 'done') return;
  throw new OperatorRefusal(
    `The nights of ${next.bookingId} are no longer free (sold_out): it can only be resolved as failed.`,
  );
}

const overtakenIfToDecideAgain = (error: unknown): never => {
  throw isToDecideAgain(error) ? new OvertakenError() : error;
};

/**
 * Resolves a checkout or request whose outcome is not known, and writes exactly what a worker would. If a
 * worker is faster, its outcome stands. A card payment is captured or given back before. Throws `OperatorRefusal`.
 * Spec: Checkout states, reconciliation.
 */
export function resolveCheckout(context: StaffContext, actor: string, input: ResolutionInput) {
  const { database } = context;
  const { as, dryRun = false } = input;
  return onFreshData(async () => {
    const file = await bookingNamed(database, input);
    const reference = referenceFrom(randomBytes(5));
    const change = decided(decideByStaff(file.booking, as, reference, file.now));
    if (dryRun) return { dryRun, ...resolutionView(file, change) };
    const nightsTaken = () => takeNights(context, database, change);
    const fence = await settlePayment(context, change, as, nightsTaken);
    await auditedChange(
      database,
      async (executor) => {
        if (!(await holdBooking(executor, change.from))) throw new OvertakenError();
        await takeNights(context, executor, change);
        const verdict = await moveBooking(executor, change, fence === null ? {} : { fence }).catch(
          overtakenIfToDecideAgain,
        );
        if (verdict !== 'moved') throw new OvertakenError();
        return change;
      },
      entryOf(actor, input, file),
    );
    context.wakeDeliverer(change.next.applicationId);
    return { dryRun, ...resolutionView(file, change) };
  });
}
