/** Statements in the way of calls and workers: by which index they go, on an empty database and a full one. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { emptyContent, fillDatabase } from '../bench/fill.ts';
import {
  removeGuestsOfFailedRequests,
  sweepAbandonedCheckouts,
} from '../src/bookings/store/abandoned-bookings.ts';
import {
  countTodaysReservations,
  dailyLimitRefusal,
} from '../src/bookings/store/reservation-days.ts';
import { claimDueBookings } from '../src/bookings/store/booking-claims.ts';
import {
  transitionAndClaim,
  transitionBooking,
  transitionByCommand,
  releaseExpiredPromotions,
} from '../src/bookings/store/bookings.ts';
import {
  countRequests,
  listChangeRequests,
  listOwnRequests as listOwnChangeRequests,
} from '../src/bookings/store/change-requests.ts';
import { findCheckout, listCommands } from '../src/bookings/store/checkouts.ts';
import type { Executor, Statement } from '../src/platform/postgres/database.ts';
import {
  findEvent,
  listEventsOfBooking,
  listNewestEvents,
  readFeed,
  sweepEvents,
} from '../src/events/store/events.ts';
import { findQuoteToBook, sweepQuotes } from '../src/bookings/store/quotes.ts';
import {
  findRequestByReference,
  listRequests,
} from '../src/bookings/store/reservation-requests.ts';
import { holdNights, releaseAbandonedHolds } from '../src/bookings/store/nights.ts';
import { listNotes } from '../src/bookings/store/reservation-notes.ts';
import { readLastCalls } from '../src/request-log/index.ts';
import { listDueLater } from '../src/payments/store/due-days.ts';
import { countWaitingBookings, readOverdueWork } from '../src/bookings/store/workload.ts';
import { readWebhookWorkload } from '../src/webhooks/store/workload.ts';
import { resolveBooking } from '../src/bookings/store/resolve-bookings.ts';
import {
  readCalendarStays,
  readCalendarStaysOfHomes,
} from '../src/bookings/store/calendar-stays.ts';
import {
  countStaysOfDay,
  listFirstStaysOfDay,
  listStaysOfDay,
} from '../src/bookings/store/day-sheet.ts';
import { readCalendarBars } from '../src/inventory/index.ts';
import { findHomeByAddress, readExportedNights } from '../src/channels/store/exports.ts';
import {
  countCalendarAlarms,
  countFailingCalendars,
  readOverdueCalendars,
} from '../src/channels/store/calendar-alarms.ts';
import {
  findOutsideStay,
  listOutsideStays,
  releaseOutsideNights,
} from '../src/channels/store/outside-stays.ts';
import { areContested } from '../src/channels/store/stale-calendars.ts';
import { claimDueCalendars } from '../src/channels/store/claims.ts';
import { readDueHosts } from '../src/channels/store/due-hosts.ts';
import { listCalendars } from '../src/channels/store/listed-calendars.ts';
import {
  freeCalendar,
  freeNights,
  listBlocks,
  moveNights,
  readFreeListings,
  readNightsForChannel,
  readOpenNights,
  removeBlock,
  unblockChannelNights,
} from '../src/inventory/index.ts';
import {
  changesOfApplication,
  changesOfInstallation,
  sweepChanges,
} from '../src/inventory/store/change-feed.ts';
import { readFeedState, readNews } from '../src/inventory/store/feed-readers.ts';
import { advanceFeed } from '../src/inventory/store/number-changes.ts';
import {
  readNightChanges,
  readTakenParts,
  removeNightChanges,
} from '../src/inventory/store/night-changes.ts';
import {
  countUncertain,
  listArrivals,
  listBookedDays,
  listDepartures,
  sumUpBookings,
} from '../src/bookings/store/overview.ts';
import { markCatalogs } from '../src/catalog/store/revision.ts';
import { listConflicts } from '../src/channels/store/conflicts.ts';
import { listWithdrawn, nextPosition } from '../src/catalog/store/places.ts';
import { lookAtPictures } from '../src/catalog/store/pictures.ts';
import { claimRecords, materializeReservations } from '../src/bookings/store/records.ts';
import {
  batchesOfGuest,
  findErased,
  findGuestBookings,
} from '../src/bookings/store/guest-bookings.ts';
import { digestGuestEmails, digestGuests } from '../src/bookings/store/guest-digests.ts';
import { searchBookings } from '../src/bookings/store/search-bookings.ts';
import {
  holdReservation,
  listOwnReservations,
  type OwnReservations,
  type ReservationPosition,
  type ReservationSlice,
} from '../src/bookings/store/reservations.ts';
import {
  findReservationInFull,
  listReservations,
  listStaysWithin,
} from '../src/bookings/store/staff-reservations.ts';
import {
  findBookingsInFull,
  listUncertainBookings,
} from '../src/bookings/store/uncertain-bookings.ts';
import { findAccount, listAccounts } from '../src/payments/store/accounts-in-full.ts';
import { claimAccounts, readAccount } from '../src/payments/store/accounts.ts';
import { exportEntries } from '../src/payments/store/ledger-export.ts';
import {
  claimPaymentRecords,
  numberPaymentRecords,
} from '../src/payments/store/payment-records.ts';
import { endEvents, freeAllNights } from '../src/sandbox/store/orders.ts';
import { countSales, slicesOfSales } from '../src/bookings/store/sales.ts';
import { listEntries } from '../src/payments/store/entries.ts';
import { batchesAffected, batchesToCompare } from '../src/payments/store/reconciliation.ts';
import { listApplications } from '../src/access/index.ts';
import { batchesOfAddresses } from '../src/channels/store/addresses.ts';
import { listTokens } from '../src/sign-in/store/tokens.ts';
import { checkRefundsNow, claimRefundsToCheck } from '../src/payments/store/refund-checks.ts';
import { countFunnel } from '../src/signals/store/count-funnel.ts';
import {
  readFunnelApplications,
  readFunnelHomes,
  readFunnelRefusals,
  readFunnelWeeks,
} from '../src/signals/store/funnel.ts';
import { attentionSources } from '../src/attention/sources.ts';
import { countAttention, readAttention } from '../src/attention/store/waiting.ts';
import { readPaymentWorkload } from '../src/payments/store/workload.ts';
import { findInvitation } from '../src/sign-in/store/invitations.ts';
import { findMemberByEmail } from '../src/sign-in/store/members.ts';
import { listPasskeys } from '../src/sign-in/store/passkeys.ts';
import { findSession, listSessions } from '../src/sign-in/store/sessions.ts';
import { findToken } from '../src/sign-in/store/tokens.ts';
import { readAuditLinks } from '../src/platform/audit/audit-chain.ts';
import { listAuditEntries } from '../src/platform/audit/audit-entries.ts';
import { findUnlinkedEntries } from '../src/platform/audit/unlinked-entries.ts';
import { sweepByAge, type AgedTable } from '../src/platform/postgres/sweep-by-age.ts';
import { findOwnBookings } from '../src/bookings/store/own-bookings.ts';
import { findLoggedRequest, listLoggedRequests } from '../src/request-log/store/requests.ts';
import { countFailed, replayFailed } from '../src/webhooks/store/replays.ts';
import {
  listDeliveriesOfEvents,
  listWebhookDeliveries,
} from '../src/webhooks/store/delivery-lists.ts';
import { listWebhookEndpoints } from '../src/webhooks/store/endpoints.ts';
import { sweepDeletedEndpoints } from '../src/webhooks/store/sweeps.ts';
import { digestGuestsAgain, digestReservationsAgain } from '../src/bookings/index.ts';
import { digestSourcesAgain } from '../src/channels/index.ts';
import { sealedColumns } from '../src/operator/master-key.ts';
import { countHandedOut } from '../src/operator/store/ends-with-master-key.ts';
import {
  passOver,
  readStatement,
  writeStatement,
  rowsOfPass,
} from '../src/platform/postgres/sealed-columns.ts';
import { lookAgain } from '../src/platform/postgres/clock-row.ts';
import { openVault } from '../src/platform/vault.ts';
import { createTestDatabase, testMasterKey, type TestDatabase } from './harness/postgres.ts';

const published = readFileSync(new URL('../statements.sql', import.meta.url), 'utf8');
const applicationId = randomUUID();
const checkout = { applicationId, checkoutId: randomUUID() };
const weeks = ['2027-01-04', '2027-01-11'];
const page = { atMost: 21, windowDays: 30 };
const searched = { today: '2027-01-04', night: null, atMost: 13 };
const type = 'reservation.changed' as const;
const ownReservations = 'list-reservations-of-application';
const auditSlice = { before: 9, atMost: 21, lookAtMost: 1_000 };
const wholePage = { after: null, atMost: 21, lookAtMost: 1_000 };
const logQuery = {
  method: undefined,
  status: { from: 100, to: 599 },
  code: undefined,
  operation: undefined,
  about: [],
  before: null,
  atMost: 21,
  scanAtMost: 1_000,
};

const query = (
  run: (executor: Executor) => unknown,
  ...indexes: [index: string, by: RegExp][]
) => ({
  run,
  indexes,
});

/** Answers this statement with these rows, so that the next one is looked at. */
const following = (name: string, db: Executor, rows: readonly unknown[] = []): Executor => ({
  ...db,
  query: async (statement, values) =>
    statement.name === name && statement.variant === undefined
      ? (rows as never[])
      : db.query(statement, values),
});

/** Counts the bookings of this day, one of which is due. */
const countToday = (db: Executor) => {
  const due = [{ ids: [randomUUID()], next: null }];
  const counting = following('time-of-count', following('find-todays-due-bookings', db, due));
  return countTodaysReservations(counting, applicationId, 0, (work) => work(counting));
};
const lockedToday = [{ booking_id: randomUUID(), kind: 'checkout' }];

const aged = (table: AgedTable, index: string, column: string) =>
  query((db) => sweepByAge(db, table, 30, 10), [index, new RegExp(column)]);

/** A checkout that is not submitted yet, and its change. */
const unsubmitted = (submittedAt: number | null) => {
  const from = { applicationId, quote: {}, updatedAt: 0, submittedAt: null, resolvedAt: null };
  return { from, next: { ...from, submittedAt }, events: [] } as never;
};
const liveCommand = {
  command: { operation: 'x', expectedVersion: 1, inputDigest: Buffer.alloc(32), refused: false },
  live: true,
} as never;

/** They never grow: a rotation may read them whole. */
const tablesOfTens = new Set(['staff_members', 'token_signing_keys', 'webhook_endpoints']);

