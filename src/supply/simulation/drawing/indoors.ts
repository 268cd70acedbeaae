import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { landscapeOf } from './landscapes.ts';
import { dots, scatter } from './nature.ts';
import { laid } from './outdoors.ts';
import type { Building, IndoorSubject } from './scene.ts';
import { ellipse, group, placed, type Point, polygon, rect, shape, short, stroke } from './svg.ts';

/** A picture taken inside. */
export function indoors(c: Canvas, subject: IndoorSubject): string {
  return subjects[subject](c) + mood(c);
}

const subjects: Record<IndoorSubject, (c: Canvas) => string> = {
  bed,
  twin,
  bunk,
  sofa,
  fire,
  kitchen,
  table,
  bath,
  tatami,
  futon,
  desk,
};

/** A colour in the light of the room. */
function inside(c: Canvas, colour: Colour): Colour {
  if (c.light.stars) return mix(mix(colour, '#e8a860', 0.16), '#2a2430', 0.26);
  if (c.light.lamps) return mix(colour, '#e8a46a', 0.16);
  return mix(colour, c.light.tint, c.light.strength * 0.35);
}

function mood(c: Canvas): string {
  const edge = c.glow([
    [0.55, '#2a2430', 0],
    [1, '#2a2430', c.light.lamps ? 0.34 : 0.16],
  ]);
  return rect(0, 0, 1200, 800, edge);
}

