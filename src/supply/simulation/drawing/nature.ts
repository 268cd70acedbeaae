import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { isIndoor } from './scene.ts';
import {
  curve,
  ellipse,
  type Paint,
  type Point,
  polygon,
  rect,
  shape,
  short,
  stroke,
} from './svg.ts';

/** The sky of the hour with what hangs in it. `low` is where the land begins. */
export function sky(c: Canvas, low = 520): string {
  const { light } = c;
  const middle = mix(light.skyTop, light.skyLow, 0.55);
  const paint = c.fall([
    [0, light.skyTop],
    [0.55, middle],
    [1, light.skyLow],
  ]);
  const stars = light.stars ? starField(c) : '';
  return rect(0, 0, 1200, low + 60, paint) + stars + orb(c) + clouds(c);
}

function starField(c: Canvas): string {
  const points = scatter(c, isIndoor(c.scene.subject) ? 16 : 46, [0, 1200], [0, 360]);
  return dots(points, '#f6f1e0', 2.4, 'opacity=".8"') + dots(points.slice(0, 8), '#fffdf2', 4);
}

function orb(c: Canvas): string {
  const { light, chance } = c;
  const x = chance.between(180, 1020);
  const y = light.orbHeight + chance.between(-20, 20);
  const halo = c.glow([
    [0, light.orb, 0.85],
    [0.25, light.orb, 0.35],
    [1, light.orb, 0],
  ]);
  const r = light.orbRadius;
  return ellipse(x, y, r * 7, r * 7, halo) + ellipse(x, y, r, r, light.orb);
}

function clouds(c: Canvas): string {
  const { chance, light } = c;
  let high = '';
  let low = '';
  const banks = isIndoor(c.scene.subject) ? 2 : 4;
  for (let bank = 0; bank < banks; bank += 1) {
    const x = chance.between(-120, 1040);
    const y = chance.between(50, 290);
    const size = chance.between(0.6, 1.5);
    high += cloudBank(x, y, size);
    low += `M${short(x - 130 * size)} ${short(y + 13)}h${short(380 * size)}M${short(x + 150 * size)} ${short(y - 34)}h${short(190 * size)}`;
  }
  return (
    shape(high, light.cloud, 'opacity=".42"') +
    stroke(low, light.cloud, 9, 'stroke-linecap="round" opacity=".4"')
  );
}

function cloudBank(x: number, y: number, size: number): string {
  const u = (value: number) => short(value * size);
  return `M${short(x)} ${short(y)}q${u(6)} ${u(-30)} ${u(46)} ${u(-30)}q${u(26)} ${u(-34)} ${u(66)} ${u(-20)}q${u(30)} ${u(-14)} ${u(50)} ${u(16)}q${u(42)} ${u(-2)} ${u(52)} ${u(34)}Z`;
}

/** Round spots of one colour and size. */
export function dots(points: readonly Point[], colour: Paint, size: number, extra = ''): string {
  const d = points.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join('');
  return stroke(d, colour, size, `stroke-linecap="round"${extra === '' ? '' : ` ${extra}`}`);
}

/** Points strewn over an area. */
export function scatter(
  c: Canvas,
  count: number,
  [left, right]: Point,
  [top, bottom]: Point,
): Point[] {
  return Array.from({ length: count }, () => [
    Math.round(c.chance.between(left, right)),
    Math.round(c.chance.between(top, bottom)),
  ]);
}

/** The outline of rolling land, from the left edge to the right. */
export function rolling(c: Canvas, y: number, height: number, steps = 6): Point[] {
  const points: Point[] = [];
  for (let at = -1; at <= steps + 1; at += 1) {
    points.push([(at * 1200) / steps, y - c.chance.between(0, height)]);
  }
  return points;
}

