import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  chordOf,
  chordSquared,
  distanceKm,
  earthRadiusKm,
  greatCircleKm,
  reachOf,
  unitVector,
} from './great-circle.ts';

/** The haversine formula. */
function haversineKm(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const north = radians(b.latitude - a.latitude);
  const east = radians(b.longitude - a.longitude);
  const h =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)));
}

const points = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

suite('great circles', () => {
  const lisbon = { latitude: 38.7223, longitude: -9.1393 };
  const known: [string, { latitude: number; longitude: number }, km: number][] = [
    ['Porto', { latitude: 41.1579, longitude: -8.6291 }, 274.3],
    ['the other side of the date line', { latitude: 38.7223, longitude: 350.8607 - 360 }, 0],
    ['the antipode', { latitude: -38.7223, longitude: 170.8607 }, Math.PI * earthRadiusKm],
    ['a pole', { latitude: 90, longitude: 77 }, (51.2777 * Math.PI * earthRadiusKm) / 180],
  ];
  for (const [name, point, km] of known) {
    test(`from Lisbon to ${name}`, () => {
      assert.ok(
        Math.abs(greatCircleKm(lisbon, point) - km) < 0.5,
        `${greatCircleKm(lisbon, point)}`,
      );
    });
  }

  test('longitudes 180 and -180 are the same', () => {
    const km = greatCircleKm({ latitude: 1, longitude: 180 }, { latitude: 1, longitude: -180 });
    assert.ok(km < 1e-6);
  });

  test('as the haversine formula, and the chord of a distance is the chord of the points', () => {
    fc.assert(
      fc.property(points, points, (a, b) => {
        const km = greatCircleKm(a, b);
        // Near the antipode both formulas are inexact.
        assert.ok(Math.abs(km - haversineKm(a, b)) < (km > 19_000 ? 1 : 1e-5));
        const chord = Math.sqrt(chordSquared(unitVector(a), unitVector(b)));
        assert.ok(Math.abs(chord - chordOf(km)) < 1e-9);
      }),
    );
  });

  test('what is within a distance is within its reach, and no further away than its chord', () => {
    const degrees = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(degrees, degrees, fc.integer({ min: 1, max: 500 }), (north, east, radiusKm) => {
        const squared = chordSquared(
          unitVector({ latitude: 0, longitude: 0 }),
          unitVector({ latitude: north, longitude: east }),
        );
        const { chord, includes } = reachOf(radiusKm);
        assert.equal(includes(squared), distanceKm(squared) <= radiusKm);
        assert.ok(!includes(squared) || Math.sqrt(squared) <= chord);
      }),
    );
  });
});
