/** The statements that write, and which of them were cut before they came and after their commit. */

import { readFileSync } from 'node:fs';

/** Before: the statement does not reach PostgreSQL. After: it is committed, and its result does not come back. */
export type Position = 'before' | 'after';

const positions = ['before', 'after'] as const satisfies Position[];
// Between two cuts work goes on, so that what a cut has left is taken up again.
const workGoesOnMs = 30;

/** What a statement that writes contains. */
export const writing: RegExp = /\b(?:INSERT INTO|UPDATE [a-z_]+ |DELETE FROM)/;

const texts = new URL('../../statements.sql', import.meta.url);

/** The names of all statements of the modules that write. */
export const allWrites = (): string[] =>
  readFileSync(texts, 'utf8')
    .split(/^(?=-- src\/|PREPARE )/m)
    .filter((text) => writing.test(text))
    .flatMap((text) => /^PREPARE "(.+)" AS/.exec(text)?.[1] ?? []);

/** Cuts each statement that comes once at each position, as early as possible. */
export class WriteCuts {
  readonly #cut = new Map<string, Set<Position>>();
  readonly #betweenMs: number;
  #nextAt = 0;

  constructor(betweenMs: number = workGoesOnMs) {
    this.#betweenMs = betweenMs;
  }

  /** Where to cut a statement that comes now; null: it passes. */
  choose(name: string): Position | null {
    const done = this.#cut.getOrInsertComputed(name, () => new Set());
    if (performance.now() < this.#nextAt) return null;
    const position = positions.find((one) => !done.has(one)) ?? null;
    if (position) this.#nextAt = performance.now() + this.#betweenMs;
    return position;
  }

  /** Notes that a statement was cut. */
  note(name: string, position: Position): void {
    this.#cut.get(name)!.add(position);
  }

  /** The number of cuts. */
  get count(): number {
    return this.#cut.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** The statements that came and were not cut at each position. */
  get left(): string[] {
    return [...this.#cut].filter(([, { size }]) => size < positions.length).map(([name]) => name);
  }

  /** The statements that were cut at each position. */
  get whole(): string[] {
    return [...this.#cut].filter(([, { size }]) => size === positions.length).map(([name]) => name);
  }
}
