import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { DatedRate, Season } from '../../contract/catalog-file.ts';
import { dayNumber } from './calendar-date.ts';
import { unusualNights } from './unusual-prices.ts';

const home = (
  nightly: number | undefined,
  {
    dates = [],
    seasons = [],
    currency = 'EUR',
  }: { dates?: DatedRate[]; seasons?: Season[]; currency?: string } = {},
) => ({
  currency,
  rates: {
    ...(nightly !== undefined && { nightly }),
    weekdays: {},
    seasons,
    dates,
    lengthDiscounts: [],
    discounts: [],
  },
});

const first = dayNumber('2027-01-01');
const found = (before: ReturnType<typeof home>, after: ReturnType<typeof home>) =>
  unusualNights(before, after, first);

suite('unusual prices (FILE-13)', () => {
  test('exactly a fifth and exactly five times are usual, one minor unit beyond is not', () => {
    const price = (nightly: number) =>
      found(
        home(1_000),
        home(1_000, { dates: [{ from: '2027-03-01', to: '2027-03-01', nightly }] }),
      );
    const usual = [200, 999, 1_000, 5_000].flatMap(price);
    assert.deepEqual(usual, []);
    const nights = { from: '2027-03-01', to: '2027-03-01', before: 1_000 };
    assert.deepEqual(price(199), [{ ...nights, after: 199 }]);
    assert.deepEqual(price(5_001), [{ ...nights, after: 5_001 }]);
    assert.deepEqual(price(0), [{ ...nights, after: 0 }]);
  });

  test('a night without a price, before or after, is exempt, and so is another currency', () => {
    assert.deepEqual(found(home(undefined), home(1)), []);
    assert.deepEqual(found(home(1_000_000), home(undefined)), []);
    assert.deepEqual(found(home(18_000), home(1_800_000, { currency: 'JPY' })), []);
  });

  test('nights that follow each other with the same prices are one entry', () => {
    const dates: DatedRate[] = [
      { from: '2027-03-01', to: '2027-03-07', nightly: 180 },
      { from: '2027-03-08', to: '2027-03-09', nightly: 190 },
      { from: '2027-03-12', to: '2027-03-12', nightly: 190 },
    ];
    assert.deepEqual(found(home(18_000), home(18_000, { dates })), [
      { from: '2027-03-01', to: '2027-03-07', before: 18_000, after: 180 },
      { from: '2027-03-08', to: '2027-03-09', before: 18_000, after: 190 },
      { from: '2027-03-12', to: '2027-03-12', before: 18_000, after: 190 },
    ]);
  });

  test('what counts is the price of the night, whatever layer it comes from', () => {
    const summer = { name: 'Summer', from: '06-15', to: '06-16' };
    const before = home(18_000, { seasons: [{ ...summer, nightly: 100_000 }] });
    const after = home(18_000, { seasons: [{ ...summer, changePercent: -90 }] });
    const nights = found(before, after);
    assert.deepEqual(
      nights.map(({ from, to }) => [from, to]),
      [
        ['2027-06-15', '2027-06-16'],
        ['2028-06-15', '2028-06-16'],
      ],
    );
    const dates = [{ from: '2027-06-15', to: '2028-12-31', nightly: 50_000 }];
    const covered = (seasons: Season[]) => home(18_000, { seasons, dates });
    assert.deepEqual(found(covered(before.rates.seasons), covered(after.rates.seasons)), []);
  });

  test('nights that are over are not compared, and those far ahead are, where their dates begin', () => {
    const at = (from: string, to: string) =>
      found(home(18_000), home(18_000, { dates: [{ from, to, nightly: 180 }] }));
    assert.deepEqual(at('2026-01-01', '2026-12-31'), []);
    const [far, ...others] = at('8000-01-01', '8999-12-31');
    assert.deepEqual(others, []);
    assert.equal(far!.from, '8000-01-01');
  });
});
