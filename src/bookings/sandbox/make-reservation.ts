/** Makes a reservation by itself, for a conformance run: the program under test only follows it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { newSessionNonce } from '../../access/index.ts';
import type { PublishedListing } from '../../catalog/index.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Settlement } from '../../contract/wire.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import {
  acceptedPolicies,
  cancellationInstants,
  depositOf,
  normaliseParty,
  priceStay,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import type { BookingChange } from '../rules/booking.ts';
import { newCheckout } from '../rules/new-checkout.ts';
import { referenceFrom } from '../rules/reference.ts';
import { decideResolution } from '../rules/resolution.ts';
import { decideSubmitByStaff } from '../rules/staff-reservation.ts';
import { insertCheckout, transitionBooking } from '../store/bookings.ts';
import { insertQuote, type NewQuote } from '../store/quotes.ts';
import type { OfferedStay } from './offer-stay.ts';

/** The application that gets the reservation. */
interface Owner {
  applicationId: string;
  settlement: Settlement;
  adjustPercent: number;
}

const digest = (): Buffer => randomBytes(32);

function quoteOf(
  { applicationId, adjustPercent }: Owner,
  { listing, termsVersion }: PublishedListing,
  offered: OfferedStay,
  now: EpochMs,
): NewQuote {
  const stay = stayOf(offered);
  const party = normaliseParty({ adults: offered.adults });
  const today = todayAt(now, listing.timeZone);
  const options = { today, adjustmentPercent: adjustPercent, promotion: null };
  const charges = priceStay(listing, stay, party, options);
  if (!charges) throw new Error('a stay without a price was offered');
  return {
    applicationId,
    quoteId: randomUUID(),
    listingId: listing.listingId,
    checkIn: offered.checkIn,
    checkOut: offered.checkOut,
    party,
    charges,
    terms: {
      version: termsVersion,
      policies: acceptedPolicies(listing),
      cancellation: cancellationInstants(listing, stay, charges, { from: now, quotedAt: now }),
      securityDeposit: depositOf(listing, stay),
    },
    promotion: null,
    decidedAt: now,
  };
}

async function transition(executor: Executor, change: BookingChange): Promise<void> {
  const verdict = await transitionBooking(executor, change, {});
  if (verdict !== 'written') throw new Error(`a booking of its own was ${verdict}`);
}

/** Quote, checkout and reservation, with its events. Returns the reference. */
export const makeReservation = (
  database: Database,
  owner: Owner,
  home: PublishedListing,
  offered: OfferedStay,
  guest: Guest,
  now: EpochMs,
): Promise<string> =>
  database.transaction(async (executor) => {
    const quote = await insertQuote(executor, quoteOf(owner, home, offered, now), digest(), null);
    if (!quote) throw new Error('the ID of a new quote is taken');
    const { applicationId, settlement } = owner;
    const ids = { applicationId, bookingId: randomUUID(), settlement, partnerReference: null };
    const made = newCheckout(quote, ids);
    const written = await insertCheckout(executor, made, digest(), newSessionNonce());
    if (!written || written === 'promotion_used_up') throw new Error('the quote has ended');
    const { checkout } = written;
    const submitted = decideSubmitByStaff(checkout, guest, checkout.createdAt);
    await transition(executor, submitted);
    const resolved = decideResolution(
      submitted.next,
      { result: 'made', announced: null },
      {
        reference: referenceFrom(randomBytes(5)),
        now: checkout.createdAt,
        reconcileInSeconds: 0,
        keepsNights: false,
      },
    )!;
    await transition(executor, resolved);
    return resolved.next.reference!;
  });
