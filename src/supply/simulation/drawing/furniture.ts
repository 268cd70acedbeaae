import type { Canvas } from './canvas.ts';
import { darker, lighter, mix } from './colour.ts';
import { dots, scatter } from './nature.ts';
import { lampGlow, inside } from './room.ts';
import { ellipse, rect, shape, short, stroke } from './svg.ts';

/** A lamp for a table or a nightstand. */
export function tableLamp(c: Canvas, x: number, y: number): string {
  const lit = c.light.lamps ? '#ffe7b5' : inside(c, '#f2e8d3');
  const base = inside(c, c.ink.accent);
  return (
    lampGlow(c, x, y - 76, 130) +
    shape(`M${x - 8} ${y - 50}h16q12 30 4 50h-24q-8 -20 4 -50Z`, base) +
    shape(`M${x - 22} ${y - 108}h44l16 58h-76Z`, lit)
  );
}

/** A nightstand with its lamp. */
export function nightstand(c: Canvas, x: number, y: number): string {
  const wood = inside(c, c.ink.wood);
  return (
    rect(x - 46, y - 94, 92, 94, wood) +
    rect(x - 52, y - 102, 104, 12, lighter(wood, 0.15)) +
    stroke(`M${x - 40} ${y - 52}h80`, darker(wood, 0.25), 3) +
    ellipse(x, y - 70, 4, 4, '#e2c68a') +
    tableLamp(c, x, y - 102)
  );
}

/** A picture on the wall. */
export function picture(c: Canvas, x: number, y: number, w: number, h: number): string {
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

/** An oval rug. */
export function rug(c: Canvas, x: number, y: number, rx: number, ry: number): string {
  const cloth = inside(c, mix(c.ink.cloth, c.ink.plaster, 0.45));
  return (
    ellipse(x, y, rx, ry, cloth) +
    ellipse(x, y, rx * 0.86, ry * 0.8, 'none', `stroke="${lighter(cloth, 0.4)}" stroke-width="6"`)
  );
}

/** A plant in a pot. */
export function plant(c: Canvas, x: number, y: number, size: number): string {
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

/** Lamps that hang from the ceiling. */
export function pendants(c: Canvas, places: readonly number[]): string {
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

/** Flowers in a vase. */
export function vase(c: Canvas, x: number, y: number): string {
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

/** An armchair, seen from the front. */
export function armchair(c: Canvas, x: number): string {
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
