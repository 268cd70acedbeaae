/** The day sheet of a day: the first stays of each list, which are there at once, then all. */
import { useQuery } from '@tanstack/react-query';
import {
  type DaySheet,
  daySheetQuery,
  type FirstOfDaySheet,
  firstOfDaySheetQuery,
} from '../../api/reservations.ts';

const isAll = ({ arrivals, departures, inHouse }: FirstOfDaySheet): boolean =>
  [arrivals, departures, inHouse].every(({ total, items }) => items.length === total);

const counted = <Item>(items: Item[]) => ({ total: items.length, items });

const countedLists = ({ date, arrivals, departures, inHouse }: DaySheet): FirstOfDaySheet => ({
  date,
  arrivals: counted(arrivals),
  departures: counted(departures),
  inHouse: counted(inHouse),
});

const wholeSheet = ({ date, arrivals, departures, inHouse }: FirstOfDaySheet): DaySheet => ({
  date,
  arrivals: arrivals.items,
  departures: departures.items,
  inHouse: inHouse.items,
});

/**
 * Reads the first stays of each list of a day, and all of them where there are more. `query` is what is to be shown,
 * `whole` is there as soon as nothing is missing, `rest` reads what is missing.
 */
export function useDaySheet(date: string) {
  const first = useQuery(firstOfDaySheetQuery(date));
  const isPart = first.data !== undefined && !first.isPlaceholderData && !isAll(first.data);
  const rest = useQuery({ ...daySheetQuery(date), select: countedLists, enabled: isPart });
  const query = rest.data !== undefined && rest.data.date === first.data?.date ? rest : first;
  const whole = query.data && isAll(query.data) ? wholeSheet(query.data) : undefined;
  return { query, whole, rest };
}
