/** The lengths of stays that a home allows from a day of arrival on. */
import { type DayNumber, dayRules } from '../pricing/index.ts';
import type { Home } from './store/listing-rows.ts';

/** Says that no stay can begin on a day, because at least more nights are asked for than at most. Null: one can. */
export function noLengthOn({ rates, stayRules }: Home, day: DayNumber): string | null {
  const stated = dayRules(rates, day);
  const least = stated.minNights ?? stayRules.minNights;
  const most = stated.maxNights ?? stayRules.maxNights;
  return least <= most ? null : `allows no stay: at least ${least} nights, at most ${most}`;
}
