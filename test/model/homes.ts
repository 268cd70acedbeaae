/** The homes of a small operator: two catalogs that share a home, as files and as the pure rules see them. */
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { refundByTerms } from '../../src/bookings/rules/refund.ts';
import { completeListing } from '../../src/catalog/file/entries.ts';
import {
  arrivalRules,
  cancellationInstants,
  departureAllowed,
  latestCheckIn,
  type Listing,
  normaliseParty,
  partyRefusal,
  priceStay,
  stayOf,
  stayRuleRefusal,
  todayAt,
} from '../../src/pricing/index.ts';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import type { Calendar } from '../../src/contract/partner/schemas/search.ts';
import { plusDays } from '../harness/catalog.ts';
import { daysAhead } from '../harness/partner.ts';
import type { AccountName, BookingName, StayName } from './world.ts';
import { unlimited } from '../harness/unlimited-promotion.ts';

export const homeNames = ['cabin', 'loft', 'villa', 'barn', 'attic'] as const;
export type HomeName = (typeof homeNames)[number];
/** The outside stays of a session. */
export const outsideNames = ['o1', 'o2', 'o3'] as const;
export type OutsideName = (typeof outsideNames)[number];
export const catalogNames = ['harbour', 'hills'] as const;
export type CatalogName = (typeof catalogNames)[number];

/** What each application sells, and how. */
export const selling: Readonly<
  Record<
    AccountName,
    { catalog: CatalogName; adjustPercent: number; reservationsPerDay: number | null }
  >
> = {
  card: { catalog: 'harbour', adjustPercent: 0, reservationsPerDay: null },
  partner: { catalog: 'harbour', adjustPercent: 8.25, reservationsPerDay: 2 },
  thrifty: { catalog: 'hills', adjustPercent: 0, reservationsPerDay: null },
};

/** The catalog that has the promotions. */
export const promotedCatalog: CatalogName = 'harbour';

/** What the operator changes at a home: the number of a variant of each. */
export interface HomeContent {
  rates: number;
  rules: number;
  terms: number;
}

/** Nights of a home that are taken: by a booking, a block, an event of a channel, or an outside stay. */
export interface Taken {
  home: HomeName;
  /** The place of the first night after `firstDay`. */
  from: number;
  nights: number;
  by: 'block' | 'channel' | `outside ${OutsideName}` | `${AccountName} ${BookingName}`;
}

/** Nights of a home, whoever has them. */
export type Nights = Omit<Taken, 'by'>;

/** What another system of the operator has sold: the nights that it has, and those that it waits for. */
export interface OutsideStay extends Nights {
  stay: OutsideName;
}

/** The operator's homes in the model. */
export interface Inventory {
  content: Record<HomeName, HomeContent>;
  /** The homes of each catalog, sold or withdrawn, in their order. */
  order: Record<CatalogName, HomeName[]>;
  sold: Record<CatalogName, HomeName[]>;
  taken: Taken[];
  /** The oldest first. */
  outside: OutsideStay[];
  /** Those in `taken` that are bookings without an outcome. */
  held: string[];
}

const soldAtFirst: Readonly<Record<CatalogName, HomeName[]>> = {
  harbour: ['cabin', 'loft', 'barn', 'attic'],
  hills: ['villa', 'loft'],
};

const firstContent: HomeContent = { rates: 0, rules: 0, terms: 0 };
// Some homes have preparation and gaps from the beginning.
const firstRules: Partial<Record<HomeName, number>> = { cabin: 3, villa: 4 };

/** The inventory at the start of a session. */
export const newInventory = (): Inventory => ({
  content: Object.fromEntries(
    homeNames.map((home) => [home, { ...firstContent, rules: firstRules[home] ?? 0 }]),
  ) as Record<HomeName, HomeContent>,
  order: structuredClone(soldAtFirst),
  sold: structuredClone(soldAtFirst),
  taken: [],
  outside: [],
  held: [],
});

/** Stays begin on this day or a few days later. */
const firstDay = daysAhead(30);
/** The days of the calendar that the model reads. */
export const calendarDays = 12;
/** The date of a night. */
export const dateAt = (day: number): string => plusDays(firstDay, day);
/** The place of a date. */
export const dayAt = (date: string): number =>
  (Date.parse(date) - Date.parse(firstDay)) / 86_400_000;

type Content = Omit<CatalogListing, 'slug' | 'name'>;

