import { operatorLimits } from '#contract/operator/limits.ts';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import type { CalendarHome, HomeFilter } from '../../api/homes-types.ts';
import { rangeOf, type Selection } from './geometry.ts';
import type { WindowHomes } from './use-window-homes.ts';

const { homesOfRates } = operatorLimits;
const perRead = operatorLimits.pageSize.max;

/** How many homes a selection has. */
export function countHomes(selection: Selection): number {
  const { firstRow, lastRow } = rangeOf(selection);
  return lastRow - firstRow + 1;
}

/** The homes of a selection from the parts in view; null: not all of them are there. */
export function knownHomes(inWindow: WindowHomes, selection: Selection): CalendarHome[] | null {
  const { firstRow } = rangeOf(selection);
  const count = countHomes(selection);
  const found = Array.from(
    { length: count },
    (_, at) => inWindow.row(firstRow + at)[0]?.home,
  ).filter((home) => home !== undefined);
  return found.length === count ? found : null;
}

/**
 * Reads all homes of a selection, also those out of view. Throws an Error with a text for staff if they are too many
 * for one change, or if some of them are no longer there.
 */
export async function readHomes(
  selection: Selection,
  { filter, from }: { filter: HomeFilter; from: string },
): Promise<CalendarHome[]> {
  const count = countHomes(selection);
  if (count > homesOfRates) {
    throw new Error(`Select at most ${homesOfRates} homes: ${count} are selected.`);
  }
  const { firstRow } = rangeOf(selection);
  const read: CalendarHome[] = [];
  for (let at = 0; at < count; at += perRead) {
    const part = { from, days: 1, offset: firstRow + at, limit: Math.min(perRead, count - at) };
    read.push(...(await homes.readCalendar(filter, part)).homes);
  }
  if (read.length === count) return read;
  const found = counted(read.length, 'home');
  throw new Error(`Select again: of ${count} selected homes, the calendar has ${found} now.`);
}
