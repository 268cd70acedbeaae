import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import type { Building, Region } from './scene.ts';
import { ellipse, group, type Point, polygon, rect, shape, short, stroke } from './svg.ts';

/** The home from outside, about 420 wide; its door is at 0, 0 and the ground runs along 0. */
export function building(c: Canvas): string {
  const drawn = buildings[c.scene.building](c);
  const mirrored = c.taste('side').often(0.5);
  return shadowUnder(c) + (mirrored ? group(drawn, 'transform="scale(-1 1)"') : drawn);
}

const buildings: Record<Building, (c: Canvas) => string> = {
  whitewash,
  modern,
  chalet,
  stone,
  shingle,
  clapboard,
  machiya,
  minka,
  gabled,
  croft,
  cabin,
  townhouse,
  tower,
};

function shadowUnder(c: Canvas): string {
  return ellipse(20, 4, 260, 16, c.shade('#2b2a33'), 'opacity=".22"');
}

/** Where a window is: left, top, width, height. */
type Box = readonly [x: number, y: number, width: number, height: number];

/** Windows with their frames: lit from within when lamps are on, else with the sky in them. */
function panes(c: Canvas, boxes: readonly Box[], frame: Colour, bars = 1): string {
  const ink = c.shade(frame);
  let glass = '';
  let mullions = '';
  for (const [x, y, w, h] of boxes) {
    glass += `M${short(x)} ${short(y)}h${w}v${h}h${-w}Z`;
    for (let at = 1; at <= bars; at += 1) {
      mullions += `M${short(x + (w * at) / (bars + 1))} ${short(y)}v${h}`;
    }
    if (h > 34) mullions += `M${short(x)} ${short(y + h / 2)}h${w}`;
  }
  const inner = mullions === '' ? '' : stroke(mullions, ink, 2.5);
  return shape(glass, glassPaint(c), `stroke="${ink}" stroke-width="5"`) + inner;
}

/** One window with its frame. */
export function pane(
  c: Canvas,
  x: number,
  y: number,
  w: number,
  h: number,
  frame: Colour,
  bars = 1,
): string {
  return panes(c, [[x, y, w, h]], frame, bars);
}

function glassPaint(c: Canvas) {
  if (c.light.lamps) {
    return c.fall([
      [0, '#ffdf9c'],
      [1, '#f2a95c'],
    ]);
  }
  return c.fall([
    [0, mix('#5d7387', c.light.skyTop, 0.3)],
    [1, mix('#8fa6b4', c.light.skyLow, 0.45)],
  ]);
}

function door(c: Canvas, x: number, w: number, h: number, colour: Colour): string {
  const paint = c.shade(colour);
  return (
    rect(x - w / 2 - 5, -h - 5, w + 10, h + 5, lighter(c.shade(c.ink.wall), 0.2)) +
    rect(x - w / 2, -h, w, h, paint) +
    rect(x - w / 2 + 7, -h + 8, w - 14, h * 0.36, darker(paint, 0.18)) +
    ellipse(x + w / 2 - 8, -h * 0.42, 2.5, 2.5, '#e8c877')
  );
}

function wallPaint(c: Canvas, colour: Colour) {
  const near = c.shade(colour);
  return c.across([
    [0, lighter(near, 0.1)],
    [0.6, near],
    [1, darker(near, 0.14)],
  ]);
}

function chimney(c: Canvas, x: number, y: number, w: number, h: number, colour: Colour): string {
  const paint = c.shade(colour);
  const cap = rect(x - 4, y - h - 6, w + 8, 8, darker(paint, 0.25));
  return (
    rect(x, y - h, w, h, paint) + rect(x + w * 0.6, y - h, w * 0.4, h, darker(paint, 0.16)) + cap
  );
}

function smoke(c: Canvas, x: number, y: number): string {
  if (c.scene.hour === 'day') return '';
  const d = `M${x} ${y}c-16 -26 20 -40 4 -70c-10 -22 18 -36 8 -66`;
  return stroke(d, c.light.cloud, 11, 'stroke-linecap="round" opacity=".4"');
}

function lines(from: number, to: number, step: number, x: number, width: number): string {
  let d = '';
  for (let y = from; y < to; y += step) d += `M${short(x)} ${short(y)}h${short(width)}`;
  return d;
}

