/** Where a message of the pages lies. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { placeOf } from '../console/src/base/components/message-place.ts';

const message = { width: 300, height: 40 };
const wide = { width: 1_440, height: 900 };
const narrow = { width: 390, height: 844 };
const box = (left: number, top: number, right: number, bottom: number) => ({
  left,
  top,
  right,
  bottom,
});

const of = (view: typeof wide, taken: ReturnType<typeof box>[], now = null) => {
  const { place, isFree } = placeOf(message, view, taken, now);
  return [place.left, place.top, isFree];
};

suite('a message', () => {
  test('lies beside the navigation of a wide window, and at the end of a narrow one', () => {
    assert.deepEqual(of(wide, []), [1_124, 46, true]);
    assert.deepEqual(of(narrow, []), [74, 788, true]);
  });

  test('goes to the next place that is free', () => {
    const button = box(1_400, 60, 1_430, 80);
    assert.deepEqual(of(wide, [button]), [1_124, 844, true]);
    const bar = box(0, 800, 390, 830);
    assert.deepEqual(of(narrow, [bar]), [74, 756, true]);
    assert.deepEqual(of(narrow, [box(320, 0, 390, 844)]), [16, 788, true]);
  });

  test('stays where it is while that is free, and within the window', () => {
    const now = { left: 100, top: 300 };
    const at = (taken: ReturnType<typeof box>[], view = wide) =>
      placeOf(message, view, taken, now).place;
    assert.deepEqual(at([]), box(100, 300, 400, 340));
    assert.equal(at([box(120, 310, 130, 320)]).top, 46);
    assert.equal(at([], { width: 320, height: 700 }).left, 4);
  });

  test('says that no place is free', () => {
    assert.deepEqual(of(narrow, [box(0, 0, 390, 844)]), [74, 788, false]);
  });
});
