import type { ChangeKind } from '../contract/changes.ts';
import { dateText, dayNumber, type Listing } from '../pricing/index.ts';
import { changedMembers } from './import/difference.ts';

/** A home with everything except its place in catalogs and its ID. */
type Home = Omit<Listing, 'collectionId' | 'listingId'>;

/** What partners can find otherwise than before. */
type Part = Extract<ChangeKind, 'content' | 'rates' | 'rules'>;

/** What has changed in a home. */
export interface HomeChange {
  kinds: Part[];
  /** The first night and the day after the last one, if only dated rates have changed; else null. */
  nights: { from: string; until: string } | null;
}

/** What each member of a home decides. */
const partsOfMember: Readonly<Record<Exclude<keyof Home, 'rates'>, readonly Part[]>> = {
  slug: ['content'],
  name: ['content'],
  description: ['content'],
  blurb: ['content'],
  timeZone: ['content', 'rules'],
  destination: ['content'],
  sleeps: ['content', 'rules'],
  bedrooms: ['content'],
  bathrooms: ['content'],
  checkInFrom: ['content'],
  checkOutUntil: ['content'],
  images: ['content'],
  amenities: ['content'],
  policies: ['content', 'rules'],
  spaces: ['content'],
  geo: ['content'],
  indexable: ['content'],
  currency: ['rates'],
  fees: ['rates'],
  taxes: ['rates'],
  payment: ['rates'],
  securityDeposit: ['rates', 'rules'],
  stayRules: ['content', 'rules'],
  party: ['content', 'rules'],
  cancellation: ['content', 'rules'],
  cancellationGrace: ['content', 'rules'],
  cancellationAlwaysRefunds: ['content', 'rules'],
  cancellationText: ['content', 'rules'],
  propertyType: ['content'],
  registration: ['content'],
  address: ['content'],
  arrivalInstructions: ['content'],
};

const ruleMembers = [
  'minNights',
  'maxNights',
  'minNightsThrough',
  'arrivalDays',
  'departureDays',
] as const;
const spanMembers = ['from', 'to', 'priority', 'name'] as const;

type Entry = Readonly<Record<string, unknown>>;

/** The entries of dates or seasons that decide a part, with only the members that do. */
function entriesOf(entries: readonly object[], part: 'rates' | 'rules'): Entry[] {
  const isOfPart = (member: string): boolean =>
    (ruleMembers as readonly string[]).includes(member) === (part === 'rules');
  const isSpan = (member: string): boolean => (spanMembers as readonly string[]).includes(member);
  return entries.flatMap((entry) => {
    const stated = Object.entries(entry).filter(([, value]) => value !== undefined);
    const own = stated.filter(([member]) => !isSpan(member) && isOfPart(member));
    const span = stated.filter(([member]) => isSpan(member));
    return own.length === 0 ? [] : [Object.fromEntries([...span, ...own])];
  });
}

const differ = (before: unknown, after: unknown): boolean =>
  changedMembers(before, after).length > 0;

const partsOfEntries = (before: readonly object[], after: readonly object[]): Part[] =>
  (['rates', 'rules'] as const).filter((part) =>
    differ(entriesOf(before, part), entriesOf(after, part)),
  );

type Dates = Home['rates']['dates'];

/** The nights of the entries that only one of two lists has. */
function changedNights(before: Dates, after: Dates): HomeChange['nights'] {
  const texts = [before, after].map((dates) => new Set(dates.map((date) => JSON.stringify(date))));
  const single = [before, after].flatMap((dates, at) =>
    dates.filter((date) => !texts[1 - at]!.has(JSON.stringify(date))),
  );
  if (single.length === 0) return null;
  const first = Math.min(...single.map(({ from }) => dayNumber(from)));
  const last = Math.max(...single.map(({ to }) => dayNumber(to)));
  return { from: dateText(first), until: dateText(last + 1) };
}

/** What differs between a home before and after a change. */
export function changedParts(before: Home, after: Home): HomeChange {
  const members = Object.entries(partsOfMember).flatMap(([member, parts]) =>
    differ(before[member as keyof Home], after[member as keyof Home]) ? parts : [],
  );
  const { dates: datesBefore, seasons: seasonsBefore, ...ratesBefore } = before.rates;
  const { dates, seasons, ...rates } = after.rates;
  const elsewhere = [
    ...members,
    ...partsOfEntries(seasonsBefore, seasons),
    ...(differ(ratesBefore, rates) ? (['rates'] as const) : []),
  ];
  const ofDates = partsOfEntries(datesBefore, dates);
  const isOnlyDates = elsewhere.length === 0 && ofDates.length > 0;
  return {
    kinds: [...new Set([...elsewhere, ...ofDates])].toSorted(),
    nights: isOnlyDates ? changedNights(datesBefore, dates) : null,
  };
}
