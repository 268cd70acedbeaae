/** Where a message lies: beside the navigation, or else where it covers nothing that can be pressed. */

interface Size {
  width: number;
  height: number;
}

/** An area of the window. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const edge = 16;
/** Below the first line of the head, beside the navigation. */
const besideNavigation = 46;
const wideWindow = 960;
const step = 8;

const boxAt = (left: number, top: number, { width, height }: Size): Box => ({
  left,
  right: left + width,
  top,
  bottom: top + height,
});

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right &&
  one.right > other.left &&
  one.top < other.bottom &&
  one.bottom > other.top;

/** The areas that a message could have, best first. */
function* places(message: Size, view: Size): Generator<Box> {
  const [right, left] = [view.width - edge - message.width, edge];
  if (view.width >= wideWindow) yield boxAt(right, besideNavigation, message);
  for (let top = view.height - edge - message.height; top >= edge; top -= step) {
    yield boxAt(right, top, message);
    yield boxAt(left, top, message);
  }
}

/** Where a message covers none of the areas that are taken. `now`: where it is, which it leaves only if it must. */
export function placeOf(
  message: Size,
  view: Size,
  taken: readonly Box[],
  now: Pick<Box, 'left' | 'top'> | null,
): { place: Box; isFree: boolean } {
  const isFree = (place: Box) => taken.every((one) => !overlap(one, place));
  const stay = now && boxAt(now.left, now.top, message);
  if (stay && stay.right <= view.width && stay.bottom <= view.height && isFree(stay)) {
    return { place: stay, isFree: true };
  }
  const all = [...places(message, view)];
  const free = all.find(isFree);
  return { place: free ?? all[0]!, isFree: free !== undefined };
}
