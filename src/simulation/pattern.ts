/**
 * The open nights of the simulated listings: a fixed generated booking calendar per listing.
 *
 * Time is divided into blocks of eight weeks, with another offset in each listing. The bookings of a block
 * depend only on the listing's ID and the block's number, so any night can be computed directly. The
 * occupancy follows a yearly wave with a peak per listing; over a year the wave averages to zero, so every
 * listing is about 60 % open.
 *
 * In one of twelve listings, two of every six blocks are fully open and the others fuller, so that a stay
 * of 90 nights is possible.
 */

import { LRUCache } from 'lru-cache';
import type { DayNumber } from '../pricing/index.ts';
import { hash, numbers, scramble } from './seeded.ts';

const blockNights = 56;
const bookedShare = 0.4;
const waveHeight = 0.1;
const daysPerYear = 365.2425;
const candidates = 6;
const cachedBlocksAtMost = 4096;

/** The longest run of nights without three open nights in a row; half of it at the ends of a block. */
const longestWithoutOpenRun = 24;
const shortestOpenRun = 3;

/** The block cycle of a listing with long stays: the first blocks are open, the others have this many booked nights. */
const longStayCycle = { blocks: 6, open: 2, bookedNights: 34 };
const homesPerLongStayHome = 12;
const longestLongStayBooking = 7;

type RandomNumber = () => number;

/** A booking of a block: its nights, and the open nights before it. */
interface Booking {
  gap: number;
  nights: number;
}

/** Whether a night is open. The result never changes. Spec: SIMULATION-2. */
export function isNightOpen(listingId: string, night: DayNumber): boolean {
  return openNights(listingId, night, 1)[0] === 1;
}

/** The nights from `from` on: 1 if a night is open, else 0. */
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

const cache = new LRUCache<number, Uint8Array>({ max: cachedBlocksAtMost });

function blockOf(seed: number, block: number): Uint8Array {
  const key = seed * 2 ** 20 + block + 2 ** 19;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const nights = makeBlock(seed, block);
  cache.set(key, nights);
  return nights;
}

/** Whether a listing has runs of 90 open nights or more. */
export const hasLongStays = (listingId: string): boolean => isForLongStays(hash(listingId));

const isForLongStays = (seed: number): boolean => scramble(seed + 2) % homesPerLongStayHome === 0;

function makeBlock(seed: number, block: number): Uint8Array {
  const next = numbers(scramble(seed ^ Math.imul(block, 0x9e3779b1)));
  const firstDay = block * blockNights - (seed % blockNights);
  if (isForLongStays(seed)) return longStayBlock(block, firstDay, next);
  return blockWith(bookingLengths(next, bookedNights(seed, firstDay, next)), firstDay, next);
}

function longStayBlock(block: number, firstDay: DayNumber, next: RandomNumber): Uint8Array {
  const { blocks, open, bookedNights: total } = longStayCycle;
  const inCycle = ((block % blocks) + blocks) % blocks;
  if (inCycle < open) return new Uint8Array(blockNights).fill(1);
  const lengths = Array.from({ length: Math.ceil(total / longestLongStayBooking) }, (_, at) =>
    Math.min(longestLongStayBooking, total - at * longestLongStayBooking),
  );
  return blockWith(lengths, firstDay, next);
}

/** Places the bookings in a block: the most plausible of a few random arrangements. */
function blockWith(
  lengths: readonly number[],
  firstDay: DayNumber,
  next: RandomNumber,
): Uint8Array {
  let best = placedEvenly(lengths);
  let bestScore = 0;
  for (let at = 0; at < candidates; at += 1) {
    const bookings = placedRandomly(next, lengths);
    const score = hasOpenRuns(bookings) ? plausibility(bookings, firstDay) : 0;
    if (score > bestScore) {
      best = bookings;
      bestScore = score;
    }
  }
  return nightsOf(best);
}

/** The number of booked nights of a block: highest at the listing's peak of the year. */
function bookedNights(seed: number, firstDay: DayNumber, next: RandomNumber): number {
  const peak = (scramble(seed + 1) / 2 ** 32) * daysPerYear;
  const middle = firstDay + blockNights / 2;
  const wave = Math.cos(((middle - peak) / daysPerYear) * 2 * Math.PI);
  return Math.floor(blockNights * (bookedShare + waveHeight * wave) + next());
}

/** Booking lengths by frequency: mostly weekends, then weeks, then others. */
const usualLengths = [2, 3, 3, 2, 7, 4, 5, 3, 7, 4, 10, 6, 3, 14, 7, 2, 8, 4] as const;

function bookingLengths(next: RandomNumber, total: number): number[] {
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

/** The wanted nights, or fewer if a single night would remain. */
function fitting(wanted: number, left: number): number {
  if (left <= Math.max(wanted, 3)) return left;
  return left - wanted === 1 ? wanted - 1 : wanted;
}

/** Places the bookings in random order with random gaps. */
function placedRandomly(next: RandomNumber, lengths: readonly number[]): Booking[] {
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

function shuffled(next: RandomNumber, lengths: readonly number[]): number[] {
  const left = [...lengths];
  return lengths.map(() => left.splice(Math.floor(next() * left.length), 1)[0] ?? 2);
}

/** Places the bookings with equal gaps: the fallback, which is always valid. */
function placedEvenly(lengths: readonly number[]): Booking[] {
  const open = blockNights - lengths.reduce((sum, nights) => sum + nights, 0);
  const gap = Math.floor(open / (lengths.length + 1));
  return lengths.map((nights) => ({ gap, nights }));
}

/** Whether any 30 nights that touch this block contain three open nights in a row. */
function hasOpenRuns(bookings: readonly Booking[]): boolean {
  let position = 0;
  let sinceOpenRun = 0;
  let allowed = longestWithoutOpenRun / 2;
  for (const { gap, nights } of bookings) {
    if (gap >= shortestOpenRun) {
      if (sinceOpenRun > allowed) return false;
      allowed = longestWithoutOpenRun;
      sinceOpenRun = 0;
    } else {
      sinceOpenRun += gap;
    }
    sinceOpenRun += nights;
    position += gap + nights;
  }
  const rest = blockNights - position;
  if (rest >= shortestOpenRun) return sinceOpenRun <= allowed;
  return sinceOpenRun + rest <= longestWithoutOpenRun / 2;
}

/** Scores a block: short stays over weekends, weeks from Saturday and few single open nights score higher. */
function plausibility(bookings: readonly Booking[], firstDay: DayNumber): number {
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

/** 0 is Monday; day 0 (1970-01-01) was a Thursday. */
function weekday(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7;
}

function arrivalScore(arrival: number, nights: number): number {
  if (nights <= 3) return arrival === 4 ? 5 : arrival === 3 || arrival === 5 ? 2 : 0;
  if (nights % 7 === 0) return arrival === 5 ? 5 : arrival === 6 || arrival === 4 ? 2 : 0;
  return arrival === 6 || arrival === 3 ? 2 : 0;
}

function nightsOf(bookings: readonly Booking[]): Uint8Array {
  const nights = new Uint8Array(blockNights).fill(1);
  let at = 0;
  for (const booking of bookings) {
    at += booking.gap;
    nights.fill(0, at, at + booking.nights);
    at += booking.nights;
  }
  return nights;
}
