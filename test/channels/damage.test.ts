/** Random one-line damage to random calendars: no night becomes free that the damage does not free lawfully. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ical, { type VEvent } from 'node-ical';
import { readCalendar } from '../../src/channels/icalendar/read-calendar.ts';
import { dateText, dayNumber } from '../../src/pricing/index.ts';
import { nightsTaken, usualOptions } from './nights-taken.ts';

const runs = 300 * Number(process.env['LATCHKEY_TEST_RUNS'] ?? 1);
const today = dayNumber('2027-01-01');
const compact = (day: number): string => dateText(day).replaceAll('-', '');

const stays = fc.array(
  fc.record({
    from: fc.integer({ min: today + 10, max: today + 300 }),
    length: fc.integer({ min: 1, max: 9 }),
    timed: fc.boolean(),
    summary: fc.constantFrom('Reserved', 'Ann Guest', 'Blocked: 2 guests'),
  }),
  { minLength: 1, maxLength: 5 },
);

const linesOf = (
  all: readonly (typeof stays extends fc.Arbitrary<(infer Stay)[]> ? Stay : never)[],
) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//A channel//EN',
  ...all.flatMap(({ from, length, timed, summary }, at) => [
    'BEGIN:VEVENT',
    `UID:${at}@channel.example`,
    'DTSTAMP:20260101T000000Z',
    timed ? `DTSTART:${compact(from)}T150000` : `DTSTART;VALUE=DATE:${compact(from)}`,
    timed ? `DTEND:${compact(from + length)}T110000` : `DTEND;VALUE=DATE:${compact(from + length)}`,
    `SUMMARY:${summary}`,
    'END:VEVENT',
  ]),
  'END:VCALENDAR',
];

/** The nights that the second implementation finds. */
function nightsOfOther(lines: readonly string[]): Set<number> {
  const events = Object.values(ical.sync.parseICS(lines.join('\r\n'))).filter(
    (part): part is VEvent => part?.type === 'VEVENT',
  );
  const day = (date: Date): number =>
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  return new Set(
    events.flatMap(({ start, end }) => {
      const first = day(start);
      return Array.from({ length: day(end!) - first }, (_, at) => first + at);
    }),
  );
}

function nightsOfOurs(
  lines: readonly string[],
  end: string,
): { nights: Set<number>; whole: boolean } {
  const bytes = Buffer.from(lines.join(end) + end);
  const read = readCalendar({ bytes, timeZone: 'Europe/Lisbon', today, options: usualOptions });
  const nights = nightsTaken(read).flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, at) => from + at),
  );
  return { nights: new Set(nights), whole: read.whole };
}

type Damage = (line: string, at: number, lines: readonly string[]) => string[];
const cut = (line: string, index: number): number => index % Math.max(1, line.length);
const damages: readonly ((index: number) => Damage)[] = [
  () => (line) => [line, line],
  () => (line, at, lines) => [lines[at + 1] ?? '', line],
  () => (line) => [`${line} \t`],
  () => (line) => [`${line}\r`],
  () => (line) => [line, 'garbage'],
  () => (line) => [line, 'END:VEVENT'],
  () => (line) => [line, 'BEGIN:VEVENT'],
  () => (line) => [line, '<!-- cached -->'],
  () => (line) => [line.toLowerCase()],
  (index) => (line) => [line.slice(0, cut(line, index))],
  (index) => (line) => [line.slice(cut(line, index))],
  (index) => (line) => [line.slice(0, cut(line, index)) + line.slice(cut(line, index) + 1)],
  (index) => (line) => [`${line.slice(0, cut(line, index))}#${line.slice(cut(line, index) + 1)}`],
  (index) => (line) => [`${line.slice(0, cut(line, index))}\r\n${line.slice(cut(line, index))}`],
];

const dated = /^DT(?:START|END)/;

/** Whether the damage has left a calendar that lawfully has other nights: another date, or no line for it at all. */
function isLawful(line: string, damaged: readonly string[]): boolean {
  if (!dated.test(line)) return false;
  const kept = damaged.join('');
  return kept === '' || /^DT(?:START|END)[^:]*:\d{8}(?:T\d{4}(?:\d{2})?)?Z?$/i.test(kept.trim());
}

test('what a damaged calendar frees, the damage frees lawfully', () => {
  let notWhole = 0;
  fc.assert(
    fc.property(
      stays,
      fc.nat(),
      fc.nat(damages.length - 1),
      fc.nat({ max: 40 }),
      fc.constantFrom('\r\n', '\n', '\r\r\n'),
      (all, index, kind, within, end) => {
        const lines = linesOf(all);
        const at = index % lines.length;
        const damaged = damages[kind]!(within)(lines[at]!, at, lines);
        // Two lines that change places are both replaced.
        const isSwap = kind === 1;
        const result = [...lines.slice(0, at), ...damaged, ...lines.slice(at + (isSwap ? 2 : 1))];
        const expected = nightsOfOther(lines);
        const { nights, whole } = nightsOfOurs(result, end);
        if (!whole) notWhole += 1;
        if (!whole || isLawful(lines[at]!, damaged)) return;
        const lost = [...expected]
          .filter((night) => !nights.has(night))
          .map((night) => dateText(night));
        assert.deepEqual(lost, [], `${lines[at]} became ${JSON.stringify(damaged)}`);
      },
    ),
    { numRuns: runs },
  );
  assert.ok(notWhole > runs / 20, `${notWhole} of ${runs} were not whole`);
});
