import { isBefore, type Keyed } from './smallest-first.ts';

const byKey = (one: Keyed, other: Keyed): number => (isBefore(one, other) ? -1 : 1);

/** Keeps the first entries by key and index, however many are added. */
export class FirstFew {
  readonly #most: number;
  #kept: Keyed[] = [];
  /** Entries with this key or a larger one are not among the first. */
  below = Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds an entry with a key less than `below`, and an index larger than those before. */
  add(key: number, index: number): void {
    this.#kept.push({ key, index });
    if (this.#kept.length === 2 * this.#most) this.#cut();
  }

  /** The first entries in their order. */
  inOrder(): readonly Keyed[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept = this.#kept.toSorted(byKey).slice(0, this.#most);
    if (this.#kept.length === this.#most) this.below = this.#kept.at(-1)!.key;
  }
}
