/** Sets prices and minimum nights over a range of dates. */
import { dateText, dayNumber } from './calendar-date.ts';
import type { DatedRate } from './listing.ts';

/** What is set over the dates. Null: the member is removed. Absent: it stays as it is. */
export interface RatesOverDates {
  /** The first and last night, both included. */
  from: string;
  to: string;
  nightly?: number | null | undefined;
  minNights?: number | null | undefined;
}

const dayAfter = (date: string): string => dateText(dayNumber(date) + 1);
const dayBefore = (date: string): string => dateText(dayNumber(date) - 1);
const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);

type Members = Omit<DatedRate, 'from' | 'to'>;

const membersOf = ({ from: _from, to: _to, ...members }: DatedRate): Members => members;

function withMember<Name extends 'nightly' | 'minNights'>(
  members: Members,
  name: Name,
  value: number | null | undefined,
): Members {
  if (value === undefined) return members;
  const { [name]: _, ...others } = members;
  return value === null ? others : { ...others, [name]: value };
}

const changed = (members: Members, { nightly, minNights }: RatesOverDates): Members =>
  withMember(withMember(members, 'nightly', nightly), 'minNights', minNights);

const sameMembers = (one: Members, other: Members): boolean =>
  one.nightly === other.nightly &&
  one.minNights === other.minNights &&
  one.maxNights === other.maxNights &&
  one.minNightsThrough === other.minNightsThrough &&
  one.arrivalDays?.join() === other.arrivalDays?.join() &&
  one.departureDays?.join() === other.departureDays?.join();

const isEmpty = (members: Members): boolean => sameMembers(members, {});

/** The part of an entry between two dates; empty if it has none. */
function part(entry: DatedRate, from: string, to: string): DatedRate[] {
  const cut = { ...entry, from: later(entry.from, from), to: earlier(entry.to, to) };
  return cut.from <= cut.to ? [cut] : [];
}

/** The nights of the range, as entries: parts of the entries that exist, and empty ones for the gaps. */
function covered(entries: readonly DatedRate[], { from, to }: RatesOverDates): DatedRate[] {
  const inside = entries.flatMap((entry) => part(entry, from, to));
  const gaps: DatedRate[] = [];
  let next = from;
  for (const entry of inside) {
    if (next < entry.from) gaps.push({ from: next, to: dayBefore(entry.from) });
    next = dayAfter(entry.to);
  }
  if (next <= to) gaps.push({ from: next, to });
  return [...inside, ...gaps];
}

const byDate = (one: DatedRate, other: DatedRate): number => (one.from < other.from ? -1 : 1);

/** Joins an entry to the one before it if they say the same. */
function joined(entries: readonly DatedRate[]): DatedRate[] {
  const all: DatedRate[] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    const goesOn = last && dayAfter(last.to) === entry.from;
    if (goesOn && sameMembers(membersOf(last), membersOf(entry))) {
      all[all.length - 1] = { ...last, to: entry.to };
    } else all.push(entry);
  }
  return all;
}

/**
 * The `dates` of a home after members are set over a range. Entries that reach out of the range are split;
 * entries without a member are left out; neighbours that say the same become one.
 *
 * Spec: STAY-3.
 */
export function overlayDates(dates: readonly DatedRate[], change: RatesOverDates): DatedRate[] {
  const { from, to } = change;
  const ordered = dates.toSorted(byDate);
  const outside = ordered.flatMap((entry) => [
    ...part(entry, '0000-01-01', dayBefore(from)),
    ...part(entry, dayAfter(to), '9999-12-31'),
  ]);
  const inside = covered(ordered, change).flatMap((entry): DatedRate[] => {
    const members = changed(membersOf(entry), change);
    return isEmpty(members) ? [] : [{ from: entry.from, to: entry.to, ...members }];
  });
  return joined([...outside, ...inside].toSorted(byDate));
}
