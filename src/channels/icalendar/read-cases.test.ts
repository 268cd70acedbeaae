/** Calendars that really come from channels and from damage, with the nights that a home must have blocked. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dateText, dayNumber } from '../../pricing/index.ts';
import { nightsTaken, usualOptions } from '../../../test/channels/nights-taken.ts';
import { readCalendar } from './read-calendar.ts';

const folder = new URL('../../../test/fixtures/calendars/', import.meta.url);

interface Expected {
  /** Of March to May 2027. Null: nothing in it is a calendar. */
  nights: string[] | null;
}
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<
  string,
  Expected
>;

const [first, last] = [dayNumber('2027-03-01'), dayNumber('2027-06-01')];

/** Nights that follow each other, as one. */
function joined(ranges: readonly { from: number; to: number }[]): string[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of ranges) {
    const before = all.at(-1);
    if (before?.to === from) before.to = to;
    else all.push({ from, to });
  }
  return all.map(({ from, to }) => `${dateText(from)}/${dateText(to)}`);
}

const read = (name: string) =>
  readCalendar({
    bytes: readFileSync(new URL(`${name}.ics`, folder)),
    timeZone: 'Europe/Lisbon',
    today: dayNumber('2026-11-26'),
    options: usualOptions,
  });

for (const [name, { nights }] of Object.entries(expected)) {
  test(`${name}: ${nights?.join(' ') ?? 'is no calendar'}`, () => {
    const calendar = read(name);
    const ranges = nightsTaken(calendar).map(({ from, to }) => {
      return { from: Math.max(from, first), to: Math.min(to, last) };
    });
    assert.deepEqual(joined(ranges), nights ?? []);
  });
}

// Spec: CHANNEL-1.
test('only what has lost something is not whole', () => {
  const notWhole = Object.keys(expected).filter((name) => !read(name).whole);
  assert.deepEqual(notWhole, [
    '13-event-without-dtstart',
    '29-end-before-start',
    '35-html-200',
    '37-trailing-html-comment',
    '47-dtstart-zero-0000',
    '49-bad-rrule',
    '51-empty-line-value-dtend',
    '71-extra-end-vevent',
    '81-end-mismatch',
    '85-two-dtend',
  ]);
});
