/** Sizes of the grid in pixels, and places in it. */

export const rowHeight = 52;
export const dayWidth = 54;
export const headHeight = 44;

/** How many nights the grid has, from the first day on. */
export const gridDays = 400;

/** Nights of some homes; both ends included. */
export interface Selection {
  /** Where it began: it grows from here. */
  anchor: { row: number; day: number };
  /** The current cell. */
  at: { row: number; day: number };
}

export const single = (row: number, day: number): Selection => ({
  anchor: { row, day },
  at: { row, day },
});

/** The rows and days of a selection, in their order. */
export function rangeOf({ anchor, at }: Selection) {
  return {
    firstRow: Math.min(anchor.row, at.row),
    lastRow: Math.max(anchor.row, at.row),
    firstDay: Math.min(anchor.day, at.day),
    lastDay: Math.max(anchor.day, at.day),
  };
}

const within = (value: number, last: number): number => Math.max(0, Math.min(last, value));

/** Moves the current cell; `extends`: the anchor stays. */
export function moved(
  selection: Selection,
  by: { rows?: number; days?: number },
  { lastRow, grows }: { lastRow: number; grows: boolean },
): Selection {
  const at = {
    row: within(selection.at.row + (by.rows ?? 0), lastRow),
    day: within(selection.at.day + (by.days ?? 0), gridDays - 1),
  };
  return { anchor: grows ? selection.anchor : at, at };
}
