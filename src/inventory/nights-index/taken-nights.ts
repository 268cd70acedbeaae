import type { TakenPart } from '../night-states.ts';
import type { DayNumber, Stay } from '../../pricing/index.ts';

/** Nights from `from` up to but not including `to`. */
export interface Nights {
  from: DayNumber;
  to: DayNumber;
}

/** Where the bitmaps of a stay begin in each block: a home is free if its bit is 0 in both. */
export type StayRows = readonly [number, number];

// Runs of 1, 2, 4, 8, 16, 32 and 64 nights: two runs cover any stay of less than 128 nights.
const levels = 7;
const longestStay = 2 ** levels - 1;
// Homes of a block. A row of a block is a kilobyte, so a search reads few pages of memory, and new homes
// never copy the bitmaps of others.
const blockHomes = 8_192;
const blockWords = blockHomes / 32;

const slotWord = (slot: number): number => (slot % blockHomes) >>> 5;
const slotMask = (slot: number): number => 1 << (slot & 31);

/** The number of homes whose bits are 1. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * How many of the homes in one block of a bitmap are free. Adds four words bit by bit (Harley and Seal): `units`,
 * `twos` and `fours` are the digits of 32 sums, so only the fours are counted at each turn.
 */
function countInBlock(
  block: Int32Array,
  [one, other]: StayRows,
  homes: Int32Array,
  from: number,
): number {
  const freeIn = (word: number): number =>
    ~(block[one + word]! | block[other + word]!) & homes[from + word]!;
  const words = Math.min(blockWords, homes.length - from);
  let units = 0;
  let twos = 0;
  let count = 0;
  let word = 0;
  for (; word + 4 <= words; word += 4) {
    const a = freeIn(word);
    const b = freeIn(word + 1);
    const c = freeIn(word + 2);
    const d = freeIn(word + 3);
    // For a long stay most homes are taken, so most words are 0.
    if ((a | b | c | d) === 0) continue;
    const withA = units ^ a;
    const carry = (units & a) | (withA & b);
    const withB = withA ^ b;
    const withC = withB ^ c;
    const otherCarry = (withB & c) | (withC & d);
    units = withC ^ d;
    const both = twos ^ carry;
    const fours = (twos & carry) | (both & otherCarry);
    twos = both ^ otherCarry;
    count += 4 * ones(fours);
  }
  for (; word < words; word += 1) count += ones(freeIn(word));
  return count + 2 * ones(twos) + ones(units);
}

/**
 * Which nights of which homes are taken, for a window of consecutive nights. A home is a slot, a number from 0.
 *
 * There is one bitmap over homes for each night and each run length: bit 1 says that a night of the run is
 * taken. The window moves forward by one night at a time; its rows are reused. A run that ends after the
 * window has no meaning.
 */
export class TakenNights {
  readonly #size: number;
  #first: DayNumber;
  #end: DayNumber;
  readonly #blocks: Int32Array[] = [];
  /** The nights that are only a lead, one bit each: few homes have any, so that they need no row. */
  readonly #leads = new Map<number, Uint8Array>();

  /** Everything is free from `first` on for `size` nights. Throws if these are fewer than the longest stay. */
  constructor(first: DayNumber, size: number) {
    if (size < longestStay) throw new RangeError(`a window needs at least ${longestStay} nights`);
    this.#size = size;
    this.#first = first;
    this.#end = first + size;
  }

