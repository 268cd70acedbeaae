import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dateText, dayNumber } from './calendar-date.ts';
import type { DatedRate } from './listing.ts';
import {
  overlayDates,
  type RatesOfDate,
  type RatesOverDates,
  setOnDates,
} from './overlay-dates.ts';

const first = dayNumber('2027-03-01');
const days = 40;

/** Every day's members; an empty text: no entry says anything. */
function byDay(dates: readonly DatedRate[]): string[] {
  return Array.from({ length: days }, (_, at) => {
    const date = dateText(first + at);
    const found = dates.filter(({ from, to }) => from <= date && date <= to);
    assert.ok(found.length <= 1, `${date} has ${found.length} entries`);
    const { nightly, minNights, arrivalDays } = found[0] ?? ({} as Partial<DatedRate>);
    return JSON.stringify({ nightly, minNights, arrivalDays });
  });
}

const range = fc
  .tuple(fc.nat({ max: days - 1 }), fc.nat({ max: 9 }))
  .map(([from, length]) => [from, Math.min(days - 1, from + length)] as const);
const texts = ([from, to]: readonly [number, number]) => ({
  from: dateText(first + from),
  to: dateText(first + to),
});
const few = fc.integer({ min: 1, max: 3 });

/** Entries that do not overlap. */
const someDates = fc
  .array(fc.tuple(range, fc.option(few, { nil: undefined }), few), { maxLength: 6 })
  .map((all) => {
    const kept: DatedRate[] = [];
    for (const [nights, nightly, minNights] of all) {
      const { from, to } = texts(nights);
      if (kept.some((one) => one.from <= to && from <= one.to)) continue;
      const arrivalDays = minNights === 3 ? (['sat'] as DatedRate['arrivalDays']) : undefined;
      kept.push({
        from,
        to,
        minNights,
        ...(nightly !== undefined && { nightly }),
        ...(arrivalDays && { arrivalDays }),
      });
    }
    return kept;
  });

const value = fc.option(fc.option(few), { nil: undefined });
const someChange: fc.Arbitrary<RatesOverDates> = fc
  .tuple(range, value, value)
  .map(([nights, nightly, minNights]) => ({ ...texts(nights), nightly, minNights }));

describe('overlayDates', () => {
  it('sets the members of the days of the range, and of no other day', () => {
    fc.assert(
      fc.property(someDates, someChange, (dates, change) => {
        const { from, to, nightly, minNights } = change;
        const expected = byDay(dates).map((text, at) => {
          const date = dateText(first + at);
          if (date < from || date > to) return text;
          const entry = JSON.parse(text) as DatedRate;
          return JSON.stringify({
            nightly: nightly === undefined ? entry.nightly : (nightly ?? undefined),
            minNights: minNights === undefined ? entry.minNights : (minNights ?? undefined),
            arrivalDays: entry.arrivalDays,
          });
        });
        assert.deepEqual(byDay(overlayDates(dates, change)), expected);
      }),
    );
  });

  it('leaves no two neighbours that say the same, and changes nothing the second time', () => {
    fc.assert(
      fc.property(someDates, someChange, (dates, change) => {
        const once = overlayDates(dates, change);
        assert.deepEqual(overlayDates(once, change), once);
        once.slice(1).forEach((entry, at) => {
          const { from: _from, to, ...members } = once[at]!;
          const { from, to: _to, ...others } = entry;
          if (dayNumber(to) + 1 === dayNumber(from)) assert.notDeepEqual(members, others);
        });
      }),
    );
  });

  it('splits an entry that reaches out of the range', () => {
    const dates = [{ from: '2027-03-01', to: '2027-03-10', nightly: 100, minNights: 2 }];
    const change = { from: '2027-03-04', to: '2027-03-05', nightly: 200 };
    assert.deepEqual(overlayDates(dates, change), [
      { from: '2027-03-01', to: '2027-03-03', nightly: 100, minNights: 2 },
      { from: '2027-03-04', to: '2027-03-05', nightly: 200, minNights: 2 },
      { from: '2027-03-06', to: '2027-03-10', nightly: 100, minNights: 2 },
    ]);
  });
});

describe('setOnDates', () => {
  const someChanges: fc.Arbitrary<RatesOfDate[]> = fc
    .uniqueArray(fc.tuple(fc.nat({ max: days - 1 }), value, value), {
      selector: ([at]) => at,
      maxLength: 12,
    })
    .map((all) =>
      all.map(([at, nightly, minNights]) => ({ date: dateText(first + at), nightly, minNights })),
    );

  // Spec: OUTSIDE-3.
  it('says of every day what setting one date after the other says', () => {
    fc.assert(
      fc.property(someDates, someChanges, (dates, changes) => {
        const one = changes.reduce<DatedRate[]>(
          (soFar, { date, ...members }) =>
            overlayDates(soFar, { from: date, to: date, ...members } as RatesOverDates),
          dates,
        );
        const { dates: all, changed } = setOnDates(dates, changes);
        assert.deepEqual(byDay(all), byDay(one));
        const before = byDay(dates);
        const after = byDay(all);
        const differs = before.flatMap((text, at) =>
          text === after[at] ? [] : [dateText(first + at)],
        );
        assert.deepEqual(changed, differs);
        assert.deepEqual(setOnDates(all, changes), { dates: all, changed: [] });
      }),
    );
  });

  it('sets and removes rules, and keeps what is not named', () => {
    const dates: DatedRate[] = [
      { from: '2027-03-01', to: '2027-03-05', nightly: 100, arrivalDays: ['sat'] },
    ];
    const { dates: after, changed } = setOnDates(dates, [
      { date: '2027-03-05', departureDays: ['sun'], maxNights: 7 },
      { date: '2027-03-02', nightly: null, arrivalDays: null },
      { date: '2027-03-03', nightly: 100 },
    ]);
    assert.deepEqual(changed, ['2027-03-02', '2027-03-05']);
    assert.deepEqual(after, [
      { from: '2027-03-01', to: '2027-03-01', nightly: 100, arrivalDays: ['sat'] },
      { from: '2027-03-03', to: '2027-03-04', nightly: 100, arrivalDays: ['sat'] },
      {
        from: '2027-03-05',
        to: '2027-03-05',
        nightly: 100,
        arrivalDays: ['sat'],
        departureDays: ['sun'],
        maxNights: 7,
      },
    ]);
  });
});
