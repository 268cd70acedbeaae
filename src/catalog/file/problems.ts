/** The problems of a catalog file: the first of them, and how many there are. */

import type { Problem } from '../../platform/schema-check.ts';

/** Something wrong at a place of a file. */
export interface FileProblem extends Problem {
  /** From 1. */
  line: number;
}

/** Problems of a file; of many, only the first are kept. */
export interface FileProblems {
  first: FileProblem[];
  count: number;
  /** Reading stopped before the end of the file, because it had too many. */
  isStopped: boolean;
}

/** How the number of the problems that are not shown reads; null: there are none. */
export function furtherProblems({ first, count, isStopped }: FileProblems): string | null {
  if (count === first.length) return null;
  const until = isStopped ? ', found before reading stopped' : '';
  return `and ${count - first.length} more problems${until}`;
}

/** Collects problems. */
export interface ProblemList {
  /** Adds one; the line is found only for a problem that is kept. */
  add(problem: Problem, lineOf: (pointer: string) => number): void;
  /** Counts problems that are not described. */
  addUnnamed(more: number): void;
  readonly count: number;
  /** Whether there are so many that the rest of the file is not read. */
  readonly isFull: boolean;
  /** The problems that are kept, in the order of the file. */
  all(): FileProblems;
}

/** How many problems are kept. */
export const keptProblems = 100;

/** A file with so many is not what somebody mended by reading the list. */
const mostProblems = 10_000;

/** Creates an empty list. */
export function createProblemList(): ProblemList {
  const first: FileProblem[] = [];
  let count = 0;
  return {
    add(problem, lineOf) {
      count += 1;
      if (first.length < keptProblems) first.push({ ...problem, line: lineOf(problem.pointer) });
    },
    addUnnamed(more) {
      count += more;
    },
    get count() {
      return count;
    },
    get isFull() {
      return count >= mostProblems;
    },
    all: () => ({
      first: first.toSorted((one, other) => one.line - other.line),
      count,
      isStopped: count >= mostProblems,
    }),
  };
}
