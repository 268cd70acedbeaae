/** A colour as `#rrggbb`. */
export type Colour = `#${string}`;

function channels(colour: Colour): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The colour that lies `share` (0 to 1) of the way from one colour to another. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const [r, g, b] = channels(from);
  const [R, G, B] = channels(to);
  const blend = (a: number, z: number) => Math.round(a + (z - a) * share);
  const value = (blend(r, R) << 16) | (blend(g, G) << 8) | blend(b, B);
  return `#${value.toString(16).padStart(6, '0')}`;
}

/** A colour with more white in it. */
export function lighter(colour: Colour, share: number): Colour {
  return mix(colour, '#ffffff', share);
}

/** A colour with more of a cool dark in it: shadows are never plain black. */
export function darker(colour: Colour, share: number): Colour {
  return mix(colour, '#1b1e2b', share);
}
