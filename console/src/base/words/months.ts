/** Months as choices. */

const shownMonths = 36;
const format = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The month of now in UTC: `2026-11`. */
export const thisMonth = (): string => monthOf(Date.now());

/** The name of a month: `November 2026`. A text that is none stays as it is. */
export function monthName(month: string): string {
  const at = Date.parse(`${month}-01T00:00:00Z`);
  return Number.isNaN(at) ? month : format.format(at);
}

/** The month of now and those before it, latest first. */
export function latestMonths(): { value: string; label: string }[] {
  const today = new Date();
  return Array.from({ length: shownMonths }, (_, back) => {
    const value = monthOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1));
    return { value, label: monthName(value) };
  });
}
