/**
 * Which nights of the simulated homes are open: a made-up booking calendar per home, fixed for ever.
 *
 * Time is cut into blocks of eight weeks, at another day of the year in each home. A block is filled
 * with bookings from the home's name and the block's number alone, so any night is found without
 * walking to it. How full a block is follows a yearly wave with a peak of the home's own; over a year
 * the wave adds up to nothing, which keeps every home about 60 % open.
 *
 * In one home of twelve, two blocks of every six are open altogether and the others fuller, so that a
 * stay of 90 nights fits.
 */

import { LRUCache } from 'lru-cache';
import type { DayNumber } from '../pricing/index.ts';
import { hash, numbers, scramble } from './seeded.ts';

const blockNights = 56;
const bookedShare = 0.4;
const waveHeight = 0.1;
const daysPerYear = 365.2425;
const candidates = 6;
const mostCachedBlocks = 4096;

/** No stretch without an open run of three nights may be longer; half of it at a block's ends. */
const longestDrought = 24;
const shortestOpenRun = 3;

/** Of the blocks of a home for long stays: so many together, the first ones open, the others this full. */
const longStayCycle = { blocks: 6, open: 2, bookedNights: 34 };
const homesPerLongStayHome = 12;
const longestLongStayBooking = 7;

type Chance = () => number;

/** A booking of a block: nights booked, and open nights before it. */
interface Booking {
  gap: number;
  nights: number;
}

/** Whether a night is open. The same answer for ever, for any listing and any date. */
export function isNightOpen(listingId: string, night: DayNumber): boolean {
  return openNights(listingId, night, 1)[0] === 1;
}

/** The nights from `from` on, 1 where a night is open. */
export function openNights(listingId: string, from: DayNumber, count: number): Uint8Array {
  const seed = hash(listingId);
  const shift = seed % blockNights;
  const nights = new Uint8Array(count);
  let filled = 0;
  while (filled < count) {
    const position = from + filled + shift;
    const block = Math.floor(position / blockNights);
    const start = position - block * blockNights;
    const part = blockOf(seed, block).subarray(start, start + count - filled);
    nights.set(part, filled);
    filled += part.length;
  }
  return nights;
}

const cache = new LRUCache<number, Uint8Array>({ max: mostCachedBlocks });

function blockOf(seed: number, block: number): Uint8Array {
  const key = seed * 2 ** 20 + block + 2 ** 19;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = makeBlock(seed, block);
  cache.set(key, made);
  return made;
}

/** Whether a home has open stretches of 90 nights and more. */
export const hasLongStays = (listingId: string): boolean => isForLongStays(hash(listingId));

const isForLongStays = (seed: number): boolean => scramble(seed + 2) % homesPerLongStayHome === 0;

function makeBlock(seed: number, block: number): Uint8Array {
  const next = numbers(scramble(seed ^ Math.imul(block, 0x9e3779b1)));
  const firstDay = block * blockNights - (seed % blockNights);
  if (isForLongStays(seed)) return longStayBlock(block, firstDay, next);
  return blockWith(bookingLengths(next, bookedNights(seed, firstDay, next)), firstDay, next);
}

function longStayBlock(block: number, firstDay: DayNumber, next: Chance): Uint8Array {
  const { blocks, open, bookedNights: total } = longStayCycle;
  const place = ((block % blocks) + blocks) % blocks;
  if (place < open) return new Uint8Array(blockNights).fill(1);
  const lengths = Array.from({ length: Math.ceil(total / longestLongStayBooking) }, (_, at) =>
    Math.min(longestLongStayBooking, total - at * longestLongStayBooking),
  );
  return blockWith(lengths, firstDay, next);
}

/** A block with these bookings, in the most likely order of a few tried. */
function blockWith(lengths: readonly number[], firstDay: DayNumber, next: Chance): Uint8Array {
  let best = evenly(lengths);
  let bestScore = 0;
  for (let at = 0; at < candidates; at += 1) {
    const bookings = strewn(next, lengths);
    const score = believable(bookings) ? likeness(bookings, firstDay) : 0;
    if (score > bestScore) {
      best = bookings;
      bestScore = score;
    }
  }
  return written(best);
}

