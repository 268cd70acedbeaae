import { building, pane } from './buildings.ts';
import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { laid } from './laid-table.ts';
import { landscapeOf, mapleBranch, pathFrom } from './landscapes.ts';
import {
  boulders,
  dots,
  foliage,
  land,
  rolling,
  roundTree,
  scatter,
  sky,
  spruce,
} from './nature.ts';
import type { OutdoorSubject } from './scene.ts';
import { curve, ellipse, placed, type Point, polygon, rect, shape, short, stroke } from './svg.ts';

/** A picture taken outside. */
export function outdoors(c: Canvas, subject: OutdoorSubject): string {
  return subjects[subject](c);
}

const subjects: Record<OutdoorSubject, (c: Canvas) => string> = {
  house,
  view,
  pool,
  terrace,
  garden,
  tub,
};

function house(c: Canvas): string {
  const { back, front, stand } = landscapeOf(c);
  const scale = c.scene.building === 'townhouse' ? 1.22 : c.chance.between(1.26, 1.48);
  const home = placed(building(c), stand[0], stand[1], scale);
  return back + pathFrom(c, stand) + home + front;
}

/** The landscape alone, from nearer, with something at hand to sit on or to lean against. */
function view(c: Canvas): string {
  const { back, front } = landscapeOf(c);
  const enclosed = ['town', 'bamboo', 'forest', 'snow'].includes(c.scene.setting);
  const rest = enclosed ? '' : c.chance.pick([seat, lowWall, lowWall])(c);
  return placed(back, -130, -66, 1.22) + rest + front;
}

function seat(c: Canvas): string {
  return placed(bench(c, 0, 0), c.chance.pick([300, 870]), 728, 1.2);
}

function lowWall(c: Canvas): string {
  const left = c.chance.often(0.5);
  const [from, to] = left ? [-30, 520] : [680, 1230];
  return boulders(c, 12, [from, to], 722, 64);
}

function boards(c: Canvas, y: number, colour: Colour): string {
  const near = c.shade(colour);
  const paint = c.fall([
    [0, darker(near, 0.14)],
    [1, lighter(near, 0.08)],
  ]);
  let seams = '';
  for (let at = -11; at <= 11; at += 1) seams += `M${600 + at * 74} ${y}L${600 + at * 150} 800`;
  return rect(0, y, 1200, 800 - y, paint) + stroke(seams, darker(near, 0.3), 2.5, 'opacity=".35"');
}

function slabs(c: Canvas, y: number, colour: Colour): string {
  const rows = [0.12, 0.3, 0.55].map((part) => `M0 ${short(y + (800 - y) * part)}H1200`).join('');
  return boards(c, y, colour) + stroke(rows, darker(c.shade(colour), 0.25), 2.5, 'opacity=".35"');
}

function wallBeside(c: Canvas, left: boolean): string {
  const x = left ? 0 : 950;
  const wall = wallOf(c);
  const stripe = c.across([
    [0, lighter(wall, 0.12)],
    [1, darker(wall, 0.12)],
  ]);
  const eaves = left ? 'M-10 60L300 110V140L-10 96Z' : 'M1210 60L900 110V140L1210 96Z';
  return (
    rect(x, 90, 250, 560, stripe) +
    pane(c, x + 50, 230, 150, 400, c.ink.wood, 1) +
    shape(eaves, c.shade(c.ink.roof))
  );
}

function wallOf(c: Canvas): Colour {
  const { ink } = c;
  const walls: Partial<Record<string, Colour>> = {
    chalet: ink.wood,
    cabin: ink.wood,
    stone: ink.rock,
    shingle: '#a8a294',
    machiya: ink.wood,
  };
  return c.shade(walls[c.scene.building] ?? ink.wall);
}