/** Land under an outline, lighter towards its top. */
export function land(c: Canvas, outline: readonly Point[], colour: Colour, distance = 0): string {
  const near = c.shade(colour, distance);
  const paint = c.fall([
    [0, lighter(near, 0.1)],
    [1, darker(near, 0.12)],
  ]);
  return shape(`${curve(outline)}V800H${short(outline[0]?.[0] ?? 0)}Z`, paint);
}

/** How a range of mountains looks. */
export interface Range {
  base: number;
  low: number;
  high: number;
  count: number;
  colour: Colour;
  distance: number;
  snow: number;
}

/** Jagged mountains with a lit and a shaded side, and snow on their upper `snow` share. */
export function mountains(c: Canvas, range: Range): string {
  const tops = mountainTops(c, range);
  const lit = c.shade(range.colour, range.distance);
  const shaded = darker(lit, 0.16);
  const ice = c.shade('#f7f9fb', range.distance * 0.35);
  let outline: Point[] = [[-40, 800]];
  let shade = '';
  let snow = '';
  for (const top of tops) {
    outline.push(top.left, ...jag(c, top.left, top.peak), top.peak);
    const down = jag(c, top.peak, top.right);
    outline.push(...down, top.right);
    const fold: Point = [top.peak[0] - 12, (top.peak[1] + range.base) / 2];
    shade += polygon([top.peak, ...down, top.right, [top.peak[0] + 24, range.base + 40], fold]);
    if (range.snow > 0) snow += snowcap(c, top, range.snow, ice);
  }
  outline = [...outline, [1240, 800]];
  const paint = c.fall([
    [0, lighter(lit, 0.08)],
    [0.5, lit],
    [1, mix(lit, c.light.skyLow, 0.3)],
  ]);
  return shape(polygon(outline), paint) + snow + shape(shade, shaded, 'opacity=".45"');
}

interface Mountain {
  left: Point;
  peak: Point;
  right: Point;
}

function mountainTops(c: Canvas, range: Range): Mountain[] {
  const step = 1280 / range.count;
  const shift = c.chance.between(-0.5, 0) * step;
  const found: Mountain[] = [];
  let left: Point = [-40, range.base - range.low * 0.5];
  for (let at = 0; at <= range.count; at += 1) {
    const middle = -40 + shift + step * (at + 0.5) + c.chance.between(-0.2, 0.2) * step;
    const peak: Point = [middle, range.base - c.chance.between(range.low, range.high)];
    const dip = range.base - range.low * c.chance.between(0.25, 0.6);
    const right: Point = [middle + step * c.chance.between(0.4, 0.55), dip];
    found.push({ left, peak, right });
    left = right;
  }
  return found;
}

function jag(c: Canvas, from: Point, to: Point): Point[] {
  const bends = isIndoor(c.scene.subject) ? [0.5] : [0.3, 0.62];
  return bends.map((share) => [
    from[0] + (to[0] - from[0]) * share + c.chance.between(-9, 9),
    from[1] + (to[1] - from[1]) * share + c.chance.between(-14, 10),
  ]);
}

function snowcap(c: Canvas, { left, peak, right }: Mountain, share: number, ice: Colour): string {
  const at = (to: Point, part: number): Point => [
    peak[0] + (to[0] - peak[0]) * part,
    peak[1] + (to[1] - peak[1]) * part,
  ];
  const from = at(left, share);
  const until = at(right, share * 0.95);
  const teeth: Point[] = [0.2, 0.38, 0.55, 0.72, 0.88].map((part, index) => [
    from[0] + (until[0] - from[0]) * part,
    from[1] +
      (until[1] - from[1]) * part +
      (index % 2 === 0 ? -1 : 1) * c.chance.between(8, 22) * (share + 0.4),
  ]);
  return shape(polygon([peak, from, ...teeth, until]), ice);
}

