import type { Canvas } from './canvas.ts';
import { darker, lighter, mix } from './colour.ts';
import { picture, armchair, rug } from './furniture.ts';
import { dots } from './nature.ts';
import { outlook, room, inside } from './room.ts';
import { ellipse, type Point, rect, shape, short, stroke } from './svg.ts';

/** A chair by the fire. */
export function fire(c: Canvas): string {
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
