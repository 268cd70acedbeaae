import { canvasFor } from './canvas.ts';
import { indoors } from './indoors.ts';
import { outdoors } from './outdoors.ts';
import { isIndoor, type Scene } from './scene.ts';

/** The drawing of a scene as an SVG document; the same scene always makes the same bytes. */
export function draw(scene: Scene): string {
  const canvas = canvasFor(scene);
  const { subject } = scene;
  return canvas.document(isIndoor(subject) ? indoors(canvas, subject) : outdoors(canvas, subject));
}
