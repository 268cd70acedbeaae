/**
 * The JSON of a page of results. The items of pages that are asked for again are remembered: the same search mostly
 * finds the same homes at the same totals. They are compared first, so what is remembered is never out of date.
 */
import { LRUCache } from 'lru-cache';
import { greatCircleKm } from '../../catalog/index.ts';
import type { SearchListings } from '../../contract/partner/schemas/search.ts';
import { dateText } from '../../pricing/index.ts';
import type { FoundHome } from './find-homes.ts';

/** The members of a search that decide what an item says of a home. */
export interface ItemMembers {
  near?: SearchListings['near'] | undefined;
  flexDays?: SearchListings['flexDays'] | undefined;
}

interface RememberedItems extends ItemMembers {
  results: readonly FoundHome[];
  /** The JSON of the page up to its last item. */
  items: Buffer;
}

const pagesAtMost = 200;
const bytesAtMost = 16 * 1024 * 1024;

/** The pages that were asked for last. Null: once. Keeping the bytes of every page would cost more than composing it. */
const remembered = new LRUCache<string, { page: RememberedItems | null }>({
  max: pagesAtMost,
  maxSize: bytesAtMost,
  sizeCalculation: ({ page }) => page?.items.buffer.byteLength ?? 1,
});

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

// A UTF-16 code unit has at most so many bytes in UTF-8.
const bytesOfUnit = 3;

/** The UTF-8 of texts and of bytes between them, written into one buffer. */
function concatenated(parts: readonly (string | Buffer)[]): Buffer {
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

function itemsOf(results: readonly FoundHome[], members: ItemMembers): Buffer {
  const parts: (string | Buffer)[] = [];
  let text = '{"items":[';
  for (const found of results) {
    parts.push(`${text}${parts.length === 0 ? '' : ','}{"listing":`, found.published.bytes);
    text = restOf(members, found);
  }
  parts.push(text);
  return concatenated(parts);
}

const isSameItem = (one: FoundHome, other: FoundHome): boolean =>
  one.published === other.published &&
  one.total === other.total &&
  one.stay.checkIn === other.stay.checkIn &&
  one.stay.checkOut === other.stay.checkOut;

const areSameMembers = (one: ItemMembers, other: ItemMembers): boolean =>
  one.flexDays === other.flexDays &&
  one.near?.latitude === other.near?.latitude &&
  one.near?.longitude === other.near?.longitude;

const areSame = (known: RememberedItems, results: readonly FoundHome[], members: ItemMembers) =>
  known.results.length === results.length &&
  areSameMembers(known, members) &&
  known.results.every((result, at) => isSameItem(result, results[at]!));

/**
 * The JSON of a page with these results and other members, in pieces. `key` only finds what may be remembered: the
 * results and members decide whether it is used.
 */
export function pageBytes(
  key: string,
  results: readonly FoundHome[],
  { near, flexDays }: ItemMembers,
  others: object,
): Buffer[] {
  const members = { near, flexDays };
  const end = Buffer.from(`],${JSON.stringify(others).slice(1)}`);
  const known = remembered.get(key);
  if (known?.page && areSame(known.page, results, members)) return [known.page.items, end];
  const items = itemsOf(results, members);
  remembered.set(key, { page: known ? { results, ...members, items } : null });
  return [items, end];
}