function pool(c: Canvas): string {
  const { back } = landscapeOf(c);
  const left = c.taste('pool').often(0.5);
  const edge = c.shade(lighter(c.ink.sand, 0.25));
  const blue = c.shade(c.light.lamps ? '#2f9db4' : '#58b7c6');
  const paint = c.fall([
    [0, mix(blue, c.light.skyLow, 0.4)],
    [1, darker(blue, 0.06)],
  ]);
  const at = (x: number) => (left ? x : 1200 - x);
  const rim: Point[] = [
    [at(330), 572],
    [at(1040), 572],
    [at(1180), 740],
    [at(180), 740],
  ];
  const basin: Point[] = [
    [at(350), 582],
    [at(1022), 582],
    [at(1150), 724],
    [at(212), 724],
  ];
  const ripples = scatter(c, 16, [at(340), at(1000)], [596, 712])
    .map(([x, y]) => `M${x} ${y}q12 -6 24 0t24 0`)
    .join('');
  return (
    back +
    slabs(c, 545, mix(c.ink.sand, c.ink.rock, 0.25)) +
    wallBeside(c, left) +
    shape(polygon(rim), edge) +
    shape(polygon(basin), paint) +
    stroke(ripples, '#ffffff', 3, 'stroke-linecap="round" opacity=".5"') +
    loungers(c, left) +
    planting(c)
  );
}

function loungers(c: Canvas, left: boolean): string {
  const cloth = c.shade(c.ink.cloth);
  const frame = c.shade(c.ink.wood);
  const one = (x: number) =>
    stroke(
      `M${x} 566h92M${x + 8} 566v20M${x + 80} 566v20M${x} 566l-34 -44`,
      frame,
      6,
      'stroke-linecap="round"',
    ) +
    stroke(`M${x + 4} 558h88M${x} 558l-32 -42`, lighter(cloth, 0.25), 12, 'stroke-linecap="round"');
  const start = left ? 820 : 260;
  const pole = start + 62;
  const shade = `M${pole - 118} 432Q${pole} 348 ${pole + 118} 432Z`;
  return (
    stroke(`M${pole} 380V566`, frame, 6) +
    shape(shade, cloth) +
    shape(
      `M${pole - 40} 432Q${pole - 16} 362 ${pole} 388Q${pole + 16} 362 ${pole + 40} 432Z`,
      lighter(cloth, 0.3),
    ) +
    one(start - 60) +
    one(start + 94)
  );
}

function planting(c: Canvas): string {
  const leaf = c.shade(c.ink.shrub);
  const low = scatter(c, 18, [0, 1200], [776, 812]);
  return (
    foliage(c, low, leaf, 74) +
    dots(scatter(c, 18, [0, 1200], [744, 792]), c.shade(c.ink.bloom), 12)
  );
}

function terrace(c: Canvas): string {
  const { back } = landscapeOf(c);
  const stony = ['whitewash', 'gabled', 'townhouse', 'stone', 'croft'].includes(c.scene.building);
  const floor = stony
    ? slabs(c, 590, mix(c.ink.sand, c.ink.rock, 0.3))
    : boards(c, 590, mix(c.ink.wood, c.ink.sand, 0.35));
  return back + floor + parapet(c, stony) + pergola(c) + tableFor(c) + planters(c);
}

function parapet(c: Canvas, stony: boolean): string {
  if (stony) {
    const wall = c.shade(
      c.scene.building === 'whitewash' || c.scene.building === 'gabled' ? c.ink.wall : c.ink.rock,
    );
    return rect(0, 536, 1200, 64, darker(wall, 0.06)) + rect(0, 526, 1200, 14, lighter(wall, 0.2));
  }
  const posts = Array.from({ length: 31 }, (_, at) => `M${at * 40} 520v76`).join('');
  const wood = c.shade(c.ink.wood);
  return stroke(posts, wood, 5) + rect(0, 512, 1200, 12, darker(wood, 0.1));
}

function pergola(c: Canvas): string {
  const wood = c.shade(darker(c.ink.wood, 0.1));
  const beams = Array.from(
    { length: 9 },
    (_, at) => `M${40 + at * 140} 0L${110 + at * 122} 96`,
  ).join('');
  const vine = scatter(c, 28, [0, 1200], [0, 84]);
  const bulbs: Point[] = Array.from({ length: 15 }, (_, at) => {
    const share = at / 14;
    return [60 + share * 1080, 118 + Math.sin(share * Math.PI * 3) ** 2 * 46];
  });
  const lamps = c.light.lamps
    ? stroke(curve(bulbs), '#3a3430', 2) +
      dots(bulbs, '#ffe2a0', 30, 'opacity=".3"') +
      dots(bulbs, '#ffe9b8', 12)
    : '';
  return (
    stroke(beams, wood, 13) +
    rect(0, 88, 1200, 20, wood) +
    rect(70, 100, 20, 500, wood) +
    rect(1110, 100, 20, 500, wood) +
    foliage(c, vine, c.shade(c.ink.shrub), 50) +
    dots(scatter(c, 12, [0, 1200], [20, 130]), c.shade(c.ink.bloom), 14) +
    lamps
  );
}

