/** Reads a catalog file in batches: first the head, then the listings, then promotions and blocks. */

import type { CatalogHead } from '../../contract/catalog-file.ts';
import { escaped, type Problem } from '../../platform/schema-check.ts';
import { readEntry, readHead, type Entries } from './entries.ts';
import { createSlices, type Slices } from '../../platform/slices.ts';
import type { ProblemList } from './problems.ts';
import { linesWithin, readPart } from './read-part.ts';
import { BrokenDocument, createDocumentSplitter, type Part, type Piece } from './split-document.ts';

/** The bytes of a file. It is read again if its members do not have the usual order. */
export interface CatalogSource {
  open(): AsyncIterable<Buffer>;
}

/** An item of a list of the file. */
export interface FileEntry<T> {
  /** Its index in the list. */
  at: number;
  /** The line where it begins. */
  line: number;
  value: T;
  /** Whether nothing is wrong with the entry itself. */
  isSound: boolean;
  /** Reports a problem; the pointer is relative to the entry. */
  report(pointer: string, message: string): void;
}

/** Some entries of a list, or the head. */
export type Batch =
  | {
      list: 'head';
      /** Null: it has problems. */
      head: CatalogHead['catalog'] | null;
      /** The slugs of its collections, even if it has problems. */
      collections: string[];
      report(pointer: string, message: string): void;
    }
  | {
      [Name in keyof Entries]: {
        list: Name;
        entries: FileEntry<Entries[Name]>[];
        /** The slugs of entries with problems: references to them are not reported as well. */
        failed: string[];
      };
    }[keyof Entries];

type List = keyof Entries;

const lists: readonly List[] = ['listings', 'promotions', 'blocks'];
const isList = (name: string): name is List => (lists as readonly string[]).includes(name);

const batchEntries = 500;
const batchBytes = 8 * 1024 * 1024;
/** How many items of a list are read: their slugs are kept in memory. */
const mostEntries: Readonly<Record<List, number>> = {
  listings: 1_000_000,
  promotions: 100_000,
  blocks: 20_000_000,
};

// To look for the ends of items costs less than to read them.
const splitCost = (chunk: Buffer): number => chunk.length / 4;

async function* piecesOf(source: CatalogSource, slices: Slices): AsyncGenerator<Piece[]> {
  const splitter = createDocumentSplitter();
  for await (const chunk of source.open()) {
    const pause = slices.spend(splitCost(chunk));
    if (pause) await pause;
    yield splitter.push(chunk);
  }
  splitter.end();
}

const slugsOf = (values: unknown): string[] =>
  [values].flat().flatMap((value) => {
    const slug = (value as { slug?: unknown } | null | undefined)?.slug;
    return typeof slug === 'string' ? [slug] : [];
  });

const isPart = (piece: Piece): piece is Part => typeof piece.at !== 'string';

const headMembers = ['format', 'catalog'];

/** Reads `format` and `catalog`. */
function createHeadReader(problems: ProblemList) {
  const linesOf = new Map<string, (pointer: string) => number>();
  const values: Record<string, unknown> = {};
  let failed = false;
  const lineOf = (pointer: string): number => {
    const [, member = '', ...rest] = pointer.split('/');
    return linesOf.get(member)?.(rest.map((segment) => `/${segment}`).join('')) ?? 1;
  };
  return {
    isComplete: () => headMembers.every((name) => name in values),
    read(piece: Piece): void {
      const { member } = piece;
      if (!isPart(piece)) {
        values[member] = [];
        return;
      }
      if (piece.at !== null) return;
      const read = readPart(piece);
      for (const { line, pointer, message } of read.problems) {
        failed = true;
        problems.add({ pointer: `/${member}${pointer}`, message }, () => line);
      }
      linesOf.set(member, linesWithin(piece));
      values[member] = 'value' in read ? read.value : null;
    },
    batch(): Batch {
      const report = (pointer: string, message: string) =>
        problems.add({ pointer, message }, lineOf);
      const { catalog } = values as { catalog?: { collections?: unknown } | null };
      const collections = slugsOf(catalog?.collections);
      if (failed) return { list: 'head', head: null, collections, report };
      const read = readHead(values);
      read.problems.forEach(({ pointer, message }) => report(pointer, message));
      return { list: 'head', head: read.head, collections, report };
    },
  };
}

const placesOfEntry = / (?=\/(?:cancellation\w*|fees|payment|rates|stayRules|taxes)\b)/g;

/** A message that names another place of its entry, with that place as the file has it. */
const placedInFile = (message: string, entry: string): string =>
  message.replaceAll(placesOfEntry, ` ${entry}`);

