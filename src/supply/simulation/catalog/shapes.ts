/** What the simulated catalog is made of, and the form in which its homes are written down. */

import type {
  CancellationRule,
  Listing,
  PartyRules,
  Policy,
  RateCard,
  Space,
  StayRules,
} from '../../../domain/listing.ts';
import type { Building, Hour, Region, Setting, Subject } from '../drawing/scene.ts';

/** The brand that the simulated homes are offered under. */
export interface SimulatedSite {
  name: string;
  slug: string;
  policies: Policy[];
  standards: Policy[];
}

/** Homes that belong together. */
export interface SimulatedCollection {
  collectionId: string;
  slug: string;
  name: string;
  description: string | null;
  position: number;
}

/**
 * A code that takes something off accommodation. `off` is basis points of a `percent`, minor units
 * of `currency` of an `amount`. Dates are `YYYY-MM-DD`; null sets no limit.
 */
export interface SimulatedPromotion {
  code: string;
  label: string;
  kind: 'percent' | 'amount';
  off: number;
  currency: string | null;
  stayFrom: string | null;
  stayTo: string | null;
  bookFrom: string | null;
  bookTo: string | null;
  listingIds: string[] | null;
  collectionIds: string[] | null;
  minNights: number;
  maxUses: number | null;
}

/** Everything that the simulation offers. */
export interface SimulatedCatalog {
  site: SimulatedSite;
  collections: SimulatedCollection[];
  listings: Listing[];
  promotions: SimulatedPromotion[];
}

/** When guests come and go, and how they get in. */
export interface Arrival {
  from: string;
  until: string;
  entry: string;
}

/** A picture as it is written down: what it shows, in which light, and its alternative text. */
export type WrittenPicture = readonly [subject: Subject, hour: Hour, alt: string];

/** A home as it is written down; what its family says for all is left out. */
export interface Home {
  slug: string;
  name: string;
  destination: string | null;
  geo: readonly [latitude: number, longitude: number] | null;
  look: readonly [Setting, Building];
  sleeps: number | null;
  /** Counted from the spaces where it is not null. */
  bedrooms?: null;
  bathrooms: number | null;
  blurb: string | null;
  description: string | null;
  spaces: Space[];
  amenities: string[];
  arrival: Arrival;
  rules: string;
  rates: RateCard;
  stay: StayRules;
  party: PartyRules;
  cancellation: CancellationRule[];
  /** The family's, where it is left out. */
  timeZone?: string | null;
  indexable?: false;
  pictures: readonly WrittenPicture[];
}

/** The homes of one collection. */
export interface Family {
  slug: string;
  name: string;
  description: string | null;
  region: Region;
  timeZone: string;
  homes: readonly Home[];
}
