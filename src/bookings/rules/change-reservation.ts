import type { EpochMs } from '../../contract/time.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { ReasonOf } from '../../contract/errors.ts';
import { reservationChanges } from '../../contract/events.ts';
import { limits } from '../../contract/limits.ts';
import {
  brokenPartyRules,
  brokenStayRules,
  cancellationInstants,
  chargesOfTotal,
  comparableParty,
  keptCharges,
  type Listing,
  nightsOf,
  normaliseParty,
  type Party,
  partyProblems,
  priceStay,
  type Promotion,
  promotionRefusal,
  recalculatedCharges,
  samePrice,
  type Stay,
  stayOf,
  todayAt,
} from '../../pricing/index.ts';
import type { Reservation } from './booking.ts';
import { changed, type ReservationChange, type ReservationUpdate } from './reservation.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';

/** Whether a change of the stay keeps the agreed price, or takes the price of today's rates. */
export type PriceChoice = 'keep' | 'recalculate';

/** A price that only the sandbox can set. */
interface SetPrice {
  total: number;
}

/** What staff want to change; absent members stay as they are. */
export interface StayChange {
  checkIn?: string | undefined;
  checkOut?: string | undefined;
  party?: Partial<{ [Member in keyof Party]: Party[Member] | undefined }>;
  listingId?: string | undefined;
}

/** The stay of a reservation. */
export type StayOfReservation = Pick<Reservation, 'listingId' | 'checkIn' | 'checkOut' | 'party'>;

/** The facts that decide a change. */
export interface ChangeFacts {
  reservation: Reservation;
  /** The home of the changed stay, as the application's catalog sells it. */
  listing: Listing;
  /** The application's channel adjustment. */
  adjustmentPercent: number;
  /** The promotion of the booking, and when the booking took it; null: none, or it no longer exists. */
  promotion: { promotion: Promotion; usedAt: EpochMs } | null;
  /** When the quote of the booking was created: conditions of days ahead count from then. */
  quotedAt: EpochMs;
  now: EpochMs;
}

/** A rule that the changed stay breaks. Staff decide whether it matters. */
export type ChangeWarning = ReasonOf<'policy_restricted'>;

/** A change of a stay, before it is written. */
export interface DecidedChange {
  update: ReservationUpdate;
  changes: ReservationChange[];
  warnings: ChangeWarning[];
}

/** The stay as staff want it. */
export const changedStay = (reservation: Reservation, change: StayChange): StayOfReservation => ({
  listingId: change.listingId ?? reservation.listingId,
  checkIn: change.checkIn ?? reservation.checkIn,
  checkOut: change.checkOut ?? reservation.checkOut,
  party: changedParty(reservation.party, change.party ?? {}),
});

/** The ages of children go with their number: another number without ages removes them. */
function changedParty(before: Party, change: NonNullable<StayChange['party']>): Party {
  const children = change.children ?? before.children;
  const kept = children === before.children ? before.childAges : undefined;
  return normaliseParty({
    adults: change.adults ?? before.adults,
    children,
    infants: change.infants ?? before.infants,
    pets: change.pets ?? before.pets,
    childAges: change.childAges ?? kept,
  });
}

/** Why no reservation can have this stay; null: it can. Spec: STAY-1, PARTY-4. */
export function stayRefusal({
  checkIn,
  checkOut,
  party,
}: StayOfReservation): Refusal<'invalid_input'> | null {
  const [wrong] = partyProblems(party);
  if (wrong) {
    return refuseStaff('invalid_input', `The ages of children: there ${wrong.message}.`, wrong);
  }
  const { min, max } = limits.nightsPerStay;
  const nights = nightsOf(stayOf({ checkIn, checkOut }));
  if (nights >= min && nights <= max) return null;
  const message = `must be ${min} to ${max} nights after arrival`;
  return refuseStaff(
    'invalid_input',
    `${checkIn} to ${checkOut} is not a stay: departure ${message}.`,
    { path: '/checkOut', message },
  );
}

// The due days of a kept price follow the dates, so only the amounts are compared.
const paymentsOf = ({ dueNow, schedule }: Charges): string =>
  JSON.stringify([dueNow, schedule.map(({ amount }) => amount)]);

const partyMembers = ['adults', 'children', 'infants', 'pets'] as const;

const agesOf = (party: Party): string => (comparableParty(party).childAges ?? []).join();

const samePart: Readonly<
  Record<
    ReservationChange,
    (before: Reservation, after: StayOfReservation, charges: Charges) => boolean
  >
> = {
  dates: (before, after) => before.checkIn === after.checkIn && before.checkOut === after.checkOut,
  party: (before, after) =>
    partyMembers.every((member) => before.party[member] === after.party[member]) &&
    agesOf(before.party) === agesOf(after.party),
  // The nights follow the dates, so they are not compared.
  price: ({ charges: before }, _after, charges) =>
    samePrice(before, { ...charges, nights: before.nights }) &&
    paymentsOf(before) === paymentsOf(charges),
  listing: (before, after) => before.listingId === after.listingId,
};