function tiled(c: Canvas, points: readonly Point[], colour: Colour): string {
  const paint = c.shade(colour);
  const fall = c.fall([
    [0, lighter(paint, 0.1)],
    [1, darker(paint, 0.08)],
  ]);
  return shape(polygon(points), fall);
}

function whitewash(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const band = taste.pick(['#2f6aa3', '#d9a441', '#8c9aa0', '#b5563f']);
  const shutter = taste.pick(['#2f6aa3', '#4c7a5a', '#7a4a35']);
  const wing = taste.often(0.5) ? 1 : -1;
  const wall = wallPaint(c, ink.wall);
  const ribs = Array.from(
    { length: 17 },
    (_, at) => `M${-176 + at * 22} -166L${-196 + at * 24.5} -128`,
  ).join('');
  const left = wing > 0 ? 150 : -270;
  return (
    rect(left, -96, 120, 96, wall) +
    rect(left - 4, -104, 128, 10, c.shade(lighter(ink.wall, 0.3))) +
    rect(left, -20, 120, 20, c.shade(band)) +
    chimney(c, wing > 0 ? -130 : 92, -150, 34, 60, ink.wall) +
    rect(-190, -134, 380, 134, wall) +
    rect(-190, -22, 380, 22, c.shade(band)) +
    tiled(
      c,
      [
        [-208, -126],
        [-176, -172],
        [176, -172],
        [208, -126],
      ],
      ink.roof,
    ) +
    stroke(ribs, c.shade(darker(ink.roof, 0.2)), 3, 'opacity=".5"') +
    panes(
      c,
      [
        [left + 42, -76, 36, 44],
        [-150, -100, 44, 54],
        [-76, -100, 44, 54],
        [96, -100, 50, 54],
      ],
      shutter,
    ) +
    door(c, 24, 46, 92, shutter) +
    rect(-8, -4, 64, 8, c.shade(ink.sand))
  );
}

function modern(c: Canvas): string {
  const { ink } = c;
  const slats = Array.from({ length: 22 }, (_, at) => `M${-52 + at * 13} -206v84`).join('');
  return (
    rect(-60, -210, 300, 92, c.shade(ink.wood)) +
    stroke(slats, c.shade(darker(ink.wood, 0.28)), 3, 'opacity=".6"') +
    pane(c, -10, -192, 118, 56, '#34373b', 2) +
    rect(-72, -220, 324, 14, c.shade('#4d5154')) +
    rect(-220, -120, 400, 120, wallPaint(c, mix(ink.wall, '#9b9a95', 0.25))) +
    rect(-232, -130, 424, 14, c.shade(lighter(ink.wall, 0.2))) +
    pane(c, -196, -104, 190, 98, '#34373b', 3) +
    pane(c, 66, -90, 84, 46, '#34373b', 1) +
    rect(10, -92, 40, 92, c.shade(darker(ink.wood, 0.1))) +
    rect(-240, -6, 470, 12, c.shade(mix(ink.wood, ink.sand, 0.5))) +
    stroke('M206 -118V-2', c.shade('#4d5154'), 7)
  );
}

function chalet(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const shutter = taste.pick(['#b8433f', '#3f6f52', '#e9e0cc', '#37608a']);
  const snowy = c.scene.setting === 'snow';
  const wood = c.shade(ink.wood);
  const roof = c.shade(ink.roof);
  const boxes = [-150, -40, 70]
    .map(
      (x) =>
        rect(x, -140, 84, 13, c.shade(ink.pine)) + rect(x + 4, -147, 76, 9, c.shade(ink.bloom)),
    )
    .join('');
  const windows = shuttered(
    c,
    [
      [-128, -196, 50, 52],
      [-26, -196, 50, 52],
      [76, -196, 50, 52],
    ],
    shutter,
  );
  return (
    chimney(c, 90, -270, 30, 66, ink.rock) +
    (snowy ? smoke(c, 105, -344) : '') +
    rect(-170, -96, 340, 96, wallPaint(c, ink.wall)) +
    shape(
      polygon([
        [-180, -96],
        [-180, -214],
        [0, -312],
        [180, -214],
        [180, -96],
      ]),
      wood,
    ) +
    stroke(lines(-204, -98, 15, -180, 360), darker(wood, 0.22), 2.5, 'opacity=".55"') +
    windows +
    rect(-190, -106, 380, 10, darker(wood, 0.3)) +
    stroke('M-182 -119H184', darker(wood, 0.18), 30, 'stroke-dasharray="5 10"') +
    stroke('M-186 -134H186', darker(wood, 0.18), 6) +
    boxes +
    stroke('M-236 -182L0 -318L236 -182', roof, 20, 'stroke-linejoin="round"') +
    (snowy
      ? stroke(
          'M-238 -194L0 -332L238 -194',
          c.shade('#fbfdff'),
          16,
          'stroke-linejoin="round" stroke-linecap="round"',
        )
      : '') +
    panes(
      c,
      [
        [-26, -262, 52, 34],
        [-138, -74, 54, 44],
        [84, -74, 54, 44],
      ],
      '#f1e9da',
    ) +
    door(c, 0, 48, 80, ink.wood) +
    stroke('M-170 -2h340', c.shade(darker(ink.rock, 0.1)), 8)
  );
}

