/** What the terms refund at a cancellation on a day, by the clock of the home. */
import { zonedInstant } from '../../words/days.ts';

interface Tier {
  /** The instant until which it is refunded. */
  before: string;
  refundAmount: number;
}

/** A part of a day: what is refunded until a time; null: until the end of the day. */
interface DayPart {
  until: string | null;
  refund: number;
}

/** The parts of a day with different refunds, in their order. */
export function refundsOnDay(
  tiers: readonly Tier[],
  day: string,
  timeZone: string | null,
): DayPart[] {
  const zoned = tiers
    .toSorted((a, b) => Date.parse(a.before) - Date.parse(b.before))
    .map(({ before, refundAmount }) => ({ ...zonedInstant(before, timeZone), refundAmount }));
  const ending = zoned.filter((tier) => tier.day === day);
  const later = zoned.find((tier) => tier.day > day);
  return [
    ...ending.map(({ time, refundAmount }) => ({ until: time, refund: refundAmount })),
    { until: null, refund: later?.refundAmount ?? 0 },
  ];
}
