import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addHome, allHomes, hasHome, keepHomes, noHomes, offsetsIn } from './home-set.ts';

test('a set of offsets is a set of numbers', () => {
  const sizes = fc.constantFrom(1, 31, 32, 33, 64, 255, 256);
  const some = fc.array(fc.nat(255));
  fc.assert(
    fc.property(sizes, some, some, (homes, one, other) => {
      const [first, second] = [one, other].map((offsets) => {
        const set = noHomes(homes);
        const kept = new Set(offsets.map((offset) => offset % homes));
        for (const offset of kept) addHome(set, offset);
        return { set, kept };
      });
      const all = Array.from({ length: homes }, (_, offset) => offset);
      assert.deepEqual(offsetsIn(allHomes(homes)), all);
      assert.deepEqual(
        all.map((offset) => hasHome(first!.set, offset)),
        all.map((offset) => first!.kept.has(offset)),
      );
      keepHomes(first!.set, second!.set);
      const both = all.filter((offset) => first!.kept.has(offset) && second!.kept.has(offset));
      assert.deepEqual(offsetsIn(first!.set), both);
    }),
  );
});
