import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { landscapeOf } from './landscapes.ts';
import type { Building } from './scene.ts';
import { ellipse, group, placed, type Point, polygon, rect, shape, short, stroke } from './svg.ts';

/** A colour in the light of the room. */
export function inside(c: Canvas, colour: Colour): Colour {
  if (c.light.stars) return mix(mix(colour, '#e8a860', 0.16), '#2a2430', 0.26);
  if (c.light.lamps) return mix(colour, '#e8a46a', 0.16);
  return mix(colour, c.light.tint, c.light.strength * 0.35);
}

/** An empty room of the home: its walls, its floor and how they are finished. */
export function room(c: Canvas, floorAt = 580): string {
  const wall = inside(c, c.ink.plaster);
  const floor = inside(c, c.ink.floor);
  const wallPaint = c.across([
    [0, darker(wall, 0.06)],
    [0.5, lighter(wall, 0.12)],
    [1, darker(wall, 0.08)],
  ]);
  const floorPaint = c.fall([
    [0, darker(floor, 0.16)],
    [1, lighter(floor, 0.08)],
  ]);
  return (
    rect(0, 0, 1200, floorAt, wallPaint) +
    lining(c, wall, floorAt) +
    rect(0, floorAt, 1200, 800 - floorAt, floorPaint) +
    flooring(c, floor, floorAt) +
    rect(0, floorAt - 18, 1200, 18, lighter(wall, 0.35))
  );
}

function flooring(c: Canvas, floor: Colour, floorAt: number): string {
  const tiled = ['whitewash', 'gabled', 'townhouse', 'stone'].includes(c.scene.building);
  let seams = '';
  for (let at = -9; at <= 9; at += 1) seams += `M${600 + at * 88} ${floorAt}L${600 + at * 190} 800`;
  const depth = 800 - floorAt;
  const rows = [0.1, 0.26, 0.5, 0.8].map((part) => `M0 ${short(floorAt + depth * part)}H1200`);
  const drawn = tiled && c.taste('floor').often(0.6) ? seams + rows.join('') : seams;
  return stroke(drawn, darker(floor, 0.28), 2.5, 'opacity=".35"');
}

type Finish = 'plain' | 'beams' | 'planks' | 'panelling' | 'halfPainted' | 'stones' | 'paper';

const finishes: Partial<Record<Building, readonly [Finish, ...Finish[]]>> = {
  chalet: ['planks', 'beams', 'planks'],
  cabin: ['planks', 'planks', 'beams'],
  stone: ['stones', 'beams', 'plain'],
  minka: ['beams'],
  machiya: ['beams', 'plain'],
  shingle: ['panelling', 'halfPainted', 'planks'],
  clapboard: ['panelling', 'paper', 'halfPainted'],
  croft: ['panelling', 'halfPainted', 'plain'],
  tower: ['panelling'],
  townhouse: ['paper', 'halfPainted', 'plain'],
  whitewash: ['plain', 'beams', 'halfPainted'],
  gabled: ['plain', 'beams', 'paper'],
};

function lining(c: Canvas, wall: Colour, floorAt: number): string {
  const finish = c.taste('finish').pick(finishes[c.scene.building] ?? ['plain', 'halfPainted']);
  return linings[finish](c, wall, floorAt);
}

const linings: Record<Finish, (c: Canvas, wall: Colour, floorAt: number) => string> = {
  plain: () => '',
  beams,
  planks,
  panelling,
  halfPainted,
  stones,
  paper,
};

function beams(c: Canvas): string {
  const wood = inside(c, darker(c.ink.wood, 0.08));
  const ends = stroke('M102 31H1200', darker(wood, 0.18), 62, 'stroke-dasharray="36 284"');
  return rect(0, 0, 1200, 34, wood) + ends;
}

function planks(c: Canvas, _wall: Colour, floorAt: number): string {
  const wood = inside(c, mix(c.ink.wood, '#e3c79c', 0.5));
  const paint = c.across([
    [0, darker(wood, 0.1)],
    [0.5, lighter(wood, 0.1)],
    [1, darker(wood, 0.12)],
  ]);
  let seams = '';
  for (let y = 58; y < floorAt; y += 58) seams += `M0 ${y}H1200`;
  return rect(0, 0, 1200, floorAt, paint) + stroke(seams, darker(wood, 0.3), 3, 'opacity=".5"');
}

function panelling(_c: Canvas, wall: Colour, floorAt: number): string {
  const grooves = stroke(
    `M0 ${floorAt - 75}H1200`,
    darker(wall, 0.12),
    150,
    'stroke-dasharray="2 50" opacity=".6"',
  );
  return (
    rect(0, floorAt - 156, 1200, 156, lighter(wall, 0.22)) +
    grooves +
    rect(0, floorAt - 164, 1200, 12, lighter(wall, 0.4))
  );
}