function shuttered(c: Canvas, boxes: readonly Box[], shutter: Colour): string {
  const leafs = boxes
    .map(
      ([x, y, w, h]) =>
        `M${x - 20} ${y - 2}h16v${h + 4}h-16ZM${x + w + 4} ${y - 2}h16v${h + 4}h-16Z`,
    )
    .join('');
  return shape(leafs, c.shade(shutter)) + panes(c, boxes, '#f4efe4');
}

function masonry(c: Canvas, left: number, right: number, top: number, count: number): string {
  const taste = c.taste('masonry');
  const light = lighter(c.shade(c.ink.rock), 0.18);
  const dim = darker(c.shade(c.ink.rock), 0.14);
  let pale = '';
  let deep = '';
  for (let at = 0; at < count; at += 1) {
    const x = taste.between(left + 8, right - 40);
    const y = taste.between(top + 8, -12);
    const d = `M${short(x)} ${short(y)}h${short(taste.between(10, 26))}`;
    if (at % 2 === 0) pale += d;
    else deep += d;
  }
  const round = 'stroke-linecap="round" opacity=".55"';
  return stroke(pale, light, 10, round) + stroke(deep, dim, 9, round);
}

function stone(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const frame = taste.pick(['#f1ece0', '#6b4a36', '#4f6b60']);
  const snow = c.scene.setting === 'snow' ? c.shade('#fbfdff') : null;
  const roof: Point[] = [
    [-214, -132],
    [-172, -226],
    [172, -226],
    [214, -132],
  ];
  return (
    chimney(c, -168, -220, 36, 48, ink.rock) +
    chimney(c, 128, -220, 36, 48, ink.rock) +
    rect(-196, -136, 392, 136, wallPaint(c, ink.rock)) +
    masonry(c, -196, 196, -130, 44) +
    tiled(c, roof, ink.roof) +
    stroke(
      lines(-206, -136, 17, -182, 364),
      c.shade(darker(ink.roof, 0.25)),
      2.5,
      'opacity=".45"',
    ) +
    (snow === null
      ? ''
      : shape(
          polygon([
            [-220, -140],
            [-176, -238],
            [176, -238],
            [220, -140],
          ]),
          snow,
        )) +
    panes(
      c,
      [
        [-152, -100, 48, 52],
        [-74, -100, 48, 52],
        [104, -100, 48, 52],
      ],
      frame,
    ) +
    door(c, 40, 50, 96, ink.accent) +
    rect(6, -4, 68, 8, c.shade(lighter(ink.rock, 0.15)))
  );
}

