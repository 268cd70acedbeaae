import { type Chance, chanceOf } from './chance.ts';
import { type Colour, mix } from './colour.ts';
import { type Light, lightOf } from './light.ts';
import { type Palette, paletteOf } from './palette.ts';
import type { Scene } from './scene.ts';
import { escaped, type Paint } from './svg.ts';

/** A stop of a gradient: where (0 to 1), which colour, how solid. */
export type Stop = readonly [offset: number, colour: Colour, opacity?: number];

/** What everything in one drawing shares: its choices, its light, its colours and its gradients. */
export interface Canvas {
  readonly scene: Scene;
  readonly chance: Chance;
  /** Choices about one thing that are the same in every picture of the home. */
  taste(topic: string): Chance;
  readonly light: Light;
  readonly ink: Palette;
  /** A colour in the present light, `distance` (0 near, 1 at the horizon) away. */
  shade(colour: Colour, distance?: number): Colour;
  /** A gradient from top to bottom. */
  fall(stops: readonly Stop[]): Paint;
  /** A gradient from left to right. */
  across(stops: readonly Stop[]): Paint;
  /** A gradient from the middle outwards. */
  glow(stops: readonly Stop[]): Paint;
  /** A part of the drawing through which something else is seen; returns the attribute to use. */
  cut(path: string): string;
  /** The whole document around the content. */
  document(content: string): string;
}

/** An empty canvas for a scene. */
export function canvasFor(scene: Scene): Canvas {
  const chance = chanceOf(scene.key);
  const light = lightOf(scene.hour, chance);
  const defs = new Definitions();
  return {
    scene,
    chance,
    taste: (topic) => chanceOf(`${scene.home} ${topic}`),
    light,
    ink: paletteOf(scene.region, chanceOf(scene.home)),
    shade: (colour, distance = 0) =>
      mix(mix(colour, light.tint, light.strength), light.skyLow, distance * light.haze),
    fall: (stops) => defs.gradient('linearGradient', ' x2="0" y2="1"', stops),
    across: (stops) => defs.gradient('linearGradient', '', stops),
    glow: (stops) => defs.gradient('radialGradient', '', stops),
    cut: (path) => defs.clip(path),
    document: (content) => documentOf(scene.title, defs.written(), content),
  };
}

/** Gradients and clips, numbered in the order in which they were asked for. */
class Definitions {
  readonly #known = new Map<string, string>();

  gradient(element: string, direction: string, stops: readonly Stop[]): Paint {
    const inner = stops
      .map(([offset, colour, opacity]) => {
        const solid = opacity === undefined ? '' : ` stop-opacity="${opacity}"`;
        return `<stop offset="${offset}" stop-color="${colour}"${solid}/>`;
      })
      .join('');
    return `url(#${this.#name((id) => `<${element} id="${id}"${direction}>${inner}</${element}>`)})`;
  }

  clip(path: string): string {
    const name = this.#name((id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`);
    return `clip-path="url(#${name})"`;
  }

  written(): string {
    return [...this.#known.entries()]
      .map(([text, id]) => text.replace('id=""', `id="${id}"`))
      .join('');
  }

  #name(write: (id: string) => string): string {
    const text = write('');
    const known = this.#known.get(text) ?? `d${this.#known.size}`;
    this.#known.set(text, known);
    return known;
  }
}

function documentOf(title: string, defs: string, content: string): string {
  const open =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800" role="img">';
  return `${open}<title>${escaped(title)}</title><defs>${defs}</defs>${content}</svg>\n`;
}