/** Whether dates, party and home are the same. */
export const isSameStay = (before: Reservation, after: StayOfReservation): boolean =>
  (['dates', 'party', 'listing'] as const).every((part) =>
    samePart[part](before, after, before.charges),
  );

/** What differs, in the order of the contract. Spec: RESERVATION-4. */
const changesOf = (
  before: Reservation,
  after: StayOfReservation,
  charges: Charges,
): ReservationChange[] =>
  reservationChanges.filter((part) => !samePart[part](before, after, charges));

/** The promotion of the booking, if the changed stay may have it. Its use is already counted. Spec: PROMOTION-6. */
function promotionFor({ promotion: used, listing }: ChangeFacts, stay: Stay): Promotion | null {
  if (!used) return null;
  const { promotion, usedAt } = used;
  const refused = promotionRefusal(promotion, { listing, stay, now: usedAt, uses: 0 });
  return refused ? null : promotion;
}

interface Priced {
  charges: Charges;
  /** The changed stay does not get the promotion of the booking. */
  losesPromotion: boolean;
}

type Pricing = (facts: ChangeFacts, after: StayOfReservation) => Priced | Refusal<'conflict'>;

function recalculate(facts: ChangeFacts, after: StayOfReservation): Priced | Refusal<'conflict'> {
  const { listing, reservation, adjustmentPercent, now, quotedAt } = facts;
  const { charges: before } = reservation;
  if (listing.currency !== before.currency) {
    return refuseConflict(
      `${listing.slug} is priced in ${listing.currency}, the reservation in ${before.currency}: only its price can be kept.`,
    );
  }
  const stay = stayOf(after);
  const today = todayAt(now, listing.timeZone);
  const promotion = promotionFor(facts, stay);
  const priced = priceStay(listing, stay, after.party, {
    today,
    quotedOn: todayAt(quotedAt, listing.timeZone),
    promotion,
    adjustmentPercent,
  });
  if (!priced) {
    return refuseConflict(
      `${listing.slug} has no price for every night of ${after.checkIn} to ${after.checkOut}: only the price can be kept.`,
    );
  }
  return {
    charges: recalculatedCharges(before, priced, today),
    losesPromotion: promotion === null && before.lines.some(({ kind }) => kind === 'promotion'),
  };
}

const pricing: Readonly<Record<PriceChoice, Pricing>> = {
  keep: ({ reservation, listing, now }, after) => ({
    charges: keptCharges(reservation.charges, stayOf(after), todayAt(now, listing.timeZone)),
    losesPromotion: false,
  }),
  recalculate,
};

const pricedBy = (price: PriceChoice | SetPrice): Pricing =>
  typeof price === 'string'
    ? pricing[price]
    : (facts, after) => {
        const { charges } = pricing.keep(facts, after) as Priced;
        const today = todayAt(facts.now, facts.listing.timeZone);
        return { charges: chargesOfTotal(charges, price.total, today), losesPromotion: false };
      };

function warningsOf(
  { listing, now }: ChangeFacts,
  after: StayOfReservation,
  { losesPromotion }: Priced,
): ChangeWarning[] {
  const stay = stayOf(after);
  return [
    ...brokenPartyRules(listing, after.party),
    // Staff see that a stay is short, also where it fills a gap.
    ...brokenStayRules(listing, stay, now, () => false),
    ...(losesPromotion ? ['promotion_not_applicable' as const] : []),
  ];
}

/** Changes dates, party, home or price of a reservation. Spec: RESERVATION-4. */
export function decideChange(
  facts: ChangeFacts,
  after: StayOfReservation,
  price: PriceChoice | SetPrice,
): DecidedChange | Refusal<'conflict'> {
  const { reservation, listing, now, quotedAt } = facts;
  if (reservation.state !== 'confirmed') {
    return refuseConflict(`${reservation.reference} is ${reservation.state}, which is final.`);
  }
  const priced = pricedBy(price)(facts, after);
  if (isRefusal(priced)) return priced;
  const { charges } = priced;
  const changes = changesOf(reservation, after, charges);
  if (changes.length === 0) {
    return refuseConflict(`${reservation.reference} is like that already: nothing would change.`);
  }
  // A changed party does not change the accepted terms.
  const cancellation = changes.every((part) => part === 'party')
    ? reservation.cancellation
    : cancellationInstants(listing, stayOf(after), charges, { from: now, quotedAt });
  return {
    update: changed(reservation, { ...after, charges, cancellation }, changes, now),
    changes,
    warnings: warningsOf(facts, after, priced),
  };
}