  /** The nights of the window. */
  window(): Nights {
    return { from: this.#first, to: this.#end };
  }

  /** The memory of the bitmaps. */
  bytes(): number {
    const ofLeads = this.#leads.size * this.#leadBytes();
    return this.#blocks.length * this.#size * levels * blockWords * 4 + ofLeads;
  }

  /** The number of blocks of homes, each with the bitmaps of its own. */
  blocks(): number {
    return this.#blocks.length;
  }

  /** Makes space for a home. */
  ensure(slot: number): void {
    while (this.#blocks.length * blockHomes <= slot) {
      this.#blocks.push(new Int32Array(this.#size * levels * blockWords));
    }
  }

  #row(level: number, night: DayNumber): number {
    return (level * this.#size + (night % this.#size)) * blockWords;
  }

  #clip({ from, to }: Nights): Nights {
    return { from: Math.max(from, this.#first), to: Math.min(to, this.#end) };
  }

  #isClosed(slot: number, night: DayNumber): boolean {
    const block = this.#blocks[Math.floor(slot / blockHomes)]!;
    return (block[this.#row(0, night) + slotWord(slot)]! & slotMask(slot)) !== 0;
  }

  /** Whether something has a night of the window. */
  isTaken(slot: number, night: DayNumber): boolean {
    return this.#isClosed(slot, night) && !this.isLead(slot, night);
  }

  /** Whether nothing has a night of the window, but no partner's stay can have it. */
  isLead(slot: number, night: DayNumber): boolean {
    const leads = this.#leads.get(slot);
    if (leads === undefined) return false;
    const bit = night % this.#size;
    return (leads[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }

  #leadBytes(): number {
    return Math.ceil(this.#size / 8);
  }

  #setLead(slot: number, night: DayNumber, isLead: boolean): void {
    const known = this.#leads.get(slot);
    if (known === undefined && !isLead) return;
    const leads = known ?? new Uint8Array(this.#leadBytes());
    if (known === undefined) this.#leads.set(slot, leads);
    const bit = night % this.#size;
    const mask = 1 << (bit & 7);
    leads[bit >>> 3] = isLead ? leads[bit >>> 3]! | mask : leads[bit >>> 3]! & ~mask;
  }

  /** Marks nights as taken without their runs, while the bitmaps are filled. Call `fillRuns` afterwards. */
  mark(slot: number, { from, to, lead }: TakenPart): void {
    this.#markLeads(slot, { from: from - lead, to: from });
    this.#markTaken(slot, { from, to });
  }

  /** Before the nights are closed: what something has is no lead. */
  #markLeads(slot: number, nights: Nights): void {
    const { from, to } = this.#clip(nights);
    for (let night = from; night < to; night += 1) {
      if (this.#isClosed(slot, night)) continue;
      this.#setLead(slot, night, true);
      this.#close(slot, { from: night, to: night + 1 });
    }
  }

  #markTaken(slot: number, nights: Nights): void {
    const { from, to } = this.#clip(nights);
    this.#close(slot, { from, to });
    if (!this.#leads.has(slot)) return;
    for (let night = from; night < to; night += 1) this.#setLead(slot, night, false);
  }

  /** Sets the bits of nights of the window, without their runs. */
  #close(slot: number, { from, to }: Nights): void {
    const block = this.#blocks[Math.floor(slot / blockHomes)]!;
    const word = slotWord(slot);
    const mask = slotMask(slot);
    for (let night = from; night < to; night += 1) {
      const at = this.#row(0, night) + word;
      block[at] = block[at]! | mask;
    }
  }

  /** Computes all runs of a block from its nights. */
  fillRuns(blockNumber: number): void {
    const block = this.#blocks[blockNumber]!;
    for (let level = 1; level < levels; level += 1) {
      const last = this.#end - (1 << level);
      for (let night = this.#first; night <= last; night += 1) this.#fillRun(block, level, night);
    }
  }

  #fillRun(block: Int32Array, level: number, night: DayNumber): void {
    const one = this.#row(level - 1, night);
    const other = this.#row(level - 1, night + (1 << (level - 1)));
    const run = this.#row(level, night);
    for (let word = 0; word < blockWords; word += 1) {
      block[run + word] = block[one + word]! | block[other + word]!;
    }
  }

  /** Replaces some nights of a home: of these, exactly those of `taken` are taken. */
  set(slot: number, nights: Nights, taken: readonly TakenPart[]): void {
    const { from, to } = this.#clip(nights);
    if (from >= to) return;
    const block = this.#blocks[Math.floor(slot / blockHomes)]!;
    const word = slotWord(slot);
    const mask = slotMask(slot);
    for (let night = from; night < to; night += 1) {
      const at = this.#row(0, night) + word;
      block[at] = block[at]! & ~mask;
      this.#setLead(slot, night, false);
    }
    for (const part of taken) {
      const first = Math.max(part.from - part.lead, from);
      this.#markLeads(slot, { from: first, to: Math.min(part.from, to) });
      this.#markTaken(slot, { from: Math.max(part.from, from), to: Math.min(part.to, to) });
    }
    for (let level = 1; level < levels; level += 1) {
      const half = 1 << (level - 1);
      const last = Math.min(to - 1, this.#end - 2 * half);
      for (let night = Math.max(this.#first, from - 2 * half + 1); night <= last; night += 1) {
        const isTaken =
          (block[this.#row(level - 1, night) + word]! |
            block[this.#row(level - 1, night + half) + word]!) &
          mask;
        const at = this.#row(level, night) + word;
        block[at] = (block[at]! & ~mask) | isTaken;
      }
    }
  }

  /**
   * Begins to move the window: its first night leaves, and the night after its last is free until it is
   * marked with `markNext`. Another call starts over.
   */
  beginNext(): Nights {
    if (this.#end - this.#first === this.#size) this.#first += 1;
    const row = this.#row(0, this.#end);
    for (const block of this.#blocks) block.fill(0, row, row + blockWords);
    for (const slot of this.#leads.keys()) this.#setLead(slot, this.#end, false);
    return { from: this.#end, to: this.#end + 1 };
  }

  /** Marks the next night of a home, if a part has it or it is its lead. */
  markNext(slot: number, { from, to, lead }: TakenPart): void {
    const next = this.#end;
    if (next < from - lead || next >= to) return;
    if (next >= from) this.#setLead(slot, next, false);
    else if (!this.#isClosed(slot, next)) this.#setLead(slot, next, true);
    this.#close(slot, { from: next, to: next + 1 });
  }

  /** Ends the move: the next night belongs to the window. */
  endNext(): void {
    this.#end += 1;
    for (const block of this.#blocks) {
      for (let level = 1; level < levels; level += 1) {
        this.#fillRun(block, level, this.#end - (1 << level));
      }
    }
  }

  /** Whether the window has all nights of a stay. */
  covers({ checkIn, checkOut }: Stay): boolean {
    return checkIn >= this.#first && checkOut <= this.#end;
  }

  /** The rows of a stay of less than 128 nights that the window covers. Valid as long as it does. */
  rowsOf({ checkIn, checkOut }: Stay): StayRows {
    const level = 31 - Math.clz32(checkOut - checkIn);
    return [this.#row(level, checkIn), this.#row(level, checkOut - (1 << level))];
  }

  /** Whether a home is free. */
  isFree([one, other]: StayRows, slot: number): boolean {
    const block = this.#blocks[Math.floor(slot / blockHomes)]!;
    const word = slotWord(slot);
    const taken = block[one + word]! | block[other + word]!;
    return (taken & slotMask(slot)) === 0;
  }

  /** The first free slot at or after `from` and before `to`; -1: none. */
  nextFree([one, other]: StayRows, from: number, to: number): number {
    for (let slot = from; slot < to;) {
      const number = Math.floor(slot / blockHomes);
      const block = this.#blocks[number]!;
      const stop = Math.min(to, (number + 1) * blockHomes);
      const last = slotWord(stop - 1);
      let word = slotWord(slot);
      let free = ~(block[one + word]! | block[other + word]!);
      free &= -1 << (slot & 31);
      while (free === 0 && word < last) {
        word += 1;
        free = ~(block[one + word]! | block[other + word]!);
      }
      if (free !== 0) {
        const found = number * blockHomes + word * 32 + 31 - Math.clz32(free & -free);
        return found < to ? found : -1;
      }
      slot = stop;
    }
    return -1;
  }

  /** How many of the homes in a bitmap over all slots are free. */
  countFree(rows: StayRows, homes: Int32Array): number {
    let free = 0;
    for (let from = 0; from < homes.length; from += blockWords) {
      free += countInBlock(this.#blocks[from / blockWords]!, rows, homes, from);
    }
    return free;
  }
}
