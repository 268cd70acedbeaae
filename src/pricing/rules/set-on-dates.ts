/** Sets prices and rules of a home, date by date. */
import { dateText, dayNumber } from './calendar-date.ts';
import type { DatedRate } from './listing.ts';

const dayAfter = (date: string): string => dateText(dayNumber(date) + 1);
const dayBefore = (date: string): string => dateText(dayNumber(date) - 1);

type Members = Omit<DatedRate, 'from' | 'to'>;

const membersOf = ({ from: _from, to: _to, ...members }: DatedRate): Members => members;

const sameMembers = (one: Members, other: Members): boolean =>
  one.nightly === other.nightly &&
  one.minNights === other.minNights &&
  one.maxNights === other.maxNights &&
  one.minNightsThrough === other.minNightsThrough &&
  one.arrivalDays?.join() === other.arrivalDays?.join() &&
  one.departureDays?.join() === other.departureDays?.join();

const isEmpty = (members: Members): boolean => sameMembers(members, {});

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

const settable = [
  'nightly',
  'minNights',
  'maxNights',
  'minNightsThrough',
  'arrivalDays',
  'departureDays',
] as const;

/** What is set on one date. Null: the member is removed. Absent: it stays as it is. */
export type RatesOfDate = { date: string } & {
  [Name in (typeof settable)[number]]?: DatedRate[Name] | null | undefined;
};

function membersAfter(members: Members, change: RatesOfDate): Members {
  const after: Record<string, unknown> = { ...members };
  for (const name of settable) {
    const value = change[name];
    if (value === null) delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  return after;
}

/** The entries without these dates, which are in order. Both are walked once. */
function withoutDates(ordered: readonly DatedRate[], dates: readonly string[]): DatedRate[] {
  const kept: DatedRate[] = [];
  let at = 0;
  for (const entry of ordered) {
    while (at < dates.length && dates[at]! < entry.from) at += 1;
    let { from } = entry;
    for (; at < dates.length && dates[at]! <= entry.to; at += 1) {
      const date = dates[at]!;
      if (from < date) kept.push({ ...entry, from, to: dayBefore(date) });
      from = dayAfter(date);
    }
    if (from <= entry.to) kept.push({ ...entry, from });
  }
  return kept;
}

/** What an entry states on each of these dates, which are in order. */
function membersOn(ordered: readonly DatedRate[], dates: readonly string[]): Members[] {
  let at = 0;
  return dates.map((date) => {
    while (at < ordered.length && ordered[at]!.to < date) at += 1;
    const entry = ordered[at];
    return entry && entry.from <= date ? membersOf(entry) : {};
  });
}

/** The `dates` of a home after members are set on single dates. */
export interface SetDates {
  dates: DatedRate[];
  /** The dates on which something has changed, in order. */
  changed: string[];
}

/**
 * Sets members on single dates, each named once. Entries that reach out of them are split; entries without a member are
 * left out; neighbours that say the same become one.
 *
 * Spec: OUTSIDE-3.
 */
export function setOnDates(dates: readonly DatedRate[], changes: readonly RatesOfDate[]): SetDates {
  const ordered = dates.toSorted(byDate);
  const wanted = changes.toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const before = membersOn(
    ordered,
    wanted.map(({ date }) => date),
  );
  const after = wanted.map((change, at) => membersAfter(before[at]!, change));
  const isChanged = wanted.map((_, at) => !sameMembers(before[at]!, after[at]!));
  const changedDates = wanted.flatMap(({ date }, at) => (isChanged[at] ? [date] : []));
  const set = wanted.flatMap(({ date }, at): DatedRate[] =>
    isChanged[at] && !isEmpty(after[at]!) ? [{ from: date, to: date, ...after[at]! }] : [],
  );
  const all = [...withoutDates(ordered, changedDates), ...set].toSorted(byDate);
  return { dates: joined(all), changed: changedDates };
}
