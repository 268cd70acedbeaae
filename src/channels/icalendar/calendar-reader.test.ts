import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayNumber } from '../../pricing/index.ts';
import { usualOptions } from '../../../test/channels/nights-taken.ts';
import { createCalendarReader } from './calendar-reader.ts';
import type { CalendarToRead } from './read-calendar.ts';

const event = (...lines: string[]): string[] => [
  'BEGIN:VEVENT',
  'UID:a',
  'DTSTART;VALUE=DATE:20270301',
  ...lines,
  'END:VEVENT',
];
const calendar = (...events: string[]): CalendarToRead => {
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''];
  const bytes = Buffer.from(all.join('\r\n'));
  return { bytes, timeZone: null, today: dayNumber('2027-01-15'), options: usualOptions };
};
const plain = calendar(...event());
const night = { uid: 'a', from: dayNumber('2027-03-01'), to: dayNumber('2027-03-02') };
const whole = { whole: true, problems: [], events: [{ ...night, summary: '', ignored: null }] };
const tooComplex = { problem: 'too_complex', detail: null };

// No February has a 31st day. Each rule looks for one for some milliseconds.
const never = event('RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31');
const endless = calendar(...Array.from({ length: 10_000 }, () => never).flat());
const enormous = calendar(...event('RDATE:20270301\r\n'.repeat(500_000).trimEnd()));

test('a calendar that is read for too long is given up, and those behind it are read', async () => {
  const reader = createCalendarReader({ ms: 3_000, memoryMb: 256 });
  const begin = performance.now();
  const [first, second, third] = await Promise.all([
    reader.read(plain),
    reader.read(endless),
    reader.read(plain),
  ]);
  assert.deepEqual([first, second, third], [whole, tooComplex, whole]);
  assert.ok(performance.now() - begin >= 3_000, 'it was ended by its limit');
  await reader.close();
});

test('a calendar that needs too much memory ends its thread and not the process', async () => {
  const reader = createCalendarReader({ ms: 60_000, memoryMb: 24 });
  assert.deepEqual(await reader.read(enormous), tooComplex);
  assert.deepEqual(await reader.read(plain), whole);
  await reader.close();
});

test('a reading that is no longer wanted when its turn comes is not begun', async () => {
  const reader = createCalendarReader();
  const ending = new AbortController();
  const readings = [reader.read(endless), reader.read(plain, ending.signal)];
  // The thread exists once the reader has begun.
  await new Promise((resolve) => setImmediate(resolve));
  ending.abort();
  await reader.close();
  assert.deepEqual(await Promise.all(readings), [tooComplex, null]);
});

test('a thread that is ended leaves no reading without a result', async () => {
  const reader = createCalendarReader();
  const reading = reader.read(endless);
  // The thread exists once the reader has begun.
  await new Promise((resolve) => setImmediate(resolve));
  await reader.close();
  assert.deepEqual(await reading, tooComplex);
});
