import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import {
  birds,
  boat,
  boulders,
  cypress,
  dots,
  flowers,
  foliage,
  footpath,
  forestEdge,
  grasses,
  land,
  leaves,
  mountains,
  rolling,
  roundTree,
  scatter,
  sky,
  spruce,
  umbrellaPine,
  water,
} from './nature.ts';
import { isIndoor, type Setting } from './scene.ts';
import { curve, ellipse, type Point, polygon, rect, shape, short, stroke } from './svg.ts';

/** The surroundings of a home: what lies behind it, what grows before it, and where it stands. */
export interface Landscape {
  back: string;
  front: string;
  stand: Point;
}

const settings: Record<Setting, (c: Canvas) => Landscape> = {
  coast,
  meadow,
  town,
  peaks: (c) => peaks(c, false),
  snow: (c) => peaks(c, true),
  lake,
  cove,
  forest,
  hills,
  bamboo,
  vines,
  shore,
  loch,
  moor,
  strand,
};

/** The landscape around the home of a scene. */
export function landscapeOf(c: Canvas): Landscape {
  return settings[c.scene.setting](c);
}

function standing(c: Canvas, y: number): Point {
  return [c.chance.between(520, 690), y];
}

function headland(
  c: Canvas,
  side: 'left' | 'right',
  y: number,
  reach: number,
  distance: number,
): string {
  const at = (x: number) => (side === 'left' ? x : 1200 - x);
  const top = y - reach * 0.26;
  const rock = c.shade(c.ink.rock, distance);
  const grass = c.shade(c.ink.field, distance);
  const cliff: Point[] = [
    [at(-20), top - 20],
    [at(reach * 0.55), top],
    [at(reach * 0.72), top + reach * 0.05],
    [at(reach * 0.8), y - reach * 0.1],
    [at(reach), y],
    [at(-20), y],
  ];
  const turf: Point[] = [
    [at(-20), top - 22],
    [at(reach * 0.55), top - 2],
    [at(reach * 0.72), top + reach * 0.05],
    [at(reach * 0.5), top + reach * 0.05],
    [at(reach * 0.2), top + reach * 0.035],
    [at(-20), top + reach * 0.06],
  ];
  const cracks = [0.15, 0.32, 0.48, 0.62]
    .map(
      (part) =>
        `M${short(at(reach * part))} ${short(top + reach * 0.08)}l${short(c.chance.between(-8, 8))} ${short(reach * 0.12)}`,
    )
    .join('');
  return (
    shape(polygon(cliff), rock) +
    stroke(cracks, darker(rock, 0.18), 3, 'opacity=".5"') +
    shape(polygon(turf), grass)
  );
}

function coast(c: Canvas): Landscape {
  const { chance } = c;
  const side = chance.pick(['left', 'right']);
  const other = side === 'left' ? 'right' : 'left';
  const outline = rolling(c, 560, 24);
  const beach: Point[] = rolling(c, 540, 18).map(([x, y]) => [x, y]);
  const foam = mix(c.shade('#ffffff'), c.light.skyLow, 0.2);
  const sail = boat(c, chance.between(300, 900), 452, 0.55, true);
  const back =
    sky(c, 420) +
    water(c, 410, 620) +
    headland(c, other, 430, chance.between(220, 340), 0.62) +
    headland(c, side, 470, chance.between(380, 520), 0.32) +
    sail +
    land(c, beach, c.ink.sand) +
    stroke(curve(beach), foam, 7, 'opacity=".75"') +
    land(c, outline, c.ink.ground) +
    clumps(c, 600);
  const pine = chance.often(0.55)
    ? umbrellaPine(c, chance.pick([130, 1080]), 640, chance.between(300, 380))
    : '';
  return { back: back + pine + birds(c), front: dune(c), stand: standing(c, 606) };
}

/** Low shrubs on both sides of where the home stands, so that the ground is not bare. */
function clumps(c: Canvas, y: number): string {
  if (isIndoor(c.scene.subject)) return '';
  const left = scatter(c, 6, [-10, 300], [y, y + 60]);
  const right = scatter(c, 6, [900, 1210], [y, y + 60]);
  return foliage(c, [...left, ...right], c.shade(mix(c.ink.shrub, c.ink.ground, 0.3)), 54);
}

