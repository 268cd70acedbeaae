/** Rules of a listing in the catalog file that its schema cannot express. */

import { LRUCache } from 'lru-cache';
import type {
  CancellationRule,
  CatalogListing,
  DatedRate,
  Fee,
  KeepRule,
  Season,
  Tax,
  When,
} from '../../contract/catalog-file.ts';
import { CANCELLATION_LABEL, insideOf, isShortForm, parseDate } from '../../pricing/index.ts';
import { meaning } from '../../platform/nearest-name.ts';
import { currencyProblem, isCurrency } from './currencies.ts';
import { impossibleStays } from './impossible-stays.ts';
import type { Problem } from '../../platform/schema-check.ts';

const leapYear = '2028';

/** Whether a percentage has at most four decimals. Spec: FILE-17. */
export const hasFourDecimals = (percent: number): boolean => Number(percent.toFixed(4)) === percent;

export const tooManyDecimals = 'must have at most four decimals';
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

const membersOf = (value: unknown): Record<string, unknown> =>
  (value ?? {}) as Record<string, unknown>;

const isStated = (value: object, path: string): boolean =>
  path.split('/').reduce((at: unknown, name) => membersOf(at)[name], value) !== undefined;

/** Members of which only one may be stated, by their paths. */
type Alternatives = [member: string, other: string, what?: string];

const longForm = ', its long form';

/** The problems of members that are stated although another one is. */
const notTogether = (value: object, pointer: string, ...pairs: Alternatives[]): Problem[] =>
  pairs.flatMap(([member, other, what = '']) =>
    isStated(value, member) && isStated(value, other)
      ? [
          {
            pointer: `${pointer}/${member}`,
            message: `must not be given together with ${pointer}/${other}${what}`,
          },
        ]
      : [],
  );

/** The problems of the checks that failed. */
const failing = (...checks: [isWrong: boolean, pointer: string, message: string][]): Problem[] =>
  checks.flatMap(([isWrong, pointer, message]) => (isWrong ? [{ pointer, message }] : []));

/** Problems of a date range; both dates are included. Spec: FILE-10. */
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

/** A season with its dates as numbers: thousands of pairs are compared. */
interface ComparedSeason {
  /** YYYYMMDD, or MMDD of every year. */
  from: number;
  isYearly: boolean;
  priority: number;
  contains(date: number): boolean;
}

const compared = (season: Season): ComparedSeason => ({
  from: Number(season.from.replaceAll('-', '')),
  isYearly: season.from.length === 'MM-DD'.length,
  priority: season.priority ?? 0,
  contains: insideOf(season),
});

const yearOf = ({ from, isYearly }: ComparedSeason): number =>
  isYearly ? Number(leapYear) : Math.floor(from / 10_000);

/** Whether a season contains the first day of another, in the years that it can cover. */
function containsFirst(season: ComparedSeason, { from, isYearly }: ComparedSeason): boolean {
  if (!isYearly) return season.contains(from);
  const year = yearOf(season);
  return season.contains(year * 10_000 + from) || season.contains((year + 1) * 10_000 + from);
}

// Two ranges overlap if one contains the first day of the other, also for yearly seasons.
const overlap = (one: ComparedSeason, other: ComparedSeason): boolean =>
  containsFirst(one, other) || containsFirst(other, one);

