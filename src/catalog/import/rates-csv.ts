/** Prices of dates from a spreadsheet. */

import { largestAmount, mostDates, type DatedRate } from '../../contract/catalog-file.ts';
import { currencyDigits } from '../../contract/currency-digits.ts';
import { limits } from '../../contract/limits.ts';
import { patterns } from '../../contract/patterns.ts';
import type { CsvColumns, CsvContent, CsvProblem, CsvRow } from '../../platform/csv.ts';
import { isKeptDate } from '../../pricing/index.ts';

type Numbers = 'nightly' | 'minNights';
type Column = 'listing' | 'from' | 'to' | Numbers | 'price';

/** The columns of a file of rates. Spec: FILE-7, FILE-14. */
export const rateColumns: CsvColumns<Column> = {
  required: ['listing', 'from', 'to'],
  optional: ['nightly', 'price', 'minNights'],
  exclusive: ['nightly', 'price'],
};

/** A price in units of the currency, as its digits before and after the decimal sign. */
interface WrittenPrice {
  units: string;
  decimals: string;
}

/** What a line says of some nights of a listing; undefined: its file has no such column. */
export interface RateLine {
  line: number;
  /** Slug or ID. */
  listing: string;
  from: string;
  /** The last night, included. */
  to: string;
  nightly: number | null | undefined;
  /** In place of `nightly`: the currency of the home says what it is in minor units. */
  price: WrittenPrice | null | undefined;
  minNights: number | null | undefined;
}

/** The lines of a file, or its problems. */
export interface ReadRates {
  lines: RateLine[];
  problems: CsvProblem[];
}

const ranges: Readonly<Record<Numbers, { min: number; max: number; what: string }>> = {
  nightly: { min: 0, max: largestAmount, what: 'an integer in minor units of the currency' },
  minNights: { ...limits.nightsPerStay, what: 'an integer from 1 to 90' },
};

function numberOf(
  { line, cells }: CsvRow<Column>,
  column: Numbers,
  problems: CsvProblem[],
): number | null | undefined {
  const text = cells[column];
  if (text === undefined) return undefined;
  if (text === '') return null;
  const { min, max, what } = ranges[column];
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  problems.push({ line, column, message: `must be ${what}` });
  return null;
}

const priceRule =
  'must be a price in units of the currency, such as 180, 180.00 or 180,00, without a sign between thousands';

/** Reads a cell of `price`. Spec: FILE-14. */
function priceOf(
  { line, cells: { price: text } }: CsvRow<Column>,
  problems: CsvProblem[],
): WrittenPrice | null | undefined {
  if (text === undefined) return undefined;
  if (text === '') return null;
  const [, units, decimals = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text) ?? [];
  if (units !== undefined) return { units, decimals };
  problems.push({ line, column: 'price', message: priceRule });
  return null;
}

/** A price in minor units; null: the currency has fewer decimals. Two zeros mean nothing in any currency. */
function minorOf({ units, decimals }: WrittenPrice, currency: string): number | null {
  const digits = currencyDigits(currency);
  const written = digits === 0 && /^0{1,2}$/.test(decimals) ? '' : decimals;
  return written.length > digits ? null : Number(units + written.padEnd(digits, '0'));
}

/** The line with `price` as `nightly`. */
function inMinorUnits(line: RateLine, currency: string, problems: CsvProblem[]): RateLine {
  if (!line.price) return { ...line, nightly: line.price === null ? null : line.nightly };
  const nightly = minorOf(line.price, currency);
  if (nightly !== null && nightly <= largestAmount) return { ...line, nightly };
  const message =
    nightly === null
      ? `has more decimals than ${currency}, which has ${currencyDigits(currency)}`
      : 'is too high';
  problems.push({ line: line.line, column: 'price', message });
  return line;
}

/** The problems of two dates of a line. `rule`: what `isOrdered` demands of `to`. */
export function datesProblems(
  { line, cells }: CsvRow<'from' | 'to'>,
  isOrdered: (from: string, to: string) => boolean,
  rule: string,
): CsvProblem[] {
  const { from = '', to = '' } = cells;
  const wrong = (['from', 'to'] as const).filter((column) => !isKeptDate(cells[column] ?? ''));
  const { message } = patterns.keptDate;
  if (wrong.length > 0) return wrong.map((column) => ({ line, column, message }));
  return isOrdered(from, to) ? [] : [{ line, column: 'to', message: `${rule} ${from}` }];
}

