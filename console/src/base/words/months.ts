/** Months as choices. */
import { formatLongMonth, isoDate } from './dates.ts';

const shownMonths = 36;

const monthOf = (at: number): string => isoDate(at).slice(0, 7);

/** The month of now in UTC: `2026-11`. */
export const thisMonth = (): string => monthOf(Date.now());

/** The name of a month: `November 2026`. A text that is none stays as it is. */
export function monthName(month: string): string {
  const at = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isNaN(at) ? month : formatLongMonth(at);
}

/** The month of now and those before it, latest first. */
export function latestMonths(): { value: string; label: string }[] {
  const today = new Date();
  return Array.from({ length: shownMonths }, (_, back) => {
    const value = monthOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
    return { value, label: monthName(value) };
  });
}
