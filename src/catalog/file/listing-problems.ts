/** Rules of a listing in the catalog file that its schema cannot express. */

import { LRUCache } from 'lru-cache';
import type { CatalogListing, DatedRate, Season } from '../../contract/catalog-file.ts';
import { CANCELLATION_LABEL, parseDate, seasonContains } from '../../pricing/index.ts';
import type { Problem } from '../../platform/schema-check.ts';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const leapYear = '2028';

/** Whether a currency is one of ISO 4217. */
export const isCurrency = (code: string): boolean => currencies.has(code);

/** Whether a percentage has at most two decimals. */
export const hasTwoDecimals = (percent: number): boolean => Number(percent.toFixed(2)) === percent;

export const tooManyDecimals = 'must have at most two decimals';
export const noSuchDate = 'is a date that does not exist';

/** Whether a date (YYYY-MM-DD or MM-DD) exists. */
const exists = (date: string): boolean =>
  parseDate(date.length === 5 ? `${leapYear}-${date}` : date) !== null;

// Making a format costs a hundred times the rest of the check of a listing.
/** By name, as it is written; its canonical name, or empty if there is none. */
const timeZones = new LRUCache<string, string>({
  max: 1_000,
  memoMethod: (name) => {
    try {
      // It also accepts offsets such as +01:00, which have no daylight saving.
      return /^[A-Z]/i.test(name) ? new Temporal.ZonedDateTime(0n, name).timeZoneId : '';
    } catch {
      return '';
    }
  },
});

/** The IANA name of a time zone, as the database of time zones writes it; empty if there is none. */
export const timeZoneName = (name: string): string => timeZones.memo(name);

/** The problems of the checks that failed. */
const failing = (...checks: [isWrong: boolean, pointer: string, message: string][]): Problem[] =>
  checks.flatMap(([isWrong, pointer, message]) => (isWrong ? [{ pointer, message }] : []));

/** Problems of a date range; both dates are included. */
export function rangeProblems(
  { from, to }: { from: string; to: string },
  pointer: string,
): Problem[] {
  const yearly = from.length === 5;
  return failing(
    [!exists(from), `${pointer}/from`, noSuchDate],
    [!exists(to), `${pointer}/to`, noSuchDate],
    [yearly !== (to.length === 5), `${pointer}/to`, 'must have the same form as from'],
    [!yearly && to.length === 10 && to < from, `${pointer}/to`, 'must not be before from'],
  );
}

