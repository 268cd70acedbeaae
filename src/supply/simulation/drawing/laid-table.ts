import type { Canvas } from './canvas.ts';
import { lighter, mix } from './colour.ts';
import { dots } from './nature.ts';
import { ellipse, type Point, rect, shape, short } from './svg.ts';

/** What stands on a laid table whose top is at a height. */
export function laid(c: Canvas, x: number, y: number): string {
  const glass = lighter(c.light.skyLow, 0.4);
  const cups = [-140, 130]
    .map((at) => {
      const left = x + at;
      return (
        ellipse(left, y - 3, 36, 6, '#f6f1e6') +
        shape(
          `M${short(left + 44)} ${y - 46}h24l-4 26q-8 8 -16 0ZM${short(left + 54)} ${y - 18}h4v14h-4Z`,
          glass,
          'opacity=".75"',
        )
      );
    })
    .join('');
  const fruit: Point[] = [
    [x - 20, y - 34],
    [x + 2, y - 40],
    [x + 20, y - 33],
  ];
  const lamp = c.light.lamps
    ? ellipse(
        x + 76,
        y - 30,
        54,
        54,
        c.glow([
          [0, '#ffd98a', 0.8],
          [1, '#ffd98a', 0],
        ]),
      ) + rect(x + 68, y - 34, 16, 34, '#fff0c9')
    : '';
  return (
    cups +
    dots(fruit, mix('#d9823b', c.ink.bloom, 0.25), 24) +
    shape(`M${short(x - 46)} ${y - 30}h92q-6 30 -46 30t-46 -30Z`, c.shade(c.ink.accent)) +
    lamp
  );
}
