/** The acts of staff, as tests call them: a refusal is thrown, so that no test goes on as if it had been allowed. */
import assert from 'node:assert/strict';
import * as keys from '../../src/access/staff/application-keys.ts';
import * as portalLinks from '../../src/access/staff/portal-links.ts';
import * as access from '../../src/access/index.ts';
import * as bookings from '../../src/bookings/index.ts';
import * as exports from '../../src/catalog/export-catalog.ts';
import * as catalog from '../../src/catalog/index.ts';
import * as channels from '../../src/channels/index.ts';
import * as outsideStays from '../../src/channels/outside-stays.ts';
import * as calendars from '../../src/channels/staff/calendars.ts';
import { isRefusal, messageOf, type Refusal } from '../../src/contract/errors.ts';
import * as inventory from '../../src/inventory/index.ts';
import * as payments from '../../src/payments/index.ts';
import * as links from '../../src/payments/staff/payment-link.ts';
import * as returns from '../../src/payments/staff/record-return.ts';
import * as signIn from '../../src/sign-in/index.ts';

/** What a test that expects an act to be allowed gets instead. */
export class RefusedAct extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(messageOf(refusal));
    this.refusal = refusal;
  }
}

type Act = (...input: never[]) => Promise<unknown>;

type Throwing<A extends Act> = (
  ...input: Parameters<A>
) => Promise<Exclude<Awaited<ReturnType<A>>, Refusal>>;

const throwing = <Acts extends Readonly<Record<string, Act>>>(acts: Acts) =>
  Object.fromEntries(
    Object.entries(acts).map(([name, act]) => [
      name,
      async (...input: never[]) => {
        const returned = await act(...input);
        if (isRefusal(returned)) throw new RefusedAct(returned);
        return returned;
      },
    ]),
  ) as object as { readonly [Name in keyof Acts]: Throwing<Acts[Name]> };

/** The acts, by their names in the subjects. */
export const {
  acceptShrunk,
  addCalendar,
  blockNights,
  calendarAddress,
  cancelReservation,
  changeOptions,
  changeReservation,
  endOpenLink,
  exportCatalog,
  importCalendar,
  inviteStaff,
  issuePortalLink,
  keepNights,
  listAuditTrail,
  listBlocksOf,
  listCalendarsOf,
  listConflictsOf,
  listKeys,
  listPayments,
  listReservationsForStaff,
  listUncertain,
  listingFor,
  makePaymentLink,
  putOutsideStay,
  reconcilePayments,
  recordPayment,
  recordReturn,
  reducePayment,
  refreshNow,
  refundPayment,
  removeCalendar,
  resolveCheckout,
  setApplication,
  showCalendar,
  showCheckout,
  showPayments,
  showReservation,
  startPayment,
  stopPayment,
  unblockNights,
} = throwing({
  listKeys: keys.listKeys,
  issuePortalLink: portalLinks.issuePortalLink,
  listAuditTrail: access.listAuditTrail,
  setApplication: access.setApplication,
  exportCatalog: exports.exportCatalog,
  listingFor: catalog.listingFor,
  putOutsideStay: outsideStays.putOutsideStay,
  blockNights: inventory.blockNights,
  listBlocksOf: inventory.listBlocksOf,
  unblockNights: inventory.unblockNights,
  endOpenLink: links.endOpenLink,
  makePaymentLink: links.makePaymentLink,
  recordReturn: returns.recordReturn,
  inviteStaff: signIn.inviteStaff,
  cancelReservation: bookings.cancelReservation,
  changeReservation: bookings.changeReservation,
  listReservationsForStaff: bookings.listReservationsForStaff,
  listUncertain: bookings.listUncertain,
  resolveCheckout: bookings.resolveCheckout,
  showCheckout: bookings.showCheckout,
  showReservation: bookings.showReservation,
  addCalendar: channels.addCalendar,
  calendarAddress: channels.calendarAddress,
  importCalendar: channels.importCalendar,
  listCalendarsOf: channels.listCalendarsOf,
  listConflictsOf: channels.listConflictsOf,
  refreshNow: channels.refreshNow,
  removeCalendar: channels.removeCalendar,
  acceptShrunk: calendars.acceptShrunk,
  changeOptions: calendars.changeOptions,
  keepNights: calendars.keepNights,
  showCalendar: calendars.showCalendar,
  listPayments: payments.listPayments,
  reconcilePayments: payments.reconcilePayments,
  recordPayment: payments.recordPayment,
  reducePayment: payments.reducePayment,
  refundPayment: payments.refundPayment,
  showPayments: payments.showPayments,
  startPayment: payments.startPayment,
  stopPayment: payments.stopPayment,
});

/** Asserts that staff are refused with a reason. */
export const refusedBecause = (work: Promise<unknown>, reason: RegExp): Promise<void> =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof RefusedAct, String(error));
    assert.match(error.message, reason);
    return true;
  });