function datesProblems(dates: DatedRate[]): Problem[] {
  const ordered = dates
    .map((entry, at) => ({ ...entry, pointer: `/rates/dates/${at}` }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const overlaps: Problem[] = [];
  // The entry before an entry is not always the one that overlaps it.
  let longest = ordered[0];
  for (const entry of ordered.slice(1)) {
    if (longest && entry.from <= longest.to) {
      overlaps.push({ pointer: `${entry.pointer}/from`, message: `overlaps ${longest.pointer}` });
    }
    if (longest && entry.to > longest.to) longest = entry;
  }
  return [...ordered.flatMap((entry) => rangeProblems(entry, entry.pointer)), ...overlaps];
}

/** The first days of a season in the years that another season can cover. */
function firstDays(season: Season, other: Season): string[] {
  if (season.from.length === 10) return [season.from];
  const year = other.from.length === 10 ? Number(other.from.slice(0, 4)) : Number(leapYear);
  return [year, year + 1].map((each) => `${each}-${season.from}`);
}

// Two ranges overlap if one contains the first day of the other, also for yearly seasons.
const overlap = (one: Season, other: Season): boolean =>
  firstDays(one, other).some((date) => seasonContains(other, date)) ||
  firstDays(other, one).some((date) => seasonContains(one, date));

function seasonsProblems(seasons: Season[]): Problem[] {
  return seasons.flatMap((season, at): Problem[] => {
    const pointer = `/rates/seasons/${at}`;
    const { changePercent, nightly, weekdays, priority = 0 } = season;
    const hasPrices = nightly !== undefined || weekdays !== undefined;
    const overlapped = seasons
      .slice(0, at)
      .findIndex((other) => (other.priority ?? 0) === priority && overlap(season, other));
    return [
      ...rangeProblems(season, pointer),
      ...failing(
        [
          changePercent !== undefined && hasPrices,
          `${pointer}/changePercent`,
          'must not be given together with prices',
        ],
        [!hasTwoDecimals(changePercent ?? 0), `${pointer}/changePercent`, tooManyDecimals],
        [
          overlapped !== -1,
          `${pointer}/from`,
          `overlaps /rates/seasons/${overlapped}, which has the same priority`,
        ],
      ),
    ];
  });
}

/** Problems of values that must be unique within a list. */
const repeated = (values: readonly unknown[], pointerAt: (at: number) => string): Problem[] =>
  values.flatMap((value, at) => {
    const first = values.indexOf(value);
    return first < at ? [{ pointer: pointerAt(at), message: `repeats ${pointerAt(first)}` }] : [];
  });

const feesProblems = ({ fees = [] }: CatalogListing): Problem[] =>
  fees.flatMap(({ per, fromGuest }, at) =>
    failing([
      fromGuest !== undefined && !per.startsWith('guest'),
      `/fees/${at}/fromGuest`,
      'is only for guest and guest_night',
    ]),
  );

const taxesProblems = ({ taxes = [] }: CatalogListing): Problem[] =>
  taxes.flatMap((tax, at) => {
    const pointer = `/taxes/${at}`;
    if ('on' in tax)
      return failing([!hasTwoDecimals(tax.percent), `${pointer}/percent`, tooManyDecimals]);
    return failing(
      [
        tax.adultsOnly !== undefined && !tax.per.startsWith('guest'),
        `${pointer}/adultsOnly`,
        'is only for guest and guest_night',
      ],
      [
        tax.maxNights !== undefined && !tax.per.endsWith('night'),
        `${pointer}/maxNights`,
        'is only for night and guest_night',
      ],
    );
  });

const discountsProblems = ({ rates: { lengthDiscounts = [] } }: CatalogListing): Problem[] => [
  ...lengthDiscounts.flatMap(({ percent }, at) =>
    failing([!hasTwoDecimals(percent), `/rates/lengthDiscounts/${at}/percent`, tooManyDecimals]),
  ),
  ...repeated(
    lengthDiscounts.map(({ minNights }) => minNights),
    (at) => `/rates/lengthDiscounts/${at}/minNights`,
  ),
];

const cancellationProblems = ({ cancellation = [] }: CatalogListing): Problem[] => [
  ...cancellation.flatMap(({ refundPercent }, at) =>
    failing([!hasTwoDecimals(refundPercent), `/cancellation/${at}/refundPercent`, tooManyDecimals]),
  ),
  ...repeated(
    cancellation.map(({ daysBefore }) => daysBefore),
    (at) => `/cancellation/${at}/daysBefore`,
  ),
];

function memberProblems(listing: CatalogListing): Problem[] {
  const { currency, timeZone, stayRules = {}, payment = {}, policies = [] } = listing;
  const { minNights = 1, maxNights = 90 } = stayRules;
  const own = policies.findIndex(({ label }) => label === CANCELLATION_LABEL);
  return failing(
    [!isCurrency(currency), '/currency', 'is not a currency of ISO 4217'],
    [
      typeof timeZone === 'string' && timeZoneName(timeZone) === '',
      '/timeZone',
      'is not the IANA name of a time zone',
    ],
    [minNights > maxNights, '/stayRules/minNights', 'must not be more than maxNights'],
    [!hasTwoDecimals(payment.dueNowPercent ?? 0), '/payment/dueNowPercent', tooManyDecimals],
    [
      own !== -1,
      `/policies/${own}/label`,
      'is the label of the policy that is made from the cancellation rules',
    ],
  );
}

/** All problems of a listing that matches its schema; pointers are relative to the listing. */
export const listingProblems = (listing: CatalogListing): Problem[] => [
  ...memberProblems(listing),
  ...datesProblems(listing.rates.dates ?? []),
  ...seasonsProblems(listing.rates.seasons ?? []),
  ...discountsProblems(listing),
  ...feesProblems(listing),
  ...taxesProblems(listing),
  ...cancellationProblems(listing),
];
