import { bunk, bed, twin } from './bedrooms.ts';
import type { Canvas } from './canvas.ts';
import { type Colour, darker, lighter, mix } from './colour.ts';
import { pendants, tableLamp, plant, picture, rug, vase } from './furniture.ts';
import { fire } from './hearths.ts';
import { kitchen } from './kitchens.ts';
import { laid } from './laid-table.ts';
import { tatami, futon } from './mat-rooms.ts';
import { sunPatch, outlook, room, lampGlow, inside } from './room.ts';
import type { IndoorSubject } from './scene.ts';
import { ellipse, rect, shape, short, stroke } from './svg.ts';

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

function mood(c: Canvas): string {
  const edge = c.glow([
    [0.55, '#2a2430', 0],
    [1, '#2a2430', c.light.lamps ? 0.34 : 0.16],
  ]);
  return rect(0, 0, 1200, 800, edge);
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