const homes: Readonly<Record<HomeName, Content>> = {
  cabin: {
    currency: 'EUR',
    timeZone: 'Europe/Lisbon',
    sleeps: 4,
    rates: { nightly: 10_099, weekdays: { fri: 12_345, sat: 12_345 } },
    fees: [
      { label: 'Cleaning', kind: 'cleaning', per: 'stay', amount: 4_000 },
      { label: 'Pet', kind: 'fee', per: 'pet_night', amount: 999, taxed: false },
    ],
    taxes: [{ label: 'VAT', on: ['accommodation', 'cleaning'], percent: 6 }],
    payment: { dueNowPercent: 30, balanceDaysBefore: 14 },
    party: { maxPets: 1 },
    cancellation: [{ daysBefore: 7, refundPercent: 50 }],
  },
  loft: {
    currency: 'JPY',
    timeZone: 'Asia/Tokyo',
    sleeps: 2,
    rates: {
      nightly: 9_001,
      dates: [{ from: dateAt(3), to: dateAt(4), nightly: 15_555, minNights: 2 }],
      lengthDiscounts: [{ label: 'Three nights', minNights: 3, percent: 7.5 }],
    },
    taxes: [{ label: 'City', per: 'guest_night', amount: 200, adultsOnly: true, maxNights: 2 }],
    cancellation: [{ daysBefore: 30, refundPercent: 100 }],
  },
  villa: {
    currency: 'KWD',
    timeZone: 'America/Los_Angeles',
    sleeps: 8,
    rates: {
      nightly: 55_123,
      seasons: [{ name: 'Always', from: '01-01', to: '12-31', changePercent: -12.5, minNights: 2 }],
    },
    fees: [{ label: 'Extra guest', kind: 'fee', per: 'guest_night', fromGuest: 3, amount: 2_501 }],
    taxes: [{ label: 'Tax', on: ['accommodation', 'fees'], percent: 12.66, staysUpToNights: 3 }],
    party: { infants: false, maxPets: 2 },
  },
  barn: {
    currency: 'USD',
    timeZone: 'Pacific/Kiritimati',
    sleeps: 4,
    rates: { nightly: 8_000 },
    stayRules: { arrivalDays: ['mon', 'wed', 'fri', 'sat'], maxNights: 3 },
    party: { children: false },
  },
  // Nights from Sunday to Wednesday have no price.
  attic: {
    currency: 'EUR',
    timeZone: null,
    sleeps: 4,
    rates: { weekdays: { thu: 5_000, fri: 7_000, sat: 7_000 } },
    stayRules: { departureDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  },
};

const ratesOf: readonly ((rates: Content['rates']) => Content['rates'])[] = [
  (rates) => rates,
  (rates) => ({ ...rates, nightly: 11_111 }),
  (rates) => ({
    ...rates,
    lengthDiscounts: [{ label: 'Two nights', minNights: 2, percent: 33.33 }],
  }),
];

const rulesOf: readonly ((rules: Content['stayRules']) => Content['stayRules'])[] = [
  (rules) => rules,
  (rules) => ({ ...rules, minNights: 3 }),
  // No stay of the model is within it.
  (rules) => ({ ...rules, bookingHorizonDays: 10 }),
  (rules) => ({ ...rules, preparationNights: 2 }),
  (rules) => ({ ...rules, minNights: 3, gapMinNights: 1, preparationNights: 1 }),
  (rules) => ({ ...rules, minNights: 3, gapMinNights: 1 }),
];

const termsOf: readonly ((content: Content) => Content)[] = [
  (content) => content,
  (content) => ({ ...content, cancellation: [{ daysBefore: 2, refundPercent: 12.5 }] }),
  (content) => ({ ...content, policies: [{ label: 'House rules', body: 'Shoes off.' }] }),
];

/** The variants of rules with which shorter stays may fill a gap. */
export const gapRules = [4, 5] as const;

/** The variant of rules that only has preparation. */
export const preparedRules = 3;

/** The numbers of variants. */
export const variants = { rates: ratesOf.length, rules: rulesOf.length, terms: termsOf.length };

/** A home as a catalog file has it. */
export function listingInFile(home: HomeName, content: HomeContent, slug: string): CatalogListing {
  const { rates, stayRules, ...rest } = homes[home];
  const changed = {
    ...rest,
    rates: ratesOf[content.rates]!(rates),
    stayRules: rulesOf[content.rules]!(stayRules) ?? {},
  };
  return { slug, name: `The ${home}`, ...termsOf[content.terms]!(changed) };
}

const remembered = <T>(make: (...parts: string[]) => T): ((...parts: string[]) => T) => {
  const known = new Map<string, T>();
  return (...parts) => {
    const key = parts.join('|');
    if (!known.has(key)) known.set(key, make(...parts));
    return known.get(key)!;
  };
};

const listingOf = remembered((home, content): Listing => {
  const read = completeListing(
    listingInFile(home as HomeName, JSON.parse(content!) as HomeContent, home!),
  );
  return { ...read, listingId: home!, collectionId: null };
});

const homeWith = (home: HomeName, content: HomeContent) => listingOf(home, JSON.stringify(content));

/** The parties of stays, by the word that names them. */
export const parties = {
  two: normaliseParty({ adults: 2 }),
  dog: normaliseParty({ adults: 2, pets: 1 }),
  family: normaliseParty({ adults: 2, children: 1, infants: 1 }),
  five: normaliseParty({ adults: 5 }),
  single: normaliseParty({ adults: 1 }),
  crowd: normaliseParty({ adults: 99 }),
} as const;
export type PartyWord = keyof typeof parties;

/** The parties of quotes and searches. */
export const quotedParties = ['two', 'dog', 'family', 'five'] as const satisfies PartyWord[];

/** What a partner wantedStays of a stay: places of arrival and departure, and the party; null: as it is. */
export interface WantedStay {
  from: number | null;
  to: number | null;
  party: PartyWord | null;
}

/** A stay of the simulation with another party: only that is ever asked for there. */
export function simulatedStay(stay: StayName, { party }: Pick<WantedStay, 'party'>): StayName {
  const [first] = stay.split(' ');
  return party === null ? stay : party === 'two' ? first! : `${first} ${party}`;
}

/** A stay: its home, first night, number of nights, and party. */
export interface StayWords {
  home: HomeName;
  from: number;
  nights: number;
  party: PartyWord;
}

/** The name of a stay. */
export const stayNamed = ({ home, from, nights, party }: StayWords): StayName =>
  [home, from, nights, party].join(' ');

/** The stay of a name. */
export function stayWords(name: StayName): StayWords {
  const [home, from, nights, party] = name.split(' ') as [HomeName, string, string, PartyWord];
  return { home, from: Number(from), nights: Number(nights), party };
}

/** The dates and the party of a stay, as calls have them. */
export const datesOf = ({ from, nights, party }: StayWords) => ({
  checkIn: dateAt(from),
  checkOut: dateAt(from + nights),
  party: parties[party],
});

const today = ({ timeZone }: Pick<Listing, 'timeZone'>): number => todayAt(Date.now(), timeZone);

/** Today's date at a home. No session runs across midnight there. */
export const todayAtHome = (home: HomeName): number =>
  today({ timeZone: homes[home].timeZone ?? null });

/** The currency of a home. */
export const currencyOf = (home: HomeName): string => homes[home].currency;

/** Whether a stay is too short for its home, and allowed because it fills a gap. */
export function isGapStay(inventory: Inventory, words: StayWords): boolean {
  const listing = homeWith(words.home, inventory.content[words.home]);
  const stay = stayOf(datesOf(words));
  const isTooShort = stayRuleRefusal(listing, stay, Date.now(), () => false) === 'min_nights';
  return isTooShort && ruleRefusal(inventory, words) === null;
}

/** Why the rules of a home refuse a stay; null: they do not. */
export function ruleRefusal(inventory: Inventory, words: StayWords): string | null {
  const listing = homeWith(words.home, inventory.content[words.home]);
  const { party, ...dates } = datesOf(words);
  const fillsGap = () => isBookable(inventory, words) && isInGap(inventory, words);
  return (
    partyRefusal(listing, party) ?? stayRuleRefusal(listing, stayOf(dates), Date.now(), fillsGap)
  );
}

const tenOff = { label: 'Ten off', kind: 'percent', percent: 10, ...unlimited } as const;

type ChargesShown = Pick<
  Charges,
  'currency' | 'total' | 'lines' | 'nights' | 'dueNow' | 'schedule'
>;

/** Charges with everything that a partner relies on. */
export const shownCharges = ({ dueNow, schedule, ...charges }: ChargesShown): object => ({
  ...priceOf(charges),
  dueNow,
  schedule,
});

/** The part of charges that does not depend on the day of payment. */
export const priceOf = <
  T extends { currency: string; total: number; lines: unknown; nights: unknown },
>({
  currency,
  total,
  lines,
  nights,
}: T): object => ({ currency, total, lines, nights });

const pricedFor = remembered((home, content, stay, adjustPercent, code, day) => {
  const listing = listingOf(home!, content!);
  const { party, ...dates } = datesOf(stayWords(stay!));
  return priceStay(listing, stayOf(dates), party, {
    today: Number(day),
    promotion: code === '' ? null : { ...tenOff, code: code! },
    adjustmentPercent: Number(adjustPercent),
  });
});

/** The charges of a stay for an application, by the pure function of prices; null: it has no price. */
export function chargesOf(
  by: AccountName,
  content: HomeContent,
  stay: StayName,
  code: string | null = null,
): Charges | null {
  const { home } = stayWords(stay);
  const day = String(todayAtHome(home));
  const { adjustPercent } = selling[by];
  const text = JSON.stringify(content);
  return pricedFor(home, text, stay, String(adjustPercent), code ?? '', day);
}

/** What a cancellation of a stay that was agreed so refunds today. No session runs across midnight. */
export function refundNow(content: HomeContent, stay: StayName, charges: Charges): number {
  const words = stayWords(stay);
  const { party: _, ...dates } = datesOf(words);
  const [from, quotedAt] = [Date.now(), Date.now()];
  const listing = homeWith(words.home, content);
  return refundByTerms(
    cancellationInstants(listing, stayOf(dates), charges, { from, quotedAt }),
    from,
  );
}

const overlap = (a: Nights, b: Nights): boolean =>
  a.home === b.home && a.from < b.from + b.nights && b.from < a.from + a.nights;

/** Whether all of the nights are free. Preparation does not count: staff may shorten it. */
export const isFree = ({ taken }: Pick<Inventory, 'taken'>, nights: Nights): boolean =>
  !taken.some((one) => overlap(one, nights));

const preparationOf = ({ content }: Inventory, home: HomeName): number =>
  homeWith(home, content[home]).stayRules.preparationNights ?? 0;

/** What a preparation follows. */
const preparedAt = ({ taken }: Inventory, home: HomeName): Taken[] =>
  taken.filter((one) => one.home === home && one.by !== 'block');

const onNight = (home: HomeName, from: number): Nights => ({ home, from, nights: 1 });

/** Whether something has a night, or prepares the home in it. */
function isTakenOrPrepared(inventory: Inventory, home: HomeName, night: number): boolean {
  const preparation = preparationOf(inventory, home);
  return (
    !isFree(inventory, onNight(home, night)) ||
    preparedAt(inventory, home).some(
      ({ from, nights }) => from + nights <= night && night < from + nights + preparation,
    )
  );
}

/** Whether a stay that ends after a free night would have its preparation where something is. */
const lacksRoom = (inventory: Inventory, home: HomeName, night: number): boolean =>
  preparedAt(inventory, home).some(
    ({ from }) => night < from && from <= night + preparationOf(inventory, home),
  );

/** Whether a partner can have these nights: they are free, nobody's preparation, and their own has room. */
export const isBookable = (inventory: Inventory, { home, from, nights }: Nights): boolean =>
  Array.from({ length: nights }, (_, at) => from + at).every(
    (night) => !isTakenOrPrepared(inventory, home, night),
  ) && !lacksRoom(inventory, home, from + nights - 1);

/** Whether something ends where these nights begin, and something begins where they or their preparation end. */
function isInGap(inventory: Inventory, { home, from, nights }: Nights): boolean {
  const after = Array.from(
    { length: 1 + preparationOf(inventory, home) },
    (_, at) => from + nights + at,
  );
  const isHad = (night: number) => isTakenOrPrepared(inventory, home, night);
  return isHad(from - 1) && after.some(isHad);
}

/** Takes nights. The list stays sorted, so that equal worlds are equal texts. */
export function take(inventory: Pick<Inventory, 'taken'>, { home, from, nights, by }: Taken): void {
  inventory.taken = [...inventory.taken, { home, from, nights, by }].toSorted(
    (a, b) => homeNames.indexOf(a.home) - homeNames.indexOf(b.home) || a.from - b.from,
  );
}

/** The nights of a stay, one by one. */
export const nightsOf = ({ from, nights }: Omit<Nights, 'home'>): number[] =>
  Array.from({ length: nights }, (_, at) => from + at);

/** Gives an outside stay those of its nights that are free. One by one: its parts are no matter. */
export function takeOutside(inventory: Inventory, { stay, home, ...nights }: OutsideStay): void {
  for (const from of nightsOf(nights)) {
    const night = onNight(home, from);
    if (isFree(inventory, night)) take(inventory, { ...night, by: `outside ${stay}` });
  }
}

/** Takes from an outside stay the nights that it has. */
export function releaseOutside(inventory: Inventory, stay: OutsideName): void {
  inventory.taken = inventory.taken.filter(({ by }) => by !== `outside ${stay}`);
}

/** Gives the outside stays the nights that they wait for and that are free now: the oldest comes first. */
export function serveOutside(inventory: Inventory): void {
  for (const stay of inventory.outside) takeOutside(inventory, stay);
}

/** Whether another system has sold nights of these. */
export const isSoldOutside = ({ outside }: Inventory, nights: Nights): boolean =>
  outside.some((stay) => overlap(stay, nights));

/** Whether an application's catalog sells a home. */
export const isSold = ({ sold }: Inventory, by: AccountName, home: HomeName): boolean =>
  sold[selling[by].catalog].includes(home);

/** The optional members of a search that the model plays; null: absent. */
export interface SearchMembers {
  sort: 'position' | 'total' | null;
  flexDays: number | null;
  maxTotal: { amount: number; currency: string } | null;
}

/** A search without optional members. */
export const plainSearch: SearchMembers = { sort: null, flexDays: null, maxTotal: null };

interface ModelResult {
  home: HomeName;
  total: number | null;
  currency: string | null;
  checkIn?: string;
  checkOut?: string;
}

// In the order of preference, and enough for the largest `flexDays`.
const shifts = [0, -1, 1, -2, 2, -3, 3];

const totalOf = ({ total }: ModelResult): number => total ?? Infinity;
const byTotal = (a: ModelResult, b: ModelResult): number =>
  totalOf(a) === totalOf(b) ? 0 : totalOf(a) - totalOf(b);

/** The homes that a search finds, in its order, with their totals. */
export function searched(
  inventory: Inventory,
  by: AccountName,
  dates: StayWords,
  { sort, flexDays, maxTotal }: SearchMembers = plainSearch,
): object[] {
  const { catalog } = selling[by];

  function resultOf(words: StayWords): ModelResult[] {
    const isAllowed = ruleRefusal(inventory, words) === null;
    if (!isAllowed || !isBookable(inventory, words)) return [];
    const charges = chargesOf(by, inventory.content[words.home], stayNamed(words));
    const { checkIn, checkOut } = datesOf(words);
    return [
      {
        home: words.home,
        total: charges?.total ?? null,
        currency: charges?.currency ?? null,
        ...(flexDays !== null && { checkIn, checkOut }),
      },
    ];
  }

  const results = inventory.order[catalog]
    .filter((home) => inventory.sold[catalog].includes(home))
    .flatMap((home) =>
      shifts
        .slice(0, 1 + 2 * (flexDays ?? 0))
        .flatMap((days) => resultOf({ ...dates, home, from: dates.from + days }))
        .toSorted(byTotal)
        .slice(0, 1),
    )
    .filter(
      (result) =>
        maxTotal === null ||
        (result.currency === maxTotal.currency && totalOf(result) <= maxTotal.amount),
    );
  return sort === 'total' ? results.toSorted(byTotal) : results;
}

/** The days of a home's calendar. */
export function calendarOf(
  inventory: Inventory,
  home: HomeName,
): Omit<Calendar['days'][number], 'price'>[] {
  const listing = homeWith(home, inventory.content[home]);
  return Array.from({ length: calendarDays }, (_, from) => {
    const day = stayOf({ checkIn: dateAt(from), checkOut: dateAt(from + 1) }).checkIn;
    const { minNights, maxNights, checkInAllowed } = arrivalRules(listing, day);
    const isWithinHorizon = day <= latestCheckIn(listing, today(listing));
    return {
      date: dateAt(from),
      available: isWithinHorizon && !isTakenOrPrepared(inventory, home, from),
      minNights,
      checkInAllowed: checkInAllowed && isWithinHorizon,
      checkOutAllowed:
        departureAllowed(listing, day) &&
        (isTakenOrPrepared(inventory, home, from - 1) || !lacksRoom(inventory, home, from - 1)),
      maxNights,
    };
  });
}