/** A line of spruce tops across the picture, dense enough to be one dark edge. */
export function forestEdge(
  c: Canvas,
  y: number,
  height: number,
  colour: Colour,
  distance: number,
  [from, to]: Point = [-20, 1220],
): string {
  let d = `M${short(from)} ${short(y + 60)}V${short(y)}`;
  const coarse = isIndoor(c.scene.subject) ? 2 : 1;
  let x = from;
  while (x < to) {
    const width = Math.round(c.chance.between(8, 15) * coarse);
    const tall = Math.round(c.chance.between(0.45, 1) * height);
    const drop = Math.round(c.chance.between(-4, 4));
    d += `l${width} ${-tall}l${width} ${tall + drop}`;
    x += width * 2;
    if (Math.abs(drop) > 0) d += `l0 ${-drop}`;
  }
  const paint = c.shade(colour, distance);
  return shape(`${d}V${short(y + 60)}Z`, paint);
}

/** One spruce, in tiers. */
export function spruce(c: Canvas, x: number, y: number, height: number, distance = 0): string {
  const green = c.shade(c.ink.pine, distance);
  const w = height * 0.24;
  const tier = (top: number, bottom: number, width: number) =>
    `M${short(x)} ${short(y - height * top)}L${short(x + width)} ${short(y - height * bottom)}Q${short(x)} ${short(y - height * (bottom - 0.05))} ${short(x - width)} ${short(y - height * bottom)}Z`;
  const d = tier(1, 0.62, w * 0.55) + tier(0.8, 0.36, w * 0.8) + tier(0.58, 0.08, w);
  const shadow = `M${short(x)} ${short(y - height)}L${short(x + w * 0.95)} ${short(y - height * 0.1)}L${short(x + 2)} ${short(y - height * 0.08)}Z`;
  const trunk = rect(x - 3, y - height * 0.1, 6, height * 0.1, c.shade('#5b4636', distance));
  return trunk + shape(d, green) + shape(shadow, darker(green, 0.3), 'opacity=".3"');
}

/** A broad-leaved tree; `spread` makes it wide and low. */
export function roundTree(
  c: Canvas,
  x: number,
  y: number,
  height: number,
  leaf: Colour,
  distance = 0,
  spread = 1,
): string {
  const green = c.shade(leaf, distance);
  const crown = height * 0.34;
  const wide = crown * spread;
  const top = y - height + crown;
  const places: Point[] = [
    [x - wide * 0.75, top + crown * 0.35],
    [x + wide * 0.75, top + crown * 0.4],
    [x - wide * 0.25, top - crown * 0.05],
    [x + wide * 0.3, top],
    [x, top + crown * 0.4],
  ];
  const lights = places
    .slice(0, 4)
    .map(([px, py]): Point => [px - crown * 0.22, py - crown * 0.24]);
  const trunk = `M${short(x)} ${short(y)}Q${short(x - 4)} ${short(y - height * 0.3)} ${short(x - wide * 0.25)} ${short(top)}M${short(x)} ${short(y - height * 0.22)}L${short(x + wide * 0.3)} ${short(top + crown * 0.2)}`;
  return (
    stroke(trunk, c.shade(c.ink.wood, distance + 0.1), height * 0.055) +
    dots(places, darker(green, 0.12), crown * 1.25) +
    dots(lights, lighter(green, 0.12), crown * 0.75)
  );
}

/** A flat-crowned pine of the south. */
export function umbrellaPine(
  c: Canvas,
  x: number,
  y: number,
  height: number,
  distance = 0,
): string {
  const green = c.shade(c.ink.pine, distance);
  const top = y - height;
  const wide = height * 0.42;
  const trunk = `M${short(x)} ${short(y)}Q${short(x + 10)} ${short(y - height * 0.5)} ${short(x - 2)} ${short(top + 20)}M${short(x + 4)} ${short(y - height * 0.55)}L${short(x + wide * 0.5)} ${short(top + 24)}M${short(x + 4)} ${short(y - height * 0.6)}L${short(x - wide * 0.5)} ${short(top + 26)}`;
  return (
    stroke(trunk, c.shade('#6d513c', distance), height * 0.045) +
    ellipse(x, top + 16, wide, height * 0.13, darker(green, 0.15)) +
    ellipse(x - wide * 0.3, top + 6, wide * 0.55, height * 0.1, green) +
    ellipse(x + wide * 0.28, top + 2, wide * 0.5, height * 0.09, lighter(green, 0.08))
  );
}