/** Reads the lines of a file of rates. */
export function readRates({ rows, problems }: CsvContent<Column>): ReadRates {
  const found = [...problems];
  const lines = rows.map((row): RateLine => {
    const { line, cells } = row;
    const before = found.length;
    found.push(...datesProblems(row, (from, to) => from <= to, 'must not be before'));
    const nightly = numberOf(row, 'nightly', found);
    const price = priceOf(row, found);
    const minNights = numberOf(row, 'minNights', found);
    if (found.length === before && (nightly ?? price ?? minNights) == null) {
      found.push({ line, column: null, message: 'needs nightly, price or minNights' });
    }
    const { listing = '', from = '', to = '' } = cells;
    return { line, listing, from, to, nightly, price, minNights };
  });
  return { lines, problems: found };
}

/** A change of an entry of `dates`. */
export interface RateChange {
  listing: string;
  /** Of the prices. */
  currency: string;
  before: DatedRate | null;
  after: DatedRate;
}

/** The home that lines are written into, by its slug. */
export interface RatedHome {
  listing: string;
  currency: string;
  dates: readonly DatedRate[];
}

/** The entries of `dates` of a listing after an import, and what it changes. */
export interface ImportedRates {
  dates: DatedRate[];
  changes: RateChange[];
  problems: CsvProblem[];
}

/** A member that may be absent: kept, removed or set. */
function member<Name extends Numbers>(
  name: Name,
  value: number | null | undefined,
  before: DatedRate | null,
): { [N in Name]?: number } {
  const now = value === undefined ? before?.[name] : value;
  return (now == null ? {} : { [name]: now }) as { [N in Name]?: number };
}

/** The entry of a line: only the columns of the file change one that exists. */
function entryOf({ from, to, nightly, minNights }: RateLine, before: DatedRate | null): DatedRate {
  const { nightly: _, minNights: __, ...others } = before ?? {};
  return {
    ...others,
    from,
    to,
    ...member('nightly', nightly, before),
    ...member('minNights', minNights, before),
  };
}

const isEqual = (one: DatedRate | null, other: DatedRate): boolean =>
  one?.nightly === other.nightly && one?.minNights === other.minNights;

/** Nights of an entry that exists (line 0) or of a line. */
interface Nights {
  from: string;
  to: string;
  line: number;
}

const key = ({ from, to }: Pick<Nights, 'from' | 'to'>): string => `${from} ${to}`;
const byDate = (one: Nights, other: Nights): number =>
  one.from === other.from ? one.line - other.line : one.from < other.from ? -1 : 1;

function overlap(one: Nights, other: Nights): CsvProblem {
  const [first, second] = one.line < other.line ? [one, other] : [other, one];
  const what =
    first.line === 0 ? `the entry from ${first.from} to ${first.to}` : `line ${first.line}`;
  return { line: second.line, column: 'from', message: `overlaps ${what}` };
}

function overlaps(nights: readonly Nights[]): CsvProblem[] {
  let last: Nights | undefined;
  return nights.toSorted(byDate).flatMap((each) => {
    const before = last;
    if (!last || each.to > last.to) last = each;
    return before && each.from <= before.to ? [overlap(before, each)] : [];
  });
}

/**
 * Writes lines into the `dates` of a listing. A line for exactly the nights of an entry changes it; any other
 * overlap is a problem, with an entry as well as with another line.
 *
 * Spec: FILE-7, FILE-14.
 */
export function applyRates(
  { listing, currency, dates }: RatedHome,
  written: readonly RateLine[],
): ImportedRates {
  const wrong: CsvProblem[] = [];
  const lines = written.map((line) => inMinorUnits(line, currency, wrong));
  const existing = new Map(dates.map((entry) => [key(entry), entry]));
  const after = new Map(existing);
  const changes = lines.flatMap((line): RateChange[] => {
    const before = existing.get(key(line)) ?? null;
    const entry = entryOf(line, before);
    after.set(key(line), entry);
    return isEqual(before, entry) && before ? [] : [{ listing, currency, before, after: entry }];
  });
  const named = new Set(lines.map(key));
  const kept = dates.filter((entry) => !named.has(key(entry)));
  const first = lines[0]?.line ?? 1;
  const message = `would have more than ${mostDates} entries of dates`;
  const tooMany = after.size > mostDates ? [{ line: first, column: 'listing', message }] : [];
  return {
    dates: [...after.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    changes,
    problems: [
      ...wrong,
      ...overlaps([...kept.map((entry) => ({ ...entry, line: 0 })), ...lines]),
      ...tooMany,
    ],
  };
}
