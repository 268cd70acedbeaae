/** The words in which the rooms of homes are written down. */

import type { Space } from '../../../domain/listing.ts';

/** The beds of the catalog, and how many people each sleeps. */
export const bedCapacity = {
  king: 2,
  queen: 2,
  double: 2,
  single: 1,
  bunk: 2,
  sofa_bed: 2,
  daybed: 1,
  futon: 1,
} as const;

/** A kind of bed. */
export type Bed = keyof typeof bedCapacity;

/** The kinds of space that count as bedrooms. */
export const bedroomTypes: readonly string[] = ['bedroom', 'bunk_room', 'tatami_room'];

function space(type: string, name: string | null, isPrivate: boolean | null, beds: Bed[]): Space {
  const kinds = [...new Set(beds)];
  const quantity = (kind: Bed) => beds.filter((bed) => bed === kind).length;
  return {
    type,
    name,
    isPrivate,
    beds: kinds.map((kind) => ({ type: kind, quantity: quantity(kind) })),
  };
}

/** A room to sleep in, with a door. */
export function bedroom(name: string | null, ...beds: Bed[]): Space {
  return space('bedroom', name, true, beds);
}

/** A room of bunks. */
export function bunkRoom(name: string | null, ...beds: Bed[]): Space {
  return space('bunk_room', name, true, beds);
}

/** A room of mats, where futons are laid out at night. */
export function tatamiRoom(name: string | null, ...beds: Bed[]): Space {
  return space('tatami_room', name, true, beds);
}

/** A place that everybody passes through, with or without somewhere to sleep. */
export function shared(type: string, name: string | null, ...beds: Bed[]): Space {
  return space(type, name, false, beds);
}

/** A place about whose privacy nothing is said. */
export function open(type: string, name: string | null, ...beds: Bed[]): Space {
  return space(type, name, null, beds);
}
