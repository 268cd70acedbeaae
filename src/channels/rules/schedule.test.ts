import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextReadInSeconds } from './schedule.ts';

const halfAnHour = 1_800;

test('a calendar is read at its interval, and after failures at growing ones up to six hours', () => {
  const delays = [0, 1, 2, 3, 5, 500].map((failures) =>
    nextReadInSeconds(halfAnHour, failures, null, 0),
  );
  assert.deepEqual(delays, [1_800, 1_800, 3_600, 7_200, 21_600, 21_600]);
});

test('an interval above six hours stays', () => {
  assert.equal(nextReadInSeconds(86_400, 9, null, 0), 86_400);
});

test('not before the server allows it, and up to 10 % later', () => {
  assert.equal(nextReadInSeconds(halfAnHour, 1, 5_000, 0), 5_000);
  assert.equal(Math.round(nextReadInSeconds(halfAnHour, 0, null, 1)), 1_980);
});
