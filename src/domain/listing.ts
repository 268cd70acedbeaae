/**
 * A listing as the operator keeps it: what partners read, and the rules that price a stay in it
 * and decide who may stay, when. Plain data; every rule is a pure function in a file beside this one.
 */

/** Days since 1970-01-01 on the property's own calendar. A night has the number of its arrival day. */
export type DayNumber = number;

/** An amount in the minor unit of its currency (cents). Always an integer. */
export type Minor = number;

/** Basis points: 1/100 of a percent, an integer. 1266 is 12.66 %. */
export type BasisPoints = number;

/** A day of the week as in ISO 8601: Monday is 1, Sunday is 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A text that a guest reads and accepts, or that describes how a home is run. */
export interface Policy {
  label: string;
  body: string;
}

/** A room of the home, in the words of the specification's listing. */
export interface Space {
  type: string;
  name: string | null;
  isPrivate: boolean | null;
  beds: { type: string; quantity: number }[];
}

/** A picture; `path` is relative to the service's base URL, so that the catalog outlives a move. */
export interface Picture {
  path: string;
  alt: string;
}

/** A part of the year with its own price and its own least stay. */
export interface Season {
  name: string;
  /** First and last day, `MM-DD`, both included; `from` later than `to` runs over the new year. */
  from: string;
  to: string;
  /** Added to (negative: taken from) the night's price. 3500 is +35 %. */
  priceChange: BasisPoints;
  /** Least nights for an arrival in this season; null: the listing's own rule. */
  minNights: number | null;
}

/** A discount on accommodation for stays of at least `minNights`; the longest that fits applies. */
export interface LengthDiscount {
  label: string;
  minNights: number;
  off: BasisPoints;
}

/** A charge beside accommodation. Guests are adults and children. */
export interface Fee {
  kind: 'cleaning' | 'fee';
  label: string;
  per: 'stay' | 'night' | 'guest' | 'guest_night' | 'pet' | 'pet_night';
  amount: Minor;
}

/** A tax, either a rate on accommodation (with or without fees) or an amount a guest and night. */
export type Tax =
  | { label: string; basis: 'accommodation' | 'accommodation_and_fees'; rate: BasisPoints }
  | { label: string; basis: 'guest_night'; amount: Minor };

/** When the total falls due: a share at booking, the rest some days before arrival. */
export interface PaymentPlan {
  dueNow: BasisPoints;
  balanceDaysBefore: number;
}

/** Everything a price is made of. */
export interface RateCard {
  /** ISO 4217. */
  currency: string;
  weekdayNight: Minor;
  /** The nights of Friday and Saturday. */
  weekendNight: Minor;
  /** The first season that contains a night applies to it. */
  seasons: Season[];
  lengthDiscounts: LengthDiscount[];
  fees: Fee[];
  taxes: Tax[];
  paymentPlan: PaymentPlan;
}

/** Who may stay. Whether a listing has a limit of guests at all is `sleeps` of the listing. */
export interface PartyRules {
  children: boolean;
  infants: boolean;
  /** 0: no pets. */
  maxPets: number;
}

/** When a stay may begin and end. */
export interface StayRules {
  minNights: number;
  maxNights: number;
  arrivalDays: Weekday[];
  departureDays: Weekday[];
  /** Whole days that must lie between today at the property and arrival; 0: same day is fine. */
  advanceNoticeDays: number;
}

/** Cancelled at least `daysBefore` days before arrival, this share of the total comes back. */
export interface CancellationRule {
  daysBefore: number;
  refund: BasisPoints;
}

/** A home that can be offered. Spec: Resources, Listing. */
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
  pictures: Picture[];
  amenities: string[];
  policies: Policy[];
  spaces: Space[];
  geo: { latitude: number; longitude: number } | null;
  indexable: boolean;
  rates: RateCard;
  partyRules: PartyRules;
  stayRules: StayRules;
  cancellation: CancellationRule[];
}

/** The people and animals of a stay. Spec: Party. */
export interface Party {
  adults: number;
  children: number;
  infants: number;
  pets: number;
}

/** A half-open stay: the night of `checkOut` is not part of it. */
export interface Stay {
  checkIn: DayNumber;
  checkOut: DayNumber;
}
