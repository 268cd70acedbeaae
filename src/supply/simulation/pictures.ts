import { families } from './catalog/families.ts';
import { scenesOf } from './catalog/listing.ts';
import { draw } from './drawing/draw.ts';

const scenes = new Map(
  families.flatMap((family) => family.homes.flatMap((home) => scenesOf(family, home))),
);

/**
 * The picture at a path of the simulated catalog, as an SVG document of a few kilobytes; null where
 * the catalog has no such picture. Drawn anew each time, and always the same.
 */
export function picture(path: string): Buffer | null {
  const scene = scenes.get(path);
  return scene === undefined ? null : Buffer.from(draw(scene));
}
