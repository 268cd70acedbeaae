/** Bookings on a real database without HTTP, priced by the catalog so that a resolution finds them right. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { capabilities } from '../../src/contract/scopes.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import { onlyCatalog } from '../harness/catalog.ts';
import { insertApplication } from '../../src/access/store/applications.ts';
import { insertCheckout, insertRequest } from '../../src/bookings/store/bookings.ts';
import { findCheckout, type FoundCheckout } from '../../src/bookings/store/checkouts.ts';
import { insertQuote } from '../../src/bookings/store/quotes.ts';
import type {
  Booking,
  Checkout,
  Quote,
  ReservationRequest,
} from '../../src/bookings/rules/booking.ts';
import { dateText, dayNumber } from '../../src/pricing/rules/calendar-date.ts';
import { priceStay } from '../../src/pricing/rules/price-stay.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { openTestWorker, type Around, type TestWorker } from '../harness/test-worker.ts';
import { guest } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

/** What a booking is made with. */
export interface Making {
  kind?: Booking['kind'];
  state?: Booking['state'];
  settlement?: Settlement;
  suffix?: string;
  /** The place of the home in the catalog, and the nights in days from today. Absent: the first home. */
  stay?: { home: number; checkIn: number; checkOut: number };
}

/** A database with an application that books, and a testWorker to do a worker's work. */
export interface TestResolution extends TestDatabase {
  applicationId: string;
  testWorker: TestWorker;
  /** Another application, with its place in the order of events. */
  application(settlement?: Settlement): Promise<string>;
  /** A booking as it stands before a worker has seen it; due at once if it was submitted. */
  make(making?: Making, applicationId?: string): Promise<string>;
  checkout(checkoutId: string): Promise<FoundCheckout>;
  state(bookingId: string): Promise<{ state: string; version: number }>;
}

const today = dayNumber(new Date().toISOString().slice(0, 10));
const ample = { read: 1000, search: 1000, write: 1000, signal: 1000 };
const submitText = `UPDATE bookings SET submitted_at = created_at, due_at = created_at
  WHERE booking_id = $1`;
const unsubmitted = new Set<string>(['needs_guest', 'needs_payment', 'ready']);

export async function openResolution(around: Around = {}): Promise<TestResolution> {
  const test = await createTestDatabase();
  const { database } = test;
  const testWorker = await openTestWorker(database, around);

  async function application(settlement: Settlement = 'partner'): Promise<string> {
    const applicationId = randomUUID();
    const grants = [...capabilities];
    await insertApplication(database, {
      applicationId,
      name: 'a test',
      settlement,
      grants,
      quotas: ample,
    });
    return applicationId;
  }

  async function quoteFor(
    applicationId: string,
    wanted = { home: 0, checkIn: 40, checkOut: 43 },
  ): Promise<Quote> {
    const sold = testWorker.context.catalog.of(await onlyCatalog(database)).listings[wanted.home];
    assert.ok(sold);
    const stay = { checkIn: today + wanted.checkIn, checkOut: today + wanted.checkOut };
    const party = { adults: 2, children: 0, infants: 0, pets: 0 };
    const quote = await insertQuote(
      database,
      {
        applicationId,
        quoteId: randomUUID(),
        listingId: sold.listing.listingId,
        checkIn: dateText(stay.checkIn),
        checkOut: dateText(stay.checkOut),
        party,
        charges: priceStay(sold.listing, stay, party, { today, adjustmentPercent: 0 })!,
        terms: { version: sold.termsVersion, policies: [], cancellation: [] },
        promotion: null,
      },
      randomBytes(32),
      null,
    );
    assert.ok(quote);
    return quote;
  }

  const applicationId = await application();
  return {
    ...test,
    testWorker,
    applicationId,
    application,
    async make(
      { kind = 'checkout', state = 'pending', settlement = 'partner', suffix, stay } = {},
      owner = applicationId,
    ) {
      const bookingId = randomUUID();
      const quote = await quoteFor(owner, stay);
      const record = {
        applicationId: owner,
        bookingId,
        quote,
        settlement,
        guest: guest(suffix),
        charges: quote.charges,
        promotionCode: null,
        failureReason: null,
        reference: null,
        failureDetails: null,
        partnerReference: null,
        resolvedAt: null,
      };
      const digest = randomBytes(32);
      if (kind === 'request') {
        const request = { ...record, kind, state: state as ReservationRequest['state'] };
        assert.ok(await insertRequest(database, request, digest, false));
        return bookingId;
      }
      const checkout = {
        ...record,
        kind,
        state: state as Checkout['state'],
        promotionCode: null,
        terms: quote.terms,
        paymentSetup: null,
        paymentMethodId: null,
      };
      assert.ok(await insertCheckout(database, checkout, digest, randomBytes(16)));
      if (!unsubmitted.has(state)) await sql(database, submitText, [bookingId]);
      return bookingId;
    },
    async checkout(checkoutId) {
      const [row] = await sql<{ application_id: string }>(
        database,
        'SELECT application_id FROM bookings WHERE booking_id = $1',
        [checkoutId],
      );
      const found = await findCheckout(database, String(row?.application_id), checkoutId);
      assert.ok(found);
      return found;
    },
    async state(bookingId) {
      const [row] = await sql<{ state: string; version: number }>(
        database,
        'SELECT state, version FROM bookings WHERE booking_id = $1',
        [bookingId],
      );
      assert.ok(row);
      return row;
    },
  };
}

/** What was asked of the supplier, by attempt; and where a test lets it fail. */
export class Calls {
  readonly reserved = new Map<string, number>();
  readonly lookedUp = new Map<string, number>();
  /** Called before and after the supplier decides; throws to stand for a crash. */
  before: () => void | Promise<void> = () => undefined;
  after: () => void | Promise<void> = () => undefined;

  /** The real supply, with its calls counted. */
  readonly around = (real: Supply): Supply => ({
    ...real,
    lookUp: (booking, signal) => {
      count(this.lookedUp, booking.attemptId);
      return real.lookUp(booking, signal);
    },
    confirm: async (booking, signal) => {
      count(this.reserved, booking.attemptId);
      await this.before();
      const outcome = await real.confirm(booking, signal);
      await this.after();
      return outcome;
    },
  });
}

const count = (counts: Map<string, number>, attemptId: string) =>
  counts.set(attemptId, (counts.get(attemptId) ?? 0) + 1);
