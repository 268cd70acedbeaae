/**
 * The JSON of a page of results. The start of a page that is requested again is remembered, because the same search
 * mostly finds the same homes at the same totals. These are compared first, so it is never out of date.
 */
import { LRUCache } from 'lru-cache';
import { greatCircleKm } from '../../catalog/index.ts';
import type { SearchListings } from '../../contract/partner/schemas/search.ts';
import { type Piece, writtenFrom } from '../../platform/gzip-pieces.ts';
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

/** Recently requested pages. Null: requested once. Keeping its bytes would cost more than composing them again. */
const newPages = () =>
  new LRUCache<string, { page: RememberedPage | null }>({
    max: pagesAtMost,
    maxSize: bytesAtMost,
    sizeCalculation: ({ page }) => page?.start.buffer.byteLength ?? 1,
  });

// Cursors are authenticated with a key of the vault.
const pagesBy = new WeakMap<Vault, ReturnType<typeof newPages>>();

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

// The maximum number of UTF-8 bytes of a UTF-16 code unit.
const bytesOfUnit = 3;

/** The UTF-8 of texts and of bytes between them, written into one buffer. */
function concatenated(parts: readonly Piece[]): Buffer {
  let atMost = 0;
  for (const part of parts) {
    atMost += typeof part === 'string' ? part.length * bytesOfUnit : part.length;
  }
  const bytes = Buffer.allocUnsafe(atMost);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part, at);
      at += part.length;
    }
  }
  return bytes.subarray(0, at);
}

function partsOf({ results, nextCursor }: ResultPage, members: ItemMembers): Piece[] {
  const parts: Piece[] = [];
  let text = '{"items":[';
  for (const found of results) {
    parts.push(`${text}${parts.length === 0 ? '' : ','}{"listing":`, found.published.bytes);
    text = restOf(members, found);
  }
  parts.push(`${text}],"nextCursor":${nextCursor ? `"${nextCursor()}"` : null}`);
  return parts;
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
  const end = Buffer.from(`,${JSON.stringify(others).slice(1)}`);
  const pages = pagesBy.getOrInsertComputed(vault, newPages);
  const known = pages.get(search);
  if (known?.page && isSamePage(known.page, page)) return [known.page.start, end];
  const parts = partsOf(page, members);
  const bytes = concatenated(parts);
  // What is not remembered is sent once: its parts, which other pages have too, are compressed instead of it.
  const start = known ? bytes : writtenFrom(bytes, parts);
  const { results, nextCursor } = page;
  pages.set(search, { page: known ? { results, isLast: nextCursor === null, start } : null });
  return [start, end];
}