/** A slim dark cypress. */
export function cypress(c: Canvas, x: number, y: number, height: number, distance = 0): string {
  const green = c.shade(c.ink.pine, distance);
  const d = `M${short(x)} ${short(y - height)}Q${short(x + height * 0.13)} ${short(y - height * 0.3)} ${short(x + height * 0.06)} ${short(y)}H${short(x - height * 0.06)}Q${short(x - height * 0.13)} ${short(y - height * 0.3)} ${short(x)} ${short(y - height)}Z`;
  return shape(d, green);
}

/** Blades of grass along a line, bent by the same wind. */
export function grasses(
  c: Canvas,
  count: number,
  [left, right]: Point,
  y: number,
  height: number,
  colour: Colour,
): string {
  let d = '';
  for (let at = 0; at < count; at += 1) {
    const x = Math.round(c.chance.between(left, right));
    const tall = Math.round(c.chance.between(0.4, 1) * height);
    const bend = Math.round(c.chance.between(-6, 14));
    d += `M${x} ${Math.round(y + c.chance.between(-8, 14))}q2 ${-Math.round(tall * 0.6)} ${bend} ${-tall}`;
  }
  return stroke(d, c.shade(colour), 3, 'stroke-linecap="round"');
}

/** Flowers on stems among the grass. */
export function flowers(
  c: Canvas,
  count: number,
  area: readonly [Point, Point],
  colour: Colour,
): string {
  const places = scatter(c, count, area[0], area[1]);
  const stems = places.map(([x, y]) => `M${x} ${y}q2 14 -1 28`).join('');
  return (
    stroke(stems, darker(c.shade(c.ink.leaf), 0.1), 2.5) +
    dots(places, c.shade(colour), 11) +
    dots(
      places.map(([x, y]): Point => [x - 2, y - 2]),
      lighter(c.shade(colour), 0.35),
      4,
    )
  );
}

/** Water from one line down to another, with the sky in it and light on it. */
export function water(c: Canvas, top: number, bottom: number, calm = 18): string {
  const near = c.shade(c.ink.water);
  const paint = c.fall([
    [0, mix(near, c.light.skyLow, 0.6)],
    [0.35, mix(near, c.light.skyLow, 0.2)],
    [1, darker(near, 0.14)],
  ]);
  let d = '';
  for (let at = 0; at < calm; at += 1) {
    const depth = c.chance.between(0, 1) ** 1.6;
    const x = Math.round(c.chance.between(0, 1150));
    d += `M${x} ${Math.round(top + 8 + depth * (bottom - top - 16))}h${Math.round(20 + depth * 90)}`;
  }
  const glint = mix(c.light.skyLow, '#ffffff', c.light.stars ? 0.1 : 0.5);
  return (
    rect(0, top, 1200, bottom - top, paint) +
    stroke(d, glint, 2.5, 'stroke-linecap="round" opacity=".5"')
  );
}

/** Boulders in a row, each with a lit top. */
export function boulders(
  c: Canvas,
  count: number,
  [left, right]: Point,
  y: number,
  size: number,
): string {
  const grey = c.shade(c.ink.rock);
  let body = '';
  let top = '';
  for (let at = 0; at < count; at += 1) {
    const x = c.chance.between(left, right);
    const w = c.chance.between(0.5, 1) * size;
    const h = w * c.chance.between(0.4, 0.62);
    const base = y + c.chance.between(-10, 26);
    body += polygon([
      [x - w, base],
      [x - w * 0.82, base - h * 0.7],
      [x - w * 0.2, base - h],
      [x + w * 0.55, base - h * 0.85],
      [x + w, base],
    ]);
    top += polygon([
      [x - w * 0.8, base - h * 0.68],
      [x - w * 0.2, base - h],
      [x + w * 0.55, base - h * 0.85],
      [x + w * 0.1, base - h * 0.6],
    ]);
  }
  return shape(body, darker(grey, 0.1)) + shape(top, lighter(grey, 0.22));
}

