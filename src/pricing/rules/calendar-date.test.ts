import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  dateDigits,
  dateText,
  dayNumber,
  epochMsAt,
  isKeptDate,
  parseDate,
  todayAt,
  weekdayOf,
} from './calendar-date.ts';
import { TIME_ZONES, timeZones, todays } from '../../../test/harness/arbitraries.ts';

const EPOCH = Temporal.PlainDate.from('1970-01-01');
const FIRST = EPOCH.until('0000-01-01').days;
const LAST = EPOCH.until('9999-12-31').days;
const everyDay = (): fc.Arbitrary<number> => fc.integer({ min: FIRST, max: LAST });
const plainDate = (number: number): Temporal.PlainDate => EPOCH.add({ days: number });

const digits = (max: number, width: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((value) => String(value).padStart(width, '0'));

suite('calendar dates', () => {
  test('calendar dates › known days', () => {
    assert.equal(dayNumber('1970-01-01'), 0);
    assert.equal(dayNumber('1969-12-31'), -1);
    // 30 years of 365 days and 7 leap days (72, 76, 80, 84, 88, 92, 96).
    assert.equal(dayNumber('2000-01-01'), 30 * 365 + 7);
    assert.equal(dateText(20_000), '2024-10-04');
  });

  test('calendar dates › round trip agrees with Temporal', () => {
    fc.assert(
      fc.property(everyDay(), (number) => {
        const text = plainDate(number).toString();
        assert.equal(dateText(number), text);
        assert.equal(parseDate(text), number);
        assert.equal(dayNumber(text), number);
        assert.equal(dateDigits(number), Number(text.replaceAll('-', '')));
      }),
      { numRuns: 3_000 },
    );
  });

  test('calendar dates › every day around two 400-year boundaries, in order', () => {
    for (const seam of [
      dayNumber('1600-03-01'),
      dayNumber('2000-03-01'),
      dayNumber('2100-03-01'),
    ]) {
      for (let number = seam - 800; number <= seam + 800; number++) {
        assert.equal(dateText(number), plainDate(number).toString());
      }
    }
  });

  test('calendar dates › the first and the last supported day', () => {
    assert.equal(dateText(FIRST), '0000-01-01');
    assert.equal(dateText(LAST), '9999-12-31');
    assert.throws(() => dateText(FIRST - 1), RangeError);
    assert.throws(() => dateText(LAST + 1), RangeError);
    assert.throws(() => dateText(Number.NaN), RangeError);
  });

  // Spec: CALL-15.
  test('calendar dates › dates that do not exist are refused', () => {
    for (const text of [
      '2027-02-29',
      '2027-02-30',
      '1900-02-29',
      '2100-02-29',
      '2027-04-31',
      '2027-00-10',
      '2027-13-01',
      '2027-01-00',
      '2027-01-32',
      '9999-12-32',
    ]) {
      assert.equal(parseDate(text), null, text);
      assert.throws(() => dayNumber(text), RangeError);
    }
    assert.notEqual(parseDate('2000-02-29'), null);
    assert.notEqual(parseDate('2028-02-29'), null);
  });

  test('calendar dates › dates that are stored are in the years 1900 to 8999', () => {
    for (const text of ['1900-01-01', '1999-12-31', '2000-02-29', '8999-12-31']) {
      assert.equal(isKeptDate(text), true, text);
    }
    for (const text of ['0000-01-01', '0001-01-01', '1899-12-31', '9000-01-01', '9999-12-31']) {
      assert.equal(isKeptDate(text), false, text);
    }
    assert.equal(isKeptDate('2027-02-29'), false);
  });

  test('calendar dates › other forms are refused', () => {
    for (const text of [
      '',
      '2027-1-1',
      '20270101',
      '2027-01-01T00:00',
      '2027-01-01Z',
      ' 2027-01-01',
      '2027-01-01\n',
      '+002027-01-01',
      '-000001-01-01',
      '2027/01/01',
      '2027-W01-1',
      '２０２７-01-01',
    ]) {
      assert.equal(parseDate(text), null, JSON.stringify(text));
    }
  });

  test('calendar dates › Temporal agrees on every text of digits', () => {
    fc.assert(
      fc.property(digits(9_999, 4), digits(14, 2), digits(33, 2), (year, month, dayOfMonth) => {
        const text = `${year}-${month}-${dayOfMonth}`;
        let expected: number | null;
        try {
          expected = EPOCH.until(Temporal.PlainDate.from(text)).days;
        } catch {
          expected = null;
        }
        assert.equal(parseDate(text), expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('calendar dates › weekdays agree with Temporal', () => {
    assert.equal(weekdayOf(0), 4, '1970-01-01 was a Thursday');
    assert.equal(weekdayOf(dayNumber('2027-03-03')), 3, '2027-03-03 is a Wednesday');
    fc.assert(
      fc.property(everyDay(), (number) => {
        assert.equal(weekdayOf(number), plainDate(number).dayOfWeek);
      }),
    );
  });
});

suite('today', () => {
  // Spec: CALL-16.
  test('today › is the date at the property', () => {
    const noonUtc = Date.UTC(2027, 2, 3, 12);
    assert.equal(dateText(todayAt(noonUtc, null)), '2027-03-03');
    assert.equal(dateText(todayAt(noonUtc, 'Pacific/Kiritimati')), '2027-03-04', 'UTC+14');
    assert.equal(dateText(todayAt(noonUtc, 'Pacific/Pago_Pago')), '2027-03-03', 'UTC-11: 01:00');
    assert.equal(dateText(todayAt(noonUtc - 7_200_000, 'Pacific/Pago_Pago')), '2027-03-02');
  });

  test('today › changes at local midnight, to the millisecond', () => {
    // New York is at UTC-5 in winter, so its 3 March begins at 05:00 UTC.
    const midnight = Date.UTC(2027, 2, 3, 5);
    assert.equal(todayAt(midnight - 1, 'America/New_York'), dayNumber('2027-03-02'));
    assert.equal(todayAt(midnight, 'America/New_York'), dayNumber('2027-03-03'));
  });

  test('today › agrees with Temporal in every zone, also before 1970', () => {
    const instants = fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(instants, timeZones(), (epochMs, zone) => {
        const there = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(
          zone ?? 'UTC',
        );
        assert.equal(dateText(todayAt(epochMs, zone)), there.toPlainDate().toString());
      }),
      { numRuns: 1_000 },
    );
  });

  test('today › an unknown zone is an error', () => {
    assert.throws(() => todayAt(0, 'Mars/Olympus'), RangeError);
  });
});

suite('local times', () => {
  const worked: [date: string, time: string, zone: string | null, instant: string, why: string][] =
    [
      ['2027-03-03', '16:00', null, '2027-03-03T16:00:00.000Z', 'no zone means UTC'],
      ['2027-03-13', '00:00', 'America/New_York', '2027-03-13T05:00:00.000Z', 'UTC-5, winter'],
      ['2027-03-14', '00:00', 'America/New_York', '2027-03-14T05:00:00.000Z', 'still UTC-5'],
      ['2027-03-15', '00:00', 'America/New_York', '2027-03-15T04:00:00.000Z', 'UTC-4, summer'],
      ['2027-03-14', '02:30', 'America/New_York', '2027-03-14T07:30:00.000Z', 'skipped: 03:30 -4'],
      ['2027-11-07', '01:30', 'America/New_York', '2027-11-07T05:30:00.000Z', 'twice: the first'],
      ['2027-03-28', '00:00', 'Europe/Berlin', '2027-03-27T23:00:00.000Z', 'UTC+1'],
      ['2027-03-29', '00:00', 'Europe/Berlin', '2027-03-28T22:00:00.000Z', 'UTC+2'],
      ['2027-01-01', '00:00', 'Asia/Kathmandu', '2026-12-31T18:15:00.000Z', 'UTC+5:45'],
      ['2018-11-04', '00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 'no midnight'],
      ['2023-11-05', '00:00', 'America/Havana', '2023-11-05T04:00:00.000Z', 'two midnights'],
    ];
  for (const [date, time, zone, instant, why] of worked) {
    test(`local times › ${date} ${time} in ${zone ?? 'no zone'}: ${why}`, () => {
      assert.equal(epochMsAt(dayNumber(date), time, zone), Date.parse(instant));
    });
  }

  test('local times › midnight is the first instant of its day in every zone', () => {
    fc.assert(
      fc.property(todays(), timeZones(), (number, zone) => {
        const midnight = epochMsAt(number, '00:00', zone);
        assert.equal(todayAt(midnight, zone), number);
        assert.equal(todayAt(midnight - 1, zone), number - 1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('local times › every midnight of a year, in every zone', () => {
    for (const zone of TIME_ZONES) {
      for (let number = dayNumber('2027-01-01'); number <= dayNumber('2027-12-31'); number++) {
        const midnight = epochMsAt(number, '00:00', zone);
        assert.equal(todayAt(midnight, zone), number, `${zone} ${dateText(number)}`);
        assert.equal(todayAt(midnight - 1, zone), number - 1, `${zone} ${dateText(number)}`);
      }
    }
  });

  test('local times › an unknown zone or time is an error', () => {
    assert.throws(() => epochMsAt(0, '00:00', 'Mars/Olympus'), RangeError);
    assert.throws(() => epochMsAt(0, '25:00', null), RangeError);
  });
});
