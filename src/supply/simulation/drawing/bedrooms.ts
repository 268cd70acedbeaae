import type { Canvas } from './canvas.ts';
import { darker, lighter, mix } from './colour.ts';
import { plant, picture, armchair, nightstand, rug } from './furniture.ts';
import { dots } from './nature.ts';
import { sunPatch, outlook, room, lampGlow, inside } from './room.ts';
import { ellipse, placed, rect, shape, short, stroke } from './svg.ts';

/** A bedroom with one wide bed. */
export function bed(c: Canvas): string {
  return c.chance.often(0.35) ? bedUnderWindow(c) : bedBesideWindow(c);
}

function bedUnderWindow(c: Canvas): string {
  return (
    room(c) +
    outlook(c, 330, 90, 540, 270, false) +
    picture(c, 90, 150, 130, 160) +
    picture(c, 980, 150, 130, 160) +
    rug(c, 600, 738, 500, 54) +
    nightstand(c, 300, 640) +
    nightstand(c, 900, 640) +
    bedAt(c, 400, 400) +
    (c.chance.often(0.5) ? plant(c, 110, 700, 1.1) : placed(armchair(c, 0), 1090, 100, 0.84))
  );
}

function bedBesideWindow(c: Canvas): string {
  const right = c.chance.often(0.5);
  const x = right ? 640 : 180;
  const windowX = right ? 120 : 700;
  return (
    room(c) +
    outlook(c, windowX, 120, 370, 330) +
    sunPatch(c, windowX, 370) +
    picture(c, x + 110, 130, 170, 200) +
    rug(c, 600, 730, 520, 60) +
    nightstand(c, x - 76, 640) +
    nightstand(c, x + 456, 640) +
    bedAt(c, x, 380) +
    beside(c, right ? 250 : 950)
  );
}

/** What stands on the free side of a bedroom. */
function beside(c: Canvas, x: number): string {
  const choice = c.chance.pick(['plant', 'bench', 'chair', 'plant']);
  if (choice === 'plant') return plant(c, x, 690, 1.25);
  if (choice === 'chair') return placed(armchair(c, 0), x, 90, 0.86);
  const wood = inside(c, c.ink.wood);
  return (
    stroke(`M${x - 120} 660v56M${x + 120} 660v56`, darker(wood, 0.2), 12) +
    rect(x - 150, 644, 300, 20, wood, 'rx="6"') +
    rect(x - 110, 622, 130, 22, inside(c, c.ink.cloth), 'rx="9"') +
    rect(x - 100, 602, 110, 22, inside(c, '#f4efe4'), 'rx="9"')
  );
}

/** A bedroom with two narrow beds. */
export function twin(c: Canvas): string {
  return (
    room(c) +
    outlook(c, 450, 110, 300, 300) +
    rug(c, 600, 740, 420, 50) +
    nightstand(c, 600, 640) +
    bedAt(c, 150, 270) +
    bedAt(c, 780, 270)
  );
}

/** A room of bunks. */
export function bunk(c: Canvas): string {
  const wood = inside(c, lighter(c.ink.wood, 0.1));
  const linen = inside(c, '#f8f4ea');
  const cloth = inside(c, c.ink.cloth);
  const berth = (y: number) =>
    rect(150, y - 52, 440, 58, linen, 'rx="16"') +
    rect(166, y - 86, 120, 54, lighter(linen, 0.4), 'rx="22"') +
    rect(300, y - 60, 290, 64, cloth, 'rx="16"') +
    stroke(`M316 ${y - 44}H580M316 ${y - 26}H580`, lighter(cloth, 0.35), 5) +
    rect(140, y, 460, 34, wood);
  const rungs = [320, 380, 440, 500, 560, 620].map((y) => `M508 ${y}h62`).join('');
  return (
    room(c) +
    outlook(c, 740, 130, 330, 310) +
    sunPatch(c, 740, 330) +
    rug(c, 860, 715, 250, 46) +
    berth(360) +
    berth(610) +
    rect(140, 300, 460, 16, wood) +
    stroke('M146 210V720M594 210V720', darker(wood, 0.12), 20, 'stroke-linecap="round"') +
    stroke(`M508 280V700M570 280V700${rungs}`, darker(wood, 0.25), 10) +
    lampGlow(c, 200, 480, 130) +
    nightstand(c, 1010, 640) +
    toyChest(c)
  );
}

