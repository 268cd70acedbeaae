import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  decideNights,
  overlapOf,
  withoutOverlaps,
  type EventNights,
  type OtherNights,
} from './nights.ts';

const range = fc
  .record({ from: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 1, max: 8 }) })
  .map(({ from, length }) => ({ from, to: from + length }));
const events = fc.array(
  fc
    .record({ uid: fc.constantFrom('a', 'b', 'c'), nights: range })
    .map(({ uid, nights }) => ({ uid, ...nights })),
  { maxLength: 8 },
);
const nightsOf = (parts: readonly { from: number; to: number }[]): Set<number> =>
  new Set(parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
const isDisjoint = (parts: readonly { from: number; to: number }[]): boolean =>
  parts.reduce((sum, { from, to }) => sum + to - from, 0) === nightsOf(parts).size;

test('nights overlap others as comparing them with each says', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), range, (others, one) => {
      const expected = others.some(({ from, to }) => from < one.to && one.from < to);
      assert.equal(overlapOf(others)(one), expected);
    }),
  );
});

suite('nights of a calendar › overlaps', () => {
  test('each night belongs to one event, which has it', () => {
    fc.assert(
      fc.property(events, (all) => {
        const parts = withoutOverlaps(all);
        assert.ok(isDisjoint(parts));
        assert.deepEqual(nightsOf(parts), nightsOf(all));
        for (const { uid, from, to } of parts) {
          assert.ok(all.some((one) => one.uid === uid && one.from <= from && to <= one.to));
        }
      }),
    );
  });
});

suite('nights of a calendar › changes', () => {
  const others = events.map((all) =>
    withoutOverlaps(all).map(({ from, to }, at): OtherNights => {
      return { occupancyId: String(at), from, to, kind: 'block', reference: null };
    }),
  );
  const today = fc.integer({ min: 0, max: 30 });

  /** Applies changes to what was blocked. */
  function applied(
    blocked: readonly (EventNights & { blockId: string })[],
    changes: ReturnType<typeof decideNights>,
  ) {
    const kept = blocked.filter(({ blockId }) => !changes.remove.includes(blockId));
    const added = changes.add.map((nights, at) => ({ ...nights, blockId: `new ${at}` }));
    return [...kept, ...added];
  }

  test('it blocks exactly the nights of its events that are free; the others are conflicts', () => {
    fc.assert(
      fc.property(
        events,
        events,
        others,
        others,
        today,
        (before, after, taken, takenLater, now) => {
          const first = decideNights(withoutOverlaps(before), [], taken, now);
          const blocked = applied([], first).filter(
            ({ from, to }) => !takenLater.some((other) => other.from < to && from < other.to),
          );
          const changes = decideNights(withoutOverlaps(after), blocked, takenLater, now);
          const result = applied(blocked, changes);
          assert.ok(isDisjoint([...result, ...takenLater]));
          const future = (nights: Set<number>) =>
            new Set([...nights].filter((night) => night >= now).toSorted());
          const wanted = future(nightsOf(after));
          const other = nightsOf(takenLater);
          assert.deepEqual(future(nightsOf(result)), wanted.difference(other));
          assert.deepEqual(
            new Set([...nightsOf(changes.conflicts)].toSorted()),
            wanted.intersection(other),
          );
          const again = decideNights(withoutOverlaps(after), result, takenLater, now);
          assert.deepEqual([again.remove, again.add], [[], []]);
          assert.equal(again.unchanged, changes.unchanged + changes.add.length);
        },
      ),
    );
  });

  test('an event in progress is not written again each day, and past blocks stay', () => {
    const event = { uid: 'a', from: 10, to: 20 };
    const blocked = [
      { ...event, blockId: '1' },
      { uid: 'gone', from: 1, to: 3, blockId: '2' },
    ];
    const { remove, add, unchanged } = decideNights([event], blocked, [], 15);
    assert.deepEqual({ remove, add, unchanged }, { remove: [], add: [], unchanged: 1 });
  });
});
