import type { DayNumber, Stay } from '../../pricing/index.ts';
import type { FreeHomes } from '../availability.ts';
import type { TakenNights } from './taken-nights.ts';

/** The homes of a list, in its order, by their slots. */
export interface ListedHomes {
  /** The index in the list at which each run of consecutive slots begins; the last is the length of the list. */
  indexes: Int32Array;
  /** The first slot of each run. */
  slots: Int32Array;
  /** A bitmap of the slots in the list. */
  members: Int32Array;
}

/**
 * Prepares a list for searches. Slots are given out in the order of the catalog at the start, so a list
 * usually has few runs; any order of slots is correct.
 */
export function listedHomes(slots: Int32Array): ListedHomes {
  const indexes: number[] = [];
  const firsts: number[] = [];
  let highest = -1;
  for (let index = 0; index < slots.length; index += 1) {
    const slot = slots[index]!;
    highest = Math.max(highest, slot);
    if (index > 0 && slot === slots[index - 1]! + 1) continue;
    indexes.push(index);
    firsts.push(slot);
  }
  indexes.push(slots.length);
  const members = new Int32Array(Math.ceil((highest + 1) / 32));
  for (const slot of slots) members[slot >>> 5]! |= 1 << (slot & 31);
  return { indexes: Int32Array.from(indexes), slots: Int32Array.from(firsts), members };
}

/** The run of a list that contains an index. */
function runAt(indexes: Int32Array, index: number): number {
  let low = 0;
  let high = indexes.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (indexes[middle]! <= index) low = middle;
    else high = middle;
  }
  return low;
}

const oneNight = (night: DayNumber): Stay => ({ checkIn: night, checkOut: night + 1 });

/** The homes of a list that are free for a stay, as the bitmaps say at the moment of each call. */
export function freeHomesOf(nights: TakenNights, homes: ListedHomes, stay: Stay): FreeHomes {
  const { indexes, slots, members } = homes;
  const rows = nights.rowsOf(stay);
  const slotAt = (index: number): number => {
    const run = runAt(indexes, index);
    return index - indexes[run]! + slots[run]!;
  };
  return {
    isFree: (index) => nights.isFree(rows, slotAt(index)),
    isTaken: (index, night) =>
      nights.covers(oneNight(night)) && nights.isTaken(slotAt(index), night),
    nextFree(from) {
      for (let run = runAt(indexes, from); run < slots.length; run += 1) {
        const shift = slots[run]! - indexes[run]!;
        const begin = Math.max(from, indexes[run]!) + shift;
        const found = nights.nextFree(rows, begin, indexes[run + 1]! + shift);
        if (found !== -1) return found - shift;
      }
      return -1;
    },
    count: () => nights.countFree(rows, members),
  };
}
