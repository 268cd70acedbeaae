import type { Colour } from './colour.ts';

/** A colour, or a gradient of the drawing (`url(#…)`). */
export type Paint = Colour | `url(#${string})` | 'none';

/** A point of a drawing; the picture is 1200 wide and 800 high. */
export type Point = readonly [x: number, y: number];

/** Whole numbers where nobody sees the difference: they are what makes a drawing small. */
const round = (value: number) =>
  Math.abs(value) >= 50 ? Math.round(value) : Math.round(value * 10) / 10;

/** A rectangle; `extra` is further attributes, written out. */
export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: Paint,
  extra = '',
): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"${gap(extra)}/>`;
}

/** An ellipse, or a circle where both radii are the same. */
export function ellipse(
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: Paint,
  extra = '',
): string {
  if (rx === ry) {
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(rx)}" fill="${fill}"${gap(extra)}/>`;
  }
  return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"${gap(extra)}/>`;
}

/** A filled outline, in path language. */
export function shape(d: string, fill: Paint, extra = ''): string {
  return `<path d="${d}" fill="${fill}"${gap(extra)}/>`;
}

/** A line, in path language. */
export function stroke(d: string, colour: Paint, width: number, extra = ''): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${round(width)}"${gap(extra)}/>`;
}

/** Things that move, grow or fade together. */
export function group(content: string, attributes: string): string {
  return `<g ${attributes}>${content}</g>`;
}

/** A group put at a place, and made larger or smaller. */
export function placed(content: string, x: number, y: number, scale = 1): string {
  return group(
    content,
    `transform="translate(${round(x)} ${round(y)}) scale(${scale.toFixed(3)})"`,
  );
}

/** Straight lines through points, closed. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map(written).join('L')}Z`;
}

/** A soft curve through the middles between points, from the first to the last. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  let d = `M${written(first)}`;
  for (const [at, point] of rest.slice(0, -1).entries()) {
    const next = rest[at + 1] ?? last;
    d += `Q${written(point)} ${round((point[0] + next[0]) / 2)} ${round((point[1] + next[1]) / 2)}`;
  }
  return `${d}L${written(last)}`;
}

/** A number as short as it can be written without being seen. */
export function short(value: number): string {
  return String(round(value));
}

/** Text that may stand in a document. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function written([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function gap(extra: string): string {
  return extra === '' ? '' : ` ${extra}`;
}