function halfPainted(c: Canvas, wall: Colour, floorAt: number): string {
  return rect(0, floorAt - 230, 1200, 230, mix(wall, inside(c, c.ink.accent), 0.3));
}

function stones(c: Canvas, wall: Colour, floorAt: number): string {
  const stone = mix(inside(c, c.ink.rock), wall, 0.5);
  const taste = c.taste('stones');
  let d = '';
  for (let y = 46; y < floorAt; y += 72) {
    for (let x = taste.between(-60, 0); x < 1200; x += taste.between(120, 190)) {
      d += `M${short(x)} ${y}h${short(taste.between(50, 90))}`;
    }
  }
  return (
    rect(0, 0, 1200, floorAt, lighter(stone, 0.12)) +
    stroke(d, darker(stone, 0.08), 46, 'stroke-linecap="round" opacity=".55"')
  );
}

function paper(c: Canvas, wall: Colour, floorAt: number): string {
  const ink = mix(wall, inside(c, c.ink.cloth), 0.22);
  return stroke(
    `M0 ${floorAt / 2}H1200`,
    ink,
    floorAt,
    c.taste('paper').pick(['stroke-dasharray="5 55"', 'stroke-dasharray="28 28" opacity=".5"']),
  );
}

/** A window with the home's own surroundings in it. */
export function outlook(
  c: Canvas,
  x: number,
  y: number,
  w: number,
  h: number,
  curtains = true,
): string {
  const scale = Math.max(w / 1060, h / 640);
  const seen = placed(landscapeOf(c).back, x - 60 * scale, y - 20 * scale, scale);
  const frame = frameColour(c);
  const style = c.taste('window').pick(['plain', 'sash', 'arch', 'plain']);
  const arched = style === 'arch' && !curtains && w < 480;
  const opening = arched
    ? `M${x} ${y + h}V${y + 90}Q${x} ${y - 20} ${short(x + w / 2)} ${y - 20}T${x + w} ${y + 90}V${y + h}Z`
    : `M${x} ${y}h${w}v${h}h${-w}Z`;
  const bars = w > 300 ? [1 / 3, 2 / 3] : [1 / 2];
  const uprights = bars.map((part) => `M${short(x + w * part)} ${y}v${h}`).join('');
  const across = style === 'sash' ? `M${x} ${short(y + h / 2)}h${w}` : '';
  return (
    group(seen, c.cut(opening)) +
    stroke(uprights + across, frame, 7) +
    shape(opening, 'none', `stroke="${frame}" stroke-width="14"`) +
    rect(x - 18, y + h + 4, w + 36, 14, lighter(frame, 0.2)) +
    (curtains ? drapesFor(c, x, y, w, h) : '')
  );
}

function frameColour(c: Canvas): Colour {
  const wooden = ['chalet', 'cabin', 'machiya', 'minka', 'modern'].includes(c.scene.building);
  return inside(c, wooden ? c.ink.wood : lighter(c.ink.wall, 0.3));
}

function drapesFor(c: Canvas, x: number, y: number, w: number, h: number): string {
  const cloth = inside(c, lighter(mix(c.ink.cloth, c.ink.plaster, 0.72), 0.1));
  const one = (left: number) => {
    const folds = [0.3, 0.62]
      .map((part) => `M${short(left + 54 * part)} ${y - 18}v${h + 60}`)
      .join('');
    return rect(left, y - 22, 54, h + 74, cloth) + stroke(folds, darker(cloth, 0.12), 4);
  };
  const rod = stroke(
    `M${x - 70} ${y - 26}h${w + 140}`,
    inside(c, darker(c.ink.wood, 0.2)),
    7,
    'stroke-linecap="round"',
  );
  return one(x - 50) + one(x + w - 4) + rod;
}

/** Where the light of the window falls on the floor. */
export function sunPatch(c: Canvas, x: number, w: number): string {
  if (c.light.lamps || c.scene.hour === 'mist') return '';
  const points: Point[] = [
    [x, 600],
    [x + w, 600],
    [x + w + 130, 780],
    [x + 70, 780],
  ];
  return shape(polygon(points), '#fff4d8', 'opacity=".28"');
}

/** The light around a lamp that is on. */
export function lampGlow(c: Canvas, x: number, y: number, r: number): string {
  if (!c.light.lamps) return '';
  return ellipse(
    x,
    y,
    r,
    r,
    c.glow([
      [0, '#ffd992', 0.75],
      [1, '#ffd992', 0],
    ]),
  );
}
