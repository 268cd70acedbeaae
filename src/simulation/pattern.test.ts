/** The booking calendars of the simulation: made up, believable, and the same for ever. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasLongStays, isNightOpen, openNights } from './pattern.ts';
import { simulatedCatalog } from '../build/simulated-catalog.ts';

const listingIds = simulatedCatalog().listings.map(({ listingId }) => listingId);
const anId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** 2024-01-01 and ten years from it. */
const start = 19_723;
const tenYears = 3652;

/** The lengths of the runs of one kind, those cut off at the ends left out. */
function runs(nights: Uint8Array, kind: 0 | 1): number[] {
  const found = nights.join('').split(kind === 1 ? /0+/ : /1+/);
  return found.slice(1, -1).map((run) => run.length);
}

function drawn(nights: Uint8Array): string {
  return [...nights].map((open) => (open === 1 ? '.' : '#')).join('');
}

describe('the availability pattern', () => {
  it('is fixed', () => {
    assert.equal(
      drawn(openNights(anId, 20_454, 91)),
      '....#####.......#######............####.............##.............##..........#######.....',
    );
    assert.equal(
      drawn(openNights(anId, -40, 60)),
      '.####.......######.......########.......###.................',
    );
    assert.equal(
      drawn(openNights(listingIds[0]!, 20_819, 60)),
      '########...######..#######..........####.........####...####',
    );
  });

  // Spec: SIMULATION-2.
  it('leaves 55 % to 65 % of the nights of any year open, in every home', () => {
    for (const listingId of listingIds) {
      const sums = [0];
      for (const open of openNights(listingId, start, tenYears)) sums.push(sums.at(-1)! + open);
      for (let from = 0; from + 365 <= tenYears; from += 13) {
        const share = (sums[from + 365]! - sums[from]!) / 365;
        assert.ok(share >= 0.55 && share <= 0.65, `${listingId} from ${from}: ${share}`);
      }
    }
  });

  it('answers one night as it answers many', () => {
    for (const listingId of [anId, ...listingIds.slice(0, 5)]) {
      const all = openNights(listingId, start - 200, 900);
      for (let at = 899; at >= 0; at -= 7) {
        assert.equal(isNightOpen(listingId, start - 200 + at), all[at] === 1);
      }
      assert.deepEqual(openNights(listingId, start + 11, 93), all.subarray(211, 304));
    }
  });

  it('answers the same after it has forgotten', () => {
    const before = openNights(anId, start, 365);
    for (let at = 0; at < 5000; at += 1) isNightOpen(`home ${at}`, start);
    assert.deepEqual(openNights(anId, start, 365), before);
  });

  it('takes any range', () => {
    assert.equal(openNights(anId, start, 0).length, 0);
    assert.equal(openNights(anId, -800_000, 90).length, 90);
    assert.equal(openNights(anId, 3_000_000, 90).length, 90);
  });

  it('has three open nights in a row in any 30 days', () => {
    for (const listingId of listingIds) {
      const text = openNights(listingId, start, tenYears).join('');
      for (let from = 0; from + 30 <= tenYears; from += 1) {
        assert.ok(text.slice(from, from + 30).includes('111'), `${listingId} from ${from}`);
      }
    }
  });

  it('has runs of 90 open nights in some homes, at any time of the year', () => {
    const long = listingIds.filter(hasLongStays);
    assert.ok(long.length >= 8 && long.length <= 16, String(long.length));
    for (const listingId of long) {
      const text = openNights(listingId, start, tenYears).join('');
      for (let from = 0; from + 450 <= tenYears; from += 30) {
        assert.ok(text.slice(from, from + 450).includes('1'.repeat(90)), `${listingId} ${from}`);
      }
    }
  });

  it('comes in runs that a person would believe', () => {
    const years = listingIds.map((listingId) => openNights(listingId, start, tenYears));
    const closed = years.flatMap((nights) => runs(nights, 0));
    const open = years.flatMap((nights) => runs(nights, 1));
    const share = (lengths: number[], test: (length: number) => boolean) =>
      lengths.filter(test).length / lengths.length;
    assert.ok(share(closed, (length) => length >= 2 && length <= 14) > 0.97);
    assert.equal(
      share(closed, (length) => length < 2),
      0,
    );
    assert.ok(Math.max(...closed) <= 28);
    assert.ok(share(open, (length) => length === 1) < 0.03);
    assert.ok(share(open, (length) => length >= 14) > 0.05);
  });

  it('is busier over weekends, and in some weeks', () => {
    const booked = [0, 0, 0, 0, 0, 0, 0];
    for (const listingId of listingIds) {
      openNights(listingId, start, tenYears).forEach((isOpen, at) => {
        if (isOpen === 0) booked[(start + at + 3) % 7]! += 1;
      });
    }
    const [, tuesday, , , friday, saturday] = booked;
    assert.ok(friday! > tuesday! * 1.1 && saturday! > tuesday! * 1.1, booked.join());
    const weeks = Array.from({ length: 52 }, (_, week) =>
      openNights(anId, start + week * 7, 7).reduce((sum, isOpen) => sum + isOpen, 0),
    );
    assert.ok(weeks.includes(7) && weeks.some((nights) => nights <= 1));
  });

  it('differs from home to home', () => {
    const texts = new Set(listingIds.map((listingId) => drawn(openNights(listingId, start, 120))));
    assert.equal(texts.size, listingIds.length);
  });
});
