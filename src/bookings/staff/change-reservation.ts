import type { OperatorBodyOf } from '../../contract/operator/operations.ts';
import { seenRefusal } from '../../access/index.ts';
import { findPromotion } from '../../catalog/index.ts';
import { isRefusal, reasonMessages, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { moveNights, type TakenNights } from '../../inventory/index.ts';
import type { AuditEntry } from '../../platform/audit/audit-entries.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { collectedBy, stayOf, todayAt } from '../../pricing/index.ts';
import type { Reservation } from '../rules/booking.ts';
import {
  changedStay,
  type ChangeFacts,
  type ChangeWarning,
  decideChange,
  type DecidedChange,
  stayRefusal,
} from '../rules/change-reservation.ts';
import { holdReservation, updateReservation } from '../store/reservations.ts';
import type { ReservationInFull } from '../store/staff-reservations.ts';
import {
  balanceRefusal,
  holdMoney,
  onFreshData,
  OvertakenError,
  type StaffContext,
} from './context.ts';
import { acceptFor, requestRefusal, type StaffDecision } from './accepted-request.ts';
import { homeOfCatalog } from './find-home.ts';
import { reservationNamed } from './show-reservation.ts';
import { availabilityOf, conflictsOf, takenText } from './taken-nights.ts';
import { type ReservationForStaff, stayView } from './views.ts';

/** A change that staff ask for; absent members stay as they are. */
export type ChangeInput = OperatorBodyOf<'operator.reservation.change'> & StaffDecision;

async function promotionOf(
  executor: Executor,
  { booking, application }: ReservationInFull,
): Promise<ChangeFacts['promotion']> {
  const { promotionCode: code, quote } = booking;
  const found =
    code === null ? undefined : await findPromotion(executor, application.catalogId, code);
  if (!found) return null;
  // From the quote on, a code counts as it was then.
  const isOfQuote = quote.promotion?.code === code;
  const usedAt = isOfQuote ? quote.createdAt : (booking.submittedAt ?? booking.createdAt);
  return { promotion: found.promotion, usedAt };
}

/** Reads the facts that decide a change. */
export async function factsOf(
  executor: Executor,
  inFull: ReservationInFull,
  listing: string | undefined,
): Promise<ChangeFacts | Refusal<'not_found' | 'conflict'>> {
  const { reservation, application, home, now } = inFull;
  const found = await homeOfCatalog(executor, application.catalogId, listing ?? home.listingId);
  if (isRefusal(found)) return found;
  const isOther = found.listing.listingId !== reservation.listingId;
  if (isOther && !found.isSold) {
    return refuseConflict(
      `The catalog of ${application.name} does not sell ${found.listing.slug}, so the partner could not read it.`,
    );
  }
  return {
    reservation,
    listing: found.listing,
    adjustmentPercent: application.adjustPercent,
    promotion: await promotionOf(executor, inFull),
    quotedAt: inFull.booking.quote.createdAt,
    now,
  };
}

const movesNights = ({ changes }: DecidedChange): boolean =>
  changes.includes('dates') || changes.includes('listing');

const takenRefusal = (slug: string, taken: readonly TakenNights[]): Refusal<'conflict'> =>
  refuseConflict(`${slug} is not free: ${takenText(taken)}.`);

/** What a change is about to do, as staff see it before and after. */
function changeView(
  { reservation, home, balances }: ReservationForStaff,
  { listing, now }: ChangeFacts,
  { update: { next, events }, changes, warnings }: DecidedChange,
  taken: TakenNights[] | null,
) {
  const difference = next.charges.total - reservation.charges.total;
  const collected = balances
    ? balances.collected - balances.refunded - balances.owed
    : collectedBy(reservation.charges.schedule, todayAt(now, listing.timeZone));
  const due = balances ? Math.max(0, balances.due + difference) : next.charges.total;
  return {
    reference: next.reference,
    state: next.state,
    version: next.version,
    changes,
    before: {
      ...stayView(reservation),
      listing: home.slug,
      listingName: home.name,
      version: reservation.version,
    },
    after: { ...stayView(next), listing: listing.slug, listingName: listing.name },
    price: {
      currency: next.charges.currency,
      before: reservation.charges.total,
      after: next.charges.total,
      difference,
      collected,
      // The collected amount above what is due now; whoever collected it refunds it.
      overpaid: Math.max(0, collected - due),
    },
    chargesBefore: reservation.charges,
    charges: next.charges,
    openBefore: balances && balances.open,
    cancellation: next.cancellation,
    // Null: nothing was looked up, because no nights move.
    availability: taken && availabilityOf(taken),
    warnings: warnings.map((rule: ChangeWarning) => ({
      rule,
      message: reasonMessages.policy_restricted[rule],
    })),
    events,
  };
}

const auditedStay = (reservation: Reservation) => ({
  ...stayView(reservation),
  version: reservation.version,
  total: reservation.charges.total,
});

const entryOf =
  (
    actor: string,
    { reservation }: ReservationInFull,
    { reason, price = 'keep', request }: ChangeInput,
  ) =>
  ({ update: { next, events }, changes, warnings }: DecidedChange): AuditEntry => ({
    actor,
    action: 'reservation.change',
    applicationId: next.applicationId,
    reference: next.reference,
    details: {
      reason,
      price,
      changes,
      warnings,
      before: auditedStay(reservation),
      after: auditedStay(next),
      ...(request && { changeRequestId: request.changeRequestId }),
      events,
    },
  });

/**
 * Changes dates, party, home or price of a reservation, and announces it to the partner. Rules of the home
 * that the new stay breaks are warnings; nights that are taken are refused. Checkout and confirmation stay
 * as they are. Spec: RESERVATION-4, RESERVATION-6.
 */
export function changeReservation(context: StaffContext, actor: string, input: ChangeInput) {
  const { database } = context;
  const { keepsNights } = context.supplyOn(database);
  const { reference, price = 'keep', dryRun = false } = input;
  return onFreshData(async () => {
    const inFull = await reservationNamed(context, reference);
    if (isRefusal(inFull)) return inFull;
    const { reservation, booking } = inFull;
    const changed =
      seenRefusal(input.seen, reservation.version, reference) ??
      balanceRefusal(input.expectedBalance, inFull);
    if (changed) return changed;
    const facts = await factsOf(database, inFull, input.listing);
    if (isRefusal(facts)) return facts;
    const { listingId, slug } = facts.listing;
    const after = changedStay(reservation, { ...input, listingId });
    const change = stayRefusal(after) ?? decideChange(facts, after, price);
    if (isRefusal(change)) return change;
    const { total } = change.update.next.charges;
    const outdated = requestRefusal(input.request, { total, refund: null }, total);
    if (outdated) return outdated;
    const isMove = keepsNights && movesNights(change);
    if (dryRun) {
      const taken = isMove ? await conflictsOf(database, booking, after) : null;
      return { dryRun, ...changeView(inFull, facts, change, taken) };
    }
    const done = await auditedChange(
      database,
      async (executor) => {
        if (!(await holdReservation(executor, reservation))) throw new OvertakenError();
        const refusal = await holdMoney(context, executor, inFull);
        if (refusal) return refusal;
        const nights = stayOf(after);
        const moved = isMove && (await moveNights(executor, booking.attemptId, listingId, nights));
        if (moved === 'none') throw new Error(`a confirmed stay has no nights: ${reference}`);
        if (moved === 'taken') {
          return takenRefusal(slug, await conflictsOf(executor, booking, after));
        }
        const decided = await acceptFor(executor, input.request);
        if (decided) return decided;
        await updateReservation(executor, change.update);
        return change;
      },
      entryOf(actor, inFull, input),
    );
    if (isRefusal(done)) return done;
    context.wakeDeliverer(reservation.applicationId);
    return { dryRun, ...changeView(inFull, facts, change, isMove ? [] : null) };
  });
}
