/** Which calendars are read before a booking is confirmed. */

/** A whole read that is not older than this is enough. */
export const freshForSeconds = 60;
/** A calendar whose read failed or was late is not asked again for this time. */
export const quietForSeconds = 60;
/** How long a booking waits for its calendars. */
export const waitMs = 2_500;

/** What is known about a calendar: ages in seconds; null: never. */
export interface CalendarAges {
  /** Of the last whole read. */
  whole: number | null;
  /** Of the last read, if it failed. */
  failed: number | null;
  /** Of the last time that a booking waited for it in vain. */
  late: number | null;
}

/** Whether a calendar must be read before a booking is confirmed. The store has the same as SQL. */
export function mustBeRead({ whole, failed, late }: CalendarAges): boolean {
  const isQuiet = [failed, late].some((age) => age !== null && age < quietForSeconds);
  return !isQuiet && (whole === null || whole > freshForSeconds);
}
