import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { vase } from './furniture.ts';
import { landscapeOf } from './landscapes.ts';
import { dots, scatter } from './nature.ts';
import { outlook, lampGlow, inside } from './room.ts';
import { ellipse, group, placed, rect, shape, short, stroke } from './svg.ts';

/** A room of mats with tea on a low table. */
export function tatami(c: Canvas): string {
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

/** A room of mats with the bedding laid out. */
export function futon(c: Canvas): string {
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
