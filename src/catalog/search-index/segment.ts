import { LRUCache } from 'lru-cache';
import {
  extrasFloor,
  type ExtrasFloor,
  type FloorFactors,
  type Listing,
  lowestNight,
  type NightGroup,
  totalFloor,
} from '../../pricing/index.ts';
import type { Place } from '../place.ts';
import { chordOf, distanceKm, squaredLength, unitVector, type UnitVector } from './great-circle.ts';
import { foldedText, wordsOf } from './words.ts';

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

/** What homes must have, besides being free. Absent or empty members exclude no home. */
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

/** A stay, as far as lower bounds of its total depend on it. */
export interface BoundedStay {
  nights: number;
  groups: readonly NightGroup[];
  factors: FloorFactors;
}

/** Homes of a segment, by their place in it, in order. */
export type Places = Uint16Array;

/** For each home of a segment: 1 if it is wanted, else 0. */
type Mask = Uint8Array;

/** The places that are 1 in a mask. */
export function placesIn(mask: Mask): Places {
  const places = new Uint16Array(mask.length);
  let count = 0;
  for (let place = 0; place < mask.length; place += 1) {
    places[count] = place;
    count += mask[place]!;
  }
  return places.subarray(0, count);
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

/** The place of the first key that is not before a text. */
function firstFrom(keys: readonly string[], text: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a filter excludes no home. */
const isOpen = ({ collectionId, prefixes, amenities, bedroomsMin, currency, near }: HomeFilter) =>
  collectionId === undefined &&
  prefixes.length === 0 &&
  amenities.length === 0 &&
  bedroomsMin === 0 &&
  currency === undefined &&
  near === undefined;

/** Excludes the homes without a key that `matches`; matching keys follow each other, from `text` on. */
function narrow(
  mask: Mask,
  { keys, places }: Postings,
  text: string,
  matches: (key: string) => boolean,
): void {
  const found = new Uint8Array(mask.length);
  for (let at = firstFrom(keys, text); at < keys.length && matches(keys[at]!); at += 1) {
    for (const place of places[at]!) found[place] = 1;
  }
  for (let place = 0; place < mask.length; place += 1) mask[place]! &= found[place]!;
}

const narrowToKey = (mask: Mask, postings: Postings, key: string): void =>
  narrow(mask, postings, key, (other) => other === key);

/** The members of the homes' lowest prices, each in an array by place. */
type ExtrasColumns = Record<keyof ExtrasFloor, Float32Array>;

const extrasMembers = ['perMinor', 'fixed', 'perGuest', 'perAdult', 'perPet'] as const;

/** An amenity as searches compare it: without case and accents. */
export const amenityKey = (name: string): string => foldedText(name).trim();

// Chords and arcs are compared with errors far below a millimetre.
const chordTolerance = 1e-9;

/** Makes a value at its first use. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

// Two years of months and weekdays, and the usual lengths of stays.
const keptGroups = 200;
const keptLengths = 16;
const dimensions = 3;

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
  readonly #lowestNights = new LRUCache<string, Float32Array>({ max: keptGroups });
  readonly #extras = new LRUCache<number, ExtrasColumns>({ max: keptLengths });

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
  }

  /** Those of some homes that have what the filter wants. */
  matching(filter: HomeFilter, among: Places): Places {
    if (among.length === 0 || isOpen(filter)) return among;
    const { collectionId, prefixes, amenities, bedroomsMin, currency, near } = filter;
    const mask = new Uint8Array(this.listings.length);
    for (const place of among) mask[place] = 1;
    if (collectionId !== undefined) narrowToKey(mask, this.#collections(), collectionId);
    for (const prefix of prefixes) {
      narrow(mask, this.#words(), prefix, (word) => word.startsWith(prefix));
    }
    for (const name of amenities) narrowToKey(mask, this.#amenities(), name);
    if (currency !== undefined) narrowToKey(mask, this.#currencies(), currency);
    if (bedroomsMin > 0) this.#narrowToBedrooms(mask, bedroomsMin);
    if (near) this.#narrowToCircle(mask, near);
    return placesIn(mask);
  }

  #narrowToBedrooms(mask: Mask, least: number): void {
    const bedrooms = this.#bedrooms();
    for (let at = 0; at < mask.length; at += 1) if (bedrooms[at]! < least) mask[at] = 0;
  }

  #narrowToCircle(mask: Mask, { center, radiusKm }: Circle): void {
    // Comparing chords avoids most of the trigonometry; the distance decides.
    const farthest = chordOf(radiusKm) ** 2 * (1 + chordTolerance);
    const points = this.#points();
    for (let at = 0; at < mask.length; at += 1) {
      const squared = squaredTo(points, at, center);
      if (!(squared <= farthest && distanceKm(squared) <= radiusKm)) mask[at] = 0;
    }
  }

  /** The distance of a home from a point, in kilometres; NaN: the home has no coordinates. */
  distanceKm(center: UnitVector, at: number): number {
    return distanceKm(squaredTo(this.#points(), at, center));
  }

  #lowestNight({ name, days }: NightGroup): Float32Array {
    return kept(this.#lowestNights, name, () =>
      Float32Array.from(this.listings, ({ listing }) => lowestNight(listing.rates, days)),
    );
  }

  #extrasOf(nights: number): ExtrasColumns {
    return kept(this.#extras, nights, () => {
      const extras = this.listings.map(({ listing }) => extrasFloor(listing, nights));
      return Object.fromEntries(
        extrasMembers.map((name) => [name, Float32Array.from(extras, (one) => one[name])]),
      ) as ExtrasColumns;
    });
  }

  /** For each of these homes a lower bound of its lowest total among some stays; Infinity: it has none. */
  totalFloors(stays: readonly BoundedStay[], places: Places): Float64Array {
    const floors = new Float64Array(places.length).fill(Infinity);
    for (const { nights, groups, factors } of stays) {
      const sums = this.#lowestSums(groups, places);
      const { perMinor, fixed, perGuest, perAdult, perPet } = this.#extrasOf(nights);
      const { guests, adults, pets } = factors;
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at]!;
        const extras =
          perGuest[place]! * guests + perAdult[place]! * adults + perPet[place]! * pets;
        const floor = totalFloor(sums[at]!, factors, perMinor[place]!, fixed[place]!, extras);
        if (floor < floors[at]!) floors[at] = floor;
      }
    }
    return floors;
  }

  /** The sums of the lowest prices of nights. */
  #lowestSums(groups: readonly NightGroup[], places: Places): Float64Array {
    const sums = new Float64Array(places.length);
    for (const group of groups) {
      const lowest = this.#lowestNight(group);
      const { count } = group;
      for (let at = 0; at < places.length; at += 1) sums[at]! += count * lowest[places[at]!]!;
    }
    return sums;
  }
}
