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
import type { SortKey } from '../sort-key.ts';
import { reachOf, squaredLength, unitVector, type UnitVector } from './great-circle.ts';
import { addHome, allHomes, keepHomes, noHomes, type HomeSet } from './home-set.ts';
import { TotalFloors } from './total-floors.ts';
import { foldedText, spellingsOf, wordsOf } from './words.ts';

/** A listing at its position in a view. */
export interface SortedListing {
  listing: Listing;
  sortKey: SortKey;
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

/** The offsets of homes in the segment that have something, sorted by what they have. */
interface Postings {
  keys: readonly string[];
  offsets: readonly (readonly number[])[];
}

function postingsOf(
  listings: readonly SortedListing[],
  keysOf: (listing: Listing) => Iterable<string>,
): Postings {
  const byKey = new Map<string, number[]>();
  listings.forEach(({ listing }, offset) => {
    for (const key of keysOf(listing)) {
      const offsets = byKey.get(key);
      if (!offsets) byKey.set(key, [offset]);
      else if (offsets.at(-1) !== offset) offsets.push(offset);
    }
  });
  const keys = [...byKey.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  return { keys, offsets: keys.map((key) => byKey.get(key)!) };
}

/** The offset of the first of sorted keys that is not before a key. */
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
  set: HomeSet,
  { keys, offsets }: Postings,
  texts: readonly string[],
  matches: (key: string, text: string) => boolean,
): void {
  const found = new Int32Array(set.length);
  for (const text of texts) {
    for (let at = firstFrom(keys, text); at < keys.length && matches(keys[at]!, text); at += 1) {
      for (const offset of offsets[at]!) addHome(found, offset);
    }
  }
  keepHomes(set, found);
}

const narrowToKey = (set: HomeSet, postings: Postings, key: string): void =>
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

function extrasAt(all: Float32Array, offset: number): ExtrasFloor {
  const at = offset * extrasMembers.length;
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
const pointsOf = (listings: readonly SortedListing[]): Float64Array =>
  Float64Array.from(
    listings.flatMap(({ listing: { geo } }) => {
      if (!geo) return [NaN, NaN, NaN];
      const { x, y, z } = unitVector(geo);
      return [x, y, z];
    }),
  );

/** The offsets of the homes with coordinates from south to north, and how far north each is. */
interface ByLatitude {
  offsets: Uint16Array;
  /** The last component of each unit vector. */
  north: Float64Array;
}

function byLatitude(points: Float64Array): ByLatitude {
  const northOf = (offset: number): number => points[dimensions * offset + 2]!;
  const offsets = Uint16Array.from(
    Array.from({ length: points.length / dimensions }, (_, offset) => offset).filter(
      (offset) => !Number.isNaN(northOf(offset)),
    ),
  ).toSorted((one, other) => northOf(one) - northOf(other));
  return { offsets, north: Float64Array.from(offsets, northOf) };
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
  readonly listings: readonly SortedListing[];
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

  constructor(listings: readonly SortedListing[]) {
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
  matching(filter: HomeFilter): HomeSet | null {
    if (isOpenFilter(filter)) return null;
    const { collectionId, prefixes, amenities, bedroomsMin, currency, near } = filter;
    const set = allHomes(this.listings.length);
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

  #narrowToBedrooms(set: HomeSet, least: number): void {
    const bedrooms = this.#bedrooms();
    const found = noHomes(bedrooms.length);
    for (let offset = 0; offset < bedrooms.length; offset += 1) {
      if (bedrooms[offset]! >= least) addHome(found, offset);
    }
    keepHomes(set, found);
  }

  #narrowToCircle(set: HomeSet, { center, radiusKm }: Circle): void {
    const found = noHomes(this.listings.length);
    const { chord, includes } = reachOf(radiusKm);
    this.visitNear(center, chord, (offset, squared) => {
      if (includes(squared)) addHome(found, offset);
    });
    keepHomes(set, found);
  }

  /**
   * Visits all homes within a straight distance of a point, of radius 1, and perhaps others, each with the square
   * of its distance.
   */
  visitNear(
    center: UnitVector,
    chord: number,
    visit: (offset: number, squared: number) => void,
  ): void {
    const points = this.#points();
    const { offsets, north } = this.#byLatitude();
    // No component differs by more than the chord.
    const most = center.z + chord;
    for (let at = firstFrom(north, center.z - chord); north[at]! <= most; at += 1) {
      visit(offsets[at]!, squaredTo(points, offsets[at]!, center));
    }
  }

  /** The square of the straight distance of a home from a point, of radius 1; NaN: it has no coordinates. */
  squaredTo(center: UnitVector, offset: number): number {
    return squaredTo(this.#points(), offset, center);
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
      for (let offset = 0; offset < nights.length; offset += 1) {
        nights[offset] = totalFloor(nights[offset]!, extrasAt(extras, offset), stays);
      }
      return new TotalFloors(nights);
    });
  }

  /** Lower bounds of the listed prices of all nights, by offset. */
  #nightsFloors({ shapes }: StaysLike): Float32Array {
    const floors = new Float32Array(this.listings.length).fill(Infinity);
    for (const shape of shapes) {
      const sums = new Float32Array(floors.length);
      for (const { month, nights } of shape) {
        const lowest = this.#lowestPricesIn(month);
        for (let offset = 0; offset < sums.length; offset += 1)
          sums[offset]! += nights * lowest[offset]!;
      }
      for (let offset = 0; offset < floors.length; offset += 1) {
        if (sums[offset]! < floors[offset]!) floors[offset] = sums[offset]!;
      }
    }
    return floors;
  }
}