function toyChest(c: Canvas): string {
  const wood = inside(c, c.ink.accent);
  return (
    rect(720, 560, 170, 90, wood, 'rx="6"') +
    rect(712, 548, 186, 18, lighter(wood, 0.15), 'rx="6"') +
    dots([[805, 606]], '#e2c68a', 12)
  );
}

function headboard(c: Canvas, x: number, w: number, y: number): string {
  const style = c.taste('headboard').pick(['wood', 'cloth', 'bars']);
  if (style === 'bars') {
    const iron = inside(c, '#3d4044');
    const bars = Array.from(
      { length: 7 },
      (_, at) => `M${short(x + (w * (at + 0.5)) / 7)} ${y}v170`,
    ).join('');
    return stroke(
      `M${x} ${y + 180}V${y + 10}Q${short(x + w / 2)} ${y - 50} ${x + w} ${y + 10}v170${bars}`,
      iron,
      9,
    );
  }
  const paint = inside(c, style === 'wood' ? c.ink.wood : mix(c.ink.cloth, c.ink.plaster, 0.35));
  const seams = [0.25, 0.5, 0.75].map((part) => `M${short(x + w * part)} ${y + 6}v150`).join('');
  return rect(x, y, w, 180, paint, 'rx="16"') + stroke(seams, darker(paint, 0.16), 4);
}

function bedAt(c: Canvas, x: number, w: number): string {
  const linen = inside(c, '#f8f4ea');
  const cloth = inside(c, c.ink.cloth);
  const flare = w * 0.09;
  const pillowW = w > 300 ? w * 0.42 : w * 0.7;
  const pillows = w > 300 ? [x + w * 0.05, x + w * 0.53] : [x + w * 0.15];
  const duvet = `M${short(x)} 530Q${short(x + w / 2)} 506 ${short(x + w)} 530L${short(x + w + flare)} 724Q${short(x + w / 2)} 756 ${short(x - flare)} 724Z`;
  const band = `M${short(x - flare * 0.5)} 634Q${short(x + w / 2)} 608 ${short(x + w + flare * 0.5)} 634L${short(x + w + flare)} 720Q${short(x + w / 2)} 746 ${short(x - flare)} 720Z`;
  const stripe = `M${short(x - flare * 0.6)} 654Q${short(x + w / 2)} 628 ${short(x + w + flare * 0.6)} 654`;
  return (
    ellipse(x + w / 2, 752, w * 0.62, 16, '#1f1d26', 'opacity=".22"') +
    headboard(c, x - 16, w + 32, 378) +
    rect(x, 500, w, 60, darker(linen, 0.06)) +
    pillows
      .map(
        (left) =>
          rect(left, 462, pillowW, 78, linen, 'rx="30"') +
          stroke(
            `M${short(left + 20)} 530h${short(pillowW - 40)}`,
            darker(linen, 0.1),
            4,
            'stroke-linecap="round"',
          ),
      )
      .join('') +
    (w > 300 ? rect(x + w / 2 - 52, 486, 104, 62, lighter(cloth, 0.2), 'rx="24"') : '') +
    shape(
      duvet,
      c.fall([
        [0, lighter(linen, 0.4)],
        [1, darker(linen, 0.1)],
      ]),
    ) +
    shape(band, cloth) +
    stroke(stripe, lighter(cloth, 0.35), 6) +
    stroke(`M${short(x)} 548Q${short(x + w / 2)} 524 ${short(x + w)} 548`, darker(linen, 0.14), 4)
  );
}