function shingle(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const grey = taste.pick(['#9a968c', '#a8a294', '#8b8f8e'] as const);
  const wall = c.shade(grey);
  const courses = lines(-150, -6, 13, -210, 420) + lines(-262, -156, 13, 22, 140);
  const dashes = Array.from({ length: 30 }, () => {
    const x = taste.between(-206, 190);
    return `M${short(x)} ${short(-Math.round(taste.between(1, 11)) * 13 - 6)}v11`;
  }).join('');
  const posts = [-196, -120, -44].map((x) => `M${x} -86V0`).join('');
  return (
    chimney(c, -120, -240, 34, 62, '#9d5e4d') +
    rect(-210, -156, 420, 156, wallPaint(c, grey)) +
    tiled(
      c,
      [
        [-226, -150],
        [-160, -250],
        [130, -250],
        [210, -150],
      ],
      ink.roof,
    ) +
    shape(
      polygon([
        [14, -150],
        [14, -212],
        [92, -296],
        [170, -212],
        [170, -150],
      ]),
      wall,
    ) +
    stroke(courses + dashes, darker(wall, 0.2), 2, 'opacity=".5"') +
    stroke('M-2 -196L92 -300L186 -196', c.shade('#f6f3ec'), 13, 'stroke-linejoin="miter"') +
    stroke('M-8 -204L92 -314L192 -204', c.shade(ink.roof), 12) +
    panes(
      c,
      [
        [62, -232, 60, 62],
        [30, -120, 54, 72],
        [108, -120, 54, 72],
        [-176, -84, 62, 54],
      ],
      '#f8f5ee',
    ) +
    door(c, -64, 46, 86, ink.accent) +
    tiled(
      c,
      [
        [-228, -92],
        [-204, -132],
        [-14, -132],
        [-4, -92],
      ],
      darker(ink.roof, 0.1),
    ) +
    stroke(posts, c.shade('#f6f3ec'), 9) +
    rect(-222, -8, 224, 10, c.shade(ink.wood))
  );
}

function clapboard(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const barn = taste.pick(['#9a4438', '#7d7f7c', '#5f6f63'] as const);
  const shutter = taste.pick(['#2c3a3a', '#2f4f72', '#3f5a48'] as const);
  const wall = c.shade(ink.wall);
  return (
    rect(120, -124, 150, 124, wallPaint(c, barn)) +
    shape(
      polygon([
        [110, -120],
        [195, -196],
        [280, -120],
      ]),
      c.shade(barn),
    ) +
    stroke('M104 -114L195 -198L286 -114', c.shade(ink.roof), 12) +
    stroke('M166 -84h60v84h-60ZM166 -84l60 84M226 -84l-60 84', c.shade('#f3efe6'), 4) +
    chimney(c, -66, -246, 32, 56, '#9d5e4d') +
    rect(-200, -176, 330, 176, wallPaint(c, ink.wall)) +
    stroke(lines(-168, -4, 12, -200, 330), darker(wall, 0.14), 1.6, 'opacity=".6"') +
    tiled(
      c,
      [
        [-216, -170],
        [-176, -256],
        [106, -256],
        [146, -170],
      ],
      ink.roof,
    ) +
    shuttered(
      c,
      [
        [-164, -152, 34, 50],
        [-52, -152, 34, 50],
        [62, -152, 34, 50],
        [-164, -72, 34, 50],
        [62, -72, 34, 50],
      ],
      shutter,
    ) +
    door(c, -36, 42, 78, ink.accent) +
    rect(-74, -100, 76, 10, c.shade('#f6f3ec')) +
    rect(-68, -4, 64, 8, c.shade(ink.rock))
  );
}

function tileRoof(c: Canvas, y: number, half: number, rise: number): string {
  const colour = c.shade(c.ink.roof);
  const d = `M${-half - 26} ${y}Q${-half + 10} ${y - 6} ${-half + 34} ${y - rise}H${half - 34}Q${half - 10} ${y - 6} ${half + 26} ${y}Z`;
  const count = Math.round(half / 9);
  const ribs = Array.from({ length: count }, (_, at) => {
    const share = (at + 0.5) / count;
    return `M${short(-half + 36 + share * (2 * half - 72))} ${y - rise}L${short(-half - 18 + share * (2 * half + 36))} ${y - 3}`;
  }).join('');
  return (
    shape(d, colour) +
    stroke(ribs, darker(colour, 0.3), 3, 'opacity=".6"') +
    stroke(
      `M${-half + 28} ${y - rise}H${half - 28}`,
      darker(colour, 0.2),
      10,
      'stroke-linecap="round"',
    )
  );
}

function lattice(c: Canvas, x: number, y: number, w: number, h: number): string {
  const bars = stroke(`M${x} ${y + h / 2}h${w}`, c.shade(c.ink.wood), h, 'stroke-dasharray="4.5"');
  return rect(x, y, w, h, glassPaint(c)) + bars;
}