function tableFor(c: Canvas): string {
  const wood = c.shade(lighter(c.ink.wood, 0.15));
  const dark = darker(wood, 0.3);
  const x = c.chance.between(560, 640);
  const chair = (at: number, side: 1 | -1) =>
    stroke(
      `M${short(at)} 560V736M${short(at + side * 84)} 668V748M${short(at)} 668H${short(at + side * 84)}M${short(at)} 584h${side * 4}`,
      dark,
      10,
      'stroke-linecap="round"',
    ) +
    rect(Math.min(at, at + side * 84) - 4, 650, 92, 18, c.shade(c.ink.cloth), 'rx="8"') +
    rect(at - 6, 562, 12, 80, c.shade(lighter(c.ink.cloth, 0.15)), 'rx="6"');
  return (
    ellipse(x, 758, 330, 20, '#1f1d26', 'opacity=".18"') +
    chair(x - 290, 1) +
    chair(x + 290, -1) +
    stroke(
      `M${short(x - 150)} 632L${short(x - 170)} 756M${short(x + 150)} 632L${short(x + 170)} 756`,
      dark,
      13,
    ) +
    rect(x - 210, 612, 420, 22, wood, 'rx="5"') +
    laid(c, x, 612)
  );
}

function planters(c: Canvas): string {
  return [96, 1104]
    .map((x) => {
      const sprigs = scatter(c, 11, [x - 52, x + 52], [566, 652]);
      return (
        foliage(c, sprigs, c.shade(c.ink.pine), 50) +
        dots(sprigs.slice(5), c.shade(c.ink.bloom), 12) +
        shape(`M${x - 52} 660h104l-14 96h-76Z`, c.shade(mix(c.ink.roof, c.ink.sand, 0.25)))
      );
    })
    .join('');
}

function garden(c: Canvas): string {
  return c.scene.region === 'kyoto' ? stillGarden(c) : flowerGarden(c);
}

function flowerGarden(c: Canvas): string {
  const { back } = landscapeOf(c);
  const leaf = c.shade(c.ink.shrub);
  const home = placed(building(c), c.chance.between(640, 760), 596, 0.86);
  const hedge = Array.from({ length: 20 }, (_, at): Point => [
    at * 62,
    612 + c.chance.between(-9, 9),
  ]);
  const bed = (left: number, right: number, top: number) =>
    foliage(c, scatter(c, 10, [left, right], [top, 790]), leaf, 64) +
    dots(scatter(c, 12, [left, right], [top - 34, 760]), c.shade(c.ink.bloom), 15) +
    dots(scatter(c, 8, [left, right], [top - 30, 770]), c.shade('#f4efe2'), 11) +
    dots(scatter(c, 7, [left, right], [top - 30, 770]), c.shade('#e3b748'), 12);
  const tree = roundTree(c, 130, 660, 360, c.ink.leaf, 0, 1.05);
  return (
    back +
    home +
    foliage(c, hedge, darker(leaf, 0.1), 76) +
    land(c, rolling(c, 640, 8), c.ink.ground) +
    shape(
      'M560 640C520 690 600 720 470 800H760C740 730 620 690 624 640Z',
      c.shade(lighter(c.ink.sand, 0.1)),
    ) +
    tree +
    bench(c, 330, 690) +
    bed(0, 430, 732) +
    bed(800, 1200, 712)
  );
}

function bench(c: Canvas, x: number, y: number): string {
  const wood = c.shade(c.ink.wood);
  return (
    ellipse(x, y + 4, 110, 8, '#1f1d26', 'opacity=".2"') +
    stroke(
      `M${x - 84} ${y}v-40M${x + 84} ${y}v-40M${x - 88} ${y - 40}v-56M${x + 88} ${y - 40}v-56`,
      darker(wood, 0.15),
      9,
    ) +
    stroke(
      `M${x - 96} ${y - 42}h192M${x - 92} ${y - 68}h184M${x - 92} ${y - 90}h184`,
      lighter(wood, 0.15),
      10,
    )
  );
}