function room(c: Canvas, floorAt = 580): string {
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
function outlook(c: Canvas, x: number, y: number, w: number, h: number, curtains = true): string {
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
function sunPatch(c: Canvas, x: number, w: number): string {
  if (c.light.lamps || c.scene.hour === 'mist') return '';
  const points: Point[] = [
    [x, 600],
    [x + w, 600],
    [x + w + 130, 780],
    [x + 70, 780],
  ];
  return shape(polygon(points), '#fff4d8', 'opacity=".28"');
}

function lampGlow(c: Canvas, x: number, y: number, r: number): string {
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

function tableLamp(c: Canvas, x: number, y: number): string {
  const lit = c.light.lamps ? '#ffe7b5' : inside(c, '#f2e8d3');
  const base = inside(c, c.ink.accent);
  return (
    lampGlow(c, x, y - 76, 130) +
    shape(`M${x - 8} ${y - 50}h16q12 30 4 50h-24q-8 -20 4 -50Z`, base) +
    shape(`M${x - 22} ${y - 108}h44l16 58h-76Z`, lit)
  );
}

function nightstand(c: Canvas, x: number, y: number): string {
  const wood = inside(c, c.ink.wood);
  return (
    rect(x - 46, y - 94, 92, 94, wood) +
    rect(x - 52, y - 102, 104, 12, lighter(wood, 0.15)) +
    stroke(`M${x - 40} ${y - 52}h80`, darker(wood, 0.25), 3) +
    ellipse(x, y - 70, 4, 4, '#e2c68a') +
    tableLamp(c, x, y - 102)
  );
}

function picture(c: Canvas, x: number, y: number, w: number, h: number): string {
  const sheet = inside(c, '#f7f2e6');
  const frame = inside(c, darker(c.ink.wood, 0.15));
  const low = y + h * 0.62;
  const motif = c.chance.pick([
    shape(
      `M${x + 14} ${short(low)}q${w * 0.2} ${-h * 0.28} ${w * 0.4} ${-h * 0.04}t${w - 28 - w * 0.4} ${-h * 0.02}V${y + h - 14}H${x + 14}Z`,
      inside(c, c.ink.field),
    ),
    ellipse(x + w / 2, y + h * 0.45, w * 0.2, w * 0.2, inside(c, c.ink.bloom)),
    stroke(
      `M${short(x + w * 0.5)} ${short(y + h * 0.82)}V${short(y + h * 0.3)}M${short(x + w * 0.5)} ${short(y + h * 0.6)}l${short(w * 0.2)} ${short(-h * 0.16)}M${short(x + w * 0.5)} ${short(y + h * 0.7)}l${short(-w * 0.2)} ${short(-h * 0.16)}`,
      inside(c, c.ink.pine),
      5,
    ),
  ]);
  return rect(x, y, w, h, sheet, `stroke="${frame}" stroke-width="9"`) + motif;
}

function rug(c: Canvas, x: number, y: number, rx: number, ry: number): string {
  const cloth = inside(c, mix(c.ink.cloth, c.ink.plaster, 0.45));
  return (
    ellipse(x, y, rx, ry, cloth) +
    ellipse(x, y, rx * 0.86, ry * 0.8, 'none', `stroke="${lighter(cloth, 0.4)}" stroke-width="6"`)
  );
}

function plant(c: Canvas, x: number, y: number, size: number): string {
  const leaf = inside(c, c.ink.pine);
  let d = '';
  for (let at = -3; at <= 3; at += 1) {
    const reach = at * 26 * size;
    const tall = (190 - Math.abs(at) * 26) * size;
    d += `M${x} ${short(y - 60 * size)}Q${short(x + reach * 0.3)} ${short(y - tall)} ${short(x + reach)} ${short(y - tall - 20 * size)}Q${short(x + reach * 0.9)} ${short(y - tall * 0.6)} ${x} ${short(y - 60 * size)}Z`;
  }
  const pot = `M${short(x - 36 * size)} ${short(y - 66 * size)}h${short(72 * size)}l${short(-10 * size)} ${short(66 * size)}h${short(-52 * size)}Z`;
  return (
    shape(d, leaf) +
    shape(d, lighter(leaf, 0.2), 'opacity=".25"') +
    shape(pot, inside(c, mix(c.ink.roof, c.ink.sand, 0.4)))
  );
}

function headboard(c: Canvas, x: number, w: number, y: number): string {
  const style = c.taste('headboard').pick(['wood', 'cloth', 'bars']);
  if (style === 'bars') {
    const iron = inside(c, '#3d4044');
    const bars = Array.from(
      { length: 7 },
      (_, at) => `M${short(x + (w * (at + 0.5)) / 7)} ${y}v170`,
    ).join('');
    return stroke(
      `M${x} ${y + 180}V${y + 10}Q${short(x + w / 2)} ${y - 50} ${x + w} ${y + 10}v170${bars}`,
      iron,
      9,
    );
  }
  const paint = inside(c, style === 'wood' ? c.ink.wood : mix(c.ink.cloth, c.ink.plaster, 0.35));
  const seams = [0.25, 0.5, 0.75].map((part) => `M${short(x + w * part)} ${y + 6}v150`).join('');
  return rect(x, y, w, 180, paint, 'rx="16"') + stroke(seams, darker(paint, 0.16), 4);
}

function bedAt(c: Canvas, x: number, w: number): string {
  const linen = inside(c, '#f8f4ea');
  const cloth = inside(c, c.ink.cloth);
  const flare = w * 0.09;
  const pillowW = w > 300 ? w * 0.42 : w * 0.7;
  const pillows = w > 300 ? [x + w * 0.05, x + w * 0.53] : [x + w * 0.15];
  const duvet = `M${short(x)} 530Q${short(x + w / 2)} 506 ${short(x + w)} 530L${short(x + w + flare)} 724Q${short(x + w / 2)} 756 ${short(x - flare)} 724Z`;
  const band = `M${short(x - flare * 0.5)} 634Q${short(x + w / 2)} 608 ${short(x + w + flare * 0.5)} 634L${short(x + w + flare)} 720Q${short(x + w / 2)} 746 ${short(x - flare)} 720Z`;
  const stripe = `M${short(x - flare * 0.6)} 654Q${short(x + w / 2)} 628 ${short(x + w + flare * 0.6)} 654`;
  return (
    ellipse(x + w / 2, 752, w * 0.62, 16, '#1f1d26', 'opacity=".22"') +
    headboard(c, x - 16, w + 32, 378) +
    rect(x, 500, w, 60, darker(linen, 0.06)) +
    pillows
      .map(
        (left) =>
          rect(left, 462, pillowW, 78, linen, 'rx="30"') +
          stroke(
            `M${short(left + 20)} 530h${short(pillowW - 40)}`,
            darker(linen, 0.1),
            4,
            'stroke-linecap="round"',
          ),
      )
      .join('') +
    (w > 300 ? rect(x + w / 2 - 52, 486, 104, 62, lighter(cloth, 0.2), 'rx="24"') : '') +
    shape(
      duvet,
      c.fall([
        [0, lighter(linen, 0.4)],
        [1, darker(linen, 0.1)],
      ]),
    ) +
    shape(band, cloth) +
    stroke(stripe, lighter(cloth, 0.35), 6) +
    stroke(`M${short(x)} 548Q${short(x + w / 2)} 524 ${short(x + w)} 548`, darker(linen, 0.14), 4)
  );
}

function bed(c: Canvas): string {
  return c.chance.often(0.35) ? bedUnderWindow(c) : bedBesideWindow(c);
}

function bedUnderWindow(c: Canvas): string {
  return (
    room(c) +
    outlook(c, 330, 90, 540, 270, false) +
    picture(c, 90, 150, 130, 160) +
    picture(c, 980, 150, 130, 160) +
    rug(c, 600, 738, 500, 54) +
    nightstand(c, 300, 640) +
    nightstand(c, 900, 640) +
    bedAt(c, 400, 400) +
    (c.chance.often(0.5) ? plant(c, 110, 700, 1.1) : placed(armchair(c, 0), 1090, 100, 0.84))
  );
}

function bedBesideWindow(c: Canvas): string {
  const right = c.chance.often(0.5);
  const x = right ? 640 : 180;
  const windowX = right ? 120 : 700;
  return (
    room(c) +
    outlook(c, windowX, 120, 370, 330) +
    sunPatch(c, windowX, 370) +
    picture(c, x + 110, 130, 170, 200) +
    rug(c, 600, 730, 520, 60) +
    nightstand(c, x - 76, 640) +
    nightstand(c, x + 456, 640) +
    bedAt(c, x, 380) +
    beside(c, right ? 250 : 950)
  );
}

/** What stands on the free side of a bedroom. */
function beside(c: Canvas, x: number): string {
  const choice = c.chance.pick(['plant', 'bench', 'chair', 'plant']);
  if (choice === 'plant') return plant(c, x, 690, 1.25);
  if (choice === 'chair') return placed(armchair(c, 0), x, 90, 0.86);
  const wood = inside(c, c.ink.wood);
  return (
    stroke(`M${x - 120} 660v56M${x + 120} 660v56`, darker(wood, 0.2), 12) +
    rect(x - 150, 644, 300, 20, wood, 'rx="6"') +
    rect(x - 110, 622, 130, 22, inside(c, c.ink.cloth), 'rx="9"') +
    rect(x - 100, 602, 110, 22, inside(c, '#f4efe4'), 'rx="9"')
  );
}

function twin(c: Canvas): string {
  return (
    room(c) +
    outlook(c, 450, 110, 300, 300) +
    rug(c, 600, 740, 420, 50) +
    nightstand(c, 600, 640) +
    bedAt(c, 150, 270) +
    bedAt(c, 780, 270)
  );
}

function bunk(c: Canvas): string {
  const wood = inside(c, lighter(c.ink.wood, 0.1));
  const linen = inside(c, '#f8f4ea');
  const cloth = inside(c, c.ink.cloth);
  const berth = (y: number) =>
    rect(150, y - 52, 440, 58, linen, 'rx="16"') +
    rect(166, y - 86, 120, 54, lighter(linen, 0.4), 'rx="22"') +
    rect(300, y - 60, 290, 64, cloth, 'rx="16"') +
    stroke(`M316 ${y - 44}H580M316 ${y - 26}H580`, lighter(cloth, 0.35), 5) +
    rect(140, y, 460, 34, wood);
  const rungs = [320, 380, 440, 500, 560, 620].map((y) => `M508 ${y}h62`).join('');
  return (
    room(c) +
    outlook(c, 740, 130, 330, 310) +
    sunPatch(c, 740, 330) +
    rug(c, 860, 715, 250, 46) +
    berth(360) +
    berth(610) +
    rect(140, 300, 460, 16, wood) +
    stroke('M146 210V720M594 210V720', darker(wood, 0.12), 20, 'stroke-linecap="round"') +
    stroke(`M508 280V700M570 280V700${rungs}`, darker(wood, 0.25), 10) +
    lampGlow(c, 200, 480, 130) +
    nightstand(c, 1010, 640) +
    toyChest(c)
  );
}

function toyChest(c: Canvas): string {
  const wood = inside(c, c.ink.accent);
  return (
    rect(720, 560, 170, 90, wood, 'rx="6"') +
    rect(712, 548, 186, 18, lighter(wood, 0.15), 'rx="6"') +
    dots([[805, 606]], '#e2c68a', 12)
  );
}

function sofa(c: Canvas): string {
  const cloth = inside(c, c.ink.cloth);
  const right = c.chance.often(0.5);
  const x = right ? 470 : 210;
  const cushion = (at: number, colour: Colour) =>
    rect(at, 520, 92, 84, inside(c, colour), 'rx="20"');
  return (
    room(c) +
    outlook(c, right ? 130 : 640, 110, 430, 320) +
    picture(c, right ? 760 : 240, 170, 150, 190) +
    picture(c, right ? 940 : 420, 200, 120, 150) +
    rug(c, 600, 730, 500, 58) +
    floorLamp(c, right ? 1110 : 110) +
    ellipse(x + 260, 716, 330, 16, '#1f1d26', 'opacity=".22"') +
    rect(x - 10, 486, 540, 150, darker(cloth, 0.1), 'rx="34"') +
    rect(x - 40, 560, 90, 140, cloth, 'rx="30"') +
    rect(x + 470, 560, 90, 140, cloth, 'rx="30"') +
    rect(x + 34, 596, 226, 92, lighter(cloth, 0.1), 'rx="18"') +
    rect(x + 264, 596, 222, 92, lighter(cloth, 0.06), 'rx="18"') +
    cushion(x + 52, c.ink.bloom) +
    cushion(x + 376, c.ink.sand) +
    coffeeTable(c, x + 250) +
    plant(c, right ? 90 : 1100, 700, 1.1)
  );
}

function coffeeTable(c: Canvas, x: number): string {
  const wood = inside(c, lighter(c.ink.wood, 0.1));
  return (
    stroke(`M${x - 110} 738v46M${x + 110} 738v46`, darker(wood, 0.3), 11) +
    rect(x - 150, 722, 300, 18, wood, 'rx="8"') +
    rect(x - 92, 702, 96, 10, inside(c, c.ink.accent)) +
    rect(x - 86, 712, 104, 10, inside(c, c.ink.sand)) +
    shape(`M${x + 54} 694h44v20q-22 16 -44 0Z`, inside(c, '#f4efe4'))
  );
}

function floorLamp(c: Canvas, x: number): string {
  const lit = c.light.lamps ? '#ffe7b5' : inside(c, '#f2e8d3');
  return (
    stroke(`M${x} 330V690M${x - 36} 692h72`, inside(c, '#3d4044'), 7, 'stroke-linecap="round"') +
    lampGlow(c, x, 300, 190) +
    shape(`M${x - 40} 250h80l26 90h-132Z`, lit)
  );
}

function fire(c: Canvas): string {
  const right = c.chance.often(0.5);
  const x = right ? 780 : 400;
  const hearth = ['atlantic', 'cape', 'maine'].includes(c.scene.region)
    ? fireplace(c, x)
    : stove(c, x);
  return (
    room(c) +
    outlook(c, right ? 140 : 720, 130, 340, 310) +
    rug(c, 600, 728, 480, 56) +
    hearth +
    armchair(c, right ? 330 : 850) +
    logs(c, right ? 1080 : 110)
  );
}

function flames(x: number, y: number, size: number): string {
  const tongue = (w: number, h: number) =>
    `M${short(x - w)} ${y}Q${short(x - w * 1.1)} ${short(y - h * 0.5)} ${short(x - w * 0.2)} ${short(y - h)}Q${short(x)} ${short(y - h * 0.6)} ${short(x + w * 0.35)} ${short(y - h * 0.78)}Q${short(x + w * 1.2)} ${short(y - h * 0.4)} ${short(x + w)} ${y}Z`;
  return (
    shape(tongue(44 * size, 92 * size), '#e8772e') +
    shape(tongue(28 * size, 62 * size), '#f7b045') +
    shape(tongue(14 * size, 36 * size), '#fff0b8')
  );
}

function warmth(c: Canvas, x: number, y: number): string {
  return ellipse(
    x,
    y,
    260,
    200,
    c.glow([
      [0, '#ffb35c', 0.45],
      [1, '#ffb35c', 0],
    ]),
  );
}

function stove(c: Canvas, x: number): string {
  const iron = inside(c, '#34373c');
  const tiles = inside(c, c.ink.rock);
  return (
    rect(x - 150, 250, 300, 330, darker(tiles, 0.04)) +
    stroke(
      `M${x - 150} 332h300M${x - 150} 414h300M${x - 150} 496h300M${x - 50} 250v330M${x + 50} 250v330`,
      darker(tiles, 0.16),
      3,
    ) +
    rect(x - 176, 636, 352, 22, darker(tiles, 0.22)) +
    rect(x - 15, 0, 30, 400, iron) +
    rect(x - 96, 392, 192, 226, iron, 'rx="10"') +
    rect(x - 106, 382, 212, 18, lighter(iron, 0.12), 'rx="6"') +
    rect(x - 74, 428, 148, 130, '#2a1c18', 'rx="8"') +
    flames(x, 552, 1.05) +
    stroke(`M${x - 74} 618v24M${x + 74} 618v24`, iron, 14) +
    warmth(c, x, 520)
  );
}

function fireplace(c: Canvas, x: number): string {
  const stoneWork = inside(c, mix(c.ink.rock, c.ink.plaster, 0.35));
  const mantel = inside(c, c.ink.wood);
  const joints = `M${x - 180} 420h70M${x + 110} 420h70M${x - 180} 490h70M${x + 110} 490h70M${x - 180} 560h70M${x + 110} 560h70M${x - 180} 350h360M${x - 60} 300v50M${x + 60} 300v50`;
  return (
    rect(x - 140, 0, 280, 290, lighter(stoneWork, 0.12)) +
    rect(x - 180, 280, 360, 330, stoneWork) +
    stroke(joints, darker(stoneWork, 0.2), 4, 'opacity=".6"') +
    shape(`M${x - 110} 610V430Q${x} 330 ${x + 110} 430V610Z`, '#2a1c18') +
    stroke(`M${x - 60} 600l120 -14M${x - 56} 584l112 18`, '#5b3a26', 16, 'stroke-linecap="round"') +
    flames(x, 590, 1.3) +
    rect(x - 206, 262, 412, 26, mantel) +
    rect(x - 206, 606, 412, 26, darker(stoneWork, 0.2)) +
    picture(c, x - 70, 90, 140, 130) +
    dots(
      [
        [x - 160, 244],
        [x + 158, 240],
      ],
      inside(c, c.ink.accent),
      34,
    ) +
    warmth(c, x, 540)
  );
}

function armchair(c: Canvas, x: number): string {
  const cloth = inside(c, c.ink.cloth);
  return (
    ellipse(x, 726, 170, 14, '#1f1d26', 'opacity=".22"') +
    rect(x - 110, 440, 220, 220, darker(cloth, 0.08), 'rx="46"') +
    rect(x - 146, 556, 76, 146, cloth, 'rx="30"') +
    rect(x + 70, 556, 76, 146, cloth, 'rx="30"') +
    rect(x - 78, 596, 156, 92, lighter(cloth, 0.12), 'rx="18"') +
    rect(x - 52, 512, 104, 86, inside(c, mix(c.ink.sand, c.ink.bloom, 0.2)), 'rx="20"') +
    stroke(`M${x - 96} 700v26M${x + 96} 700v26`, inside(c, darker(c.ink.wood, 0.2)), 13)
  );
}

function logs(c: Canvas, x: number): string {
  const bark = inside(c, '#8a6142');
  const ends: Point[] = [
    [x - 40, 664],
    [x, 664],
    [x + 40, 664],
    [x - 20, 630],
    [x + 20, 630],
    [x, 596],
  ];
  return (
    dots(ends, darker(bark, 0.25), 40) +
    dots(ends, lighter(bark, 0.38), 31) +
    dots(ends, lighter(bark, 0.15), 12)
  );
}

function kitchen(c: Canvas): string {
  const cabinet = inside(
    c,
    mix(c.ink.accent, c.ink.plaster, c.taste('cabinet').pick([0.2, 0.45, 0.7])),
  );
  const top = inside(c, c.taste('worktop').pick(['#e9e4da', '#b58a5f', '#8f9294']));
  const outlines = [0, 1, 2, 3, 4, 5, 6]
    .map((at) => `M${24 + at * 168} 474h150v146h-150Z`)
    .join('');
  const doors =
    stroke(outlines, darker(cabinet, 0.2), 4) +
    stroke('M88 491H1200', '#d8bd84', 6, 'stroke-dasharray="22 146"');
  const right = c.chance.often(0.5);
  return (
    room(c, 640) +
    outlook(c, right ? 180 : 640, 110, 380, 230, false) +
    shelves(c, right ? 720 : 150) +
    splash(c) +
    rect(0, 456, 1200, 190, cabinet) +
    doors +
    rect(0, 430, 1200, 30, top) +
    sink(c, right ? 370 : 830) +
    hob(c, right ? 870 : 300) +
    pendants(c, [420, 780]) +
    island(c)
  );
}

function splash(c: Canvas): string {
  const tile = inside(c, lighter(c.ink.wall, 0.2));
  const ink = darker(tile, 0.1);
  const joints = stroke('M30 400H1200', ink, 62, 'stroke-dasharray="2 58"');
  return rect(0, 366, 1200, 66, tile) + joints + stroke('M0 398H1200', ink, 2);
}

function shelves(c: Canvas, x: number): string {
  const wood = inside(c, c.ink.wood);
  const things = (y: number) =>
    [0, 1, 2, 3, 4]
      .map((at) => {
        const left = x + 14 + at * 62;
        const colour = inside(
          c,
          c.chance.pick([c.ink.accent, c.ink.sand, c.ink.bloom, '#f4efe4', c.ink.roof]),
        );
        const tall = Math.round(c.chance.between(28, 62));
        return c.chance.often(0.5)
          ? rect(left, y - tall, 34, tall, colour, 'rx="6"')
          : shape(`M${left} ${y - 26}h46q-4 26 -23 26t-23 -26Z`, colour);
      })
      .join('');
  return things(190) + rect(x, 190, 330, 14, wood) + things(310) + rect(x, 310, 330, 14, wood);
}

function sink(c: Canvas, x: number): string {
  const brass = inside(c, '#c9a45c');
  return (
    stroke(`M${x} 430v-54q0 -30 30 -30t30 26`, brass, 9, 'stroke-linecap="round"') +
    stroke(`M${x - 26} 430v-16M${x - 34} 412h16`, brass, 7)
  );
}

function hob(c: Canvas, x: number): string {
  const iron = inside(c, '#3a3d42');
  return (
    rect(x - 90, 470, 180, 150, iron, 'rx="4"') +
    rect(x - 66, 512, 132, 84, darker(iron, 0.4), 'rx="6"') +
    stroke(`M${x - 70} 494h140`, '#c8c9c8', 6) +
    rect(x - 64, 384, 86, 46, inside(c, c.ink.roof), 'rx="8"') +
    stroke(`M${x - 76} 400h110`, inside(c, c.ink.roof), 8) +
    stroke(`M${x + 40} 414h44`, iron, 10)
  );
}

function pendants(c: Canvas, places: readonly number[]): string {
  const shade = inside(c, c.ink.accent);
  return places
    .map(
      (x) =>
        stroke(`M${x} 0v150`, '#3a3430', 3) +
        lampGlow(c, x, 200, 150) +
        shape(`M${x - 16} 148h32l34 52h-100Z`, shade) +
        ellipse(x, 202, 24, 9, c.light.lamps ? '#fff0c4' : '#efe6d0'),
    )
    .join('');
}

function island(c: Canvas): string {
  const wood = inside(c, lighter(c.ink.wood, 0.22));
  const stool = (x: number) =>
    rect(x - 40, 676, 80, 16, inside(c, c.ink.wood), 'rx="8"') +
    stroke(
      `M${x - 28} 692l-12 108M${x + 28} 692l12 108M${x - 34} 752h68`,
      inside(c, darker(c.ink.wood, 0.25)),
      8,
    );
  return (
    rect(230, 636, 740, 26, wood, 'rx="5"') +
    rect(256, 662, 688, 138, darker(wood, 0.2)) +
    stool(380) +
    stool(600) +
    stool(820) +
    laid(c, 600, 636)
  );
}

function table(c: Canvas): string {
  const wood = inside(c, lighter(c.ink.wood, 0.12));
  const dark = darker(wood, 0.32);
  const chair = (x: number) =>
    rect(x - 44, 498, 88, 110, 'none', `stroke="${dark}" stroke-width="10" rx="18"`) +
    stroke(`M${x} 500v104`, dark, 7) +
    stroke(`M${x - 44} 600V760M${x + 44} 600V760`, dark, 10);
  return (
    room(c) +
    outlook(c, 250, 90, 700, 370) +
    sunPatch(c, 330, 520) +
    rug(c, 600, 748, 540, 46) +
    chair(360) +
    chair(520) +
    chair(680) +
    chair(840) +
    ellipse(600, 772, 420, 16, '#1f1d26', 'opacity=".22"') +
    stroke('M330 640L306 772M870 640L894 772', dark, 18) +
    rect(240, 616, 720, 28, wood, 'rx="6"') +
    laid(c, 600, 616) +
    vase(c, 450, 616) +
    pendants(c, [600])
  );
}

function vase(c: Canvas, x: number, y: number): string {
  const stems = scatter(c, 7, [x - 46, x + 46], [y - 150, y - 96]);
  const d = stems.map(([sx, sy]) => `M${x} ${y - 50}L${sx} ${sy}`).join('');
  return (
    stroke(d, inside(c, c.ink.pine), 4) +
    dots(stems, inside(c, c.ink.bloom), 24) +
    dots(stems.slice(0, 3), inside(c, '#f6efe0'), 20) +
    shape(
      `M${x - 18} ${y - 56}h36q14 30 2 56h-40q-12 -26 2 -56Z`,
      inside(c, lighter(c.ink.accent, 0.25)),
    )
  );
}

function bath(c: Canvas): string {
  const tile = inside(c, mix(c.ink.accent, '#f4f1ea', 0.62));
  const white = inside(c, '#fbf8f1');
  const x = c.chance.between(300, 420);
  const joints = Array.from({ length: 15 }, (_, at) => `M${at * 86} 430v132`).join('');
  const body = `M${short(x)} 520H${short(x + 560)}Q${short(x + 548)} 690 ${short(x + 440)} 704H${short(x + 120)}Q${short(x + 14)} 690 ${short(x)} 520Z`;
  return (
    room(c) +
    rect(0, 430, 1200, 134, tile) +
    stroke(`${joints}M0 474H1200M0 518H1200`, lighter(tile, 0.35), 3) +
    outlook(c, 380, 90, 440, 290, false) +
    ellipse(x + 280, 716, 320, 16, '#1f1d26', 'opacity=".25"') +
    shape(
      body,
      c.fall([
        [0, white],
        [1, darker(white, 0.16)],
      ]),
    ) +
    rect(x - 22, 506, 604, 26, lighter(white, 0.4), 'rx="13"') +
    stroke(
      `M${short(x + 90)} 704v22M${short(x + 470)} 704v22`,
      inside(c, '#c9a45c'),
      14,
      'stroke-linecap="round"',
    ) +
    stroke(
      `M${short(x + 600)} 720V430q0 -34 -34 -34t-34 30`,
      inside(c, '#c9a45c'),
      10,
      'stroke-linecap="round"',
    ) +
    towelStool(c, 150) +
    plant(c, 1090, 700, 1.2)
  );
}

function towelStool(c: Canvas, x: number): string {
  const wood = inside(c, c.ink.wood);
  return (
    stroke(`M${x - 40} 630l-12 96M${x + 40} 630l12 96`, darker(wood, 0.2), 11) +
    rect(x - 64, 616, 128, 18, wood, 'rx="8"') +
    rect(x - 48, 590, 96, 26, inside(c, c.ink.cloth), 'rx="10"') +
    rect(x - 44, 566, 88, 26, inside(c, '#f6f1e6'), 'rx="10"')
  );
}

function mats(c: Canvas): string {
  const straw = inside(c, c.ink.floor);
  const edge = inside(c, c.ink.pine);
  const paint = c.fall([
    [0, darker(straw, 0.12)],
    [1, lighter(straw, 0.08)],
  ]);
  const borders =
    'M0 640H1200M0 724H1200M250 580L60 800M600 580V640M420 640L380 724M820 640L880 724M950 580L1140 800M600 724V800';
  return rect(0, 580, 1200, 220, paint) + stroke(borders, edge, 9, 'opacity=".75"');
}

function screens(c: Canvas, x: number, w: number): string {
  const sheet = c.light.lamps ? mix('#f7e3b8', '#ffffff', 0.2) : inside(c, '#f7f3e6');
  const wood = inside(c, c.ink.wood);
  const grid =
    [1, 2, 3].map((at) => `M${short(x + (w * at) / 4)} 96v470`).join('') +
    [1, 2, 3, 4].map((at) => `M${x} ${96 + at * 94}h${w}`).join('');
  return (
    rect(x, 96, w, 470, sheet) +
    stroke(grid, wood, 4) +
    rect(x, 96, w, 484, 'none', `stroke="${wood}" stroke-width="12"`)
  );
}

function japaneseRoom(c: Canvas): string {
  const wall = inside(c, c.ink.plaster);
  const wood = inside(c, darker(c.ink.wood, 0.05));
  const layout = c.taste('mats').pick([openWall, roundWindow, alcove]);
  const paint = c.fall([
    [0, darker(wall, 0.08)],
    [1, lighter(wall, 0.12)],
  ]);
  return (
    rect(0, 0, 1200, 600, paint) +
    layout(c, wood) +
    rect(0, 66, 1200, 26, wood) +
    rect(0, 566, 1200, 20, darker(wood, 0.12)) +
    mats(c)
  );
}

function openWall(c: Canvas): string {
  return outlook(c, 330, 100, 540, 460, false) + screens(c, 70, 250) + screens(c, 880, 250);
}

function roundWindow(c: Canvas, wood: Colour): string {
  const seen = placed(landscapeOf(c).back, 250, 70, 0.58);
  const disc = 'M600 130a190 190 0 1 1 -1 0Z';
  return (
    group(seen, c.cut(disc)) +
    shape(disc, 'none', `stroke="${wood}" stroke-width="13"`) +
    stroke('M600 130v380M410 320h380', wood, 4) +
    screens(c, 40, 220) +
    screens(c, 940, 220)
  );
}

function alcove(c: Canvas, wood: Colour): string {
  const back = inside(c, darker(c.ink.plaster, 0.1));
  const scroll = inside(c, '#f4efe2');
  const ink = inside(c, '#4a4a48');
  return (
    outlook(c, 90, 100, 470, 460, false) +
    rect(800, 92, 330, 480, back) +
    rect(800, 520, 330, 52, lighter(wood, 0.12)) +
    rect(776, 92, 26, 480, wood) +
    rect(900, 130, 120, 290, scroll, `stroke="${inside(c, c.ink.accent)}" stroke-width="9"`) +
    stroke('M888 130h144M888 420h144', wood, 10, 'stroke-linecap="round"') +
    stroke('M960 180q-26 40 4 70t-10 90', ink, 9, 'stroke-linecap="round" opacity=".8"') +
    placed(vase(c, 0, 0), 1070, 520, 0.62) +
    screens(c, 580, 180)
  );
}

function tatami(c: Canvas): string {
  const wood = inside(c, c.ink.wood);
  const cushion = (x: number, y: number) =>
    ellipse(x, y, 100, 24, inside(c, c.ink.cloth)) +
    ellipse(x, y - 6, 92, 20, inside(c, lighter(c.ink.cloth, 0.2)));
  return (
    japaneseRoom(c) +
    cushion(340, 726) +
    cushion(860, 726) +
    ellipse(600, 764, 260, 14, '#1f1d26', 'opacity=".22"') +
    stroke('M430 690v70M770 690v70', darker(wood, 0.2), 16) +
    rect(390, 672, 420, 22, wood, 'rx="5"') +
    teaThings(c, 600, 672) +
    paperLamp(c, 1030, 700)
  );
}

function teaThings(c: Canvas, x: number, y: number): string {
  const clay = inside(c, c.ink.accent);
  const cup = (at: number) => shape(`M${at - 17} ${y - 28}h34l-5 28h-24Z`, inside(c, '#efe8d8'));
  return (
    rect(x - 110, y - 6, 220, 7, inside(c, darker(c.ink.wood, 0.35))) +
    ellipse(x - 10, y - 34, 36, 28, clay) +
    stroke(
      `M${x + 22} ${y - 36}l26 -16M${x - 34} ${y - 60}q24 -34 48 0`,
      clay,
      7,
      'stroke-linecap="round"',
    ) +
    cup(x + 80) +
    cup(x - 84)
  );
}

function paperLamp(c: Canvas, x: number, y: number): string {
  const sheet = c.light.lamps ? '#ffe6b0' : inside(c, '#f6f0e0');
  return (
    lampGlow(c, x, y - 70, 170) +
    rect(x - 38, y - 130, 76, 126, sheet, 'rx="8"') +
    stroke(
      `M${x - 38} ${y - 92}h76M${x - 38} ${y - 50}h76M${x - 30} ${y}h60`,
      inside(c, c.ink.wood),
      5,
    )
  );
}

function futon(c: Canvas): string {
  const linen = inside(c, '#f9f5ec');
  const one = (x: number, colour: Colour) => {
    const paint = inside(c, colour);
    return (
      shape(`M${x + 24} 612H${x + 286}L${x + 316} 770H${x - 8}Z`, darker(linen, 0.08)) +
      shape(`M${x + 14} 664H${x + 296}L${x + 324} 784Q${x + 154} 798 ${x - 16} 784Z`, paint) +
      shape(`M${x + 14} 664H${x + 296}L${x + 300} 686H${x + 10}Z`, lighter(linen, 0.4)) +
      dots(scatter(c, 9, [x + 30, x + 290], [704, 776]), lighter(paint, 0.35), 15) +
      rect(x + 92, 606, 126, 46, linen, 'rx="20"')
    );
  };
  return (
    japaneseRoom(c) +
    one(250, c.ink.cloth) +
    one(640, mix(c.ink.cloth, c.ink.bloom, 0.4)) +
    paperLamp(c, 1080, 690)
  );
}

function desk(c: Canvas): string {
  const wood = inside(c, lighter(c.ink.wood, 0.12));
  const right = c.chance.often(0.5);
  const books = (x: number, y: number) =>
    Array.from({ length: 9 }, (_, at) => {
      const tall = Math.round(c.chance.between(52, 84));
      const colour = inside(
        c,
        c.chance.pick([c.ink.accent, c.ink.cloth, c.ink.sand, c.ink.roof, c.ink.pine]),
      );
      return rect(x + at * 23, y - tall, 19, tall, colour);
    }).join('');
  const shelf = right ? 840 : 130;
  return (
    room(c) +
    outlook(c, right ? 240 : 480, 90, 500, 360) +
    [200, 330].map((y) => books(shelf + 10, y) + rect(shelf, y, 236, 13, wood)).join('') +
    rug(c, 600, 752, 420, 40) +
    stroke('M300 592L280 770M900 592L920 770', darker(wood, 0.25), 15) +
    rect(260, 570, 680, 24, wood, 'rx="4"') +
    rect(640, 594, 220, 66, darker(wood, 0.12)) +
    tableLamp(c, 350, 570) +
    rect(470, 560, 150, 9, inside(c, '#f8f4ea')) +
    vase(c, 820, 570) +
    rect(520, 560, 140, 130, inside(c, c.ink.cloth), 'rx="30"') +
    stroke('M540 690L520 780M640 690L660 780', darker(wood, 0.35), 12)
  );
}
