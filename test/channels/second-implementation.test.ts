/** Both directions against a second implementation of iCalendar, and recurrence rules against a third. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ical, { type VEvent } from 'node-ical';
// oxlint-disable-next-line import/default -- Node imports its CommonJS module, the linter looks at the other one
import rrule from 'rrule';
import { readCalendar } from '../../src/channels/icalendar/read-calendar.ts';
import type { EventNights } from '../../src/channels/rules/nights.ts';
import { writeCalendar } from '../../src/channels/icalendar/write-calendar.ts';
import { dateText, dayNumber, type DayNumber } from '../../src/pricing/index.ts';
import { nightsTaken, usualOptions } from './nights-taken.ts';

const today = dayNumber('2027-01-01');
const domain = 'ours.latchkey';
const day = fc.integer({ min: today + 30, max: today + 400 });
const text = (value: DayNumber): string => dateText(value);
const compact = (value: DayNumber): string => text(value).replaceAll('-', '');
const nightsOf = (ranges: readonly { from: number; to: number }[]): number[] =>
  [
    ...new Set(
      ranges.flatMap(({ from, to }) =>
        Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at),
      ),
    ),
  ].toSorted((a, b) => a - b);

/** The nights that we read in a calendar, which must be whole. */
function nightsRead(calendar: string, timeZone: string | null): EventNights[] {
  const bytes = Buffer.from(calendar);
  const read = readCalendar({ bytes, timeZone, today, options: usualOptions });
  assert.ok(read.whole, JSON.stringify(read.problems));
  return nightsTaken(read);
}

/** The date of a time at a place, as the second implementation's `Date` has it. */
const dateAt = (date: Date, timeZone: string): DayNumber =>
  dayNumber(date.toLocaleDateString('sv-SE', { timeZone }));
/** The second implementation has dates at midnight of this machine. */
const plainDate = (date: Date): DayNumber =>
  Math.round((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);

const eventsOf = (calendar: string): VEvent[] =>
  Object.values(ical.sync.parseICS(calendar)).filter(
    (part): part is VEvent => part?.type === 'VEVENT',
  );

const stays = fc.uniqueArray(
  fc.record({
    occupancyId: fc.uuid({ version: 7 }),
    isStay: fc.boolean(),
    from: day,
    length: fc.integer({ min: 1, max: 90 }),
    moves: fc.nat({ max: 9 }),
    changedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  }),
  { selector: ({ occupancyId }) => occupancyId, maxLength: 12 },
);
// Long enough to be folded, and with everything that must be escaped.
const names = fc.oneof(
  fc.string({ maxLength: 200, unit: 'grapheme' }),
  fc.constant(`Casa, "do"; ${'Mercado\\ 🏠 à beira-mar '.repeat(8)}`),
);

test('what we write without stays has a component, and both read it', () => {
  const calendar = writeCalendar({ name: 'Casa' }, [], domain, String);
  assert.match(calendar, /\r\nBEGIN:VTIMEZONE\r\n/);
  const parts = Object.values(ical.sync.parseICS(calendar));
  assert.ok(parts.some((part) => part?.type === 'VTIMEZONE'));
  assert.deepEqual(eventsOf(calendar), []);
});

test('what we write, it reads: nights, UIDs, SEQUENCE and DTSTAMP', () => {
  fc.assert(
    fc.property(stays, names, (all, name) => {
      const exported = all.map(({ from, length, ...rest }) => {
        return { ...rest, from: text(from), to: text(from + length) };
      });
      const calendar = writeCalendar({ name }, exported, domain, ({ from, to }) => `${from}–${to}`);
      const lines = calendar.split('\r\n');
      assert.equal(lines.pop(), '');
      assert.equal(lines.at(-1), 'END:VCALENDAR');
      assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\n\r]/.test(line)));
      const seen = eventsOf(calendar).map((event) => ({
        uid: event.uid,
        sequence: Number(event.sequence),
        datetype: event.datetype,
        from: plainDate(event.start),
        to: plainDate(event.end!),
        at: event.dtstamp.getTime(),
      }));
      const expected = all.map(({ occupancyId, moves, from, length, changedAt }) => ({
        uid: `${occupancyId}@${domain}`,
        sequence: moves,
        datetype: 'date',
        from,
        to: from + length,
        at: Math.floor(changedAt / 1_000) * 1_000,
      }));
      const byUid = (a: { uid: string }, b: { uid: string }) => (a.uid < b.uid ? -1 : 1);
      assert.deepEqual(seen.toSorted(byUid), expected.toSorted(byUid));
      assert.deepEqual(nightsOf(nightsRead(calendar, null)), nightsOf(expected));
    }),
    { numRuns: 60 },
  );
});