function dune(c: Canvas): string {
  return (
    grasses(c, 38, [0, 1200], 770, 80, c.ink.shrub) +
    grasses(c, 30, [0, 1200], 800, 90, mix(c.ink.field, c.ink.sand, 0.4)) +
    flowers(
      c,
      16,
      [
        [20, 1180],
        [706, 780],
      ],
      c.ink.bloom,
    )
  );
}

function meadow(c: Canvas): Landscape {
  const { chance, ink } = c;
  const trees = [0, 1, 2, 3, 4]
    .map((at) => {
      const x = 60 + at * 260 + chance.between(-60, 60);
      return roundTree(
        c,
        x,
        500 + chance.between(0, 40),
        chance.between(66, 110),
        ink.leaf,
        0.35,
        1.3,
      );
    })
    .join('');
  const back =
    sky(c, 480) +
    land(c, rolling(c, 420, 60), ink.far, 0.75) +
    land(c, rolling(c, 470, 50), ink.hill, 0.5) +
    land(c, rolling(c, 520, 40), ink.field, 0.28) +
    trees +
    land(c, rolling(c, 575, 26), ink.ground) +
    clumps(c, 610);
  const big = roundTree(c, chance.pick([120, 1070]), 690, 330, ink.leaf, 0, 1.25);
  const slim = chance.often(0.5) ? cypress(c, 300, 604, 190) + cypress(c, 340, 608, 150) : '';
  return { back: back + slim + birds(c), front: big + dune(c), stand: standing(c, 612) };
}

function roofs(c: Canvas, y: number, distance: number, size: number): string {
  const { chance } = c;
  const colours = townColours(c).map((colour) => c.shade(colour, distance));
  const walls = colours.map(() => '');
  let shades = '';
  let tiles = '';
  let panes = '';
  for (let x = -30; x < 1220;) {
    const w = chance.between(80, 135) * size;
    const top = y - chance.between(60, 150) * size;
    const rise = chance.between(18, 40) * size;
    const kind = Math.floor(chance.between(0, walls.length));
    walls[kind] += `M${short(x)} ${short(top)}h${short(w)}V${y + 120}h${short(-w)}Z`;
    shades += `M${short(x + w * 0.66)} ${short(top)}h${short(w * 0.34)}V${y + 120}h${short(-w * 0.34)}Z`;
    tiles += `M${short(x - 6)} ${short(top + 2)}l${short(w * 0.28)} ${short(-rise)}h${short(w * 0.5)}l${short(w * 0.22 + 12)} ${short(rise)}Z`;
    panes += `M${short(x + w * 0.14)} ${short(top + 34 * size)}h${short(w * 0.5)}`;
    x += w;
  }
  const glass = c.light.lamps
    ? mix('#ffd98a', c.light.skyLow, distance * 0.4)
    : c.shade('#8a97a0', distance);
  const gap = `stroke-dasharray="${short(11 * size)} ${short(17 * size)}"`;
  return (
    walls.map((d, at) => (d === '' ? '' : shape(d, colours[at] ?? '#ffffff'))).join('') +
    shape(shades, c.shade('#3a3f4a', distance), 'opacity=".12"') +
    shape(tiles, c.shade(c.ink.roof, distance)) +
    stroke(panes, glass, 20 * size, gap)
  );
}

function townColours({ ink, scene }: Canvas): Colour[] {
  if (scene.region === 'kyoto')
    return [ink.wall, mix(ink.wood, ink.wall, 0.35), mix(ink.wood, ink.wall, 0.12)];
  if (scene.region === 'maine') return [ink.wall, '#a8664f', '#8f9a98'];
  if (scene.region === 'cape') return ['#e2ae5c', '#8fbfae', '#d98f8c', '#f4ecdc'];
  return [ink.wall, '#eadcc2', mix(ink.wall, ink.accent, 0.22)];
}

function town(c: Canvas): Landscape {
  const distant =
    c.scene.region === 'kyoto'
      ? land(c, rolling(c, 380, 90), c.ink.hill, 0.6) +
        land(c, rolling(c, 420, 60), c.ink.pine, 0.45)
      : water(c, 392, 470, 8) + land(c, rolling(c, 400, 26), c.ink.hill, 0.7);
  const back =
    sky(c, 420) +
    distant +
    roofs(c, 470, 0.6, 0.8) +
    roofs(c, 540, 0.3, 1.1) +
    paving(c) +
    birds(c);
  return { back, front: pots(c), stand: [standing(c, 640)[0], 640] };
}