function stillGarden(c: Canvas): string {
  const { ink, chance } = c;
  const fence = Array.from({ length: 60 }, (_, at) => `M${at * 20 + 6} 392v150`).join('');
  const straw = c.shade('#a78f5f');
  const gravel = c.shade(lighter(ink.sand, 0.2));
  const raked = Array.from({ length: 11 }, (_, at) => {
    const y = 612 + at * 17;
    return `M0 ${y}Q300 ${y - 12} 600 ${y}T1200 ${y}`;
  }).join('');
  const rings = [120, 90, 62]
    .map((r) =>
      ellipse(
        860,
        694,
        r * 1.5,
        r * 0.4,
        'none',
        `stroke="${darker(gravel, 0.2)}" stroke-width="3" opacity=".6"`,
      ),
    )
    .join('');
  const trees =
    land(c, rolling(c, 400, 90, 5), ink.hill, 0.55) +
    roundTree(c, chance.between(120, 260), 570, 340, ink.leaf, 0.05, 1.2) +
    roundTree(c, chance.between(820, 960), 560, 260, ink.pine, 0.12, 1.2) +
    roundTree(c, 1120, 560, 300, ink.leaf, 0.1);
  return (
    sky(c, 440) +
    trees +
    rect(0, 392, 1200, 160, straw) +
    stroke(fence, darker(straw, 0.2), 3) +
    stroke('M0 416H1200M0 520H1200', darker(straw, 0.4), 10) +
    land(c, rolling(c, 560, 16), ink.ground) +
    rect(0, 600, 1200, 200, gravel) +
    stroke(raked, darker(gravel, 0.14), 3, 'opacity=".6"') +
    rings +
    boulders(c, 2, [840, 890], 690, 88) +
    land(
      c,
      [
        [-20, 660],
        [160, 640],
        [330, 690],
        [420, 760],
        [470, 800],
        [480, 830],
      ],
      ink.ground,
    ) +
    lantern(c, 250, 664) +
    boulders(c, 3, [60, 380], 740, 80) +
    mapleBranch(c)
  );
}

function lantern(c: Canvas, x: number, y: number): string {
  const grey = c.shade(c.ink.rock);
  const lightIn = c.light.lamps ? '#ffdb92' : darker(grey, 0.4);
  const part = (points: Point[]) => polygon(points.map(([px, py]): Point => [x + px, y + py]));
  return (
    shape(
      part([
        [-40, 0],
        [-30, -20],
        [30, -20],
        [40, 0],
      ]),
      grey,
    ) +
    rect(x - 13, y - 104, 26, 88, darker(grey, 0.08)) +
    shape(
      part([
        [-36, -104],
        [-26, -120],
        [26, -120],
        [36, -104],
      ]),
      grey,
    ) +
    rect(x - 24, y - 158, 48, 40, lighter(grey, 0.12)) +
    rect(x - 11, y - 150, 22, 26, lightIn) +
    shape(
      part([
        [-62, -150],
        [-30, -186],
        [30, -186],
        [62, -150],
      ]),
      darker(grey, 0.05),
    ) +
    ellipse(x, y - 194, 12, 14, grey)
  );
}

function steam(c: Canvas, x: number, y: number): string {
  const wisps = [-120, -50, 20, 90]
    .map((at) => {
      const drift = Math.round(c.chance.between(-14, 14));
      return `M${short(x + at)} ${y}c-30 -50 34 -80 ${drift} -140c-22 -44 20 -60 6 -100`;
    })
    .join('');
  return stroke(wisps, '#ffffff', 20, 'stroke-linecap="round" opacity=".22"');
}

function tub(c: Canvas): string {
  return c.scene.region === 'kyoto' ? rockBath(c) : woodenTub(c);
}