/** Collects the entries of one list to batches. */
function createBatcher(list: List, problems: ProblemList) {
  let entries: FileEntry<never>[] = [];
  let failed: string[] = [];
  let bytes = 0;
  return {
    read(part: Part): void {
      const place = `/${list}/${part.at}`;
      const add = ({ pointer, message }: Problem, lineOf: (inner: string) => number) =>
        problems.add({ pointer: `${place}${pointer}`, message: placedInFile(message, place) }, () =>
          lineOf(pointer),
        );
      const lineOf = linesWithin(part);
      const read = readPart(part);
      for (const { line, ...problem } of read.problems) add(problem, () => line);
      if (!('value' in read)) return;
      const { entry, problems: wrong } = readEntry(list, read.value);
      wrong.forEach((problem) => add(problem, lineOf));
      bytes += part.bytes.length;
      if (entry === null) {
        failed.push(...slugsOf(read.value));
        return;
      }
      const report = (pointer: string, message: string) => add({ pointer, message }, lineOf);
      const isSound = read.problems.length === 0 && wrong.length === 0;
      const value = entry as never;
      entries.push({ at: part.at!, line: part.line, value, isSound, report });
    },
    isFull: () => entries.length + failed.length >= batchEntries || bytes >= batchBytes,
    take(): Batch[] {
      const isEmpty = entries.length + failed.length === 0;
      const batch = { list, entries, failed } as Batch;
      entries = [];
      failed = [];
      bytes = 0;
      return isEmpty ? [] : [batch];
    },
  };
}

/** What must have been read before a list. */
const needs: Readonly<Record<List, readonly ('head' | List)[]>> = {
  listings: ['head'],
  promotions: ['head', 'listings'],
  blocks: ['head', 'listings'],
};

/** Reports members that the format does not have, or that the file has twice. */
function checkMembers(problems: ProblemList): (piece: Piece) => void {
  const seen = new Set<string>();
  let last: Piece | null = null;
  return (piece) => {
    const { member, line } = piece;
    const isSame = last?.member === member && piece.at !== null && piece.at !== 'begin';
    last = piece;
    if (isSame) return;
    const add = (message: string) =>
      problems.add({ pointer: `/${escaped(member)}`, message }, () => line);
    if (!isList(member) && !headMembers.includes(member)) add('is not known here');
    else if (seen.has(member)) add('is given more than once');
    else if (isList(member) && isPart(piece)) add('must be an array');
    seen.add(member);
  };
}

// To read an item costs about as much as 2 KB of it, and to say what is wrong with it more; a slice takes a few
// milliseconds.
const itemCost = 2 * 1024;
const faultCost = 4 * 1024;
const sliceCost = 128 * 1024;

const costOf = (piece: Piece): number => itemCost + (isPart(piece) ? piece.bytes.length : 0);

/** Reads the batches of a file in one pass, as far as their order allows. */
async function* readPass(
  source: CatalogSource,
  problems: ProblemList,
  slices: Slices,
  head: ReturnType<typeof createHeadReader>,
  done: Set<'head' | List>,
): AsyncGenerator<Batch> {
  const check = done.size === 0 ? checkMembers(problems) : () => undefined;
  let batcher: ReturnType<typeof createBatcher> | null = null;
  const missed = new Set<List>();
  for await (const pieces of piecesOf(source, slices)) {
    for (const piece of pieces) {
      if (problems.isFull) return;
      const pause = slices.spend(costOf(piece));
      if (pause) await pause;
      check(piece);
      const { member, at } = piece;
      if (!done.has('head') && headMembers.includes(member)) {
        head.read(piece);
        if (!head.isComplete()) continue;
        done.add('head');
        yield head.batch();
      }
      if (!isList(member) || done.has(member)) continue;
      if (at === 'begin') {
        const isReady = needs[member].every((other) => done.has(other));
        if (isReady) batcher = createBatcher(member, problems);
        else missed.add(member);
      }
      if (batcher === null) continue;
      if (isPart(piece) && piece.at !== null) {
        if (piece.at >= mostEntries[member]) throw tooMany(member, piece.line);
        const found = problems.count;
        batcher.read(piece);
        const further = slices.spend(faultCost * (problems.count - found));
        if (further) await further;
      }
      if (at === 'end' || batcher.isFull()) yield* batcher.take();
      if (at === 'end') {
        batcher = null;
        done.add(member);
      }
    }
  }
  if (!done.has('head')) yield head.batch();
  done.add('head');
  for (const list of lists) if (!missed.has(list)) done.add(list);
}

const tooMany = (list: List, line: number): BrokenDocument =>
  new BrokenDocument({
    pointer: `/${list}`,
    line,
    message: `has more than ${mostEntries[list]} entries`,
  });

/**
 * Reads a file and reports its problems. The batches come in the order head, listings, promotions and
 * blocks: a file in another order is read again for the members that came too early.
 *
 * Spec: FILE-4, FILE-6.
 */
export async function* readCatalogFile(
  source: CatalogSource,
  problems: ProblemList,
): AsyncGenerator<Batch> {
  const head = createHeadReader(problems);
  const done = new Set<'head' | List>();
  const slices = createSlices(sliceCost);
  try {
    while (done.size <= lists.length && !problems.isFull) {
      yield* readPass(source, problems, slices, head, done);
    }
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
    const { line, ...problem } = error.problem;
    problems.add(problem, () => line);
  }
}
