import type { CatalogView, HomeFilter } from '../../catalog/index.ts';
import type { SearchListings } from '../../contract/partner/schemas/search.ts';
import type { FreeHomes } from '../availability.ts';
import { amenityKey, prefixesOf, unitVector } from '../../catalog/index.ts';
import type { InvalidField } from '../../contract/errors.ts';
import {
  type DatedDay,
  datedDay,
  normaliseParty,
  type Party,
  partyProblems,
  type Stay,
  stayOf,
} from '../../pricing/index.ts';

/** A stay that a search may choose. */
export interface Shift {
  stay: Stay;
  nights: readonly DatedDay[];
}

/** The order of results. Spec: SEARCH-7. */
export type SearchSort = NonNullable<SearchListings['sort']>;

/** What a partner searches, apart from the page. */
export interface HomeSearch {
  /** The stay that was asked for first, then its shifts: the nearest first, the earlier before the later. */
  shifts: readonly Shift[];
  party: Party;
  /** The application's channel adjustment. */
  adjustmentPercent: number;
  filter: HomeFilter;
  /** The highest total in minor units; null: no limit, and homes without a total match, too. */
  maxTotal: number | null;
  sort: SearchSort;
}

/** The dependencies of a search. */
export interface SearchSources {
  view: CatalogView;
  /** The free homes of the view, for each shift of the search in its order. */
  free: readonly FreeHomes[];
  now: number;
  signal: AbortSignal;
}

const shiftBy = ({ checkIn, checkOut }: Stay, days: number): Shift => {
  const stay = { checkIn: checkIn + days, checkOut: checkOut + days };
  const nights: DatedDay[] = [];
  for (let day = stay.checkIn; day < stay.checkOut; day += 1) nights.push(datedDay(day));
  return { stay, nights };
};

/** By how many days a stay may be shifted, in the order of preference. */
function* shiftDays(flexDays: number): Generator<number> {
  yield 0;
  for (let days = 1; days <= flexDays; days += 1) yield* [-days, days];
}

/** The members that no schema can check. */
export function searchProblems({ destination, sort, near, party }: SearchListings): InvalidField[] {
  const fields: InvalidField[] = partyProblems(party);
  if (destination !== undefined && prefixesOf(destination).length === 0) {
    fields.push({ path: '/destination', message: 'must contain a letter or a digit' });
  }
  if (sort === 'distance' && !near) {
    fields.push({ path: '/sort', message: 'can be distance only with near' });
  }
  return fields;
}

/** The search of a valid body. */
export function homeSearchOf(body: SearchListings, adjustmentPercent: number): HomeSearch {
  const { collectionId, destination, near, amenities = [], bedroomsMin = 0 } = body;
  const { maxTotal, sort = 'position', flexDays = 0 } = body;
  const stay = stayOf(body);
  return {
    shifts: [...shiftDays(flexDays)].map((days) => shiftBy(stay, days)),
    party: normaliseParty(body.party),
    adjustmentPercent,
    filter: {
      ...(collectionId !== undefined && { collectionId }),
      ...(near && { near: { center: unitVector(near), radiusKm: near.radiusKm } }),
      ...(maxTotal && { currency: maxTotal.currency }),
      prefixes: destination === undefined ? [] : prefixesOf(destination),
      amenities: [...new Set(amenities.map(amenityKey))],
      bedroomsMin,
    },
    maxTotal: maxTotal?.amount ?? null,
    sort,
  };
}