/** A small boat at anchor, or one under sail. */
export function boat(c: Canvas, x: number, y: number, size: number, sail: boolean): string {
  const hull = c.shade(c.ink.accent, 0.15);
  const w = 34 * size;
  const body = `M${short(x - w)} ${short(y - 8 * size)}H${short(x + w)}L${short(x + w * 0.7)} ${short(y + 5 * size)}H${short(x - w * 0.7)}Z`;
  const mirror = stroke(
    `M${short(x - w * 0.8)} ${short(y + 9 * size)}h${short(w * 1.6)}`,
    darker(c.shade(c.ink.water), 0.25),
    4 * size,
    'opacity=".4"',
  );
  const canvas = c.shade('#fbf7ee', 0.1);
  const rig = sail
    ? shape(
        `M${short(x + 2)} ${short(y - 80 * size)}V${short(y - 12 * size)}H${short(x + w * 0.9)}ZM${short(x - 3)} ${short(y - 68 * size)}V${short(y - 12 * size)}H${short(x - w * 0.7)}Z`,
        canvas,
      )
    : rect(x - 9 * size, y - 20 * size, 20 * size, 13 * size, canvas);
  return mirror + shape(body, hull) + rig;
}

/** A hedge, a bed of leaves, a bank of moss: one dark mass with lighter tufts on its upper side. */
export function foliage(c: Canvas, points: readonly Point[], colour: Colour, size: number): string {
  const lit = points
    .filter((_, at) => at % 3 !== 2)
    .map(([x, y]): Point => [x - size * 0.14 + c.chance.between(-4, 4), y - size * 0.2]);
  const spark = lit
    .filter((_, at) => at % 2 === 0)
    .map(([x, y]): Point => [x - size * 0.1, y - size * 0.08]);
  return (
    dots(points, darker(colour, 0.16), size) +
    dots(lit, colour, size * 0.72) +
    dots(spark, lighter(colour, 0.13), size * 0.4)
  );
}

/** Pointed leaves, strewn. */
export function leaves(points: readonly Point[], colour: Colour, size: number): string {
  const u = short(size);
  const d = points.map(
    ([x, y]) => `M${x} ${y}q${u} -${u} ${short(size * 2)} 0q-${u} ${u} -${short(size * 2)} 0`,
  );
  return shape(d.join(''), colour);
}

/** Birds far off. */
export function birds(c: Canvas): string {
  const d = scatter(c, 4, [300, 900], [120, 280])
    .map(([x, y]) => `M${x} ${y}q7 -8 12 0q5 -8 12 0`)
    .join('');
  return stroke(d, mix(c.light.skyTop, '#2b2f3a', 0.6), 2.2, 'stroke-linecap="round"');
}

/** A path that comes towards the one who looks, from a place on the ground. */
export function footpath(c: Canvas, x: number, y: number): string {
  const to = c.chance.between(420, 780);
  const sand = c.shade(mix(c.ink.sand, c.ink.ground, 0.25));
  const d = `M${short(x - 14)} ${short(y)}C${short(x - 60)} ${short(y + 80)} ${short(to + 30)} ${short(y + 90)} ${short(to - 90)} 800H${short(to + 130)}C${short(to + 120)} ${short(y + 100)} ${short(x + 10)} ${short(y + 80)} ${short(x + 18)} ${short(y)}Z`;
  return shape(d, sand, 'opacity=".85"');
}
