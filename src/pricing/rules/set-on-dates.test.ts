import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dateText, dayNumber } from './calendar-date.ts';
import type { DatedRate } from './listing.ts';
import { type RatesOfDate, setOnDates } from './set-on-dates.ts';

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
  it('sets the members of the dates that are named, and of no other day', () => {
    fc.assert(
      fc.property(someDates, someChanges, (dates, changes) => {
        const before = byDay(dates);
        const expected = before.map((text, at) => {
          const change = changes.find(({ date }) => date === dateText(first + at));
          if (!change) return text;
          const entry = JSON.parse(text) as DatedRate;
          const { nightly = entry.nightly, minNights = entry.minNights } = change;
          return JSON.stringify({
            nightly: nightly ?? undefined,
            minNights: minNights ?? undefined,
            arrivalDays: entry.arrivalDays,
          });
        });
        const { dates: all, changed } = setOnDates(dates, changes);
        assert.deepEqual(byDay(all), expected);
        const differs = before.flatMap((text, at) =>
          text === expected[at] ? [] : [dateText(first + at)],
        );
        assert.deepEqual(changed, differs);
        assert.deepEqual(setOnDates(all, changes), { dates: all, changed: [] });
      }),
    );
  });

  it('leaves no two neighbours that say the same beside a date that it has changed', () => {
    const dates: DatedRate[] = [{ from: '2027-03-01', to: '2027-03-05', nightly: 100 }];
    const split = setOnDates(dates, [{ date: '2027-03-03', nightly: 200 }]).dates;
    assert.equal(split.length, 3);
    assert.deepEqual(setOnDates(split, [{ date: '2027-03-03', nightly: 100 }]).dates, dates);
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