function machiya(c: Canvas): string {
  const { ink } = c;
  const cloth = c.shade(ink.accent);
  const noren = [-28, -6, 16].map((x) => rect(x, -104, 20, 40, cloth)).join('');
  return (
    rect(-176, -210, 352, 100, wallPaint(c, ink.wall)) +
    tileRoof(c, -206, 176, 56) +
    lattice(c, -130, -190, 96, 38) +
    lattice(c, 34, -190, 96, 38) +
    rect(-190, -124, 380, 124, c.shade(darker(ink.wood, 0.12))) +
    lattice(c, -176, -100, 128, 88) +
    lattice(c, 58, -100, 118, 88) +
    rect(-40, -108, 88, 108, glassPaint(c)) +
    stroke('M4 -108V0', c.shade(ink.wood), 5) +
    noren +
    tileRoof(c, -116, 190, 34) +
    rect(-190, -14, 380, 14, c.shade(ink.rock)) +
    ellipse(-58, -84, 9, 14, c.light.lamps ? '#ffd58a' : c.shade('#f4ead2'))
  );
}

function minka(c: Canvas): string {
  const { ink } = c;
  const straw = c.shade('#a08a62');
  const thatch = `M-250 -112Q-214 -132 -128 -262Q0 -284 128 -262Q214 -132 250 -112Q0 -94 -250 -112Z`;
  const combs = Array.from({ length: 15 }, (_, at) => {
    const share = at / 14;
    return `M${short(-116 + share * 232)} -256Q${short(-160 + share * 320)} -180 ${short(-226 + share * 452)} -116`;
  }).join('');
  const posts = [-190, -110, -30, 50, 130, 194].map((x) => `M${x} -112V0`).join('');
  const shoji = [-186, -106, -26, 54, 134].map((x) => paper(c, x, x === 134 ? 56 : 72)).join('');
  return (
    rect(-194, -116, 388, 116, wallPaint(c, ink.wall)) +
    shoji +
    stroke(posts, c.shade(ink.wood), 9) +
    rect(-206, -20, 412, 10, c.shade(lighter(ink.wood, 0.25))) +
    rect(-196, -10, 392, 10, c.shade(darker(ink.wood, 0.35))) +
    shape(thatch, straw) +
    stroke(combs, darker(straw, 0.22), 3, 'opacity=".5"') +
    stroke('M-250 -112Q0 -92 250 -112', darker(straw, 0.35), 9) +
    stroke(
      'M-134 -266Q0 -288 134 -266',
      c.shade(darker(ink.wood, 0.1)),
      15,
      'stroke-linecap="round"',
    ) +
    stroke('M-100 -280v26M-50 -286v28M0 -288v28M50 -286v28M100 -280v26', c.shade(ink.wood), 8)
  );
}

function paper(c: Canvas, x: number, w: number): string {
  const sheet = c.light.lamps ? '#ffd998' : c.shade('#f5efe0');
  const grid = `M${x + w / 3} -100v78M${x + (w * 2) / 3} -100v78M${x} -74h${w}M${x} -48h${w}`;
  return rect(x, -100, w, 78, sheet) + stroke(grid, c.shade(c.ink.wood), 2);
}

function gabled(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const shutter = taste.pick(['#3d6b52', '#2f5a78', '#6d5038', '#4a4f4a']);
  const wall = wallPaint(c, ink.wall);
  const trim = c.shade(lighter(ink.wall, 0.4));
  const gable =
    'M-72 -120V-184Q-72 -204 -52 -206Q-48 -238 -26 -244Q-20 -274 0 -276Q20 -274 26 -244Q48 -238 52 -206Q72 -204 72 -184V-120Z';
  return (
    tiled(
      c,
      [
        [-258, -118],
        [-226, -206],
        [226, -206],
        [258, -118],
      ],
      ink.roof,
    ) +
    chimney(c, -232, -190, 34, 40, ink.wall) +
    chimney(c, 198, -190, 34, 40, ink.wall) +
    rect(-240, -122, 480, 122, wall) +
    shape(gable, wall) +
    stroke(gable.replace('Z', ''), trim, 8) +
    pane(c, -22, -194, 44, 50, '#fbf7ee') +
    shuttered(
      c,
      [
        [-204, -96, 36, 62],
        [-124, -96, 36, 62],
        [86, -96, 36, 62],
        [166, -96, 36, 62],
      ],
      shutter,
    ) +
    door(c, 0, 54, 98, shutter) +
    stroke('M-44 -102h88', trim, 8) +
    rect(-250, -8, 500, 12, c.shade(mix(ink.rock, ink.sand, 0.4))) +
    rect(-40, -2, 80, 12, c.shade(lighter(ink.rock, 0.2)))
  );
}

