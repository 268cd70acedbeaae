/** Distances on the earth as a sphere. Points are unit vectors, so that comparing them needs no trigonometry. */

/** The mean radius of the earth. */
export const earthRadiusKm = 6_371.0088;

/** A point on the surface, as a vector of length 1. */
export interface UnitVector {
  x: number;
  y: number;
  z: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** A place in degrees. */
export interface GeoPoint {
  latitude: number;
  longitude: number;
}

/** The unit vector of a place. */
export function unitVector({ latitude, longitude }: GeoPoint): UnitVector {
  const [north, east] = [radians(latitude), radians(longitude)];
  const toAxis = Math.cos(north);
  return { x: toAxis * Math.cos(east), y: toAxis * Math.sin(east), z: Math.sin(north) };
}

/** The square of the length of a vector. Products, because powers are ten times as slow. */
export const squaredLength = (x: number, y: number, z: number): number => x * x + y * y + z * z;

/** The square of the straight distance of two points, of radius 1. NaN if one is unknown. */
export const chordSquared = (a: UnitVector, b: UnitVector): number =>
  squaredLength(a.x - b.x, a.y - b.y, a.z - b.z);

/** The great-circle distance of two points whose squared straight distance is given. */
export const distanceKm = (squared: number): number =>
  2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(squared) / 2));

/** The straight distance, of radius 1, of two points with this great-circle distance. */
export const chordOf = (km: number): number => 2 * Math.sin(km / earthRadiusKm / 2);

/** The great-circle distance of two places, in kilometres. */
export const greatCircleKm = (a: GeoPoint, b: GeoPoint): number =>
  distanceKm(chordSquared(unitVector(a), unitVector(b)));

// Chords and arcs are compared with errors far below a millimetre.
const chordTolerance = 1e-9;

/** How far around a point homes are wanted. */
export interface Reach {
  /** A straight distance, of radius 1. No home further away is within reach. */
  chord: number;
  /** Whether a home at this squared straight distance is within reach. */
  includes(squared: number): boolean;
}

/** All within a great-circle distance. Comparing chords avoids most of the trigonometry; near the border the arc decides. */
export function reachOf(radiusKm: number): Reach {
  const chord = chordOf(radiusKm) * (1 + chordTolerance);
  const surely = (chordOf(radiusKm) * (1 - chordTolerance)) ** 2;
  return {
    chord,
    includes: (squared) => squared <= surely || distanceKm(squared) <= radiusKm,
  };
}