function seasonsProblems(seasons: Season[]): Problem[] {
  const all = seasons.map(compared);
  return seasons.flatMap((season, at): Problem[] => {
    const pointer = `/rates/seasons/${at}`;
    const { changePercent = 0, nightly } = season;
    const own = all[at]!;
    const ownPrices = nightly === undefined ? 'weekdays' : 'nightly';
    const first = all.findIndex(
      (other, index) => index === at || (other.priority === own.priority && overlap(own, other)),
    );
    const overlapped = first < at ? first : -1;
    return [
      ...rangeProblems(season, pointer),
      ...notTogether(season, pointer, ['changePercent', ownPrices]),
      ...failing(
        [!hasFourDecimals(changePercent), `${pointer}/changePercent`, tooManyDecimals],
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

const isCountedByGuest = (per: string | undefined): boolean => per?.startsWith('guest') ?? false;

type Line = Fee | Tax;

/** How a line may find its amount: the members that belong to it, and those that may be there. */
interface LineForm {
  needs: readonly string[];
  may: readonly string[];
}

const formMembers = ['amount', 'per', 'percent', 'on', 'maxAmount', 'tiers', 'included', 'net'];

const byAmount: LineForm = { needs: ['per', 'amount'], may: [] };
const byPercent: LineForm = { needs: ['percent', 'on'], may: ['included', 'net'] };
const byShare: LineForm = { needs: ['percent', 'on', 'per'], may: ['maxAmount', 'net'] };
const byTiers: LineForm = { needs: ['tiers', 'per'], may: ['net'] };

function formOf(line: Line): LineForm {
  if (isStated(line, 'tiers')) return byTiers;
  if (!isStated(line, 'percent') && !isStated(line, 'on')) return byAmount;
  return isStated(line, 'per') && !isStated(line, 'kind') ? byShare : byPercent;
}

/** Members that are missing, or that contradict those that decide the form of a line. */
function formProblems(line: Line, pointer: string): Problem[] {
  const { needs, may } = formOf(line);
  const first = needs[0]!;
  const forms = isStated(line, 'kind')
    ? 'needs `per` and `amount`, or `percent` and `on`'
    : 'needs `percent` and `on`, or `per` and `amount`, or `per` and `tiers`';
  if (!formMembers.some((name) => isStated(line, name))) return [{ pointer, message: forms }];
  const own = needs.find((name) => isStated(line, name)) ?? first;
  const missing = needs.filter((name) => !isStated(line, name));
  const others = formMembers.filter(
    (name) => isStated(line, name) && !needs.includes(name) && !may.includes(name),
  );
  const at = (message: string) => (name: string) => ({ pointer: `${pointer}/${name}`, message });
  return [
    ...missing.map(at(`is required together with \`${own}\``)),
    ...others.map(at(`must not be given together with \`${first}\``)),
  ];
}

const groupNames: ReadonlySet<string> = new Set(['accommodation', 'cleaning', 'fees']);

/** Whether a line counts nights. */
const isPerNight = ({ per, percent, on = [] }: Line): boolean =>
  per?.endsWith('night') ?? (percent !== undefined && on.includes('accommodation'));

function whenProblems(when: When | undefined, pointer: string): Problem[] {
  if (!when) return [];
  const ranges = (['stayNights', 'daysAhead'] as const).flatMap((name) => {
    const { min = 0, max = Infinity } = when[name] ?? {};
    return failing([min > max, `${pointer}/${name}/min`, 'must not be more than max']);
  });
  return [...(when.nights ? rangeProblems(when.nights, `${pointer}/nights`) : []), ...ranges];
}

/** A name of `on` that no earlier line has. */
function onProblems(line: Line, pointer: string, known: ReadonlySet<string>): Problem[] {
  return (line.on ?? []).flatMap((name, at) => {
    if (groupNames.has(name) || known.has(name)) return [];
    const meant = meaning(name, [...groupNames, ...known]);
    const message = `is not \`accommodation\`, \`cleaning\`, \`fees\` or the id of an earlier fee or tax${meant}`;
    return [{ pointer: `${pointer}/on/${at}`, message }];
  });
}

function lineProblems(line: Line, pointer: string, known: ReadonlySet<string>): Problem[] {
  const { per, percent, fromGuest, maxNights, fromNight, who } = line;
  const { from = 0, to = Infinity } = who?.ages ?? {};
  const tiers = 'tiers' in line ? (line.tiers ?? []) : [];
  return [
    ...formProblems(line, pointer),
    ...onProblems(line, pointer, known),
    ...whenProblems(line.when, `${pointer}/when`),
    ...notTogether(
      line,
      pointer,
      ['staysUpToNights', 'when/stayNights', longForm],
      ['adultsOnly', 'who', longForm],
      ['included', 'payAt'],
    ),
    ...failing(
      [!hasFourDecimals(percent ?? 0), `${pointer}/percent`, tooManyDecimals],
      [fromGuest !== undefined && !isCountedByGuest(per), `${pointer}/fromGuest`, onlyGuests],
      [isStated(line, 'adultsOnly') && !isCountedByGuest(per), `${pointer}/adultsOnly`, onlyGuests],
      [who !== undefined && !isCountedByGuest(per), `${pointer}/who`, onlyGuests],
      [from > to, `${pointer}/who/ages/from`, 'must not be more than to'],
      [maxNights !== undefined && !isPerNight(line), `${pointer}/maxNights`, onlyNights],
      [fromNight !== undefined && !isPerNight(line), `${pointer}/fromNight`, onlyNights],
      [
        formOf(line) === byShare && per !== 'guest_night',
        `${pointer}/per`,
        'must be `guest_night` together with `percent`',
      ],
      [
        formOf(line) === byTiers && per !== undefined && per !== 'guest_night',
        `${pointer}/per`,
        'must be `guest_night` together with `tiers`',
      ],
    ),
    ...tiers.flatMap((tier, at) =>
      failing([
        at > 0 && tier.from <= tiers[at - 1]!.from,
        `${pointer}/tiers/${at}/from`,
        `must be above that of ${pointer}/tiers/${at - 1}`,
      ]),
    ),
  ];
}

const onlyGuests = 'is only for guest and guest_night';
const onlyNights = 'is only for what is per night, and for percentages of accommodation';

/** Fees and taxes with their places, in the order in which they are calculated. */
const linesOf = ({ fees = [], taxes = [] }: CatalogListing): { line: Line; pointer: string }[] => [
  ...fees.map((line, at) => ({ line, pointer: `/fees/${at}` })),
  ...taxes.map((line, at) => ({ line, pointer: `/taxes/${at}` })),
];

/** Lines of one label must be told apart by what happens to them. */
function labelProblems(listing: CatalogListing): Problem[] {
  const always = listing.cancellationAlwaysRefunds ?? [];
  const isAlways = ({ id }: Line): boolean => id !== undefined && always.includes(id);
  const seen = new Map<string, { line: Line; pointer: string }>();
  return linesOf(listing).flatMap(({ line, pointer }): Problem[] => {
    const first = seen.get(line.label);
    if (!first) {
      seen.set(line.label, { line, pointer });
      return [];
    }
    const differs = first.line.payAt !== line.payAt || isAlways(first.line) !== isAlways(line);
    return failing([
      differs,
      `${pointer}/label`,
      `is the label of ${first.pointer}, which is paid or refunded otherwise`,
    ]);
  });
}

function allLinesProblems(listing: CatalogListing): Problem[] {
  const known = new Set<string>();
  const places = new Map<string, string>();
  return linesOf(listing).flatMap(({ line, pointer }) => {
    const problems = lineProblems(line, pointer, known);
    const { id } = line;
    if (id === undefined) return problems;
    const first = places.get(id);
    known.add(id);
    if (first === undefined) places.set(id, `${pointer}/id`);
    const isGroup = groupNames.has(id);
    return [
      ...problems,
      ...failing(
        [first !== undefined, `${pointer}/id`, `repeats ${first}`],
        [isGroup, `${pointer}/id`, `is a name that \`on\` already has`],
      ),
    ];
  });
}

function discountsProblems({ rates }: CatalogListing): Problem[] {
  const { lengthDiscounts = [], discounts = [] } = rates;
  return [
    ...lengthDiscounts.flatMap((discount, at) => {
      const { percent = 0 } = discount;
      const pointer = `/rates/lengthDiscounts/${at}`;
      const isNone = !isStated(discount, 'percent') && !isStated(discount, 'amount');
      return [
        ...failing(
          [!hasFourDecimals(percent), `${pointer}/percent`, tooManyDecimals],
          [isNone, `${pointer}/percent`, 'is required, or amount'],
        ),
        ...notTogether(discount, pointer, ['amount', 'percent']),
      ];
    }),
    ...repeated(
      lengthDiscounts.map(({ minNights }) => minNights),
      (at) => `/rates/lengthDiscounts/${at}/minNights`,
    ),
    ...discounts.flatMap(({ percent, when }, at) => [
      ...failing([!hasFourDecimals(percent), `/rates/discounts/${at}/percent`, tooManyDecimals]),
      ...whenProblems(when, `/rates/discounts/${at}/when`),
    ]),
  ];
}

function shortRuleProblems(cancellation: readonly CancellationRule[]): Problem[] {
  return [
    ...cancellation.flatMap(({ refundPercent }, at) =>
      failing([
        !hasFourDecimals(refundPercent),
        `/cancellation/${at}/refundPercent`,
        tooManyDecimals,
      ]),
    ),
    ...repeated(
      cancellation.map(({ daysBefore }) => daysBefore),
      (at) => `/cancellation/${at}/daysBefore`,
    ),
  ];
}

/** Which instant an entry names, for the comparison of two. */
const untilName = ({ until }: KeepRule): string =>
  until === undefined ? 'check-in' : JSON.stringify([until.daysBefore, until.hoursBefore]);

function longRuleProblems(rules: readonly KeepRule[], hasAlways: boolean): Problem[] {
  const names = rules.map(untilName);
  return rules.flatMap((rule, at) => {
    const { until, keep } = rule;
    const pointer = `/cancellation/${at}`;
    const first = names.indexOf(names[at]!);
    const isNone = until && until.daysBefore === undefined && until.hoursBefore === undefined;
    const problems = failing(
      [isNone ?? false, `${pointer}/until`, 'needs either daysBefore, or hoursBefore and of'],
      [
        until?.hoursBefore !== undefined && until.of === undefined,
        `${pointer}/until/of`,
        'is required together with hoursBefore',
      ],
      [
        until?.of !== undefined && until.hoursBefore === undefined,
        `${pointer}/until/of`,
        'is only for hoursBefore',
      ],
      [
        (keep.percent === undefined) === (keep.nights === undefined),
        `${pointer}/keep`,
        'needs either percent or nights',
      ],
      [!hasFourDecimals(keep.percent ?? 0), `${pointer}/keep/percent`, tooManyDecimals],
      [
        hasAlways && keep.of === 'collected',
        `${pointer}/keep/of`,
        'must not be `collected` together with /cancellationAlwaysRefunds',
      ],
      [first < at, `${pointer}/until`, `is the instant of /cancellation/${first}`],
    );
    const pairs: Alternatives[] = [
      ['until/hoursBefore', 'until/daysBefore'],
      ['keep/of', 'keep/nights'],
    ];
    return [...notTogether(rule, pointer, ...pairs), ...problems];
  });
}

const alwaysNames: ReadonlySet<string> = new Set(['cleaning', 'fees', 'taxes']);

function cancellationProblems(listing: CatalogListing): Problem[] {
  const { cancellation = [], cancellationAlwaysRefunds: always = [] } = listing;
  const short = cancellation.filter(isShortForm);
  const long = cancellation.filter((rule): rule is KeepRule => !isShortForm(rule));
  const ids = linesOf(listing).flatMap(({ line: { id } }) => id ?? []);
  const unknown = always.flatMap((name, at) =>
    failing([
      !alwaysNames.has(name) && !ids.includes(name),
      `/cancellationAlwaysRefunds/${at}`,
      `is not \`cleaning\`, \`fees\`, \`taxes\` or the id of a fee or tax${meaning(name, [...alwaysNames, ...ids])}`,
    ]),
  );
  if (short.length > 0 && long.length > 0) {
    const at = cancellation.indexOf(long[0]!);
    const first = cancellation.indexOf(short[0]!);
    const message = `has another form than /cancellation/${first}: refundPercent and keep must not be mixed`;
    return [{ pointer: `/cancellation/${at}`, message }, ...unknown];
  }
  return [
    ...(long.length > 0 ? longRuleProblems(long, always.length > 0) : shortRuleProblems(short)),
    ...failing([
      always.length > 0 && short.length > 0,
      '/cancellationAlwaysRefunds',
      'must not be given together with refundPercent in /cancellation, which is of what was collected',
    ]),
    ...unknown,
  ];
}

function scheduleProblems({ payment = {} }: CatalogListing): Problem[] {
  const { schedule = [] } = payment;
  const last = schedule.length - 1;
  return [
    ...notTogether(
      payment,
      '/payment',
      ['dueNowPercent', 'schedule', longForm],
      ['balanceDaysBefore', 'schedule', longForm],
    ),
    ...schedule.flatMap(({ daysBefore, percent, amount, nights }, at) => {
      const pointer = `/payment/schedule/${at}`;
      const stated = [percent, amount, nights].filter((member) => member !== undefined).length;
      const before = schedule[at - 1]?.daysBefore;
      return failing(
        [
          at === 0 && daysBefore !== undefined,
          `${pointer}/daysBefore`,
          'must not be in the first entry, which is due at booking',
        ],
        [
          at > 0 && daysBefore === undefined,
          `${pointer}/daysBefore`,
          'is required after the first entry',
        ],
        [
          at > 1 && daysBefore !== undefined && before !== undefined && daysBefore >= before,
          `${pointer}/daysBefore`,
          `must be less than that of /payment/schedule/${at - 1}`,
        ],
        [at < last && stated !== 1, pointer, 'needs one of percent, amount and nights'],
        [
          at === last && stated > 0,
          pointer,
          'must be the rest: without percent, amount and nights',
        ],
        [!hasFourDecimals(percent ?? 0), `${pointer}/percent`, tooManyDecimals],
      );
    }),
  ];
}

const isOwnLabel = 'is the label of the policy that is made from the cancellation rules';

function memberProblems(listing: CatalogListing): Problem[] {
  const { currency, timeZone, stayRules = {}, payment = {}, policies = [] } = listing;
  const hasOwnText = listing.cancellationText != null;
  const own = hasOwnText ? -1 : policies.findIndex(({ label }) => label === CANCELLATION_LABEL);
  const isZone = typeof timeZone !== 'string' || timeZoneName(timeZone) !== '';
  return [
    ...failing(
      [!isCurrency(currency), '/currency', currencyProblem(currency)],
      [!isZone, '/timeZone', 'is not the IANA name of a time zone'],
      [!hasFourDecimals(payment.dueNowPercent ?? 0), '/payment/dueNowPercent', tooManyDecimals],
      [own !== -1, `/policies/${own}/label`, isOwnLabel],
    ),
    ...notTogether(stayRules, '/stayRules', ['advanceNoticeDays', 'advanceNotice', longForm]),
  ];
}

/** All problems of a listing that matches its schema; pointers are relative to the listing. */
export function listingProblems(listing: CatalogListing): Problem[] {
  const problems = [
    ...memberProblems(listing),
    ...datesProblems(listing.rates.dates ?? []),
    ...seasonsProblems(listing.rates.seasons ?? []),
    ...discountsProblems(listing),
    ...allLinesProblems(listing),
    ...labelProblems(listing),
    ...scheduleProblems(listing),
    ...cancellationProblems(listing),
  ];
  // Rules are looked up by their layers, which must be sound for that.
  const hasFaultyLayers = problems.some(({ pointer }) => pointer.startsWith('/rates'));
  return [...problems, ...impossibleStays(hasFaultyLayers ? { ...listing, rates: {} } : listing)];
}
