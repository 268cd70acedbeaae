import { canvasFor } from './canvas.ts';
import { indoors } from './indoors.ts';
import { outdoors } from './outdoors.ts';
import { type OutdoorSubject, outdoorSubjects, type Scene, type Subject } from './scene.ts';

/** The drawing of a scene as an SVG document; the same scene always makes the same bytes. */
export function draw(scene: Scene): string {
  const canvas = canvasFor(scene);
  const { subject } = scene;
  return canvas.document(isOutdoor(subject) ? outdoors(canvas, subject) : indoors(canvas, subject));
}

function isOutdoor(subject: Subject): subject is OutdoorSubject {
  return (outdoorSubjects as readonly Subject[]).includes(subject);
}