function croft(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const thatched = taste.often(0.25);
  const roof = thatched ? '#a3956c' : ink.roof;
  const shed = taste.often(0.5);
  return (
    (shed
      ? rect(196, -74, 90, 74, wallPaint(c, ink.rock)) +
        tiled(
          c,
          [
            [188, -70],
            [212, -110],
            [276, -110],
            [296, -70],
          ],
          roof,
        )
      : '') +
    chimney(c, -194, -168, 34, 48, ink.wall) +
    chimney(c, 158, -168, 34, 48, ink.wall) +
    (c.light.lamps ? smoke(c, 175, -226) : '') +
    rect(-204, -108, 408, 108, wallPaint(c, ink.wall)) +
    tiled(
      c,
      [
        [-216, -102],
        [-186, -184],
        [186, -184],
        [216, -102],
      ],
      roof,
    ) +
    stroke(lines(-170, -106, 14, -196, 392), c.shade(darker(roof, 0.25)), 2, 'opacity=".4"') +
    tiled(
      c,
      [
        [-128, -122],
        [-100, -176],
        [-72, -122],
      ],
      lighter(ink.wall, 0.1),
    ) +
    tiled(
      c,
      [
        [66, -122],
        [94, -176],
        [122, -122],
      ],
      lighter(ink.wall, 0.1),
    ) +
    panes(
      c,
      [
        [-114, -146, 28, 26],
        [80, -146, 28, 26],
      ],
      '#f5f1e8',
      0,
    ) +
    panes(
      c,
      [
        [-160, -80, 44, 46],
        [-82, -80, 44, 46],
        [88, -80, 44, 46],
      ],
      '#f5f1e8',
    ) +
    door(c, 20, 42, 80, ink.accent) +
    rect(-204, -5, 408, 5, c.shade(darker(ink.rock, 0.1)))
  );
}

function cabin(c: Canvas): string {
  const { ink } = c;
  const wood = c.shade(ink.wood);
  const boards = Array.from(
    { length: 12 },
    (_, at) => `M${-140 + at * 26} -4V${-252 + Math.abs(-140 + at * 26) * 1.45}`,
  ).join('');
  const snowy = c.scene.setting === 'snow';
  return (
    chimney(c, 70, -190, 24, 74, '#5c5f63') +
    smoke(c, 82, -272) +
    shape(
      polygon([
        [-168, 0],
        [0, -284],
        [168, 0],
      ]),
      wood,
    ) +
    stroke(boards, darker(wood, 0.25), 2.5, 'opacity=".5"') +
    shape(
      polygon([
        [-62, -140],
        [0, -244],
        [62, -140],
      ]),
      glassPaint(c),
    ) +
    pane(c, -72, -126, 144, 118, darker(ink.wood, 0.2), 2) +
    stroke('M0 -244V-140M-62 -140H62', c.shade(darker(ink.wood, 0.2)), 5) +
    stroke('M-190 8L0 -306L190 8', c.shade(ink.roof), 22, 'stroke-linejoin="miter"') +
    (snowy
      ? stroke('M-150 -76L0 -326L150 -76', c.shade('#fbfdff'), 16, 'stroke-linecap="round"')
      : '') +
    rect(-220, -6, 440, 12, c.shade(lighter(ink.wood, 0.2))) +
    stroke('M-206 6v22M-100 6v22M100 6v22M206 6v22', c.shade(darker(ink.wood, 0.3)), 9) +
    stroke(
      'M-214 -44H-150M150 -44H214M-210 -44V-4M-180 -44V-4M180 -44V-4M210 -44V-4',
      c.shade(ink.wood),
      5,
    )
  );
}