function paving(c: Canvas): string {
  const stone = c.shade(mix(c.ink.sand, '#8d8a86', 0.35));
  const paint = c.fall([
    [0, darker(stone, 0.1)],
    [1, lighter(stone, 0.12)],
  ]);
  const joints = [0, 1, 2, 3, 4, 5]
    .map((at) => `M0 ${640 + at * at * 5 + at * 8}H1200`)
    .concat(
      [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((at) => `M${600 + at * 120} 632L${600 + at * 300} 800`),
    )
    .join('');
  return rect(0, 628, 1200, 172, paint) + stroke(joints, darker(stone, 0.2), 2, 'opacity=".4"');
}

function pots(c: Canvas): string {
  const clay = c.shade(mix(c.ink.roof, c.ink.accent, 0.15));
  return [110, 190, 1030, 1110]
    .map((x, at) => {
      const y = 730 + (at % 2) * 26;
      const pot = `M${x - 26} ${y - 44}h52l-8 44h-36Z`;
      const sprigs = scatter(c, 9, [x - 34, x + 34], [y - 104, y - 50]);
      return (
        shape(pot, clay) +
        foliage(c, sprigs, c.shade(c.ink.pine), 30) +
        dots(sprigs.slice(4), c.shade(c.ink.bloom), 9)
      );
    })
    .join('');
}

function peaks(c: Canvas, winter: boolean): Landscape {
  const { chance, ink } = c;
  const rockFar = { base: 430, low: 150, high: 280, count: 4, colour: ink.far };
  const rockNear = {
    base: 480,
    low: 90,
    high: 200,
    count: 5,
    colour: mix(ink.far, ink.hill, 0.55),
  };
  const ground = winter ? '#eef3f7' : ink.ground;
  const slope = winter ? '#dfe8ef' : ink.field;
  const back =
    sky(c, 460) +
    mountains(c, { ...rockFar, distance: 0.6, snow: 0.62 }) +
    mountains(c, { ...rockNear, distance: 0.36, snow: winter ? 0.6 : 0.24 }) +
    land(c, rolling(c, 500, 50), slope, 0.3) +
    forestEdge(c, 512, 58, ink.pine, 0.3, [-20, chance.between(380, 560)]) +
    forestEdge(c, 520, 64, ink.pine, 0.24, [chance.between(680, 820), 1220]) +
    land(c, rolling(c, 572, 30), ground);
  const near =
    spruce(c, chance.between(60, 170), 690, chance.between(300, 400)) +
    spruce(c, chance.between(1010, 1130), 670, chance.between(260, 380)) +
    spruce(c, chance.between(190, 260), 640, 190);
  const front = winter ? drifts(c) : dune(c) + fence(c);
  return { back: back + near, front, stand: standing(c, 604) };
}

function drifts(c: Canvas): string {
  const white = c.shade('#f8fbfd');
  const flakes = scatter(c, 44, [0, 1200], [40, 780]);
  return (
    land(c, rolling(c, 750, 40), white) +
    dots(flakes.slice(0, 26), '#ffffff', 5, 'opacity=".85"') +
    dots(flakes.slice(26), '#ffffff', 8, 'opacity=".7"')
  );
}

function fence(c: Canvas): string {
  const posts = [0, 1, 2, 3, 4].map((at) => `M${20 + at * 78} ${690 + at * 9}v66`).join('');
  const rails = 'M0 700L350 742M0 728L350 768';
  return stroke(posts + rails, c.shade(c.ink.wood), 8, 'stroke-linecap="round"');
}

function lake(c: Canvas): Landscape {
  const { chance, ink } = c;
  const alpine = c.scene.region === 'alpine';
  const range = {
    base: 430,
    low: 120,
    high: 260,
    count: 4,
    colour: ink.far,
    distance: 0.55,
    snow: 0.5,
  };
  const heights = alpine
    ? mountains(c, range)
    : land(c, rolling(c, 380, 130, 5), ink.far, 0.7) +
      land(c, rolling(c, 410, 90, 7), ink.hill, 0.45);
  const woods = alpine || c.scene.region === 'kyoto' ? forestEdge(c, 440, 44, ink.pine, 0.42) : '';
  const back =
    sky(c, 440) +
    heights +
    woods +
    water(c, 452, 600, 22) +
    boat(c, chance.between(250, 950), 510, 0.7, c.scene.region !== 'kyoto') +
    land(c, rolling(c, 590, 22), ink.ground) +
    jetty(c);
  const tree = alpine
    ? spruce(c, 96, 680, 380) + spruce(c, 1120, 660, 290)
    : roundTree(c, 110, 680, 320, ink.leaf);
  return { back: back + tree, front: reeds(c), stand: standing(c, 622) };
}

function jetty(c: Canvas): string {
  const wood = c.shade(c.ink.wood);
  return (
    stroke('M905 545v34M950 545v34M860 560v34M908 560v34', darker(wood, 0.3), 6) +
    shape('M800 606L900 536H962L880 606Z', lighter(wood, 0.12)) +
    stroke('M826 588h70M852 570h64M876 553h60', darker(wood, 0.15), 3)
  );
}

function reeds(c: Canvas): string {
  return (
    grasses(c, 50, [0, 1200], 790, 110, c.ink.shrub) +
    grasses(c, 24, [0, 1200], 800, 80, c.ink.field) +
    flowers(
      c,
      12,
      [
        [20, 1180],
        [710, 780],
      ],
      c.ink.bloom,
    )
  );
}

function island(c: Canvas, x: number, y: number, width: number, distance: number): string {
  const rock = `M${short(x)} ${short(y)}q${short(width * 0.1)} -18 ${short(width * 0.3)} -20h${short(width * 0.4)}q${short(width * 0.2)} 2 ${short(width * 0.3)} 20Z`;
  const trees = forestEdge(c, y - 12, 40, c.ink.pine, distance, [
    x + width * 0.12,
    x + width * 0.86,
  ]);
  const hide = rect(x + width * 0.1, y, width * 0.8, 50, c.shade(c.ink.water, distance * 0.8));
  return trees + hide + shape(rock, c.shade(c.ink.rock, distance));
}

function cove(c: Canvas): Landscape {
  const { chance, ink } = c;
  const back =
    sky(c, 420) +
    land(c, rolling(c, 418, 24, 5), ink.hill, 0.75) +
    rect(0, 418, 1200, 30, c.shade(ink.water, 0.7)) +
    island(c, chance.between(60, 300), 452, chance.between(180, 260), 0.5) +
    island(c, chance.between(620, 860), 468, chance.between(220, 320), 0.36) +
    waterOver(c) +
    boat(c, chance.between(380, 620), 506, 0.8, false) +
    boat(c, chance.between(700, 1000), 530, 0.7, true) +
    land(c, rolling(c, 590, 26), ink.ground) +
    boulders(c, 9, [-20, 1220], 596, 74);
  const trees =
    spruce(c, chance.between(50, 130), 690, chance.between(380, 460)) +
    spruce(c, chance.between(170, 250), 650, 260) +
    spruce(c, chance.between(1070, 1150), 680, chance.between(320, 420));
  const front = boulders(c, 6, [0, 1200], 800, 120) + grasses(c, 34, [0, 1200], 780, 80, ink.field);
  return {
    back: back + trees + birds(c),
    front:
      front +
      flowers(
        c,
        14,
        [
          [20, 1180],
          [700, 770],
        ],
        ink.bloom,
      ),
    stand: standing(c, 632),
  };
}

function waterOver(c: Canvas): string {
  const near = c.shade(c.ink.water);
  const paint = c.fall([
    [0, mix(near, c.light.skyLow, 0.55), 0],
    [0.12, mix(near, c.light.skyLow, 0.4)],
    [1, darker(near, 0.14)],
  ]);
  const glints = scatter(c, 18, [0, 1150], [480, 590])
    .map(([x, y]) => `M${x} ${y}h${Math.round(20 + (y - 470) * 0.6)}`)
    .join('');
  const glint = mix(c.light.skyLow, '#ffffff', c.light.stars ? 0.1 : 0.45);
  return (
    rect(0, 446, 1200, 170, paint) +
    stroke(glints, glint, 2.5, 'stroke-linecap="round" opacity=".5"')
  );
}

function forest(c: Canvas): Landscape {
  const { chance, ink } = c;
  const broad = c.scene.region === 'cape';
  const canopy = (y: number, height: number, distance: number) =>
    broad
      ? foliage(c, scatter(c, 22, [0, 1200], [y - height, y]), c.shade(ink.shrub, distance), 96)
      : forestEdge(c, y, height, ink.pine, distance);
  const tree = (x: number, y: number, height: number) =>
    broad ? roundTree(c, x, y, height * 0.9, ink.leaf) : spruce(c, x, y, height);
  const trunks = (count: number, y: number, width: number, distance: number) => {
    const d = Array.from({ length: count }, () => {
      const x = Math.round(chance.between(-10, 1210));
      return `M${x} 0l${Math.round(chance.between(-6, 6))} ${y}`;
    }).join('');
    return stroke(d, c.shade(mix(ink.wood, ink.pine, 0.45), distance), width);
  };
  const shaft = c.fall([
    [0, c.light.orb, 0.5],
    [1, c.light.orb, 0],
  ]);
  const back =
    sky(c, 500) +
    canopy(470, 190, 0.72) +
    trunks(16, 480, 8, 0.66) +
    canopy(500, 130, 0.5) +
    trunks(11, 540, 14, 0.42) +
    land(c, rolling(c, 545, 20), ink.ground, 0.15) +
    shape('M620 0L300 620H520L760 0ZM900 0L700 620H820L980 0Z', shaft, 'opacity=".5"') +
    land(c, rolling(c, 590, 20), ink.ground) +
    tree(chance.between(40, 140), 680, 460) +
    tree(chance.between(1050, 1150), 670, 420) +
    tree(chance.between(210, 290), 640, 260);
  return { back, front: ferns(c), stand: standing(c, 622) };
}

function ferns(c: Canvas): string {
  const fronds = scatter(c, 15, [0, 1200], [740, 800])
    .map(([x, y]) =>
      [-58, -34, 0, 34, 58]
        .map(
          (reach) =>
            `M${x} ${y}q${Math.round(reach * 0.5)} ${-66 + Math.abs(reach) * 0.5} ${reach} ${-52 + Math.abs(reach) * 0.6}`,
        )
        .join(''),
    )
    .join('');
  return (
    stroke(fronds, c.shade(c.ink.shrub), 5, 'stroke-linecap="round"') +
    boulders(c, 3, [100, 1000], 800, 90)
  );
}

function hills(c: Canvas): Landscape {
  const { chance, ink } = c;
  const band = c.fall([
    [0, c.light.skyLow, 0],
    [0.5, c.light.skyLow, 0.75],
    [1, c.light.skyLow, 0],
  ]);
  const canopy = scatter(c, 38, [-20, 1220], [506, 566]);
  const back =
    sky(c, 440) +
    land(c, rolling(c, 350, 110, 5), ink.far, 0.8) +
    land(c, rolling(c, 410, 100, 6), ink.hill, 0.58) +
    rect(0, 350, 1200, 130, band) +
    land(c, rolling(c, 480, 80, 7), ink.pine, 0.36) +
    foliage(c, canopy.slice(0, 26), c.shade(mix(ink.pine, ink.leaf, 0.12), 0.24), 66) +
    foliage(c, canopy.slice(26), c.shade(ink.leaf, 0.2), 58) +
    land(c, rolling(c, 590, 14), ink.ground);
  const front = stones(c) + (chance.often(0.6) ? mapleBranch(c) : '');
  return { back, front, stand: standing(c, 618) };
}

function stones(c: Canvas): string {
  const moss = c.shade(c.ink.ground);
  const mounds = scatter(c, 7, [40, 1160], [742, 800])
    .map(([x, y]) => ellipse(x, y, c.chance.between(60, 130), 34, darker(moss, 0.14)))
    .join('');
  return (
    mounds + boulders(c, 5, [60, 1140], 776, 78) + grasses(c, 22, [0, 1200], 800, 60, c.ink.shrub)
  );
}

/** A branch of maple that hangs into the picture from a corner. */
export function mapleBranch(c: Canvas): string {
  const left = c.chance.often(0.5);
  const at = (x: number) => (left ? x : 1200 - x);
  const wood = `M${at(-20)} 60Q${at(160)} 90 ${at(300)} 190M${at(120)} 84Q${at(220)} 70 ${at(330)} 96M${at(180)} 108Q${at(220)} 190 ${at(230)} 250`;
  const tips: Point[] = scatter(c, 84, [-10, 350], [20, 270])
    .filter(([x, y]) => y > x * 0.24 && y < 110 + x * 0.6)
    .map(([x, y]) => [at(x), y]);
  const colour = c.shade(c.ink.leaf);
  return (
    stroke(wood, c.shade(darker(c.ink.wood, 0.2)), 9, 'stroke-linecap="round"') +
    leaves(tips, darker(colour, 0.12), 15) +
    leaves(tips.slice(0, 34), lighter(colour, 0.12), 12) +
    dots(tips.slice(34, 52), colour, 15)
  );
}

function bamboo(c: Canvas): Landscape {
  const { chance } = c;
  const green = mix('#7f9a55', c.ink.pine, 0.25);
  const row = (count: number, width: number, distance: number) => {
    let stalks = '';
    let joints = '';
    for (let at = 0; at < count; at += 1) {
      const x = Math.round(chance.between(-10, 1210));
      const lean = Math.round(chance.between(-14, 14));
      stalks += `M${x} 0L${x + lean} 620`;
      const start = chance.between(20, 90);
      for (let part = 0; part < 4; part += 1) {
        const y = start + part * 150;
        joints += `M${short(x + (lean * y) / 620 - width / 2 - 1)} ${short(y)}h${short(width + 2)}`;
      }
    }
    const colour = c.shade(green, distance);
    return stroke(stalks, colour, width) + stroke(joints, darker(colour, 0.3), 3, 'opacity=".7"');
  };
  const haze = c.fall([
    [0, c.light.skyLow, 0.15],
    [1, c.light.skyLow, 0.75],
  ]);
  const back =
    sky(c, 560) +
    row(26, 9, 0.8) +
    row(16, 14, 0.5) +
    rect(0, 200, 1200, 420, haze) +
    land(c, rolling(c, 585, 14), c.ink.ground, 0.1) +
    row(7, 22, 0.15) +
    land(c, rolling(c, 616, 10), c.ink.ground);
  const blades = scatter(c, 26, [0, 1200], [0, 110])
    .map(([x, y]) => `M${x} ${y}q18 10 34 34q-26 -6 -34 -34`)
    .join('');
  return {
    back,
    front: shape(blades, c.shade(lighter(green, 0.1))) + stones(c),
    stand: standing(c, 636),
  };
}

function vines(c: Canvas): Landscape {
  const { chance, ink } = c;
  const range = {
    base: 450,
    low: 120,
    high: 270,
    count: 5,
    colour: ink.far,
    distance: 0.5,
    snow: 0,
  };
  const heights =
    c.scene.region !== 'cape'
      ? land(c, rolling(c, 400, 110, 5), ink.far, 0.65)
      : mountains(c, range);
  const back =
    sky(c, 450) +
    heights +
    land(c, rolling(c, 470, 50), ink.hill, 0.4) +
    land(c, rolling(c, 520, 26), ink.field, 0.2) +
    vineRows(c) +
    roundTree(c, 80, 600, 170, ink.leaf, 0.12, 1.1) +
    roundTree(c, 1120, 596, 190, ink.leaf, 0.12, 1.1) +
    land(c, rolling(c, 600, 12), ink.ground);
  const oak = chance.often(0.6)
    ? roundTree(c, chance.pick([90, 1120]), 740, 420, ink.leaf, 0, 1.1)
    : '';
  return { back, front: nearVines(c) + oak, stand: standing(c, 620) };
}

function vineRows(c: Canvas): string {
  const rows = Array.from({ length: 15 }, (_, at) => {
    const x = -500 + at * 157;
    return `M${short(600 + (x - 600) * 0.42 + 100)} 512L${short(x)} 640`;
  }).join('');
  return (
    stroke(rows, c.shade(c.ink.shrub, 0.12), 11) +
    stroke(rows, c.shade(lighter(c.ink.shrub, 0.3), 0.12), 4)
  );
}

function nearVines(c: Canvas): string {
  const leaf = c.shade(c.ink.shrub);
  const crowns = (y: number, step: number): Point[] =>
    Array.from({ length: Math.ceil(1240 / step) }, (_, at) => [
      Math.round(at * step + c.chance.between(-8, 8)),
      Math.round(y + c.chance.between(-7, 7)),
    ]);
  const back = crowns(744, 44);
  const front = crowns(796, 58);
  const posts = [120, 420, 720, 1020].map((x) => `M${x} 700v90`).join('');
  return (
    stroke(posts, c.shade(c.ink.wood), 7) +
    foliage(c, back, darker(leaf, 0.12), 54) +
    foliage(c, front, leaf, 76)
  );
}

function shore(c: Canvas): Landscape {
  const { chance, ink } = c;
  const left = chance.often(0.5);
  const at = (x: number) => (left ? x : 1200 - x);
  const table: Point[] = [
    [at(-20), 470],
    [at(-20), 300],
    [at(60), 250],
    [at(120), 238],
    [at(380), 232],
    [at(430), 262],
    [at(470), 300],
    [at(540), 330],
    [at(600), 380],
    [at(720), 420],
    [at(860), 450],
    [at(860), 470],
  ];
  const gullies = [80, 160, 230, 300, 370, 430]
    .map(
      (x) =>
        `M${at(x)} ${chance.between(250, 270).toFixed(0)}l${left ? 20 : -20} ${chance.between(90, 140).toFixed(0)}`,
    )
    .join('');
  const rock = c.shade(ink.far, 0.42);
  const surf = rolling(c, 566, 16);
  const back =
    sky(c, 440) +
    shape(polygon(table), rock) +
    stroke(gullies, darker(rock, 0.16), 16, 'stroke-linecap="round" opacity=".45"') +
    water(c, 448, 620) +
    land(c, surf, ink.sand) +
    stroke(curve(surf), c.shade('#ffffff'), 8, 'opacity=".7"') +
    land(c, rolling(c, 592, 20), ink.ground) +
    boulders(c, 5, [0, 1200], 610, 60);
  return { back: back + birds(c), front: fynbos(c), stand: standing(c, 628) };
}

function fynbos(c: Canvas): string {
  const tufts = scatter(c, 22, [0, 1200], [744, 800]);
  const green = c.shade(mix(c.ink.shrub, c.ink.pine, 0.3));
  const heads: Point[] = scatter(c, 9, [30, 1170], [690, 760]);
  const stems = heads.map(([x, y]) => `M${x} ${y}L${x - 4} 800`).join('');
  const petals = heads
    .map(
      ([x, y]) =>
        `M${x - 17} ${y - 14}q4 26 17 28q13 -2 17 -28q-8 12 -11 2q-6 10 -12 0q-5 9 -11 -2Z`,
    )
    .join('');
  return (
    foliage(c, tufts, green, 78) +
    stroke(stems, darker(green, 0.2), 5) +
    shape(petals, c.shade(c.ink.bloom)) +
    grasses(c, 30, [0, 1200], 790, 80, c.ink.field)
  );
}

function loch(c: Canvas): Landscape {
  const { ink } = c;
  const back =
    sky(c, 440) +
    land(c, rolling(c, 360, 190, 4), ink.far, 0.72) +
    land(c, rolling(c, 410, 150, 5), ink.hill, 0.5) +
    land(c, rolling(c, 446, 80, 6), mix(ink.hill, ink.bloom, 0.18), 0.3) +
    water(c, 462, 610, 24) +
    boat(c, c.chance.between(200, 520), 528, 0.75, false) +
    land(c, rolling(c, 592, 22), ink.ground) +
    boulders(c, 5, [0, 1200], 606, 44);
  const trees = c.chance.often(0.6)
    ? roundTree(c, 1090, 650, 240, ink.leaf) + spruce(c, 1160, 660, 320)
    : spruce(c, 60, 670, 360) + spruce(c, 140, 650, 250);
  return { back: back + trees, front: heather(c), stand: standing(c, 624) };
}

function heather(c: Canvas): string {
  const tufts = scatter(c, 34, [0, 1200], [748, 806]);
  const bloom = c.shade(c.ink.bloom);
  return (
    dots(tufts, c.shade(darker(c.ink.ground, 0.25)), 66) +
    dots(
      tufts.map(([x, y]): Point => [x, y - 18]),
      darker(bloom, 0.12),
      38,
    ) +
    dots(scatter(c, 40, [0, 1200], [715, 790]), lighter(bloom, 0.18), 10) +
    grasses(c, 40, [0, 1200], 790, 90, c.ink.field)
  );
}

function moor(c: Canvas): Landscape {
  const { ink } = c;
  const range = {
    base: 440,
    low: 60,
    high: 190,
    count: 5,
    colour: ink.far,
    distance: 0.62,
    snow: 0.12,
  };
  const pools = scatter(c, 4, [80, 1120], [540, 574])
    .map(([x, y]) =>
      ellipse(x, y, c.chance.between(40, 110), 7, mix(c.shade(ink.water), c.light.skyLow, 0.5)),
    )
    .join('');
  const back =
    sky(c, 450) +
    mountains(c, range) +
    land(c, rolling(c, 480, 70), ink.hill, 0.46) +
    land(c, rolling(c, 530, 40), mix(ink.field, ink.bloom, 0.25), 0.26) +
    pools +
    land(c, rolling(c, 594, 22), ink.ground);
  return { back: back + birds(c), front: heather(c) + sheep(c), stand: standing(c, 616) };
}

function sheep(c: Canvas): string {
  return scatter(c, 3, [150, 1050], [690, 724])
    .map(([x, y]) => {
      const wool = c.shade('#f3efe4');
      const legs = `M${x - 12} ${y}v18M${x - 4} ${y}v18M${x + 8} ${y}v18M${x + 15} ${y}v18`;
      return (
        stroke(legs, c.shade('#3a3733'), 3.5) +
        ellipse(x, y - 4, 25, 15, wool) +
        dots(
          [
            [x - 12, y - 12],
            [x, y - 15],
            [x + 12, y - 11],
          ],
          lighter(wool, 0.3),
          16,
        ) +
        ellipse(x + 27, y - 9, 8, 6, c.shade('#3a3733'))
      );
    })
    .join('');
}

function strand(c: Canvas): Landscape {
  const { ink, chance } = c;
  const sea = mix(ink.water, '#5fc0bd', 0.4);
  const shallow = c.shade(mix(sea, ink.sand, 0.35));
  const surf = rolling(c, 566, 34, 4);
  const paint = c.fall([
    [0, mix(c.shade(sea), c.light.skyLow, 0.5)],
    [0.5, c.shade(sea)],
    [1, shallow],
  ]);
  const back =
    sky(c, 420) +
    land(c, rolling(c, 420, 110, 5), ink.far, 0.72) +
    land(c, rolling(c, 440, 60, 4), ink.hill, 0.55) +
    rect(0, 440, 1200, 170, paint) +
    boat(c, chance.between(300, 900), 474, 0.5, true) +
    land(c, surf, ink.sand) +
    stroke(curve(surf), c.shade('#ffffff'), 9, 'opacity=".8"') +
    land(c, rolling(c, 604, 26), ink.ground) +
    marram(c);
  const front = heatherless(c) + (chance.often(0.5) ? sheep(c) : '');
  return { back: back + birds(c), front, stand: standing(c, 630) };
}

function marram(c: Canvas): string {
  const sand = c.shade(c.ink.sand);
  const humps = [70, 210, 960, 1120]
    .map((x) => ellipse(x, 640 + c.chance.between(-8, 14), 120, 34, sand))
    .join('');
  return (
    humps +
    grasses(c, 15, [-10, 300], 640, 60, c.ink.shrub) +
    grasses(c, 15, [880, 1210], 640, 60, c.ink.shrub)
  );
}

function heatherless(c: Canvas): string {
  return (
    grasses(c, 32, [0, 1200], 770, 80, c.ink.shrub) +
    grasses(c, 28, [0, 1200], 800, 100, c.ink.field) +
    flowers(
      c,
      18,
      [
        [20, 1180],
        [700, 780],
      ],
      '#f4efe2',
    ) +
    flowers(
      c,
      10,
      [
        [20, 1180],
        [710, 780],
      ],
      '#e3bd48',
    )
  );
}

/** A footpath from the door of the home, where the ground lets one be. */
export function pathFrom(c: Canvas, [x, y]: Point): string {
  return c.scene.setting === 'town' ? '' : footpath(c, x, y);
}