const zones = ['Europe/Lisbon', 'America/New_York', 'Asia/Tokyo', 'Africa/Johannesburg'] as const;

/** The lines of an event, and of the versions that some of its occurrences have. */
interface Written {
  lines: string[];
  exceptions?: string[][];
}

const allDay = fc
  .record({ from: day, length: fc.integer({ min: 1, max: 10 }) })
  .map(({ from, length }): Written => {
    return {
      lines: [`DTSTART;VALUE=DATE:${compact(from)}`, `DTEND;VALUE=DATE:${compact(from + length)}`],
    };
  });
const timed = fc
  .record({ from: day, length: fc.integer({ min: 1, max: 10 }), zone: fc.constantFrom(...zones) })
  .map(({ from, length, zone }): Written => {
    return {
      lines: [
        `DTSTART;TZID=${zone}:${compact(from)}T150000`,
        `DTEND;TZID=${zone}:${compact(from + length)}T110000`,
      ],
    };
  });
const utc = fc
  .record({ from: day, hours: fc.integer({ min: 20, max: 300 }) })
  .map(({ from, hours }): Written => {
    const end = new Date(from * 86_400_000 + (14 + hours) * 3_600_000);
    const stamp = end.toISOString().replaceAll(/[-:]|\.\d+/g, '');
    return { lines: [`DTSTART:${compact(from)}T140000Z`, `DTEND:${stamp}`] };
  });
const repeated = fc
  .record({
    first: day,
    length: fc.integer({ min: 1, max: 3 }),
    rule: fc.constantFrom(
      'FREQ=WEEKLY;COUNT=5',
      'FREQ=DAILY;INTERVAL=9;COUNT=4',
      'FREQ=MONTHLY;COUNT=3',
    ),
    excluded: fc.integer({ min: 0, max: 3 }),
  })
  // The second implementation moves a day that a month does not have to its last; read-calendar.test.ts has the rule.
  .filter(({ first, rule }) => !rule.includes('MONTHLY') || Number(compact(first).slice(6)) <= 28)
  .map(({ first, length, rule, excluded }): Written => {
    return {
      lines: [
        `DTSTART;VALUE=DATE:${compact(first)}`,
        `DTEND;VALUE=DATE:${compact(first + length)}`,
        `RRULE:${rule}`,
        `EXDATE;VALUE=DATE:${compact(first + 7 * excluded)}`,
      ],
    };
  });
const states = fc.constantFrom(
  [],
  ['STATUS:CANCELLED'],
  ['TRANSP:TRANSPARENT'],
  ['STATUS:TENTATIVE'],
);
const occurrences = 5;
/** An event on every tenth day, some of whose occurrences have versions of their own. */
const withExceptions = fc
  .record({
    first: day,
    zone: fc.constantFrom(...zones),
    exceptions: fc.uniqueArray(
      fc.record({
        at: fc.nat(occurrences - 1),
        movedBy: fc.integer({ min: -3, max: 3 }),
        length: fc.integer({ min: 1, max: 5 }),
        state: states,
      }),
      { selector: ({ at }) => at, minLength: 1 },
    ),
  })
  .map(({ first, zone, exceptions }): Written => {
    const nights = (from: number, length: number) => [
      `DTSTART;TZID=${zone}:${compact(from)}T150000`,
      `DTEND;TZID=${zone}:${compact(from + length)}T110000`,
    ];
    return {
      lines: [...nights(first, 1), `RRULE:FREQ=DAILY;INTERVAL=10;COUNT=${occurrences}`],
      exceptions: exceptions.map(({ at, movedBy, length, state }) => [
        `RECURRENCE-ID;TZID=${zone}:${compact(first + 10 * at)}T150000`,
        ...nights(first + 10 * at + movedBy, length),
        ...state,
      ]),
    };
  });

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const someOf = <T>(...values: T[]) => fc.subarray(values, { minLength: 1, maxLength: 3 });
const part = (name: string, values: fc.Arbitrary<readonly unknown[]>) =>
  fc.option(
    values.map((some) => `;${name}=${some.join()}`),
    { nil: '' },
  );
