import { LRUCache } from 'lru-cache';
import {
  extrasFloor,
  type ExtrasFloor,
  type Listing,
  lowestPriceIn,
  type Month,
  type StaysLike,
  totalFloor,
} from '../../pricing/index.ts';
import type { Place } from '../place.ts';
import { reachOf, squaredLength, unitVector, type UnitVector } from './great-circle.ts';
import { addPlace, allPlaces, keepPlaces, noPlaces, type PlaceSet } from './place-set.ts';
import { TotalFloors } from './total-floors.ts';
import { foldedText, spellingsOf, wordsOf } from './words.ts';

/** A listing at its place in a view. */
export interface PlacedListing {
  listing: Listing;
  place: Place;
}

/** A circle on the earth. */
export interface Circle {
  center: UnitVector;
  radiusKm: number;
}

/** What homes must have, besides being free. Absent or empty members exclude no home. Spec: SEARCH-5. */
export interface HomeFilter {
  collectionId?: string;
  /** Each begins a word of the home's destination or name. Folded. */
  prefixes: readonly string[];
  near?: Circle;
  /** Folded. */
  amenities: readonly string[];
  bedroomsMin: number;
  currency?: string;
}

/** The places of homes in the segment that have something, sorted by what they have. */
interface Postings {
  keys: readonly string[];
  places: readonly (readonly number[])[];
}

