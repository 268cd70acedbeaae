import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addPlace, allPlaces, hasPlace, keepPlaces, noPlaces, placesIn } from './place-set.ts';

test('a set of places is a set of numbers', () => {
  const sizes = fc.constantFrom(1, 31, 32, 33, 64, 255, 256);
  const some = fc.array(fc.nat(255));
  fc.assert(
    fc.property(sizes, some, some, (homes, one, other) => {
      const [first, second] = [one, other].map((places) => {
        const set = noPlaces(homes);
        const kept = new Set(places.map((place) => place % homes));
        for (const place of kept) addPlace(set, place);
        return { set, kept };
      });
      const all = Array.from({ length: homes }, (_, place) => place);
      assert.deepEqual(placesIn(allPlaces(homes)), all);
      assert.deepEqual(
        all.map((place) => hasPlace(first!.set, place)),
        all.map((place) => first!.kept.has(place)),
      );
      keepPlaces(first!.set, second!.set);
      const both = all.filter((place) => first!.kept.has(place) && second!.kept.has(place));
      assert.deepEqual(placesIn(first!.set), both);
    }),
  );
});
