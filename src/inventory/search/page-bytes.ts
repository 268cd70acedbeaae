/**
 * The JSON of a page of results. The start of a page that is requested again is remembered, because the same search
 * mostly finds the same homes at the same totals. These are compared first, so it is never out of date.
 */
import { LRUCache } from 'lru-cache';
import { greatCircleKm } from '../../catalog/index.ts';
import type { SearchListings } from '../../contract/partner/schemas/search.ts';
import { writtenFrom } from '../../platform/gzip-pieces.ts';
import type { Vault } from '../../platform/vault.ts';
import { dateText } from '../../pricing/index.ts';
import type { FoundHome } from './find-homes.ts';

/** The members of a search that decide what an item says of a home. */
export type ItemMembers = Pick<SearchListings, 'near' | 'flexDays'>;

/** A page of results. */
export interface ResultPage {
  results: readonly FoundHome[];
  /** Null: it is the last page. */
  nextCursor: (() => string) | null;
}

interface RememberedPage {
  results: readonly FoundHome[];
  isLast: boolean;
  /** The JSON of the page up to its cursor. */
  start: Buffer;
}

const pagesAtMost = 200;
const bytesAtMost = 16 * 1024 * 1024;

interface Requested {
  /** Pages that were requested again: keeping the bytes of others would cost more than composing them. */
  pages: LRUCache<string, RememberedPage>;
  /** Searches that were requested. A set that is cleared when it is full takes a tenth of the time of an LRU cache. */
  searches: Set<string>;
}

const newRequested = (): Requested => ({
  pages: new LRUCache({
    max: pagesAtMost,
    maxSize: bytesAtMost,
    sizeCalculation: ({ start }) => start.buffer.byteLength,
  }),
  searches: new Set(),
});

// Cursors are authenticated with a key of the vault.
const requestedBy = new WeakMap<Vault, Requested>();

/** Notes that a search was requested; false: it was before. */
function isNew({ searches }: Requested, search: string): boolean {
  if (searches.has(search)) return false;
  if (searches.size >= pagesAtMost) searches.clear();
  searches.add(search);
  return true;
}

/** The members of a result after the listing, as JSON. No currency or date has a character to escape. */
function restOf({ near, flexDays }: ItemMembers, { published, stay, total }: FoundHome): string {
  const { currency, geo } = published.listing;
  const price = `"total":${total},"currency":${total === null ? null : `"${currency}"`}`;
  const distance =
    near && geo ? `,"distanceKm":${Math.round(greatCircleKm(near, geo) * 10) / 10}` : '';
  const dates =
    flexDays === undefined
      ? ''
      : `,"checkIn":"${dateText(stay.checkIn)}","checkOut":"${dateText(stay.checkOut)}"`;
  return `,${price}${distance}${dates}}`;
}

// Making a buffer for each page, and the garbage collector's work for it, takes as long as writing the page.
const bytesShared = 1024 * 1024;
let shared = Buffer.allocUnsafeSlow(0);
let used = 0;

/** The start of memory that pages share, with so many bytes that are not used. */
function sharedFrom(atMost: number): Buffer {
  if (used + atMost > shared.length) {
    shared = Buffer.allocUnsafeSlow(Math.max(bytesShared, atMost));
    used = 0;
  }
  return shared;
}

/** Writes characters of ASCII. For so few, calling a function of Node takes several times as long. Returns their end. */
function writeText(bytes: Buffer, from: number, text: string): number {
  for (let at = 0; at < text.length; at += 1) bytes[from + at] = text.charCodeAt(at);
  return from + text.length;
}

const itemStart = '{"listing":';
// Of what is between the listings: a total, a currency, a distance and dates.
const mostBetween = 160;
/** Of a character in UTF-16. */
const mostBytes = 3;

/** A page in memory that it shares with others. */
interface WrittenPage {
  bytes: Buffer;
  /** Where its cursor ends. */
  startLength: number;
}

/** Writes the JSON of a page. `end`: what follows its cursor. */
function writtenPage(
  { results, nextCursor }: ResultPage,
  members: ItemMembers,
  end: string,
): WrittenPage {
  const cursor = nextCursor && nextCursor();
  let atMost = mostBetween + (cursor?.length ?? 0) + end.length * mostBytes;
  for (const { published } of results) atMost += published.bytes.length + mostBetween;
  const memory = sharedFrom(atMost);
  const start = used;
  const starts: number[] = [];
  let at = writeText(memory, start, '{"items":[');
  for (const found of results) {
    at = writeText(memory, at, starts.length === 0 ? itemStart : `,${itemStart}`);
    starts.push(at - start);
    memory.set(found.published.bytes, at);
    at = writeText(memory, at + found.published.bytes.length, restOf(members, found));
  }
  at = writeText(memory, at, `],"nextCursor":${cursor === null ? null : `"${cursor}"`}`);
  const startLength = at - start;
  used = at + memory.write(end, at);
  const bytes = memory.subarray(start, used);
  // It is sent once: if it is compressed, its pieces are instead of it.
  writtenFrom(bytes, () => piecesOf(bytes, results, starts));
  return { bytes, startLength };
}

/** The listings in the bytes of a page, which other pages have too, and what is between them. */
function piecesOf(page: Buffer, results: ResultPage['results'], starts: readonly number[]) {
  let end = 0;
  const pieces = results.flatMap(({ published: { bytes } }, at) => {
    const between = page.subarray(end, starts[at]);
    end = starts[at]! + bytes.length;
    return [between, bytes];
  });
  return [...pieces, page.subarray(end)];
}

const isSameItem = (one: FoundHome, other: FoundHome): boolean =>
  one.published === other.published &&
  one.total === other.total &&
  one.stay.checkIn === other.stay.checkIn &&
  one.stay.checkOut === other.stay.checkOut;

const isSamePage = (known: RememberedPage, { results, nextCursor }: ResultPage): boolean =>
  known.isLast === (nextCursor === null) &&
  known.results.length === results.length &&
  known.results.every((result, at) => isSameItem(result, results[at]!));

/**
 * The JSON of a page and its other members, in pieces.
 * @param search a text that differs for each application, search, cursor and limit
 */
export function pageBytes(
  vault: Vault,
  search: string,
  page: ResultPage,
  members: ItemMembers,
  others: object,
): Buffer[] {
  const end = `,${JSON.stringify(others).slice(1)}`;
  const requested = requestedBy.getOrInsertComputed(vault, newRequested);
  const { pages } = requested;
  const isFirst = isNew(requested, search);
  const known = isFirst ? undefined : pages.get(search);
  if (known && isSamePage(known, page)) return [known.start, Buffer.from(end)];
  const { bytes, startLength } = writtenPage(page, members, end);
  // In one piece, which is written to the connection faster than two.
  if (isFirst) return [bytes];
  const start = Buffer.from(bytes.subarray(0, startLength));
  const { results, nextCursor } = page;
  pages.set(search, { results, isLast: nextCursor === null, start });
  return [start, Buffer.from(end)];
}
