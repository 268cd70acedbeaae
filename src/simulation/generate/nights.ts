/** The nights of generated homes that are taken: about 60 %, in stays with gaps between them. */

import { dateText, type DayNumber } from '../../pricing/index.ts';
import type { Random } from './random.ts';
import type { Climate } from './regions.ts';

/** How many days from the first one have stays. */
const filledDays = 730;

/** How much of each month is taken, January first. Each climate has 0.6 on average. */
const occupancy: Readonly<Record<Climate, readonly number[]>> = {
  'northern summer': [0.35, 0.4, 0.45, 0.6, 0.65, 0.75, 0.9, 0.92, 0.7, 0.55, 0.38, 0.55],
  'southern summer': [0.92, 0.85, 0.7, 0.65, 0.45, 0.35, 0.4, 0.4, 0.5, 0.55, 0.63, 0.8],
  snow: [0.88, 0.95, 0.85, 0.45, 0.3, 0.45, 0.7, 0.75, 0.55, 0.35, 0.22, 0.75],
  'winter sun': [0.8, 0.85, 0.8, 0.6, 0.45, 0.45, 0.55, 0.5, 0.4, 0.5, 0.6, 0.7],
};

const lengths = [2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 7, 7, 7, 10, 14];
const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;

const reasons = [
  ['Booked through another channel', 0.9],
  ['Stay of the owner', 0.97],
  ['Maintenance', 1],
] as const;

const monthOf = (day: DayNumber): number => Number(dateText(day).slice(5, 7)) - 1;

/** The nights between two stays; often none, as guests leave and arrive on the same day. */
function gap(random: Random, taken: number): number {
  const mean = (meanLength * (1 - taken)) / taken;
  // An exponential distribution, rounded, has this mean.
  const nights = -Math.log(1 - random.next()) * mean;
  return Math.round(nights);
}

/** A taken part of the calendar; half-open. */
export interface TakenNights {
  from: string;
  to: string;
  reason: string;
}

/** The taken nights of a home from a day on. */
export function takenNights(random: Random, climate: Climate, first: DayNumber): TakenNights[] {
  const taken: TakenNights[] = [];
  const end = first + filledDays;
  let day = first - random.integer(0, 3);
  for (;;) {
    day += gap(random, occupancy[climate][monthOf(Math.max(day, first))]!);
    const from = Math.max(day, first);
    const to = Math.min(day + random.pick(lengths), end);
    if (from >= end) return taken;
    const chosen = random.next();
    const [reason] = reasons.find(([, below]) => chosen < below)!;
    if (to > from) taken.push({ from: dateText(from), to: dateText(to), reason });
    day = Math.max(to, day + 1);
  }
}