const months = part('BYMONTH', someOf(1, 2, 3, 4, 8, 12));
const monthDays = part('BYMONTHDAY', someOf(1, 13, 28, 29, 30, 31, -1, -2, -31));
// The other implementation wants a day to be both where a rule has plain and numbered weekdays.
const days = fc.oneof(someOf(...weekdays), someOf('1MO', '-1FR', '2SA', '5TU'));
const position = part('BYSETPOS', fc.constantFrom([1], [2], [-1]));
const rules = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom('DAILY', 'WEEKLY'), months, part('BYDAY', someOf(...weekdays))),
      fc.tuple(fc.constantFrom('MONTHLY', 'YEARLY'), months, monthDays),
      fc.tuple(fc.constant('MONTHLY'), months, part('BYDAY', days), position),
      fc.tuple(fc.constantFrom('YEARLY'), months.filter(Boolean), part('BYDAY', days), position),
    ),
    fc.constantFrom('', ';INTERVAL=2', ';INTERVAL=3'),
    fc.constantFrom('', ';COUNT=3', ';COUNT=9'),
  )
  // BYSETPOS selects from what another part names.
  .filter(([parts]) => !parts.at(-1)!.includes('SETPOS') || parts[2] !== '')
  .map(([[frequency, ...parts], interval, count]) =>
    [`FREQ=${frequency}`, ...parts, interval, count].join(''),
  );

test('the dates of recurrence rules are those of a third implementation', () => {
  const horizon = today + 730 + 90 + 7;
  fc.assert(
    fc.property(rules, day, (rule, first) => {
      const calendar = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'BEGIN:VEVENT',
        'UID:a',
        `DTSTART;VALUE=DATE:${compact(first)}`,
        `RRULE:${rule}`,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n');
      const dtstart = new Date(first * 86_400_000);
      const until = new Date(horizon * 86_400_000);
      const found = new rrule.RRule({ ...rrule.RRule.parseString(rule), dtstart, until }).all();
      // The start of an event is one of its occurrences, also where its rule does not name it.
      const starts = new Set([first, ...found.map((date) => date.getTime() / 86_400_000)]);
      assert.deepEqual(
        nightsOf(nightsRead(calendar, null)),
        nightsOf([...starts].map((from) => ({ from, to: from + 1 }))),
      );
    }),
    { numRuns: 30 },
  );
});

const fold = (line: string, at: number): string =>
  line.length > at ? `${line.slice(0, at)}\r\n ${fold(line.slice(at), at)}` : line;

test('what others write, we read as it does', () => {
  const written = fc.oneof(allDay, timed, utc, repeated, withExceptions);
  const events = fc.array(fc.tuple(written, states), { maxLength: 8 });
  const width = fc.integer({ min: 10, max: 75 });
  fc.assert(
    fc.property(events, fc.constantFrom(...zones), width, (all, timeZone, at) => {
      const lines = all.flatMap(([{ lines: own, exceptions = [] }, state], index) =>
        [[...own, ...state], ...exceptions].flatMap((version) => [
          'BEGIN:VEVENT',
          `UID:${index}`,
          'DTSTAMP:20260101T000000Z',
          ...version,
          'END:VEVENT',
        ]),
      );
      const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...lines, 'END:VCALENDAR', '']
        .map((line) => fold(line, at))
        .join('\r\n');
      const range = { from: new Date('2026-12-01'), to: new Date('2029-12-01') };
      const expected = eventsOf(calendar)
        // A cancelled event has no occurrences, but each of them may be free or cancelled by itself.
        .filter(({ status }) => status !== 'CANCELLED')
        .flatMap((event) => ical.expandRecurringEvent(event, range))
        .filter(
          ({ event: { status, transparency } }) =>
            status !== 'CANCELLED' && transparency !== 'TRANSPARENT',
        )
        .map(({ start, end, isFullDay }) =>
          isFullDay
            ? { from: plainDate(start), to: plainDate(end) }
            : { from: dateAt(start, timeZone), to: dateAt(end, timeZone) },
        );
      assert.deepEqual(nightsOf(nightsRead(calendar, timeZone)), nightsOf(expected));
    }),
    { numRuns: 60 },
  );
});
