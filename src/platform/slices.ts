import { setImmediate as nextLoopIteration } from 'node:timers/promises';

/** Divides long work into slices of about the same cost, so that other calls are served between them. */
export interface Slices {
  /** Counts work that is about to be done. When a slice is full, lets other work run first. */
  spend(cost: number): Promise<void> | undefined;
}

/** Makes slices of this cost. By cost and not by time, so that as much work is done in each on every machine. */
export function createSlices(most: number): Slices {
  let spent = 0;
  return {
    spend(cost) {
      spent += cost;
      if (spent < most) return undefined;
      spent = 0;
      return nextLoopIteration();
    },
  };
}

/** Divides items into slices of this many, and lets other work run between them. */
export async function* inSlices<T>(items: Iterable<T>, atOnce: number): AsyncGenerator<T[]> {
  let slice: T[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < atOnce) continue;
    yield slice;
    await nextLoopIteration();
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

/** Maps items, as many in a slice, and lets other work run between slices. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  atOnce: number,
  map: (item: T) => R,
): Promise<R[]> {
  const mapped: R[] = [];
  for await (const slice of inSlices(items, atOnce)) {
    for (const item of slice) mapped.push(map(item));
  }
  return mapped;
}

/** Divides items into slices of about the same cost. An item that costs more is a slice of its own. */
export function* slicesOfCost<T>(
  items: Iterable<T>,
  most: number,
  costOf: (item: T) => number,
): Generator<T[]> {
  let slice: T[] = [];
  let cost = 0;
  for (const item of items) {
    slice.push(item);
    cost += costOf(item);
    if (cost < most) continue;
    yield slice;
    slice = [];
    cost = 0;
  }
  if (slice.length > 0) yield slice;
}