/** Rows of the tables with sealed values, as after a year. */
const fillSealed = `
  WITH stays AS (SELECT reference, application_id, booking_id FROM reservations ORDER BY reference LIMIT 3000),
    notes AS (INSERT INTO reservation_notes (note_id, reference, author, text_sealed)
      SELECT gen_random_uuid(), reference, '', '' FROM stays),
    requests AS (INSERT INTO change_requests
        (application_id, change_request_id, input_digest, reference, kind, preview, state, decided_at)
      SELECT application_id, gen_random_uuid(), '', reference, 'cancel', '{}', 'declined', now() FROM stays),
    erasures AS (INSERT INTO customer_erasures (application_id, checkout_id, email_sealed)
      SELECT application_id, booking_id, '' FROM stays),
    calendars AS (INSERT INTO channel_calendars (listing_id, url_sealed, due_at, source_digest)
      SELECT listing_id, n::text::bytea, now(), n::text::bytea FROM listings, generate_series(1, 25) n RETURNING calendar_id),
    events AS (INSERT INTO channel_events (calendar_id, nights, event_uid, state, first_seen_at)
      SELECT calendar_id, daterange(date '2027-01-01' + n, date '2027-01-02' + n), '', 'ignored', now()
      FROM (SELECT * FROM calendars LIMIT 10) c, generate_series(1, 300) n),
    entries AS (INSERT INTO audit_entries (actor, action, details)
      SELECT 'test', 'guest.erase', '{}' FROM generate_series(1, 3000) RETURNING entry_id)
  INSERT INTO audit_texts (entry_id, text_sealed) SELECT entry_id, '' FROM entries`;

/** Digests of guests, of whom each has booked some times. */
const fillDigests = `
  WITH stays AS (SELECT reference, application_id, booking_id, kind, sha256((hashtext(reference) % 1000)::text::bytea) AS digest
      FROM reservations ORDER BY reference LIMIT 5000),
    digested AS (UPDATE reservations r SET guest_email_digest = digest FROM stays s WHERE r.reference = s.reference)
  INSERT INTO guest_digests (booking_id, application_id, kind, email, digested)
    SELECT booking_id, application_id, kind, digest, true FROM stays
    ON CONFLICT (booking_id, application_id, kind) DO UPDATE SET email = excluded.email, digested = true`;