/** How many nights of a block are booked: more about the home's own busiest time of the year. */
function bookedNights(seed: number, firstDay: DayNumber, next: Chance): number {
  const peak = (scramble(seed + 1) / 2 ** 32) * daysPerYear;
  const middle = firstDay + blockNights / 2;
  const wave = Math.cos(((middle - peak) / daysPerYear) * 2 * Math.PI);
  return Math.floor(blockNights * (bookedShare + waveHeight * wave) + next());
}

/** How long bookings are, most often first: weekends and long weekends, then a week, then the rest. */
const usualLengths = [2, 3, 3, 2, 7, 4, 5, 3, 7, 4, 10, 6, 3, 14, 7, 2, 8, 4] as const;

function bookingLengths(next: Chance, total: number): number[] {
  const lengths: number[] = [];
  let left = total;
  while (left > 0) {
    const wanted = usualLengths[Math.floor(next() * usualLengths.length)] ?? 3;
    const nights = fitting(wanted, left);
    lengths.push(nights);
    left -= nights;
  }
  return lengths.length > 8 ? bookingLengths(next, total) : lengths;
}

/** The wanted nights, or as many as leave no single night over. */
function fitting(wanted: number, left: number): number {
  if (left <= Math.max(wanted, 3)) return left;
  return left - wanted === 1 ? wanted - 1 : wanted;
}

/** The bookings in another order, with the open nights between them shared out unevenly. */
function strewn(next: Chance, lengths: readonly number[]): Booking[] {
  const order = shuffled(next, lengths);
  const open = blockNights - order.reduce((sum, nights) => sum + nights, 0);
  const weights = Array.from({ length: order.length + 1 }, () => next() ** 1.5);
  const sum = weights.reduce((whole, weight) => whole + weight, 0);
  let spent = 0;
  let reached = 0;
  return order.map((nights, at) => {
    reached += weights[at] ?? 0;
    const gap = Math.round((reached / sum) * open) - spent;
    spent += gap;
    return { gap, nights };
  });
}

function shuffled(next: Chance, lengths: readonly number[]): number[] {
  const left = [...lengths];
  return lengths.map(() => left.splice(Math.floor(next() * left.length), 1)[0] ?? 2);
}

/** The bookings with the open nights shared out evenly: always allowed, seldom needed. */
function evenly(lengths: readonly number[]): Booking[] {
  const open = blockNights - lengths.reduce((sum, nights) => sum + nights, 0);
  const gap = Math.floor(open / (lengths.length + 1));
  return lengths.map((nights) => ({ gap, nights }));
}

/** Whether every 30 nights that touch this block have three open nights in a row. */
function believable(bookings: readonly Booking[]): boolean {
  let position = 0;
  let sinceOpenRun = 0;
  let allowed = longestDrought / 2;
  for (const { gap, nights } of bookings) {
    if (gap >= shortestOpenRun) {
      if (sinceOpenRun > allowed) return false;
      allowed = longestDrought;
      sinceOpenRun = 0;
    } else {
      sinceOpenRun += gap;
    }
    sinceOpenRun += nights;
    position += gap + nights;
  }
  const rest = blockNights - position;
  if (rest >= shortestOpenRun) return sinceOpenRun <= allowed;
  return sinceOpenRun + rest <= longestDrought / 2;
}

/** How much a block looks like a real calendar: short stays over weekends, weeks from Saturday, few lone nights. */
function likeness(bookings: readonly Booking[], firstDay: DayNumber): number {
  let day = firstDay;
  let score = 100;
  for (const { gap, nights } of bookings) {
    day += gap;
    if (gap === 1) score -= 6;
    score += arrivalScore(weekday(day), nights);
    day += nights;
  }
  return score;
}

/** 0 is Monday. Day 0, 1970-01-01, was a Thursday. */
function weekday(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7;
}

function arrivalScore(arrival: number, nights: number): number {
  if (nights <= 3) return arrival === 4 ? 5 : arrival === 3 || arrival === 5 ? 2 : 0;
  if (nights % 7 === 0) return arrival === 5 ? 5 : arrival === 6 || arrival === 4 ? 2 : 0;
  return arrival === 6 || arrival === 3 ? 2 : 0;
}

function written(bookings: readonly Booking[]): Uint8Array {
  const nights = new Uint8Array(blockNights).fill(1);
  let at = 0;
  for (const booking of bookings) {
    at += booking.gap;
    nights.fill(0, at, at + booking.nights);
    at += booking.nights;
  }
  return nights;
}
