import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasureLine, readErasureLine } from './erasure-line.ts';

const at = '2026-11-26T10:00:00.000Z';
const id = '0190a000-0000-7000-8000-000000000001';

test('a line reads as it was written, and says nothing about the person', () => {
  const byEmail = { at, email: Buffer.alloc(32, 7), booking: null };
  const byBooking = {
    at,
    email: null,
    booking: { applicationId: id, bookingId: id, kind: 'checkout' as const },
  };
  assert.deepEqual(readErasureLine(erasureLine(byEmail)), byEmail);
  assert.deepEqual(readErasureLine(erasureLine(byBooking)), byBooking);
});

test('what is not a line is no erasure', () => {
  const wrong = [
    '',
    'null',
    '[]',
    '{',
    '{"at":"2026-11-26T10:00:00.000Z","em',
    `{"at":"never","email":"${'07'.repeat(32)}"}`,
    `{"at":"${at}","email":"07"}`,
    `{"at":"${at}"}`,
    `{"at":"${at}","applicationId":"${id}","bookingId":"${id}","kind":"other"}`,
    `{"at":"${at}","applicationId":"1","bookingId":"${id}","kind":"request"}`,
  ];
  for (const text of wrong) assert.equal(readErasureLine(text), null, text);
});
