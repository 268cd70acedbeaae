/** When a failed attempt is followed by another. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRetryAfter, retryInSeconds } from './retry.ts';

const hour = 3_600;
const table = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const now = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('the delay after a failed attempt', () => {
  it('equals the table if the random part is zero', () => {
    const delays = table.map((_, index) => retryInSeconds(index + 1, null, 0));
    assert.deepEqual(delays, table);
  });

  it('is never shorter, and at most 10 % longer', () => {
    const failures = fc.integer({ min: 1, max: table.length });
    fc.assert(
      fc.property(failures, chance, (failed, drawn) => {
        const delay = retryInSeconds(failed, null, drawn)!;
        const listed = table[failed - 1]!;
        assert.ok(delay >= listed && delay <= listed * 1.1 + 1e-6);
      }),
    );
  });

  it('does not exist after the tenth attempt', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1_000 }), chance, (failed, drawn) => {
        assert.equal(retryInSeconds(failed, 60, drawn), null);
      }),
    );
  });

  it('adds up to at least a day', () => {
    assert.ok(table.reduce((sum, delay) => sum + delay) >= 24 * hour);
  });

  it('is the one that the receiver requests if that is longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 24 * hour }),
        chance,
        (failed, asked, drawn) => {
          const own = retryInSeconds(failed, null, drawn)!;
          assert.equal(retryInSeconds(failed, asked, drawn), Math.max(own, asked));
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  const read: readonly [header: string, seconds: number | null][] = [
    ['120', 120],
    [' 120 ', 120],
    ['0', 0],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999', 86_400],
    ['Fri, 20 Nov 2026 12:05:00 GMT', 300],
    ['Friday, 20-Nov-26 12:05:00 GMT', 300],
    ['Fri Nov 20 12:05:00 2026 GMT', 300],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 86_400],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['Friday', null],
    ['2026-11-20T12:05:00Z', null],
  ];
  for (const [header, seconds] of read) {
    it(`"${header}" means ${seconds === null ? 'no delay' : `${seconds} seconds`}`, () => {
      assert.equal(readRetryAfter(header, now), seconds);
    });
  }

  it('is between zero and a day for every header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = readRetryAfter(header, now);
        assert.ok(seconds === null || (seconds >= 0 && seconds <= 24 * hour));
      }),
    );
  });
});
