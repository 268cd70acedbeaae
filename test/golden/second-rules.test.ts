/**
 * Stay rules of random homes, compared with a second implementation that looks each member up in plain lists and
 * remembers nothing.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { weekdays } from '../../src/contract/weekdays.ts';
import { dateText } from '../../src/pricing/rules/calendar-date.ts';
import type { Stay } from '../../src/pricing/rules/listing.ts';
import { fillsGapExactly, stayRuleRefusal } from '../../src/pricing/rules/stay.ts';
import { runs } from '../harness/runs.ts';

const firstDay = 20_800;
const dayMs = 86_400_000;

type Member = 'minNights' | 'maxNights' | 'minNightsThrough' | 'arrivalDays' | 'departureDays';

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const days = fc.subarray([...weekdays], { minLength: 1 });

/** What a layer states; members that it does not state are absent. */
const rules = fc
  .record({
    minNights: maybe(fc.integer({ min: 1, max: 6 })),
    maxNights: maybe(fc.integer({ min: 6, max: 12 })),
    minNightsThrough: maybe(fc.integer({ min: 1, max: 6 })),
    arrivalDays: maybe(days),
    departureDays: maybe(days),
  })
  .map((members) => JSON.parse(JSON.stringify(members)) as Partial<CatalogListing>);

const seasons = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 0, max: 60 }),
    rules,
    isYearly: fc.boolean(),
  }),
  { maxLength: 4 },
);
const dates = fc.array(
  fc.record({
    gap: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 0, max: 9 }),
    rules,
  }),
  { maxLength: 4 },
);

const homes = fc
  .record({
    seasons,
    dates,
    rules,
    gapMinNights: maybe(fc.integer({ min: 1, max: 4 })),
    notice: fc.integer({ min: 0, max: 3 }),
    horizon: fc.integer({ min: 100, max: 400 }),
  })
  .map((random): CatalogListing => {
    let next = firstDay;
    return {
      slug: 'home',
      name: 'Home',
      currency: 'EUR',
      rates: {
        nightly: 10_000,
        seasons: random.seasons.map((season, at) => {
          const [from, to] = [firstDay + season.at, firstDay + season.at + season.length].map(
            dateText,
          );
          const cut = season.isYearly ? 5 : 0;
          return {
            name: `Season ${at}`,
            from: from!.slice(cut),
            to: to!.slice(cut),
            priority: at,
            ...season.rules,
          };
        }),
        dates: random.dates.map((entry) => {
          const from = next + entry.gap;
          next = from + entry.length + 1;
          return { from: dateText(from), to: dateText(next - 1), ...entry.rules };
        }),
      },
      stayRules: {
        ...(({ minNightsThrough: _, ...own }: Record<string, unknown>) => own)(
          random.rules as Record<string, unknown>,
        ),
        ...(random.gapMinNights && { gapMinNights: random.gapMinNights }),
        advanceNoticeDays: random.notice,
        bookingHorizonDays: random.horizon,
      },
    };
  });

const isInside = ({ from, to }: { from: string; to: string }, date: string): boolean => {
  const day = date.slice(10 - from.length);
  return from <= to ? from <= day && day <= to : day >= from || day <= to;
};

/** The first layer that states a member for a day. */
function stated({ rates, stayRules }: CatalogListing, member: Member, day: number): unknown {
  const date = dateText(day);
  const layers: Record<string, unknown>[] = [
    ...(rates.dates ?? []),
    ...(rates.seasons ?? []).toSorted((a, b) => b.priority! - a.priority!),
  ].filter((layer) => isInside(layer, date));
  return (
    layers.find((layer) => layer[member] !== undefined)?.[member] ??
    (stayRules as Record<string, unknown>)[member]
  );
}

const weekday = (day: number): string =>
  new Date(day * dayMs)
    .toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })
    .toLowerCase();

function secondRefusal(
  home: CatalogListing,
  { checkIn, checkOut }: Stay,
  today: number,
  fillsGap: boolean,
): string | null {
  const nights = Array.from({ length: checkOut - checkIn }, (_, at) => checkIn + at);
  const allows = (member: Member, day: number): boolean => {
    const allowed = stated(home, member, day) as string[] | undefined;
    return allowed === undefined || allowed.includes(weekday(day));
  };
  const { gapMinNights, advanceNoticeDays = 0, bookingHorizonDays = 730 } = home.stayRules!;
  if (checkIn < today + advanceNoticeDays) return 'advance_notice';
  if (!allows('arrivalDays', checkIn)) return 'arrival_day';
  if (!allows('departureDays', checkOut)) return 'departure_day';
  const least = Math.max(
    (stated(home, 'minNights', checkIn) as number | undefined) ?? 1,
    ...nights.map((day) => (stated(home, 'minNightsThrough', day) as number | undefined) ?? 0),
  );
  const isFilling = gapMinNights !== undefined && nights.length >= gapMinNights && fillsGap;
  if (nights.length < least && !isFilling) return 'min_nights';
  if (nights.length > ((stated(home, 'maxNights', checkIn) as number | undefined) ?? 90))
    return 'max_nights';
  return checkIn > today + bookingHorizonDays ? 'booking_horizon' : null;
}

suite('a second implementation of stay rules', () => {
  // Spec: STAY-3, STAY-4.
  // Spec: STAY-5, STAY-6.
  // Spec: STAY-9, STAY-10.
  // Spec: STAY-12, STAY-13.
  test('the same reason for every home and stay, also asked again', () => {
    const reasons = new Set<string | null>();
    fc.assert(
      fc.property(
        homes,
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 450 }), fc.integer({ min: 1, max: 14 }), fc.boolean()),
          { minLength: 20, maxLength: 20 },
        ),
        (listing, stays) => {
          const { entry, problems } = readEntry('listings', listing);
          fc.pre(entry !== null && problems.length === 0);
          for (const [ahead, nights, fillsGap] of [...stays, ...stays]) {
            const stay = { checkIn: firstDay + ahead, checkOut: firstDay + ahead + nights };
            const reason = stayRuleRefusal(entry!, stay, firstDay * dayMs, () => fillsGap);
            reasons.add(reason);
            assert.equal(
              reason,
              secondRefusal(listing, stay, firstDay, fillsGap),
              JSON.stringify(stay),
            );
          }
        },
      ),
      { numRuns: runs(300) },
    );
    assert.equal(reasons.size, 7, [...reasons].join());
  });

  // Spec: STAY-7.
  test('a stay fills a gap only between two taken nights, its preparation included', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 20 })),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 3 }),
        (taken, checkIn, nights, preparationNights) => {
          const isTaken = (night: number): boolean => taken.includes(night);
          const stay = { checkIn, checkOut: checkIn + nights };
          const next = Array.from({ length: preparationNights + 1 }, (_, at) => stay.checkOut + at);
          const { entry } = readEntry('listings', {
            slug: 'a',
            name: 'A',
            currency: 'EUR',
            rates: {},
            stayRules: { preparationNights },
          });
          assert.equal(
            fillsGapExactly(stay, entry!.stayRules, isTaken),
            isTaken(checkIn - 1) && next.some(isTaken),
          );
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