/** What each statement goes by, and the condition that ends its way through the index. */
const queries = {
  'the claim of bookings': query(
    (db) => claimDueBookings(db, 32, 15),
    ['bookings_due', /due_at <= now/],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'a checkout': query(
    (db) => findCheckout(db, applicationId, randomUUID()),
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['checkout_commands_pkey', /checkout_id = /],
  ),
  'a quote to book': query(
    (db) => findQuoteToBook(db, applicationId, { quoteId: '', kind: 'request', bookingId: '' }),
    ['quotes_pkey', /quote_id = /],
    ['bookings_pkey', /booking_id = /],
    ['bookings_quote_used_once', /quote_id = /],
    ['bookings_partner_reference', /partner_reference = /],
  ),
  'the calendar of many homes': query(
    (db) => readCalendarBars(db, [randomUUID()], { from: '2027-01-01', to: '2027-03-01' }),
    ['occupancies_never_overlap', /listing_id = .*nights &&/],
  ),
  'the stays of the calendar': query(
    (db) => readCalendarStays(db, ['R']),
    ['reservations_pkey', /reference = ANY/],
  ),
  'the stays of the calendar in the simulation': query(
    (db) => readCalendarStaysOfHomes(db, [randomUUID()], { from: '2027-01-01', to: '2027-03-01' }),
    ['reservations_by_listing', /listing_id = .*check_in/],
  ),
  'the changes of an application': query(
    (db) => changesOfApplication(db, applicationId)(0, 102, 30),
    ['application_changes_pkey', /application_id = /],
    ['inventory_changes_pkey', /catalog_id = .*sequence > .*sequence >= .*sequence <= /],
    ['listings_pkey', /listing_id = /],
  ),
  'the changes of the installation': query(
    (db) => changesOfInstallation(db)(0, 102, 30),
    ['inventory_changes_of_installation', /installation_sequence >= .*installation_sequence <= /],
    ['listings_pkey', /listing_id = /],
  ),
  'the state of the feed of changes': query((db) => readFeedState(db)),
  'news of the feed of changes': query(
    (db) => readNews(db, 1),
    ['application_changes_by_run', /run > /],
  ),
  'number changes': query(
    (db) => advanceFeed(db, { run: 1, joins: 0 }),
    ['applications_pkey', /application_id = /],
    ['application_changes_pkey', /application_id = /],
  ),
  'the feed': query(
    (db) => readFeed(db, applicationId, { ...page, after: 0, type: undefined }),
    ['events_by_application_and_age', /created_at > /],
    ['events_pkey', /sequence > .*sequence >= .*sequence <= /],
  ),
  'the feed of a type': query(
    (db) => readFeed(db, applicationId, { ...page, after: 0, type }),
    ['events_by_application_and_age', /created_at > /],
    ['events_pkey', /sequence > .*sequence >= .*sequence <= /],
  ),
  'the newest events': query(
    (db) => listNewestEvents(db, applicationId, { ...page, before: 9, type: undefined }),
    ['events_by_application_and_age', /created_at > /],
    ['events_pkey', /sequence < .*sequence >= /],
  ),
  'the newest events of a type': query(
    (db) => listNewestEvents(db, applicationId, { ...page, before: 9, type }),
    ['events_by_application_and_age', /created_at > /],
    ['events_pkey', /sequence < .*sequence >= /],
  ),
  'a page of requests': query(
    (db) => listRequests(db, applicationId, null, 21),
    ['bookings_requests_newest', /ROW\(created_at, booking_id\) < /],
    ['quotes_pkey', /quote_id = /],
  ),
  'a request by its reference': query(
    (db) => findRequestByReference(db, applicationId, 'order 1'),
    ['bookings_partner_reference', /partner_reference = /],
    ['quotes_pkey', /quote_id = /],
  ),
  deliveries: query(
    (db) => listWebhookDeliveries(db, applicationId, { atMost: 21 }),
    ['webhook_deliveries_newest', /ROW\(created_at, delivery_id\) < /],
  ),
  'deliveries given up': query(
    (db) => listWebhookDeliveries(db, applicationId, { atMost: 21, state: 'exhausted' }),
    ['webhook_deliveries_exhausted', /ROW\(created_at, delivery_id\) < /],
  ),
  'deliveries that are retried': query(
    (db) => listWebhookDeliveries(db, applicationId, { atMost: 21, state: 'retrying' }),
    ['webhook_deliveries_retrying', /ROW\(created_at, delivery_id\) < /],
  ),
  'deliveries of an event': query(
    (db) => listWebhookDeliveries(db, applicationId, { atMost: 21, eventId: randomUUID() }),
    ['webhook_deliveries_event_once', /event_id = /],
  ),
  'the number of failed deliveries': query(
    (db) => countFailed(db, applicationId, randomUUID(), 0),
    ['webhook_deliveries_failed', /endpoint_id = .*last_attempt_at >= /],
    ['events_event_id_key', /event_id = /],
  ),
  'the replay of failed deliveries': query(
    (db) => replayFailed(db, applicationId, randomUUID(), 0),
    ['webhook_deliveries_failed', /endpoint_id = .*last_attempt_at >= /],
    ['webhook_deliveries_pkey', /delivery_id = ANY/],
    ['events_event_id_key', /event_id = /],
  ),
  'an event by its ID': query(
    (db) => findEvent(db, applicationId, randomUUID()),
    ['events_event_id_key', /event_id = /],
  ),
  'bookings by a name': query(
    (db) => findOwnBookings(db, applicationId, 'order 1'),
    ['bookings_pkey', /booking_id = ANY.*application_id = /],
    ['reservations_pkey', /reference = /],
    ['bookings_partner_reference', /partner_reference = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'logged calls about a booking': query(
    (db) => listLoggedRequests(db, applicationId, { ...logQuery, about: [randomUUID()] }),
    ['request_log_about', /about = .*ROW\(at, request_id\) < /],
  ),
  'how far calls about a booking were looked at': query(
    (db) =>
      listLoggedRequests(following('list-requests-logged', db), applicationId, {
        ...logQuery,
        about: [randomUUID()],
      }),
    ['request_log_about', /about = .*ROW\(at, request_id\) < /],
  ),
  'a logged call by its ID': query(
    (db) => findLoggedRequest(db, applicationId, randomUUID()),
    ['request_log_by_request', /request_id = /],
  ),
  endpoints: query(
    (db) => listWebhookEndpoints(db, applicationId),
    ['webhook_deliveries_failed', /endpoint_id = .*state = /],
    ['events_by_application_and_age', /application_id = /],
    ['events_pkey', /application_id = .*sequence > .*sequence <= /],
    ['webhook_deliveries_event_once', /event_id = .*endpoint_id = /],
  ),
  'sweep deleted endpoints': query(
    (db) => sweepDeletedEndpoints(db, 10),
    ['webhook_deliveries_newest', /application_id = .*created_at > /],
    ['webhook_deliveries_pkey', /delivery_id = ANY/],
    ['webhook_attempts_pkey', /delivery_id = ANY/],
  ),
  materialize: query(
    (db) => materializeReservations(db, 10),
    ['reservations_records_due', /records_due_at IS NOT NULL/],
    ['reservations_pkey', /reference = ANY/],
  ),
  'the claim of records': query(
    (db) => claimRecords(db, 32, 30),
    ['reservations_records_due', /records_due_at <= now/],
    ['reservations_pkey', /reference = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'release promotions': query(
    (db) => releaseExpiredPromotions(db, 10),
    ['bookings_promotion_held', /^$/],
    ['quotes_pkey', /quote_id = /],
  ),
  'sweep events': query(
    (db) => sweepEvents(db, 30, 10),
    ['events_by_application_and_age', /application_id = .*created_at > /],
    ['events_pkey', /application_id = .*sequence < /],
  ),
  'sweep quotes': query(
    (db) => sweepQuotes(db, 30, 10),
    ['quotes_by_expiry', /expires_at > .*expires_at < /],
    ['bookings_quote_used_once', /quote_id = /],
  ),
  'sweep abandoned checkouts': query(
    (db) => sweepAbandonedCheckouts(db, 30, 10),
    ['bookings_without_reservation', /created_at < /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['checkout_commands_pkey', /checkout_id = /],
  ),
  'remove guests': query(
    (db) => removeGuestsOfFailedRequests(db, 30, 10),
    ['bookings_without_reservation', /created_at < /],
  ),
  outcomes: query(
    (db) => {
      const next = { applicationId, updatedAt: 0, resolvedAt: null };
      return resolveBooking(db, { from: next, next, events: [] } as never, 1);
    },
    ['bookings_pkey', /booking_id = /],
    ['occupancies_pkey', /occupancy_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'a command on a checkout': query(
    (db) => transitionByCommand(db, unsubmitted(null), liveCommand),
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'a submit': query(
    (db) => transitionAndClaim(db, unsubmitted(1), liveCommand, 15),
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['applications_pkey', /application_id = /],
  ),
  'a failure with a promotion': query(
    (db) => {
      const from = { applicationId, quote: {}, updatedAt: 0, submittedAt: 0, resolvedAt: null };
      const events = [{ type: 'checkout.resolved', data: {} }];
      const change = { from, next: { ...from, resolvedAt: 0 }, events, releasesPromotion: 'A' };
      return transitionBooking(db, change as never, { fence: 1 });
    },
    ['bookings_pkey', /booking_id = /],
    ['occupancies_pkey', /occupancy_id = /],
  ),
  'open nights': query(
    (db) => readOpenNights(db, applicationId, 20_000, 93),
    ['occupancies_never_overlap', /listing_id = .*nights && /],
  ),
  'free listings': query(
    (db) => readFreeListings(db, [applicationId], { checkIn: 20_000, checkOut: 20_003 }),
    ['occupancies_never_overlap', /listing_id = .*nights && /],
  ),
  'changed nights': query(
    (db) => readNightChanges(db, { snapshot: '5:9:6,7', server: '' }, 10),
    ['night_changes_by_xid', /xid >= .*xid < /],
    ['night_changes_by_xid', /xid = ANY/],
  ),
  'taken nights of homes': query(
    (db) => readTakenParts(db, [[applicationId, 20_000, 20_003]]),
    ['occupancies_never_overlap', /listing_id = .*nights && /],
  ),
  'sweep changed nights': query(
    (db) => removeNightChanges(db, 10),
    ['night_changes_by_xid', /xid < /],
  ),
  'hold nights': query(
    (db) => holdNights(db, { quote: {} } as never, 1),
    ['bookings_pkey', /booking_id = /],
  ),
  'release holds': query(
    (db) => releaseAbandonedHolds(db, 10),
    // It has only holds: of bookings that are being resolved.
    ['occupancies_held', /^$/],
    ['bookings_pkey', /booking_id = /],
    ['occupancies_pkey', /occupancy_id = ANY/],
  ),
  'free nights': query(
    (db) => freeNights(db, applicationId),
    ['occupancies_pkey', /occupancy_id = /],
  ),
  'move nights': query(
    (db) => moveNights(db, applicationId, applicationId, { checkIn: 20_000, checkOut: 20_003 }),
    ['occupancies_pkey', /occupancy_id = /],
  ),
  'remove a block': query(
    (db) => removeBlock(db, applicationId),
    ['occupancies_pkey', /occupancy_id = /],
  ),
  'list blocks': query(
    (db) => listBlocks(db, { atMost: 10 }),
    ['occupancies_blocks', /ROW\(listing_id, lower\(nights\)\) > /],
  ),
  'list blocks of listings': query(
    (db) => listBlocks(db, { listingIds: [applicationId], atMost: 10 }),
    ['occupancies_blocks', /listing_id = ANY/],
  ),
  'the claim of channel calendars': query(
    (db) => claimDueCalendars(db, new Map([['a.example', 8]]), 60),
    ['channel_calendars_due_of_host', /host = .*failures > 0.* = .*due_at <= now/],
    ['channel_calendars_pkey', /calendar_id = ANY/],
    ['channel_conflicts_pkey', /calendar_id = /],
  ),
  'the hosts of due calendars': query(
    (db) => readDueHosts(db, 10),
    ['channel_calendars_due', /due_at <= now/],
  ),
  'the hosts of very many due calendars': query(
    (db) => readDueHosts(following('due-calendar-hosts', db), 10, 0),
    ['channel_calendars_due_of_host', /host > /],
    ['channel_calendars_due_of_host', /host = .*failures > 0.* = .*due_at <= now/],
  ),
  'nights for a channel': query(
    (db) => readNightsForChannel(db, applicationId, 20_000),
    ['occupancies_never_overlap', /listing_id = .*nights && /],
  ),
  'exported nights': query(
    (db) => readExportedNights(db, applicationId, applicationId),
    ['occupancies_never_overlap', /listing_id = .*nights && /],
    ['channel_calendars_listing_id_source_digest_key', /listing_id = /],
    ['channel_conflicts_pkey', /calendar_id = /],
  ),
  'free the nights of a calendar': query(
    (db) => freeCalendar(db, applicationId),
    ['occupancies_by_calendar', /calendar_id = /],
  ),
  'free nights of a calendar': query(
    (db) => unblockChannelNights(db, [applicationId]),
    ['occupancies_pkey', /occupancy_id = ANY/],
  ),
  'calendars of a home': query(
    (db) => listCalendars(db, applicationId, 10),
    ['channel_calendars_listing_id_source_digest_key', /listing_id = /],
    ['occupancies_by_calendar', /calendar_id = /],
    ['channel_conflicts_pkey', /calendar_id = /],
  ),
  'a calendar by its address': query(
    (db) => findHomeByAddress(db, Buffer.alloc(32), null),
    ['calendar_addresses_digest_key', /digest = /],
  ),
  'a reservation for staff': query(
    (db) => findReservationInFull(db, 'LK-0000-0000'),
    ['reservations_pkey', /reference = /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'reservations by arrival': query(
    (db) => listReservations(db, {}, null, 21),
    ['reservations_by_check_in', /ROW\(check_in, reference\) > .*check_in <= /],
    ['bookings_pkey', /booking_id = /],
  ),
  'cancelled reservations': query(
    (db) => listReservations(db, { state: 'cancelled' }, null, 21),
    ['reservations_not_confirmed', /state = .*ROW\(check_in, reference\) > .*check_in <= /],
  ),
  'reservations of a home': query(
    (db) => listReservations(db, { listingId: applicationId }, null, 21),
    ['reservations_by_listing', /listing_id = .*check_in/],
  ),
  'reservations of a guest': query(
    (db) => listReservations(db, { guestEmail: 'ada@example.com' }, null, 21),
    ['reservations_by_guest_email', /guest_email_digest = .*ROW\(check_in, reference\) > /],
  ),
  'reservations by partner reference': query(
    (db) => listReservations(db, { partnerReference: 'order 1' }, null, 21),
    ['bookings_partner_reference', /partner_reference = /],
    ['reservations_pkey', /reference = /],
  ),
  'a reservation among others': query(
    (db) => listReservations(db, { reference: 'LK-0000-0000' }, null, 21),
    ['reservations_pkey', /reference = /],
  ),
  'reservations that the records refused': query(
    (db) => listReservations(db, { recordsRefused: true }, null, 21),
    ['reservations_records_due', /^$/],
  ),
  'bookings of a guest, by words': query(
    (db) => searchBookings(db, { by: 'guest', values: ['word a', 'word b'] }, searched),
    ['guest_digests_by_words', /words @> /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['reservations_pkey', /reference = /],
  ),
  'bookings of a guest, by email': query(
    (db) => searchBookings(db, { by: 'email', values: ['a@b.example'] }, searched),
    ['guest_digests_of_email', /email = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'what is kept of a guest, by email': query(
    (db) => findGuestBookings(db, { email: 'a@b.example' }, 21),
    ['guest_digests_of_email', /email = /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['reservations_pkey', /reference = /],
  ),
  'bookings of a guest, some at a time': query(
    (db) => batchesOfGuest(db, 'a@b.example', 10).next(),
    ['guest_digests_of_email', /email = .*ROW\(booking_id, application_id, kind\) > /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['reservations_pkey', /reference = /],
  ),
  'what is kept of a guest, by phone': query(
    (db) => findGuestBookings(db, { phone: '+49 170 1234567' }, 21),
    ['guest_digests_by_phone', /phone = /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['reservations_pkey', /reference = /],
  ),
  'what is kept of a guest, by a reservation': query(
    (db) => findGuestBookings(db, { reference: 'LK-0000-0000' }, 21),
    ['reservations_pkey', /reference = /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'bookings by reference': query(
    (db) => searchBookings(db, { by: 'partnerReference', values: ['order 7'] }, searched),
    ['bookings_partner_reference', /partner_reference = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'stays of a home near to a day': query(
    (db) => searchBookings(db, { by: 'home', values: [randomUUID()] }, searched),
    ['reservations_by_listing', /listing_id = home.id.*check_in > .*check_in <= /],
    ['bookings_pkey', /booking_id = /],
  ),
  'guests without words': query(
    (db) => digestGuests(db, 500),
    ['guest_digests_without_words', /^$/],
    ['bookings_pkey', /booking_id = /],
  ),
  'reservations without digest of the email': query(
    (db) => digestGuestEmails(db, 500),
    ['reservations_without_email_digest', /^$/],
    ['bookings_pkey', /booking_id = /],
  ),
  'the arrivals of today': query(
    (db) => listArrivals(db, Date.now(), 101),
    ['reservations_by_check_in', /check_in = .*reference > /],
    ['listings_pkey', /listing_id = /],
  ),
  'accounts that are due later': query(
    (db) => listDueLater(db, null, 1_000),
    ['payment_accounts_due', /due_at >= /],
    ['reservations_pkey', /reference = /],
    ['listings_pkey', /listing_id = /],
  ),
  'the departures of today': query(
    (db) => listDepartures(db, Date.now(), 101),
    ['reservations_by_check_out', /check_out = .*reference > /],
    ['listings_pkey', /listing_id = /],
  ),
  'the count of uncertain bookings': query(
    (db) => countUncertain(db, 1_000),
    ['bookings_uncertain', /submitted_at/],
  ),
  'the days to sum up': query(
    (db) => sumUpBookings(db, 1),
    ['reservations_by_confirmation', /confirmed_at >= .*confirmed_at < /],
    ['booked_days_pkey', /day = /],
  ),
  'the sums of a day': query(
    (db) => sumUpBookings(following('days-to-sum-up', db, [{ day: '2027-01-01' }]), 1),
    ['reservations_by_confirmation', /confirmed_at >= .*confirmed_at < .*confirmed_at > /],
  ),
  'bookings by day': query((db) => listBookedDays(db, 30, 10), ['booked_days_pkey', /day > /]),
  'the ledger of some days': query(
    (db) => exportEntries(db, { from: '2027-01-01', to: '2027-01-31' }, 10),
    ['payment_entries_by_time', /at >= .*at < /],
    ['payment_accounts_pkey', /checkout_id = /],
    ['payment_intents_pkey', /payment_id = /],
    ['payment_refunds_pkey', /refund_id = /],
  ),
  'the count of the stays of a day': query(
    (db) => countStaysOfDay(db, '2027-01-01', 10),
    ['reservations_by_check_in', /check_in >= .*check_in <= /],
  ),
  'the stays of a day': query(
    (db) => listStaysOfDay(db, '2027-01-01', 10),
    ['reservations_by_check_in', /check_in >= .*check_in <= /],
    ['listings_pkey', /listing_id = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'the first stays of a day': query(
    (db) => listFirstStaysOfDay(db, '2027-01-01', 10, 10),
    ['reservations_by_check_in', /check_in >= .*check_in <= /],
    ['listings_pkey', /listing_id = /],
    ['reservations_pkey', /reference = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'the stays of some days': query(
    (db) => listStaysWithin(db, { from: '2027-01-01', to: '2027-02-01' }, 10),
    ['reservations_by_check_in', /check_in > .*check_in < /],
    ['bookings_pkey', /booking_id = /],
  ),
  'the claim of payment records': query(
    (db) => claimPaymentRecords(db, 8, 30),
    ['payment_records_due', /due_at <= now/],
    ['payment_accounts_pkey', /checkout_id = /],
  ),
  'the places of payment records': query(
    (db) => numberPaymentRecords(db, 100),
    ['payment_records_unnumbered', /^$/],
  ),
  'the count of failing calendars': query(
    (db) => countFailingCalendars(db, 1_000),
    ['channel_calendars_failing_by_age', /^$/],
  ),
  'the alarms of calendars': query(
    (db) => countCalendarAlarms(db, 1_800),
    ['channel_calendars_failing_by_age', /^$/],
    ['channel_calendars_shrunk_by_age', /^$/],
    ['channel_calendars_by_last_read', /refreshed_at, created_at.* < /],
    ['channel_conflicts_by_end', /upper\(nights\) > /],
    ['outside_stays_contested', /upper\(nights\) > /],
  ),
  'an outside stay': query(
    (db) => findOutsideStay(db, { source: 'pms', externalId: '1' }),
    ['outside_stays_source_external_id_key', /source = .*external_id = /],
    ['occupancies_never_overlap', /listing_id = .*nights && /],
  ),
  'outside stays by name': query(
    (db) => listOutsideStays(db, { source: null, listingId: null }, null, 21),
    ['outside_stays_source_external_id_key', /ROW\(source, external_id\) > /],
  ),
  'outside stays of a home': query(
    (db) => listOutsideStays(db, { source: null, listingId: applicationId }, null, 21),
    ['outside_stays_of_home', /listing_id = /],
  ),
  'the nights of an outside stay': query(
    (db) => releaseOutsideNights(db, applicationId),
    ['occupancies_by_outside_stay', /outside_stay_id = /],
  ),
  'whether nights are contested': query(
    (db) => areContested(db, applicationId),
    ['occupancies_pkey', /occupancy_id = /],
    ['channel_conflicts_pkey', /calendar_id = /],
    ['outside_stays_of_home', /listing_id = .*nights && /],
  ),
  'the count of the funnel': query(
    (db) => countFunnel(db),
    ['signals_by_age', /received_at >= .*received_at < /],
    ['quotes_by_expiry', /expires_at >= .*expires_at < /],
    ['bookings_quote_used_once', /quote_id = /],
    ['reservations_pkey', /reference = /],
    ['reservations_by_confirmation', /confirmed_at >= .*confirmed_at < /],
    ['bookings_pkey', /booking_id = /],
    ['bookings_failed', /resolved_at >= .*resolved_at < /],
    ['quotes_pkey', /quote_id = /],
  ),
  'the last calls of applications': query(
    (db) => readLastCalls(db, [applicationId]),
    ['application_keys_by_application', /application_id = /],
    ['request_log_pkey', /application_id = /],
  ),
  'the notes of a reservation': query(
    (db) => listNotes(db, 'LK-0000-0000'),
    ['reservation_notes_of_reservation', /reference = /],
  ),
  'the funnel by week': query(
    (db) => readFunnelWeeks(db, { weeks }),
    ['funnel_weeks_pkey', /week = ANY.*listing_id = /],
  ),
  'the funnel of an application': query(
    (db) => readFunnelWeeks(db, { weeks, applicationId }),
    ['funnel_weeks_pkey', /week = ANY.*application_id = .*listing_id = /],
  ),
  'the funnel by application': query(
    (db) => readFunnelApplications(db, { weeks }, 100),
    ['funnel_weeks_pkey', /week = ANY.*listing_id = /],
    ['applications_pkey', /application_id = /],
  ),
  'the funnel by home': query(
    (db) => readFunnelHomes(db, weeks, applicationId, 100),
    ['funnel_weeks_pkey', /week = ANY.*application_id = /],
  ),
  'refusals by reason': query(
    (db) => readFunnelRefusals(db, { weeks }, 100),
    ['funnel_refusals_pkey', /week = ANY.*listing_id = /],
  ),
  'uncertain bookings': query(
    (db) => listUncertainBookings(db, null, 21),
    ['bookings_uncertain', /submitted_at/],
    ['quotes_pkey', /quote_id = /],
  ),
  'a booking for staff': query(
    (db) => findBookingsInFull(db, randomUUID()),
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
  ),
  'commands of a checkout': query(
    (db) => listCommands(db, applicationId, randomUUID()),
    ['checkout_commands_pkey', /checkout_id = /],
  ),
  'events of a booking': query(
    (db) => listEventsOfBooking(db, { applicationId, bookingId: '', reference: '', resolvedAt: 0 }),
    ['events_by_application_and_age', /application_id = .*created_at >= .*created_at < /],
    ['events_of_changes', /reference/],
  ),
  'requests for changes of a state': query(
    (db) => listChangeRequests(db, { state: 'declined' }, null, 21),
    [
      'change_requests_of_state',
      /state = ANY.*ROW\(created_at, application_id, change_request_id\) < /,
    ],
    ['reservations_pkey', /reference = /],
  ),
  'requests for changes of a reservation': query(
    (db) => countRequests(db, 'LK-0000-0000', 100),
    ['change_requests_of_reservation', /reference = /],
  ),
  'the catalogs of changed homes': query(
    (db) => markCatalogs(db, 1, []),
    ['listings_by_revision', /revision = .*listing_id > /],
  ),
  'conflicts of all homes': query(
    (db) => listConflicts(db, null, 10),
    ['channel_conflicts_by_end', /upper\(nights\) > /],
    ['outside_stays_contested', /upper\(nights\) > /],
    ['channel_calendars_pkey', /calendar_id = /],
    ['occupancies_never_overlap', /listing_id = .*nights &&/],
    ['listings_pkey', /listing_id = /],
  ),
  'deliveries of events': query(
    (db) => listDeliveriesOfEvents(db, []),
    ['webhook_deliveries_event_once', /event_id = ANY/],
  ),
  'the audit trail': query(
    (db) => listAuditEntries(db, {}, auditSlice),
    ['audit_entries_pkey', /entry_id < /],
  ),
  'the audit trail of an actor': query(
    (db) => listAuditEntries(db, { actor: '' }, auditSlice),
    ['audit_entries_by_actor', /actor = ANY.*entry_id < /],
  ),
  'the audit trail of a reservation': query(
    (db) => listAuditEntries(db, { reference: '' }, auditSlice),
    ['audit_entries_by_reference', /reference = ANY.*entry_id < /],
  ),
  'the audit trail of a home': query(
    (db) => listAuditEntries(db, { listing: '' }, auditSlice),
    ['audit_homes_pkey', /listing = ANY.*entry_id < /],
  ),
  'the audit trail of an application': query(
    (db) => listAuditEntries(db, { applicationId }, auditSlice),
    ['audit_entries_by_application', /application_id = ANY.*entry_id < /],
  ),
  'the audit trail of an action': query(
    (db) => listAuditEntries(db, { action: 'key.issue' }, auditSlice),
    ['audit_entries_by_action', /action = ANY.*entry_id < /],
  ),
  'the audit trail of some days': query(
    (db) => listAuditEntries(db, { from: '2027-01-01', until: '2027-01-02' }, auditSlice),
    ['audit_entries_pkey', /entry_id < .*entry_id > .*entry_id < /],
    ['audit_entries_by_age', /happened_at < /],
    ['audit_entries_by_age', /happened_at >= /],
  ),
  'the audit trail of an action, of some days': query(
    (db) =>
      listAuditEntries(
        db,
        { action: 'key.issue', from: '2027-01-01', until: '2027-01-02' },
        auditSlice,
      ),
    ['audit_entries_by_action', /action = ANY.*entry_id < .*entry_id > .*entry_id < /],
    ['audit_entries_by_age', /happened_at < /],
    ['audit_entries_by_age', /happened_at >= /],
  ),
  'links of the audit chain': query(
    (db) => readAuditLinks(db, 0, 100),
    ['audit_chain_pkey', /position"? > /],
    // Of an entry: by any index with its number while there are none, all of which cost the same.
    ['audit_texts_pkey', /entry_id = /],
  ),
  'entries that are in no link of the chain': query(
    (db) => findUnlinkedEntries(db, 0, 9),
    ['audit_entries_pkey', /entry_id > .*entry_id <= /],
    ['audit_chain_entry_id_key', /entry_id = /],
    ['audit_unchained_pkey', /entry_id = /],
  ),
  'a session of staff': query(
    (db) => findSession(db, Buffer.alloc(32)),
    ['staff_sessions_session_digest_key', /session_digest = /],
    ['staff_members_pkey', /staff_id = /],
  ),
  'the sessions of a member of staff': query(
    (db) => listSessions(db, randomUUID()),
    ['staff_sessions_by_member', /staff_id = /],
  ),
  'the passkeys of a member of staff': query(
    (db) => listPasskeys(db, randomUUID()),
    ['staff_passkeys_of_member', /staff_id = /],
  ),
  'a token of a script': query(
    (db) => findToken(db, Buffer.alloc(32)),
    ['operator_tokens_token_digest_key', /token_digest = /],
  ),
  'an invitation of staff': query(
    (db) => findInvitation(db, Buffer.alloc(32)),
    ['staff_invitations_invitation_digest_key', /invitation_digest = /],
    ['staff_members_pkey', /staff_id = /],
  ),
  'a member of staff': query(
    (db) => findMemberByEmail(db, 'ada@staff.example'),
    ['staff_members_email_key', /email = /],
  ),
  'change a reservation': query(
    (db) => holdReservation(db, { reference: '', version: 1 }),
    ['reservations_pkey', /reference = /],
  ),
  'the claim of accounts': query(
    (db) => claimAccounts(db, 16, 30),
    ['payment_accounts_due', /due_at <= now/],
    ['payment_accounts_reference_key', /reference = ANY/],
  ),
  'an account to collect': query(
    (db) => readAccount(db, { ...checkout, fence: 1, tries: 1 }),
    ['payment_accounts_pkey', /checkout_id = /],
    ['payment_intents_of_checkout', /checkout_id = /],
    ['payment_refunds_of_payment', /payment_id = /],
  ),
  'a page of accounts': query(
    (db) => listAccounts(db, {}, null, 21),
    ['payment_accounts_listed', /ROW\(opened_at, reference\) > .*opened_at < /],
  ),
  'a page of accounts of an application for staff': query(
    (db) => listAccounts(db, { needsAttention: true, applicationId }, null, 21),
    ['payment_accounts_for_staff', /ROW\(opened_at, reference\) > /],
  ),
  'a page of accounts for staff': query(
    (db) => listAccounts(db, { needsAttention: true }, null, 21),
    ['payment_accounts_for_staff', /ROW\(opened_at, reference\) > /],
  ),
  'an account': query(
    (db) => findAccount(db, 'LK-0000-0000'),
    ['payment_accounts_reference_key', /reference = /],
  ),
  'the ledger of a checkout': query(
    (db) => listEntries(db, applicationId, randomUUID()),
    ['payment_entries_of_checkout', /checkout_id = /],
  ),
  'payments to compare': query(
    (db) => batchesToCompare(db, { since: 0, until: null }, 100)[Symbol.asyncIterator]().next(),
    ['payment_intents_by_time', /ROW\(created_at, payment_id\) > /],
    ['payment_refunds_of_payment', /payment_id = /],
    ['payment_entries_of_payment', /payment_id = /],
  ),
  'the daily limit': query(
    (db) => dailyLimitRefusal(db, applicationId),
    ['applications_pkey', /application_id = /],
    ['reservation_days_pkey', /day = .*application_id = /],
  ),
  'the bookings of today that are due': query(
    (db) =>
      countTodaysReservations(following('time-of-count', db), applicationId, 0, (work) => work(db)),
    ['bookings_due', /due_at > /],
  ),
  'the bookings of today that are confirmed': query(
    (db) => {
      const due = [{ ids: [], next: null }];
      const next = following('time-of-count', following('find-todays-due-bookings', db, due));
      return countTodaysReservations(next, applicationId, 0, (work) => work(next));
    },
    [
      'events_by_application_and_age',
      /application_id = .*created_at, sequence\) > .*created_at >= /,
    ],
  ),
  'bookings of today to count': query(countToday, ['bookings_pkey', /booking_id = ANY/]),
  'the skipped bookings of today': query(
    (db) => countToday(following('lock-todays-bookings', db)),
    ['bookings_pkey', /booking_id = ANY/],
  ),
  'the reservations of today': query(
    (db) =>
      countToday(
        following(
          'find-todays-skipped-bookings',
          following('lock-todays-bookings', db, lockedToday),
        ),
      ),
    ['bookings_pkey', /booking_id = ANY/],
    ['reservations_booking_id_application_id_kind_key', /booking_id = /],
  ),
  'the bookings that wait': query((db) => countWaitingBookings(db), ['bookings_due', /^$/]),
  'overdue bookings and records': query(
    (db) => readOverdueWork(db),
    ['bookings_due', /^$/],
    ['reservations_records_due', /^$/],
  ),
  'overdue calendars': query((db) => readOverdueCalendars(db), ['channel_calendars_due', /^$/]),
  'the workload of webhooks': query(
    (db) => readWebhookWorkload(db),
    ['webhook_deliveries_pending', /endpoint_id = .*due_at <= now/],
  ),
  'the payments under way': query(
    (db) => readPaymentWorkload(db),
    ['payment_intents_under_way', /^$/],
    ['payment_refunds_under_way', /^$/],
    ['payment_waits_by_time', /^$/],
    ['payment_accounts_due', /due_at <= now/],
  ),
  'the count of what waits for people': query(
    (db) =>
      countAttention(
        db,
        attentionSources.filter(({ isMoney }) => isMoney),
        1_000,
      ),
    ['payment_waits_pkey', /^$/],
    ['payment_disputes_open', /^$/],
    ['payment_intents_pkey', /payment_id = /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['payment_accounts_pkey', /checkout_id = /],
    ['reservations_pkey', /reference = /],
    ['payment_refunds_not_returned', /^$/],
    ['adopted_effects_open', /^$/],
    ['payment_returns_for_staff', /^$/],
  ),
  'the claim of refunds to check': query(
    (db) => claimRefundsToCheck(db, 8),
    ['payment_refunds_to_check', /check_at <= now/],
    ['payment_refunds_pkey', /refund_id = ANY/],
    ['payment_intents_pkey', /payment_id = /],
  ),
  'refunds to check now': query(
    (db) => checkRefundsNow(db, randomUUID()),
    ['payment_refunds_of_payment', /payment_id = /],
  ),
  'pictures to look at': query(
    (db) => lookAtPictures(db, 10),
    ['pictures_by_look', /look_at <= now/],
    ['pictures_pkey', /picture_id = /],
    ['listings_with_uploads', /images.* @> /],
  ),
  'the last position of a catalog': query(
    (db) => nextPosition(db, randomUUID()),
    ['catalog_listings_by_position', /catalog_id = /],
  ),
  'a page of applications': query(
    (db) => listApplications(db, randomUUID(), 21),
    ['applications_by_creation', /ROW\(created_at, application_id\) > /],
    ['applications_pkey', /application_id = /],
  ),
  'a page of tokens': query(
    (db) => listTokens(db, randomUUID(), 21),
    ['operator_tokens_by_creation', /ROW\(created_at, token_id\) < /],
    ['operator_tokens_pkey', /token_id = /],
  ),
  'addresses of calendars, some at a time': query(
    (db) => batchesOfAddresses(db, 10).next(),
    ['calendar_addresses_pkey', /listing_id > /],
    ['listings_pkey', /listing_id = /],
  ),
  'amounts that were moved in a day': query(
    (db) => batchesAffected(db, { since: 0, until: 1 }, 10)[Symbol.asyncIterator]().next(),
    ['payment_entries_by_time', /ROW\(at, entry_id\) > .*at < /],
  ),
  'withdrawn homes': query(
    (db) => listWithdrawn(db, randomUUID(), null, 21),
    ['catalog_listings_withdrawn', /catalog_id = .*ROW\(withdrawn_at, listing_id\) < /],
    ['listings_pkey', /listing_id = /],
  ),
  'sweep reservation days': aged('reservation_days', 'reservation_days_pkey', 'day < '),
  'sweep traces': aged('booking_traces', 'booking_traces_by_age', 'created_at < '),
  'sweep the feed of changes': aged(
    'inventory_changes',
    'inventory_changes_by_age',
    'changed_at < ',
  ),
  'sweep the segments of the feed of changes': query(
    (db) => sweepChanges(db, 30, 10),
    ['application_changes_by_age', /changed_at > .*changed_at < /],
    ['application_changes_pkey', /application_id = .*sequence < /],
  ),
  'sweep commands': aged('checkout_commands', 'checkout_commands_by_age', 'created_at < '),
  'sweep links': aged('portal_links', 'portal_links_by_expiry', 'expires_at < '),
  'sweep sessions': aged('portal_sessions', 'portal_sessions_by_expiry', 'expires_at < '),
  'sweep invitations': aged('staff_invitations', 'staff_invitations_by_expiry', 'expires_at < '),
  'sweep sessions of staff': aged('staff_sessions', 'staff_sessions_by_expiry', 'expires_at < '),
  'sweep calls': aged('request_log', 'request_log_by_age', 'at < '),
  'sweep the funnel': aged('funnel_weeks', 'funnel_weeks_pkey', 'week < '),
  'sweep refusals': aged('funnel_refusals', 'funnel_refusals_pkey', 'week < '),
  'sweep searches': aged('search_observations', 'search_observations_by_age', 'observed_at < '),
  'sweep signals': aged('signals', 'signals_by_age', 'received_at < '),
  'sweep attempts': aged('simulated_attempts', 'simulated_attempts_by_age', 'decided_at < '),
};

/** The steps of a new master key: each reads some rows after those of the step before, and writes them by their key. */
const queriesOfMasterKey: Readonly<Record<string, ReturnType<typeof query>>> = {
  ...Object.fromEntries(
    sealedColumns
      .filter(({ table }) => !tablesOfTens.has(table))
      .flatMap((sealed) => {
        const { table, column, writer } = sealed;
        const pkey = `${table}_pkey`;
        const asked = (statement: Statement) => (db: Executor) => db.query(statement);
        const first = query(asked(readStatement(sealed, true)), [pkey, /^$/]);
        const next = query(asked(readStatement(sealed, false)), [pkey, / > /]);
        const write = query(asked(writeStatement(sealed)), [pkey, / = /]);
        return Object.entries({
          [`the first values of ${table}.${column}`]: first,
          [`the next values of ${table}.${column}`]: next,
          // A function of the owner writes others, by the key.
          ...(writer === undefined && { [`new values of ${table}.${column}`]: write }),
        });
      }),
  ),
  'guests by digests of an earlier key': query(
    (db) => digestGuestsAgain(db),
    ['guest_digests_pkey', /ROW\(booking_id, application_id, kind\) > /],
    ['bookings_pkey', /booking_id = .*application_id = .*kind = /],
  ),
  'digests of guests that are forgotten': query(
    (db) => digestGuestsAgain(following('list-guest-digests', db)),
    ['guest_digests_pkey', /booking_id = .*application_id = .*kind = /],
  ),
  'reservations by digests of an earlier key': query(
    (db) => digestReservationsAgain(db),
    ['reservations_pkey', /reference > /],
    ['bookings_pkey', /booking_id = .*application_id = .*kind = /],
  ),
  'new digests of reservations': query(
    (db) => digestReservationsAgain(following('list-email-digests', db)),
    ['reservations_pkey', /reference = /],
  ),
  'sources by digests of an earlier key': query(
    (db) => digestSourcesAgain(db),
    ['channel_calendars_pkey', /calendar_id > /],
  ),
  'sessions that end with a key': query(
    (db) => countHandedOut(following('count-ends-with-master-key', db), 0),
    ['bookings_pkey', /booking_id > /],
  ),
  'quotes and repeats that end with a key': query(
    (db) => countHandedOut(db, 0),
    ['quotes_by_expiry', /expires_at > /],
    ['keyed_creates_by_age', /created_at </],
  ),
};

/** Lists of one application among several: if it were the only one, another index would do. */
const queriesOfApplication = {
  'own reservations of an application': query(
    (db) => listOwnReservations(db, applicationId, { state: 'cancelled' }, wholePage),
    [
      'reservations_newest_of_application',
      /application_id = ANY.*ROW\(confirmed_at, reference\) < /,
    ],
    ['bookings_pkey', /booking_id = /],
  ),
  'where the search for own reservations ended': query(
    (db) => listOwnReservations(following(ownReservations, db), applicationId, {}, wholePage),
    [
      'reservations_newest_of_application',
      /application_id = ANY.*ROW\(confirmed_at, reference\) < /,
    ],
  ),
  'reservations of an application': query(
    (db) => listReservations(db, { applicationId }, null, 21),
    [
      'reservations_of_application',
      /application_id = ANY.*ROW\(check_in, reference\) > .*check_in <= /,
    ],
  ),
  'cancelled reservations of an application': query(
    (db) => listReservations(db, { applicationId, state: 'cancelled' }, null, 21),
    [
      'reservations_not_confirmed_of_application',
      /application_id = ANY.*state = .*ROW\(check_in, reference\) > .*check_in <= /,
    ],
  ),
  'own reservations by a reference of the partner': query(
    (db) => listOwnReservations(db, applicationId, { partnerReference: 'order' }, wholePage),
    ['bookings_partner_reference', /partner_reference = /],
    [
      'bookings_newest_of_checkout_reference',
      /application_id = .*checkout_reference = .*ROW\(resolved_at, reference\) < /,
    ],
    ['reservations_pkey', /reference = /],
    ['bookings_pkey', /booking_id = /],
  ),
  'own requests for changes': query(
    (db) => listOwnChangeRequests(db, applicationId, {}, { after: null, atMost: 21 }),
    [
      'change_requests_of_application',
      /application_id = ANY.*ROW\(created_at, change_request_id\) < /,
    ],
  ),
  'own declined requests for changes': query(
    (db) =>
      listOwnChangeRequests(db, applicationId, { state: 'declined' }, { after: null, atMost: 21 }),
    [
      'change_requests_of_application_and_state',
      /application_id = ANY.*state = ANY.*ROW\(created_at, change_request_id\) < /,
    ],
  ),
  'the number of lines of a month': query(
    (db) => countSales(db, { applicationId, month: '2027-01' }, 10),
    ['reservations_newest_of_application', /confirmed_at >= .*confirmed_at < /],
    ['reservation_price_changes_by_time', /at >= .*at < /],
  ),
  'what an application has sold in a month': query(
    (db) => slicesOfSales(db, { applicationId, month: '2027-01' }, 10).next(),
    ['reservations_newest_of_application', /confirmed_at >= .*confirmed_at < /],
    ['bookings_pkey', /booking_id = /],
    ['quotes_pkey', /quote_id = /],
    ['reservation_price_changes_by_time', /at >= .*at < /],
  ),
  'accounts of an application': query(
    (db) => listAccounts(db, { applicationId }, null, 21),
    ['payment_accounts_of_application', /application_id = ANY.*ROW\(opened_at, reference\) > /],
  ),
};

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The statement that a function asks first. */
async function statementOf(run: (executor: Executor) => unknown): Promise<Statement> {
  const asked: Statement[] = [];
  const executor = {
    vault: openVault(testMasterKey),
    query: async (statement: Statement) => {
      asked.push(statement);
      throw new Error('only looked at');
    },
  } as unknown as Executor;
  await Promise.try(run, executor).catch(() => undefined);
  return asked[0]!;
}

interface AnalyzedNode extends PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: AnalyzedNode[];
}

/** Runs a statement, and returns how many rows of a table it has looked at. */
async function rowsLookedAt(
  client: pg.Client,
  table: string,
  run: (executor: Executor) => unknown,
): Promise<number> {
  const asked: [Statement, readonly unknown[]][] = [];
  const executor = {
    vault: openVault(testMasterKey),
    query: async (statement: Statement, values: readonly unknown[] = []) => {
      asked.push([statement, values]);
      throw new Error('only looked at');
    },
  } as unknown as Executor;
  await Promise.try(run, executor).catch(() => undefined);
  const [{ text }, values] = asked[0]!;
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: AnalyzedNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values as unknown[],
  );
  const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
  return (nodesOf(plan) as AnalyzedNode[])
    .filter((node) => node['Relation Name'] === table)
    .map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    .reduce((sum, looked) => sum + looked, 0);
}

/** Asserts that a statement goes by these indexes, and reads no table and no other index whole. */
async function checkPlan(
  client: pg.Client,
  run: (executor: Executor) => unknown,
  indexes: readonly [index: string, by: RegExp][],
): Promise<void> {
  const { text } = await statementOf(run);
  assert.ok(published.includes(`\n${text};\n`), 'a text that statements.sql does not have');
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  const nodes = nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan).filter((node) => !isSmall(node));
  const used = nodes.map((node) => [node['Index Name'] ?? '', node['Index Cond'] ?? ''] as const);
  const plan = JSON.stringify(rows[0]!['QUERY PLAN'], null, 1);
  for (const [index, by] of indexes) {
    assert.ok(
      used.some(([one, cond]) => one === index && by.test(cond)),
      `${index} by ${by}\n${plan}`,
    );
  }
  const wanted = new Set(indexes.map(([index]) => index));
  const others = used.filter(([one, cond]) => one !== '' && !wanted.has(one) && cond === '');
  assert.deepEqual(others, [], 'an index that is read whole');
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
  assert.deepEqual(whole, [], 'a table that is read whole');
}

/** Registers an application and writes its bookings of a year. */
async function fillApplication(client: pg.Client, id: string, bookings: number): Promise<void> {
  await client.query(
    `WITH a AS (INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
        search_per_minute, write_per_minute, signal_per_minute, catalog_id)
      SELECT $1, 'a test', 'partner', '{}', 1, 1, 1, 1, catalog_id FROM catalogs RETURNING application_id)
    INSERT INTO event_counters SELECT application_id FROM a`,
    [id],
  );
  await fillDatabase([client], { applicationId: id, bookings, ...emptyContent });
}

/** The statements of one connection, with the names and answers of all of them. */
function recording(client: pg.Client) {
  const asked: { name: string; rows: readonly unknown[] }[] = [];
  const executor: Executor = {
    ...clientExecutor(client),
    async query<R>(statement: Statement, values?: readonly unknown[]) {
      const rows = await clientExecutor(client).query<R>(statement, values);
      asked.push({ name: statement.name, rows });
      return rows;
    },
  };
  const answersOf = (name: string) => asked.filter((one) => one.name === name);
  return { executor, answersOf };
}

/** The statements of one connection. */
const clientExecutor = (client: pg.Client): Executor => ({
  vault: openVault(testMasterKey),
  query: async <R>({ text }: Statement, values: readonly unknown[] = []) =>
    (await client.query(text, values as unknown[])).rows as R[],
});

// These tables always have few rows, so they may be read whole.
const small = new Set([
  'quote_sweep',
  'application_changes_sweep',
  'funnel_progress',
  'night_changes_kept',
  'catalog_revision',
  'catalogs',
  'change_feed',
  'change_counters',
  'feed_readers',
  'pending_changes',
  'event_counters',
  'processes',
  'promotions',
  'webhook_endpoints',
]);

// An index that is read into a bitmap does not name its table.
const isSmall = (node: PlanNode): boolean =>
  small.has(node['Relation Name'] ?? '') || node['Index Name'] === 'catalogs_pkey';

for (const [name, bookings] of [
  ['an empty', 0],
  ['a full', 20_000],
] as const) {
  describe(`plans on ${name} database`, () => {
    let test: TestDatabase;
    let client: pg.Client;

    before(async () => {
      test = await createTestDatabase();
      client = await test.database.connect();
      // Homes are not all changed at once. If they are and the server analyses the table meanwhile, an index that
      // begins with the revision costs as little as the key.
      await client.query(`UPDATE listings SET revision = abs(hashtext(slug)) % 1000000`);
      if (bookings === 0) return;
      await fillApplication(client, applicationId, bookings);
      await client.query(
        `INSERT INTO applications (application_id, name, settlement, grants, read_per_minute, search_per_minute,
            write_per_minute, signal_per_minute, catalog_id)
          SELECT gen_random_uuid(), 'another', 'partner', '{}', 1, 1, 1, 1, catalog_id
          FROM catalogs, generate_series(1, 2000)`,
      );
      await client.query(
        `INSERT INTO webhook_deliveries (application_id, endpoint_id, event_type, sequence)
          SELECT $1, $1, 'checkout.resolved', n FROM generate_series(1, 5000) n`,
        [applicationId],
      );
      // All of them accepted.
      await client.query(
        `INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at,
            epoch, sequence, due_at)
          SELECT $1, gen_random_uuid(), 'collected', n::text, n, 'EUR', now(), 1, n, NULL FROM generate_series(1, 5000) n`,
        [applicationId],
      );
      await client.query(
        `INSERT INTO payment_accounts (application_id, checkout_id, reference, currency, opened_at, due_at)
          SELECT application_id, booking_id, reference, 'USD', confirmed_at,
            CASE WHEN random() < 0.1 THEN confirmed_at END
          FROM reservations WHERE kind = 'checkout' LIMIT 3000`,
      );
      await client.query(
        `INSERT INTO payment_intents (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor,
            currency, provider, created_at)
          SELECT application_id, checkout_id, uuidv7(), 'booking', opened_at, 1, 'USD', 'stripe', opened_at
          FROM payment_accounts`,
      );
      await client.query(
        `UPDATE payment_intents SET state = 'captured', provider_reference = payment_id::text`,
      );
      await client.query(
        `INSERT INTO payment_refunds (payment_id, amount_minor, reason)
          SELECT payment_id, 1, 'cancelled' FROM payment_intents`,
      );
      await client.query(
        `WITH members AS (
            INSERT INTO staff_members (email, role) SELECT n || '@staff.example', 'viewer'
            FROM generate_series(1, 2000) n RETURNING staff_id, email
          ), sessions AS (
            INSERT INTO staff_sessions (staff_id, session_digest, address, user_agent, expires_at)
            SELECT staff_id, sha256(email::bytea), '', '', now() + interval '1 hour' FROM members
          ), passkeys AS (
            INSERT INTO staff_passkeys (staff_id, credential_id, public_key, counter, transports, name)
            SELECT staff_id, email, '', 0, '{}', 'a' FROM members
          ), tokens AS (
            INSERT INTO operator_tokens (token_id, token_digest, name, role, expires_at)
            SELECT staff_id, sha256(email::bytea), 'a', 'viewer', now() + interval '1 hour' FROM members
          )
          INSERT INTO staff_invitations (staff_id, invitation_digest, expires_at)
          SELECT staff_id, sha256(email::bytea), now() + interval '1 hour' FROM members`,
      );
      await client.query('ANALYZE');
    });
    after(async () => {
      await client.end();
      await test.drop();
    });

    for (const [asked, { run, indexes }] of Object.entries(queries)) {
      it(asked, () => checkPlan(client, run, indexes));
    }

    describe('with very many rows that are due', { skip: bookings === 0 }, () => {
      before(() => client.query('BEGIN'));
      after(() => client.query('ROLLBACK'));

      it('a host with thousands of due calendars is claimed from by as many as are wanted', async () => {
        await client.query(
          `INSERT INTO channel_calendars (listing_id, url_sealed, host, due_at, source_digest, refreshed_at)
            SELECT listing_id, '', CASE WHEN n = 1 THEN 'small.example' ELSE 'large.example' END,
              now() - make_interval(secs => n), n::text::bytea, now() - interval '1 day'
            FROM (SELECT listing_id FROM listings LIMIT 20) l, generate_series(1, 100) n`,
        );
        const hosts = await readDueHosts(clientExecutor(client), 30, 50);
        const counts = Object.fromEntries(hosts.map(({ host, calendars }) => [host, calendars]));
        assert.deepEqual(counts, { 'large.example': 30, 'small.example': 20 });
        assert.deepEqual(new Set(hosts.map(({ pace }) => pace)), new Set(['quick']));
        const looked = await rowsLookedAt(client, 'channel_calendars', (db) =>
          claimDueCalendars(db, new Map([['large.example', 8]]), 60),
        );
        assert.ok(looked <= 4 * 8, `${looked} rows`);
      });

      it('calendars that staff must know of are counted up to a limit', async () => {
        const { unread } = await countCalendarAlarms(clientExecutor(client), 1_800, 100);
        assert.equal(unread, 100);
        const looked = await rowsLookedAt(client, 'channel_calendars', (db) =>
          countCalendarAlarms(db, 1_800, 100),
        );
        assert.ok(looked <= 2 * 100, `${looked} rows`);
      });

      it('a batch of promotions to release reads no more than it releases', async () => {
        const { rowCount } = await client.query(
          `UPDATE bookings SET promotion_held = true, promotion_code = (SELECT code FROM promotions LIMIT 1)
            WHERE state = 'needs_guest'`,
        );
        await client.query('UPDATE promotions SET uses = $1, max_uses = NULL', [rowCount]);
        const looked = await rowsLookedAt(client, 'bookings', (db) =>
          releaseExpiredPromotions(db, 5),
        );
        assert.ok(rowCount! > 40, `${rowCount} bookings`);
        // What it finds, locks and changes.
        assert.ok(looked <= 4 * 5, `${looked} rows`);
      });

      it('what was put off with a wrong clock becomes due in batches', async () => {
        await client.query(
          `UPDATE payment_accounts SET due_at = now() + interval '20 hours' WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM payment_accounts LIMIT 25))`,
        );
        await client.query(
          `UPDATE clock SET held_since = now(), line_less_wall_ms = 0, shown_from = now(), shown_until = now()`,
        );
        let batches = 0;
        const counting: Executor = {
          ...clientExecutor(client),
          query(statement, values) {
            batches += 1;
            return clientExecutor(client).query(statement, values);
          },
        };
        await lookAgain(counting, 10);
        assert.equal(batches, 3);
        const { rows } = await client.query(
          `SELECT FROM payment_accounts WHERE due_at BETWEEN now() + interval '1 hour' AND now() + interval '29 hours'`,
        );
        assert.deepEqual(rows, []);
      });

      it('a rare filter compares so many reservations at once, and goes on from there', async () => {
        const found: string[] = [];
        let position: ReservationPosition | null = null;
        let pages = 0;
        const last = `UPDATE reservations SET state = 'cancelled', cancelled_at = now() WHERE reference =
          (SELECT reference FROM reservations ORDER BY confirmed_at LIMIT 1) RETURNING reference`;
        const { rows } = await client.query<{ reference: string }>(last);
        do {
          pages += 1;
          const filter = { state: 'cancelled' } as const;
          const slice: ReservationSlice = { after: position, atMost: 21, lookAtMost: 10_000 };
          const part: OwnReservations = await listOwnReservations(
            clientExecutor(client),
            applicationId,
            filter,
            slice,
          );
          found.push(...part.found.map(({ reservation }) => reservation.reference));
          position = part.lookedUntil;
        } while (position !== null && pages < 10);
        assert.deepEqual([found, pages], [[rows[0]!.reference], 2]);
        const looked = await rowsLookedAt(client, 'reservations', (db) =>
          listOwnReservations(db, applicationId, { state: 'cancelled' }, wholePage),
        );
        assert.ok(looked <= 1_000, `${looked} rows`);
      });

      it('the stays of a day with too many are counted up to a limit', async () => {
        const { rows } = await client.query<{ day: string }>(
          `SELECT check_in::text AS day FROM reservations WHERE state = 'confirmed'
            GROUP BY 1 HAVING count(*) > 20 ORDER BY count(*) DESC LIMIT 1`,
        );
        const { day } = rows[0]!;
        assert.equal(await countStaysOfDay(clientExecutor(client), day, 10), 10);
        const looked = await rowsLookedAt(client, 'reservations', (db) =>
          countStaysOfDay(db, day, 10),
        );
        // One of them was cancelled above.
        assert.ok(looked <= 11, `${looked} rows`);
      });

      it('a slice of the audit chain reads its own links and entries, however long the trail is', async () => {
        await client.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
        await client.query(
          `WITH entered AS (
              INSERT INTO audit_entries (actor, action, details)
              SELECT 'test', 'block.add', '{}' FROM generate_series(1, 20000) RETURNING entry_id
            )
            INSERT INTO audit_chain (position, entry_id, hash)
            SELECT entry_id, entry_id, sha256('') FROM entered`,
        );
        await client.query('ANALYZE audit_entries, audit_chain');
        const links = queries['links of the audit chain'];
        await checkPlan(client, links.run, [
          ...links.indexes,
          ['audit_entries_pkey', /entry_id = /],
        ]);
        const unlinked = queries['entries that are in no link of the chain'];
        await checkPlan(client, unlinked.run, unlinked.indexes);
        for (const table of ['audit_chain', 'audit_entries']) {
          const looked = await rowsLookedAt(client, table, (db) => readAuditLinks(db, 9_000, 100));
          assert.equal(looked, 100, table);
        }
      });

      it('the funnel is counted in pieces with so many rows of each kind', async () => {
        await client.query(
          `WITH dense AS (
              SELECT application_id, quote_id, row_number() OVER (ORDER BY quote_id) AS n FROM quotes LIMIT 1000)
            UPDATE quotes q SET created_at = now() - interval '1 day' + n * interval '1 millisecond',
              expires_at = now() - interval '23 hours' + n * interval '1 millisecond'
            FROM dense WHERE q.application_id = dense.application_id AND q.quote_id = dense.quote_id`,
        );
        await client.query(
          `UPDATE funnel_progress SET counted_until = now() - interval '23 hours'`,
        );
        const looked = await rowsLookedAt(client, 'quotes', (db) => countFunnel(db, 100));
        // To find the end of the piece, to read it, and for what was confirmed in it.
        assert.ok(looked <= 3 * 102, `${looked} rows`);
        let pieces = 1;
        while (pieces < 10 && (await countFunnel(clientExecutor(client), 100)) === 1) pieces += 1;
        assert.equal(pieces, 10);
        const { rows } = await client.query<{ quotes: number }>(
          `SELECT sum(quotes)::integer AS quotes FROM funnel_weeks WHERE listing_id = $1`,
          ['00000000-0000-0000-0000-000000000000'],
        );
        assert.ok(rows[0]!.quotes >= 1_000 && rows[0]!.quotes < 1_100, `${rows[0]!.quotes}`);
      });

      it('the bookings of today are counted and summed up some at a time', async () => {
        await client.query(
          `UPDATE reservations SET charges = '{"currency": "EUR", "total": 5}'
            WHERE confirmed_at > now() - interval '40 days'`,
        );
        await client.query(
          `WITH recent AS (
              SELECT sequence, (data->>'checkoutId')::uuid AS booking_id, row_number() OVER () * interval '1 millisecond' AS ago
              FROM events WHERE application_id = $1 AND type = 'reservation.confirmed' ORDER BY sequence DESC LIMIT 95
            ), told AS (
              UPDATE events e SET created_at = now() - ago FROM recent
              WHERE e.application_id = $1 AND e.sequence = recent.sequence
            ), sold AS (
              UPDATE reservations r SET confirmed_at = now() - ago FROM recent
              WHERE r.application_id = $1 AND r.booking_id = recent.booking_id
            )
            UPDATE bookings b SET submitted_at = now() FROM recent
            WHERE b.application_id = $1 AND b.booking_id = recent.booking_id`,
          [applicationId],
        );
        const { executor, answersOf } = recording(client);
        await countTodaysReservations(executor, applicationId, 0, (work) => work(executor), 10);
        const locked = answersOf('lock-todays-bookings').map(({ rows }) => rows.length);
        assert.ok(Math.max(...locked) <= 10, `${locked}`);
        const counted = locked.reduce((sum, rows) => sum + rows, 0);
        assert.ok(counted > 50, `${counted}`);
        const { rows } = await client.query<{ reservations: number }>(
          'SELECT reservations FROM reservation_days WHERE application_id = $1',
          [applicationId],
        );
        assert.deepEqual(rows, [{ reservations: counted }]);

        await sumUpBookings(executor, 1, 10);
        const slices = answersOf('sum-up-slice-of-day').map((slice) =>
          (slice.rows as { bookings: number }[]).reduce((sum, one) => sum + one.bookings, 0),
        );
        assert.ok(Math.max(...slices) <= 10, `${slices}`);
        const summed = await client.query<{ bookings: number }>(
          `SELECT sum(bookings)::integer AS bookings FROM booked_days
            WHERE day >= (now() AT TIME ZONE 'UTC')::date - 1 AND application_id = $1`,
          [applicationId],
        );
        const sold = await client.query<{ bookings: number }>(
          `SELECT count(*)::integer AS bookings FROM reservations WHERE application_id = $1
            AND confirmed_at >= ((now() AT TIME ZONE 'UTC')::date - 1)::timestamp AT TIME ZONE 'UTC'`,
          [applicationId],
        );
        assert.deepEqual(summed.rows, sold.rows);
      });

      it('a reference that a partner has given all its checkouts reads a part of them', async () => {
        await client.query(
          `UPDATE bookings SET checkout_reference = 'order' WHERE kind = 'checkout' AND application_id = $1`,
          [applicationId],
        );
        await client.query('ANALYZE bookings');
        const filter = { partnerReference: 'order' };
        const looked = await rowsLookedAt(client, 'bookings', (db) =>
          listOwnReservations(db, applicationId, filter, wholePage),
        );
        // Those of the part, and once more those of the page.
        assert.ok(looked <= 1_000 + 21, `${looked} rows`);
        const rare = { ...filter, checkInTo: '2000-01-01' };
        const slice = { atMost: 21, lookAtMost: 6_000 };
        const parts: OwnReservations[] = [];
        do {
          const from = { ...slice, after: parts.at(-1)?.lookedUntil ?? null };
          parts.push(await listOwnReservations(clientExecutor(client), applicationId, rare, from));
        } while (parts.at(-1)!.lookedUntil !== null && parts.length < 5);
        assert.equal(parts.length, 2);
      });

      it('entries of the audit trail with a rare filter are looked for some at a time', async () => {
        const { executor } = recording(client);
        const slice = { before: null, atMost: 21, lookAtMost: 1_000 };
        const wanted = { actor: 'test', action: 'key.issue' } as const;
        const looked = await rowsLookedAt(client, 'audit_entries', (db) =>
          listAuditEntries(db, wanted, slice),
        );
        // Each number, and its entry.
        assert.ok(looked <= 2 * 1_000, `${looked} rows`);
        const { items, lookedUntil } = await listAuditEntries(executor, wanted, slice);
        assert.deepEqual(items, []);
        const next = { ...slice, before: lookedUntil };
        const { lookedUntil: further } = await listAuditEntries(executor, wanted, next);
        assert.equal(lookedUntil! - further!, 1_000);
        const none = await rowsLookedAt(client, 'audit_entries', (db) =>
          listAuditEntries(db, { applicationId }, slice),
        );
        assert.equal(none, 0);
      });

      it('conflicts of very many calendars are ordered up to a limit', async () => {
        await client.query(
          `WITH homes AS (SELECT DISTINCT listing_id FROM channel_calendars LIMIT 4), taken AS (
              INSERT INTO occupancies (listing_id, nights, kind, source)
              SELECT listing_id, daterange(current_date + 3000 + 3 * n, current_date + 3002 + 3 * n), 'block', 'staff'
              FROM homes, generate_series(1, 100) n RETURNING occupancy_id, listing_id, nights
            )
            INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind)
            SELECT c.calendar_id, t.nights, 'a', t.occupancy_id, 'block' FROM taken t CROSS JOIN LATERAL (
              SELECT calendar_id FROM channel_calendars WHERE listing_id = t.listing_id LIMIT 1) c`,
        );
        await client.query('ANALYZE channel_conflicts, occupancies');
        const found = await listConflicts(clientExecutor(client), null, 10, 20);
        assert.equal(found.length, 10);
        const looked = await rowsLookedAt(client, 'channel_conflicts', (db) =>
          listConflicts(db, null, 10, 20),
        );
        assert.ok(looked <= 2 * 20, `${looked} rows`);
        const calendars = recording(client);
        const all = await listCalendars(calendars.executor, null, 1_000, 300);
        const slices = calendars.answersOf('list-channel-calendars').map(({ rows }) => rows.length);
        assert.deepEqual([all.length, slices], [1_000, [300, 300, 300, 100]]);
      });

      it('the catalogs of changed homes are found some homes at a time', async () => {
        const { rows: raised } = await client.query<{ revision: number }>(
          'UPDATE catalog_revision SET revision = revision + 1 RETURNING revision::integer',
        );
        const { revision } = raised[0]!;
        await client.query('UPDATE listings SET revision = $1', [revision]);
        const { executor, answersOf } = recording(client);
        await markCatalogs(executor, revision, [], 5);
        const { rows: homes } = await client.query('SELECT FROM listings');
        const slices = Math.floor(homes.length / 5) + 1;
        assert.equal(answersOf('catalogs-of-changed-homes').length, slices);
        const { rows } = await client.query<{ revision: number }>(
          'SELECT revision::integer FROM catalogs',
        );
        assert.deepEqual(rows, [{ revision }]);
      });

      it('erasures of years are looked for some at a time', async () => {
        const { executor, answersOf } = recording(client);
        const booking = { applicationId, bookingId: randomUUID(), kind: 'checkout' } as const;
        const erased = { at: '2027-01-01T00:00:00Z', email: null, booking };
        assert.deepEqual(
          await findErased(
            executor,
            Array.from({ length: 450 }, () => erased),
          ),
          [],
        );
        assert.equal(answersOf('find-bookings-of-erased').length, 3);
      });

      it('events and nights of the sandbox are removed some at a time', async () => {
        const { executor, answersOf } = recording(client);
        const { rows } = await client.query<{ events: number; newest: number }>(
          `SELECT count(*)::integer AS events, max(sequence)::integer AS newest FROM events WHERE application_id = $1`,
          [applicationId],
        );
        const { events, newest } = rows[0]!;
        await endEvents(executor, applicationId, newest + 1, 1_000);
        const removed = answersOf('sandbox-end-events').map((answer) => answer.rows.length);
        assert.equal(Math.max(...removed), 1_000);
        assert.equal(
          removed.reduce((sum, some) => sum + some, 0),
          events,
        );
        await client.query(
          `INSERT INTO sandbox_nights SELECT $1, gen_random_uuid(), listing_id, daterange(current_date + n, current_date + n + 1)
            FROM (SELECT listing_id FROM listings LIMIT 1) l, generate_series(1, 25) n`,
          [applicationId],
        );
        await freeAllNights(executor, applicationId, 10);
        const freed = answersOf('sandbox-free-nights').map((answer) => answer.rows.length);
        assert.deepEqual(freed, [10, 10, 5]);
      });

      it('a partner with few reservations is not shown them after passing over those of a large one', async () => {
        const partner = randomUUID();
        await fillApplication(client, partner, 0);
        const looked = await rowsLookedAt(client, 'reservations', (db) =>
          listOwnReservations(db, partner, {}, wholePage),
        );
        assert.equal(looked, 0);
      });

      it('a day of reconciliation, addresses and pages of lists read some rows at a time', async () => {
        const { executor, answersOf } = recording(client);
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO payment_entries (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, at)
            SELECT application_id, checkout_id, payment_id, 'captured', 'collected', 'open', 1, 'USD', '2026-05-05T12:00Z'
            FROM payment_intents LIMIT 250`,
        );
        const day = { since: Date.parse('2026-05-05'), until: Date.parse('2026-05-06') };
        const affected = (await Array.fromAsync(batchesAffected(executor, day, 100))).flat();
        assert.equal(new Set(affected).size, 250);

        await client.query(
          `INSERT INTO calendar_addresses (listing_id, nonce, digest)
            SELECT listing_id, '\\x00', sha256(listing_id::text::bytea) FROM listings LIMIT 25
            ON CONFLICT DO NOTHING`,
        );
        const addresses = (await Array.fromAsync(batchesOfAddresses(executor, 10))).flat();
        assert.equal(new Set(addresses.map(({ listingId }) => listingId)).size, 25);
        await client.query('ROLLBACK');

        const read = ['find-payments-affected', 'list-calendar-addresses'].map((statement) =>
          answersOf(statement).map(({ rows }) => rows.length),
        );
        assert.deepEqual(read, [
          [100, 100, 50],
          [10, 10, 5],
        ]);
        const looked = [
          await rowsLookedAt(client, 'applications', (db) => listApplications(db, null, 20)),
          await rowsLookedAt(client, 'operator_tokens', (db) => listTokens(db, null, 20)),
        ];
        assert.ok(Math.max(...looked) <= 20, `${looked}`);
      });

      it('what waits for people of very many calendars is ordered up to a limit', async () => {
        await client.query('BEGIN');
        await client.query(
          `UPDATE channel_calendars SET failures = 1, problem = 'unreachable', failing_since = now() - random() * interval '1 hour'`,
        );
        await client.query('ANALYZE channel_calendars');
        const calendars = attentionSources.find(({ name: one }) => one === 'calendars');
        const read = (db: Executor) => readAttention(db, [calendars!], 10);
        const looked = await rowsLookedAt(client, 'channel_calendars', read);
        assert.ok(looked <= 2 * 10, `${looked} rows`);
        const found = await read(clientExecutor(client));
        const first = await client.query<{ subject: string }>(
          'SELECT calendar_id AS subject FROM channel_calendars ORDER BY failing_since LIMIT 10',
        );
        assert.deepEqual(
          found.map(({ subject }) => subject),
          first.rows.map(({ subject }) => subject),
        );
        await client.query('ROLLBACK');
      });
    });

    describe('while the master key is replaced', { skip: bookings === 0 }, () => {
      before(async () => {
        if (bookings === 0) return;
        await client.query(fillSealed);
        await client.query(fillDigests);
        await client.query('ANALYZE');
      });

      for (const [asked, { run, indexes }] of Object.entries(queriesOfMasterKey)) {
        it(asked, () => checkPlan(client, run, indexes));
      }

      // Of a column that few rows have, a step must not look for the next one that has it.
      it('a step looks at few rows, whether they have a sealed value or not', async () => {
        const column = sealedColumns.find((sealed) => sealed.column === 'payment_secret_sealed')!;
        let steps = 0;
        const counting: Executor = {
          ...test.database,
          query(statement, values) {
            steps += 1;
            return test.database.query(statement, values);
          },
        };
        const found = await passOver(counting, column, 'reseal');
        assert.deepEqual(found, { earlier: 0, unreadable: 0 });
        const { rows } = await client.query<{ count: number }>(
          'SELECT count(*)::integer FROM bookings',
        );
        assert.equal(steps, Math.floor(rows[0]!.count / rowsOfPass) + 1);
      });
    });

    describe('with several applications', () => {
      before(async () => {
        if (bookings === 0) return;
        for (let other = 0; other < 3; other += 1) {
          await fillApplication(client, randomUUID(), bookings / 50);
        }
        await client.query(
          `INSERT INTO payment_accounts (application_id, checkout_id, reference, currency, opened_at)
            SELECT application_id, booking_id, reference, 'USD', confirmed_at
            FROM reservations WHERE kind = 'checkout' AND application_id <> $1`,
          [applicationId],
        );
        await client.query(
          `UPDATE reservations SET state = 'cancelled', cancelled_at = now() WHERE hashtext(reference) % 20 = 0`,
        );
        await client.query('ANALYZE reservations, payment_accounts');
      });

      for (const [asked, { run, indexes }] of Object.entries(queriesOfApplication)) {
        it(asked, () => checkPlan(client, run, indexes));
      }
    });
  });
}
