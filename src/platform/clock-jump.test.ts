import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClockFacts, decideClock, isAcceptedClock } from './clock-jump.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const line = Date.parse('2026-11-26T12:00:00Z');
const usual: ClockFacts = {
  off: 0,
  wallOff: 0,
  line,
  heldSince: null,
  nearSince: null,
  isAccepted: false,
};
const held: ClockFacts = { ...usual, heldSince: line - day };

describe('the clock of the database', () => {
  it('is followed while it is within a minute of the line', () => {
    for (const off of [0, 1, -1, minute, -minute]) {
      assert.equal(decideClock({ ...usual, off }), 'follow', `${off}`);
    }
  });

  // Spec: CLOCK-2.
  it('is not believed when it jumps further, forwards or back', () => {
    for (const off of [minute + 1, -minute - 1, 61 * day, 400 * day, -day]) {
      assert.equal(decideClock({ ...usual, off }), 'hold', `${off}`);
    }
  });

  it('is accepted when the wall clock of the process has jumped, too: sleep, or a correction', () => {
    for (const off of [2 * minute, day, -day]) {
      assert.equal(decideClock({ ...usual, off, wallOff: off + 500 }), 'accept');
    }
    assert.equal(decideClock({ ...usual, off: 2 * day, wallOff: day }), 'hold');
  });

  it('stays disbelieved until it is near the line for a minute', () => {
    assert.equal(decideClock({ ...held, off: 61 * day }), 'hold');
    assert.equal(decideClock(held), 'near');
    assert.equal(decideClock({ ...held, nearSince: line - minute + 1 }), 'near');
    assert.equal(decideClock({ ...held, nearSince: line - minute }), 'accept');
    assert.equal(decideClock({ ...held, off: -2 * minute, nearSince: line - minute }), 'hold');
  });

  it('is accepted as soon as staff or another process say so', () => {
    assert.equal(decideClock({ ...held, off: 61 * day, isAccepted: true }), 'accept');
  });

  it('is not the accepted one if it has jumped since then, before the process has looked', () => {
    const acceptance = { acceptedAt: line, shown: line + 100, sinceLookMs: 250 };
    assert.equal(isAcceptedClock(acceptance), true);
    assert.equal(isAcceptedClock({ ...acceptance, shown: line + 61 * day }), false);
    assert.equal(isAcceptedClock({ ...acceptance, shown: line - day }), false);
    // A process that was paused for a day.
    assert.equal(isAcceptedClock({ ...acceptance, shown: line + day, sinceLookMs: day }), true);
    assert.equal(isAcceptedClock({ ...acceptance, acceptedAt: null }), true);
  });
});
