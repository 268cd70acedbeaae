/**
 * A listing as stored: what partners read, and the rules for prices, parties and dates. The rules have
 * the names and meanings of the catalog file, with defaults filled in. The other files of this folder
 * apply them as pure functions.
 */

import type {
  CancellationRule,
  CatalogListing,
  DatedRate,
  Fee,
  KeepRule,
  Rates as RatesInFile,
  Season,
  Tax,
  When,
} from '../../contract/catalog-file.ts';
import type { weekdays } from '../../contract/weekdays.ts';

export type { CancellationRule, DatedRate, Fee, KeepRule, Season, Tax, When };

/** Days since 1970-01-01 in the property's calendar. A night has the number of its first day. */
export type DayNumber = number;

/** An amount in the minor unit of its currency (cents). Always an integer. */
export type Minor = number;

/** Millionths: 1/10,000 of a percent, an integer. 126600 is 12.66 %. */
export type Millionths = number;

/** A percentage with at most four decimals. 12.66 is 12.66 %. */
export type Percent = number;

/** A day of the week as in ISO 8601: Monday is 1, Sunday is 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A day of the week as the catalog file names it. */
export type WeekdayName = (typeof weekdays)[number];

/** A text that a guest reads and accepts, or a standard of the operator. */
export interface Policy {
  label: string;
  body: string;
}

/** A room of the home. Spec: LISTING-2. */
export interface Space {
  type: string;
  name: string | null;
  isPrivate: boolean | null;
  beds: { type: string; quantity: number }[];
}

/** A picture; `file` is relative to the service's base URL, so that the base URL can change. */
export type Image = NonNullable<CatalogListing['images']>[number];

/** The prices of nights, and the discounts. */
export type Rates = Pick<RatesInFile, 'nightly' | 'discounts'> &
  Required<Omit<RatesInFile, 'nightly' | 'discounts'>>;

/** A discount on accommodation for stays of at least `minNights`. */
export type LengthDiscount = Rates['lengthDiscounts'][number];

/** A discount on accommodation after the one for long stays. */
export type Discount = NonNullable<Rates['discounts']>[number];

type PaymentInFile = NonNullable<CatalogListing['payment']>;

/** When the total is due: a share at booking and the balance some days before arrival, or a list of payments. */
export type PaymentPlan =
  | (Required<Omit<PaymentInFile, 'schedule'>> & { schedule?: undefined })
  | Required<Pick<PaymentInFile, 'schedule'>>;

/** A payment of a list. */
export type PlannedPayment = NonNullable<PaymentInFile['schedule']>[number];

/** Limits of the party; the number of guests is limited by `sleeps` of the listing. */
export type PartyRules = Required<NonNullable<CatalogListing['party']>>;

type StayRulesInFile = NonNullable<CatalogListing['stayRules']>;
type StayRulesToFill =
  | 'minNights'
  | 'maxNights'
  | 'arrivalDays'
  | 'departureDays'
  | 'bookingHorizonDays';

/** When a stay may begin and end; either `advanceNoticeDays` or `advanceNotice` is there. */
export type StayRules = Required<Pick<StayRulesInFile, StayRulesToFill>> &
  Omit<StayRulesInFile, StayRulesToFill>;

/** A home that can be offered. Spec: LISTING-2. */
export interface Listing {
  listingId: string;
  slug: string;
  name: string;
  description: string | null;
  blurb: string | null;
  collectionId: string | null;
  timeZone: string | null;
  destination: string | null;
  sleeps: number | null;
  bedrooms: number | null;
  bathrooms: number | null;
  /** `HH:MM` at the property. */
  checkInFrom: string | null;
  checkOutUntil: string | null;
  images: Image[];
  amenities: string[];
  policies: Policy[];
  spaces: Space[];
  geo: { latitude: number; longitude: number } | null;
  indexable: boolean;
  /** ISO 4217. */
  currency: string;
  rates: Rates;
  fees: Fee[];
  taxes: Tax[];
  payment: PaymentPlan;
  stayRules: StayRules;
  party: PartyRules;
  /** Entries of one form. */
  cancellation: (CancellationRule | KeepRule)[];
  propertyType?: CatalogListing['propertyType'];
  registration?: CatalogListing['registration'];
  address?: CatalogListing['address'];
  arrivalInstructions?: CatalogListing['arrivalInstructions'];
  securityDeposit?: CatalogListing['securityDeposit'];
  cancellationGrace?: CatalogListing['cancellationGrace'];
  cancellationAlwaysRefunds?: string[];
  /** In place of the generated text; in a catalog's view also that of the catalog. */
  cancellationText?: Policy | null;
}

/** The part of a listing that decides the price of a stay. */
export type PricedListing = Pick<Listing, 'currency' | 'rates' | 'fees' | 'taxes' | 'payment'>;

/** The people and animals of a stay. Spec: PARTY-1. */
export interface Party {
  adults: number;
  children: number;
  infants: number;
  pets: number;
  /** The age of each child at check-in; absent: not known. */
  childAges?: number[];
}

/** A half-open stay: the night of `checkOut` is not part of it. */
export interface Stay {
  checkIn: DayNumber;
  checkOut: DayNumber;
}
