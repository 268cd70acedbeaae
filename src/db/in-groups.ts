import { withoutDeadline } from './deadline.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Writes items together: what comes while one group is on its way goes with the next. Each is answered
 * after the commit of its group.
 *
 * @param write takes a group, at most so many; answers in its order
 */
export function inGroups<Item, Result>(
  atMost: number,
  write: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let onItsWay = false;

  async function writeGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [place, { resolve }] of group.entries()) resolve(results[place]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    onItsWay = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, atMost);
      waiting = waiting.slice(atMost);
      await writeGroup(group);
    }
    onItsWay = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // The group is not the first one's alone: no one's deadline is that of all.
      if (!onItsWay) void withoutDeadline(writeAll);
    });
}
