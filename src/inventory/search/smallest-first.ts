/** A home by its index in the view, with the key by which it is sorted. */
export interface Keyed {
  key: number;
  index: number;
}

/** Compares by key, then by index. Keys may be Infinity. */
export const isBefore = (one: Keyed, other: Keyed): boolean =>
  one.key < other.key || (one.key === other.key && one.index < other.index);

/**
 * Returns many entries by key and index, one at a time: much cheaper than sorting all of them. A binary heap in
 * arrays of numbers, because a search can have 100,000 entries.
 */
export class SmallestFirst {
  readonly #keys: number[] = [];
  readonly #indexes: number[] = [];
  #count = 0;
  #isHeap = false;

  /** Adds an entry, before the first one is taken. */
  add(key: number, index: number): void {
    this.#keys.push(key);
    this.#indexes.push(index);
    this.#count += 1;
  }

  /** The first entry; undefined: there is none. */
  peek(): Keyed | undefined {
    if (!this.#isHeap) this.#order();
    return this.#count === 0 ? undefined : { key: this.#keys[0]!, index: this.#indexes[0]! };
  }

  /** Removes and returns the first entry. */
  take(): Keyed | undefined {
    const first = this.peek();
    if (!first) return undefined;
    this.#count -= 1;
    this.#place(0, this.#keys[this.#count]!, this.#indexes[this.#count]!);
    return first;
  }

  /** Replaces the first entry by one that may come later. */
  replaceFirst(key: number, index: number): void {
    if (!this.#isHeap) this.#order();
    this.#place(0, key, index);
  }

  #order(): void {
    for (let at = (this.#count >> 1) - 1; at >= 0; at -= 1) {
      this.#place(at, this.#keys[at]!, this.#indexes[at]!);
    }
    this.#isHeap = true;
  }

  /** Places an entry at a node or below, where it comes before both children. */
  #place(node: number, key: number, index: number): void {
    const keys = this.#keys;
    const indexes = this.#indexes;
    const isEarlier = (a: number, b: number): boolean =>
      keys[a]! < keys[b]! || (keys[a] === keys[b] && indexes[a]! < indexes[b]!);
    let at = node;
    for (let child = 2 * at + 1; child < this.#count; child = 2 * at + 1) {
      if (child + 1 < this.#count && isEarlier(child + 1, child)) child += 1;
      const smallest = keys[child]!;
      if (!(smallest < key || (smallest === key && indexes[child]! < index))) break;
      keys[at] = smallest;
      indexes[at] = indexes[child]!;
      at = child;
    }
    keys[at] = key;
    indexes[at] = index;
  }
}
