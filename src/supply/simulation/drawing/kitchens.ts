import type { Canvas } from './canvas.ts';
import { darker, lighter, mix } from './colour.ts';
import { pendants } from './furniture.ts';
import { laid } from './laid-table.ts';
import { outlook, room, inside } from './room.ts';
import { rect, shape, stroke } from './svg.ts';

/** A kitchen with an island. */
export function kitchen(c: Canvas): string {
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