function postingsOf(
  listings: readonly PlacedListing[],
  keysOf: (listing: Listing) => Iterable<string>,
): Postings {
  const byKey = new Map<string, number[]>();
  listings.forEach(({ listing }, place) => {
    for (const key of keysOf(listing)) {
      const places = byKey.get(key);
      if (!places) byKey.set(key, [place]);
      else if (places.at(-1) !== place) places.push(place);
    }
  });
  const keys = [...byKey.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  return { keys, places: keys.map((key) => byKey.get(key)!) };
}

/** The place of the first of sorted keys that is not before a key. */
function firstFrom<Key extends string | number>(keys: ArrayLike<Key>, key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a filter excludes no home. */
export const isOpenFilter = ({
  collectionId,
  prefixes,
  amenities,
  bedroomsMin,
  currency,
  near,
}: HomeFilter): boolean =>
  collectionId === undefined &&
  prefixes.length === 0 &&
  amenities.length === 0 &&
  bedroomsMin === 0 &&
  currency === undefined &&
  near === undefined;

/** Excludes the homes without a key that `matches`; matching keys follow each other, from `text` on. */
function narrow(
  set: PlaceSet,
  { keys, places }: Postings,
  texts: readonly string[],
  matches: (key: string, text: string) => boolean,
): void {
  const found = new Int32Array(set.length);
  for (const text of texts) {
    for (let at = firstFrom(keys, text); at < keys.length && matches(keys[at]!, text); at += 1) {
      for (const place of places[at]!) addPlace(found, place);
    }
  }
  keepPlaces(set, found);
}

const narrowToKey = (set: PlaceSet, postings: Postings, key: string): void =>
  narrow(set, postings, [key], (other) => other === key);

/** An amenity as searches compare it: without case and accents. */
export const amenityKey = (name: string): string => foldedText(name).trim();

/** Makes a value at its first use. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

// Two years of months, the usual lengths of stays, and the usual stays of usual parties.
const keptMonths = 27;
const keptLengths = 16;
const keptStays = 48;
const dimensions = 3;

const extrasMembers = [
  'perMinor',
  'fixed',
  'perGuest',
  'perAdult',
  'perPet',
  'rounding',
] as const satisfies (keyof ExtrasFloor)[];

function extrasAt(all: Float32Array, place: number): ExtrasFloor {
  const at = place * extrasMembers.length;
  return {
    perMinor: all[at]!,
    fixed: all[at + 1]!,
    perGuest: all[at + 2]!,
    perAdult: all[at + 3]!,
    perPet: all[at + 4]!,
    rounding: all[at + 5]!,
  };
}

/** Returns the value of a key, or makes and keeps it. */
function kept<Key extends {}, T extends {}>(cache: LRUCache<Key, T>, key: Key, make: () => T): T {
  const known = cache.get(key);
  if (known) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** The unit vectors of the homes, one after the other; NaN without coordinates. */
const pointsOf = (listings: readonly PlacedListing[]): Float64Array =>
  Float64Array.from(
    listings.flatMap(({ listing: { geo } }) => {
      if (!geo) return [NaN, NaN, NaN];
      const { x, y, z } = unitVector(geo);
      return [x, y, z];
    }),
  );

/** The places of the homes with coordinates from south to north, and how far north each is. */
interface ByLatitude {
  places: Uint16Array;
  /** The last component of each unit vector. */
  north: Float64Array;
}

function byLatitude(points: Float64Array): ByLatitude {
  const northOf = (place: number): number => points[dimensions * place + 2]!;
  const places = Uint16Array.from(
    Array.from({ length: points.length / dimensions }, (_, place) => place).filter(
      (place) => !Number.isNaN(northOf(place)),
    ),
  ).toSorted((one, other) => northOf(one) - northOf(other));
  return { places, north: Float64Array.from(places, northOf) };
}

/** The square of the chord from the point of a home to another one. */
function squaredTo(points: Float64Array, at: number, { x, y, z }: UnitVector): number {
  const first = dimensions * at;
  return squaredLength(x - points[first]!, y - points[first + 1]!, z - points[first + 2]!);
}

/**
 * Consecutive homes of a view, prepared for searches. Its homes never change, so that the next view can use
 * it again if they are the same. Each part is made at its first use, within a few milliseconds.
 */
export class Segment {
  readonly listings: readonly PlacedListing[];
  readonly #collections: () => Postings;
  readonly #words: () => Postings;
  readonly #amenities: () => Postings;
  readonly #currencies: () => Postings;
  readonly #bedrooms: () => Float64Array;
  readonly #points: () => Float64Array;
  readonly #byLatitude: () => ByLatitude;
  readonly #lowestPrices = new LRUCache<number, Float32Array>({ max: keptMonths });
  readonly #extras = new LRUCache<number, Float32Array>({ max: keptLengths });
  readonly #totalFloors = new LRUCache<string, TotalFloors>({ max: keptStays });

  constructor(listings: readonly PlacedListing[]) {
    this.listings = listings;
    this.#collections = once(() => postingsOf(listings, (home) => [home.collectionId ?? '']));
    this.#words = once(() =>
      postingsOf(listings, (home) => wordsOf(`${home.destination ?? ''} ${home.name}`)),
    );
    this.#amenities = once(() => postingsOf(listings, (home) => home.amenities.map(amenityKey)));
    this.#currencies = once(() => postingsOf(listings, (home) => [home.currency]));
    this.#bedrooms = once(() =>
      Float64Array.from(listings, ({ listing }) => listing.bedrooms ?? 0),
    );
    this.#points = once(() => pointsOf(listings));
    this.#byLatitude = once(() => byLatitude(this.#points()));
  }

  /** The homes that have what a filter wants; null: all. */
  matching(filter: HomeFilter): PlaceSet | null {
    if (isOpenFilter(filter)) return null;
    const { collectionId, prefixes, amenities, bedroomsMin, currency, near } = filter;
    const set = allPlaces(this.listings.length);
    if (collectionId !== undefined) narrowToKey(set, this.#collections(), collectionId);
    for (const prefix of prefixes) {
      narrow(set, this.#words(), spellingsOf(prefix), (word, spelling) =>
        word.startsWith(spelling),
      );
    }
    for (const name of amenities) narrowToKey(set, this.#amenities(), name);
    if (currency !== undefined) narrowToKey(set, this.#currencies(), currency);
    if (bedroomsMin > 0) this.#narrowToBedrooms(set, bedroomsMin);
    if (near) this.#narrowToCircle(set, near);
    return set;
  }

  #narrowToBedrooms(set: PlaceSet, least: number): void {
    const bedrooms = this.#bedrooms();
    const found = noPlaces(bedrooms.length);
    for (let place = 0; place < bedrooms.length; place += 1) {
      if (bedrooms[place]! >= least) addPlace(found, place);
    }
    keepPlaces(set, found);
  }

  #narrowToCircle(set: PlaceSet, { center, radiusKm }: Circle): void {
    const found = noPlaces(this.listings.length);
    const { chord, includes } = reachOf(radiusKm);
    this.visitNear(center, chord, (place, squared) => {
      if (includes(squared)) addPlace(found, place);
    });
    keepPlaces(set, found);
  }

  /**
   * Visits all homes within a straight distance of a point, of radius 1, and perhaps others, each with the square
   * of its distance.
   */
  visitNear(
    center: UnitVector,
    chord: number,
    visit: (place: number, squared: number) => void,
  ): void {
    const points = this.#points();
    const { places, north } = this.#byLatitude();
    // No component differs by more than the chord.
    const most = center.z + chord;
    for (let at = firstFrom(north, center.z - chord); north[at]! <= most; at += 1) {
      visit(places[at]!, squaredTo(points, places[at]!, center));
    }
  }

  /** The square of the straight distance of a home from a point, of radius 1; NaN: it has no coordinates. */
  squaredTo(center: UnitVector, place: number): number {
    return squaredTo(this.#points(), place, center);
  }

  #lowestPricesIn(month: Month): Float32Array {
    return kept(this.#lowestPrices, month.first, () =>
      Float32Array.from(this.listings, ({ listing }) => lowestPriceIn(listing, month)),
    );
  }

  /** The members of `ExtrasFloor` of each home, one after the other. */
  #extrasOf(nights: number): Float32Array {
    return kept(this.#extras, nights, () => {
      const all = new Float32Array(this.listings.length * extrasMembers.length);
      let at = 0;
      for (const { listing } of this.listings) {
        const extras = extrasFloor(listing, nights);
        for (const member of extrasMembers) all[at++] = extras[member];
      }
      return all;
    });
  }

  /** Lower bounds of the totals of such stays. */
  totalFloors(stays: StaysLike): TotalFloors {
    return kept(this.#totalFloors, stays.name, () => {
      const nights = this.#nightsFloors(stays);
      const extras = this.#extrasOf(stays.nights);
      // `Float32Array.from` with a function takes several times as long.
      for (let place = 0; place < nights.length; place += 1) {
        nights[place] = totalFloor(nights[place]!, extrasAt(extras, place), stays);
      }
      return new TotalFloors(nights);
    });
  }

  /** Lower bounds of the listed prices of all nights, by place. */
  #nightsFloors({ shapes }: StaysLike): Float32Array {
    const floors = new Float32Array(this.listings.length).fill(Infinity);
    for (const shape of shapes) {
      const sums = new Float32Array(floors.length);
      for (const { month, nights } of shape) {
        const lowest = this.#lowestPricesIn(month);
        for (let place = 0; place < sums.length; place += 1)
          sums[place]! += nights * lowest[place]!;
      }
      for (let place = 0; place < floors.length; place += 1) {
        if (sums[place]! < floors[place]!) floors[place] = sums[place]!;
      }
    }
    return floors;
  }
}
