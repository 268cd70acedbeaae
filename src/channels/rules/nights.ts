/** Which nights of a home a calendar of another channel takes, and what changes when it is read again. */

import type { DayNumber } from '../../pricing/index.ts';

/** Nights that an event takes, half-open. */
export interface EventNights {
  /** The UID of the event. */
  uid: string;
  from: DayNumber;
  to: DayNumber;
}

/** Nights that the calendar has blocked already. */
export interface BlockedNights extends EventNights {
  blockId: string;
}

/** Nights that something else has: a stay or another block. */
export interface OtherNights {
  occupancyId: string;
  from: DayNumber;
  to: DayNumber;
  kind: 'held' | 'confirmed' | 'block';
  /** Of a confirmed stay. */
  reference: string | null;
}

/** Nights of an event that something else has. */
export interface NightConflict extends EventNights {
  taken: OtherNights;
}

/** What a calendar changes at a home. */
export interface NightChanges {
  /** IDs of blocks. */
  remove: string[];
  add: EventNights[];
  unchanged: number;
  conflicts: NightConflict[];
}

const byNights = (one: EventNights, other: EventNights): number =>
  one.from - other.from || other.to - one.to || (one.uid < other.uid ? -1 : 1);

type Nights = Pick<EventNights, 'from' | 'to'>;

/** Whether nights have one in common with any of these. It looks at few of them, however many there are. */
export function overlapOf(all: readonly Nights[]): (nights: Nights) => boolean {
  const sorted = all.toSorted((a, b) => a.from - b.from);
  let end = -Infinity;
  const ends = sorted.map(({ to }) => (end = Math.max(end, to)));
  return ({ from, to }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.from < to) low = middle + 1;
      else high = middle;
    }
    return low > 0 && ends[low - 1]! > from;
  };
}

/** Gives each night to one event: where events overlap, to the one that begins first. Sorted by date. */
export function withoutOverlaps(events: readonly EventNights[]): EventNights[] {
  const parts: EventNights[] = [];
  let end = -Infinity;
  for (const { uid, from, to } of events.toSorted(byNights)) {
    const begin = Math.max(from, end);
    if (begin < to) parts.push({ uid, from: begin, to });
    end = Math.max(end, to);
  }
  return parts;
}

/** The part of nights from today on. */
const fromToday = <T extends EventNights>(nights: T, today: DayNumber): T => ({
  ...nights,
  from: Math.max(nights.from, today),
});

const keyOf = ({ uid, from, to }: EventNights): string => `${from} ${to} ${uid}`;

/** Separates nights that are free for the calendar from those that something else has. */
function separate(parts: readonly EventNights[], others: readonly OtherNights[]) {
  const free: EventNights[] = [];
  const conflicts: NightConflict[] = [];
  let first = 0;
  for (const { uid, from, to } of parts) {
    while (first < others.length && others[first]!.to <= from) first += 1;
    let next = from;
    for (let at = first; at < others.length && others[at]!.from < to; at += 1) {
      const taken = others[at]!;
      if (next < taken.from) free.push({ uid, from: next, to: taken.from });
      const overlap = { from: Math.max(next, taken.from), to: Math.min(to, taken.to) };
      conflicts.push({ uid, ...overlap, taken });
      next = overlap.to;
    }
    if (next < to) free.push({ uid, from: next, to });
  }
  return { free, conflicts };
}

/**
 * Decides what a calendar changes from today on. Stays and other blocks keep their nights: the calendar blocks
 * only the rest, and nights that it cannot block are a conflict. Past nights neither change nor conflict.
 *
 * `events` must come from `withoutOverlaps`; `others` must be sorted by date. Spec: CHANNEL-12.
 */
export function decideNights(
  events: readonly EventNights[],
  blocked: readonly BlockedNights[],
  others: readonly OtherNights[],
  today: DayNumber,
): NightChanges {
  const wanted = events.filter(({ to }) => to > today).map((event) => fromToday(event, today));
  const { free, conflicts } = separate(wanted, others);
  const missing = new Map(free.map((nights) => [keyOf(nights), nights]));
  const remove = blocked
    .filter(({ to }) => to > today)
    .filter((nights) => !missing.delete(keyOf(fromToday(nights, today))))
    .map(({ blockId }) => blockId);
  const add = [...missing.values()];
  return { remove, add, unchanged: free.length - add.length, conflicts };
}