const fronts: Partial<Record<Region, readonly [Colour, ...Colour[]]>> = {
  maine: ['#a8604c', '#b5725a', '#9c6a58'],
  cape: ['#e6a94a', '#7fb8a6', '#d9798a', '#6f9fc4'],
};

function townhouse(c: Canvas): string {
  const { ink } = c;
  const taste = c.taste('building');
  const tile = taste.pick(fronts[c.scene.region] ?? ['#7fa3bd', '#8fae9c', '#d8b66f', '#c98f7c']);
  const front = c.shade(tile);
  const dotsRow = Array.from({ length: 9 }, (_, row) => `M-104 ${-348 + row * 34}H108`).join('');
  const floors = [-336, -232, -128];
  const windows = floors.flatMap((y) => [-88, -22, 44].map((x): Box => [x, y, 44, 68]));
  const side = (x: number, h: number, colour: Colour) =>
    rect(x, -h, 150, h, c.shade(colour, 0.1)) +
    panes(
      c,
      [28, 88].flatMap((at) => [30, 130, 230].map((drop): Box => [x + at, drop - h, 36, 56])),
      '#f3eee4',
    ) +
    tiled(
      c,
      [
        [x - 6, -h + 4],
        [x + 20, -h - 26],
        [x + 130, -h - 26],
        [x + 156, -h + 4],
      ],
      ink.roof,
    );
  return (
    side(-256, 310, mix(ink.wall, '#d9c3a0', 0.5)) +
    side(110, 330, mix(ink.wall, '#b9c2c4', 0.5)) +
    rect(-112, -372, 224, 372, front) +
    stroke(dotsRow, lighter(front, 0.35), 5, 'stroke-dasharray="5 12" opacity=".6"') +
    tiled(
      c,
      [
        [-124, -366],
        [-92, -412],
        [92, -412],
        [124, -366],
      ],
      ink.roof,
    ) +
    rect(-122, -374, 244, 12, c.shade('#f5efe4')) +
    panes(c, windows, '#f7f2e8') +
    floors.map((y) => balcony(y + 44)).join('') +
    rect(-112, -26, 224, 26, c.shade('#cfc8bb')) +
    door(c, 0, 48, 96, ink.accent)
  );
}

function balcony(y: number): string {
  return (
    stroke(`M-98 ${y + 13}H100`, '#2f3338', 26, 'stroke-dasharray="2.6 5.4"') +
    stroke(`M-100 ${y}H102M-102 ${y + 27}H104`, '#2f3338', 3)
  );
}

function tower(c: Canvas): string {
  const { ink } = c;
  const beam = c.across([
    [0, '#fff1c4', 0.75],
    [1, '#fff1c4', 0],
  ]);
  const shine = c.light.lamps ? shape('M-110 -356L560 -470V-250Z', beam, 'opacity=".6"') : '';
  return (
    shine +
    rect(-60, -96, 250, 96, wallPaint(c, ink.wall)) +
    tiled(
      c,
      [
        [-70, -92],
        [-40, -160],
        [170, -160],
        [202, -92],
      ],
      ink.roof,
    ) +
    chimney(c, 120, -150, 28, 44, '#9d5e4d') +
    shape(
      polygon([
        [-168, 0],
        [-142, -330],
        [-78, -330],
        [-52, 0],
      ]),
      wallPaint(c, lighter(ink.wall, 0.2)),
    ) +
    shape(
      polygon([
        [-159, -110],
        [-152, -200],
        [-68, -200],
        [-61, -110],
      ]),
      c.shade(ink.accent),
    ) +
    rect(-154, -342, 88, 14, c.shade('#3a3f45')) +
    rect(-134, -384, 48, 44, c.light.lamps ? '#ffe39a' : c.shade('#a9bccb')) +
    stroke('M-134 -384v44M-110 -384v44M-86 -384v44', c.shade('#3a3f45'), 4) +
    shape('M-142 -382Q-110 -424 -78 -382Z', c.shade(ink.accent)) +
    pane(c, -122, -290, 24, 36, '#3a3f45', 0) +
    panes(
      c,
      [
        [-20, -74, 42, 46],
        [110, -74, 42, 46],
      ],
      '#f5f1e8',
    ) +
    door(c, 66, 42, 78, ink.accent)
  );
}
