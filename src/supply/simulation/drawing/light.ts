import type { Chance } from './chance.ts';
import type { Colour } from './colour.ts';
import type { Hour } from './scene.ts';

/** The light of an hour: the sky, what hangs in it, and how it colours everything else. */
export interface Light {
  skyTop: Colour;
  skyLow: Colour;
  /** Sun, or moon by night. */
  orb: Colour;
  orbRadius: number;
  orbHeight: number;
  /** Mixed into every colour, by `strength`. */
  tint: Colour;
  strength: number;
  cloud: Colour;
  /** How much of the distance melts into the sky, 0 to 1. */
  haze: number;
  /** Whether lamps are on. */
  lamps: boolean;
  stars: boolean;
}

const hours: Record<Hour, readonly [Light, ...Light[]]> = {
  dawn: [
    light('#9fb9d0', '#f6dcc4', '#fff3dc', 34, 330, '#e9b9a0', 0.14, '#fbe9dc', 0.62),
    light('#a8b4d2', '#f3d3cf', '#fff0e4', 34, 345, '#d9a9b0', 0.15, '#f8e3e0', 0.62),
  ],
  day: [
    light('#7fb0d6', '#dcebf0', '#fffdf0', 38, 150, '#ffffff', 0.04, '#ffffff', 0.5),
    light('#8fb9d4', '#e9eee6', '#fffbe8', 38, 170, '#fff6dd', 0.06, '#fdfcf6', 0.5),
    light('#6fa6cf', '#d3e6ee', '#ffffff', 36, 130, '#ffffff', 0.03, '#ffffff', 0.46),
  ],
  dusk: [
    lit(light('#5d6f9c', '#f6b98a', '#ffe2b0', 44, 372, '#8a5a6e', 0.3, '#eea78c', 0.52)),
    lit(light('#6d6a98', '#f2a88e', '#ffd8b4', 42, 380, '#7a5078', 0.32, '#d9909a', 0.52)),
    lit(light('#4f7896', '#f4cf94', '#fff0c4', 44, 365, '#87684f', 0.28, '#f3c79a', 0.5)),
  ],
  night: [
    dark(light('#16223f', '#41587c', '#f4f1de', 26, 140, '#17233f', 0.66, '#33456a', 0.42)),
    dark(light('#1a2040', '#534f7a', '#f6efdc', 28, 160, '#1b1f40', 0.66, '#3c3d68', 0.42)),
  ],
  mist: [
    light('#b9c6cb', '#e6e7e1', '#f7f5ec', 30, 200, '#ccd2d0', 0.3, '#eceeea', 0.82),
    light('#aebdc6', '#dfe4e4', '#f4f5f0', 30, 210, '#bcc8ca', 0.3, '#e4e9e8', 0.82),
  ],
};

function light(
  skyTop: Colour,
  skyLow: Colour,
  orb: Colour,
  orbRadius: number,
  orbHeight: number,
  tint: Colour,
  strength: number,
  cloud: Colour,
  haze: number,
): Light {
  const off = { lamps: false, stars: false };
  return { skyTop, skyLow, orb, orbRadius, orbHeight, tint, strength, cloud, haze, ...off };
}

function lit(from: Light): Light {
  return { ...from, lamps: true };
}

function dark(from: Light): Light {
  return { ...from, lamps: true, stars: true };
}

/** One of the lights that an hour can have. */
export function lightOf(hour: Hour, chance: Chance): Light {
  return chance.pick(hours[hour]);
}