function woodenTub(c: Canvas): string {
  const { back } = landscapeOf(c);
  const wood = c.shade(lighter(c.ink.wood, 0.12));
  const x = c.chance.between(540, 660);
  const staves = Array.from({ length: 17 }, (_, at) => `M${short(x - 224 + at * 28)} 586V740`).join(
    '',
  );
  const blue = c.shade('#5fb3b8');
  const surface = c.fall([
    [0, mix(blue, c.light.skyLow, 0.5)],
    [1, blue],
  ]);
  const body = `M${short(x - 240)} 572V720Q${short(x - 236)} 764 ${short(x)} 766T${short(x + 240)} 720V572Z`;
  const trees =
    c.scene.region === 'alpine' || c.scene.region === 'maine'
      ? spruce(c, 90, 640, 420) + spruce(c, 1130, 640, 360)
      : '';
  return (
    back +
    trees +
    boards(c, 612, mix(c.ink.wood, c.ink.sand, 0.3)) +
    ellipse(x + 20, 762, 280, 22, '#1f1d26', 'opacity=".25"') +
    shape(
      body,
      c.across([
        [0, lighter(wood, 0.12)],
        [1, darker(wood, 0.22)],
      ]),
    ) +
    stroke(staves, darker(wood, 0.3), 3, 'opacity=".5"') +
    stroke(
      `M${short(x - 240)} 640Q${short(x)} 690 ${short(x + 240)} 640M${short(x - 238)} 714Q${short(x)} 764 ${short(x + 238)} 714`,
      c.shade('#4b4f54'),
      9,
    ) +
    ellipse(x, 574, 244, 46, darker(wood, 0.12)) +
    ellipse(x, 578, 222, 36, surface) +
    (c.light.lamps
      ? ellipse(
          x,
          560,
          420,
          260,
          c.glow([
            [0, '#ffcf8a', 0.4],
            [1, '#ffcf8a', 0],
          ]),
        ) + lanternsOn(c, x)
      : '') +
    steam(c, x, 560) +
    towels(c, x > 600 ? 170 : 950)
  );
}

function lanternsOn(c: Canvas, x: number): string {
  return [x - 330, x + 330]
    .map(
      (at) =>
        ellipse(
          at,
          720,
          90,
          90,
          c.glow([
            [0, '#ffd98a', 0.8],
            [1, '#ffd98a', 0],
          ]),
        ) + rect(at - 14, 704, 28, 42, '#ffe9b8', 'stroke="#2f3338" stroke-width="5"'),
    )
    .join('');
}

function towels(c: Canvas, x: number): string {
  const cloth = c.shade(c.ink.cloth);
  return (
    rect(x - 8, 700, 110, 14, c.shade(c.ink.wood)) +
    stroke(`M${x + 4} 714v50M${x + 90} 714v50`, c.shade(darker(c.ink.wood, 0.2)), 8) +
    rect(x + 6, 676, 82, 24, c.shade('#f4efe4'), 'rx="9"') +
    rect(x + 10, 652, 74, 24, cloth, 'rx="9"')
  );
}

function rockBath(c: Canvas): string {
  const { back } = landscapeOf(c);
  const blue = c.shade('#6fa7a2');
  const surface = c.fall([
    [0, mix(blue, c.light.skyLow, 0.5)],
    [1, darker(blue, 0.1)],
  ]);
  const rim = Array.from({ length: 15 }, (_, at): Point => {
    const turn = (at / 14) * Math.PI;
    return [600 - Math.cos(turn) * 440, 652 - Math.sin(turn) * 56];
  });
  const grey = c.shade(c.ink.rock);
  const glow = c.glow([
    [0, '#ffdb92', 0.7],
    [1, '#ffdb92', 0],
  ]);
  return (
    back +
    rect(0, 610, 1200, 190, c.shade(darker(c.ink.rock, 0.2))) +
    ellipse(600, 680, 440, 78, surface) +
    dots(rim, darker(grey, 0.1), 64) +
    dots(
      rim.map(([x, y]): Point => [x - 8, y - 12]),
      lighter(grey, 0.16),
      34,
    ) +
    boulders(c, 8, [40, 1160], 800, 130) +
    lantern(c, 170, 640) +
    (c.light.lamps ? ellipse(170, 502, 130, 130, glow) : '') +
    steam(c, 600, 640)
  );
}
