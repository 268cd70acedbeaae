/** Pages of the lists that staff read. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Vault } from '../../platform/vault.ts';
import {
  type CursorOwner,
  foreignCursor,
  positionOf,
  type StaffList,
  writeCursor,
} from '../cursor.ts';
import type { Page } from '../page.ts';
import { cutPage } from '../paging.ts';

/** Which page of a list staff want. */
export interface PageRequest {
  limit?: number | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** A page of a list, and where the next one begins; null: this is the last one. */
export interface PageOfStaff<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** A list with its filters, and how it is read. */
export interface ListOfStaff<Item, Place, Found = Item[]> {
  operation: StaffList;
  filters: Record<string, unknown>;
  /** Reads items after a place; null: from the beginning. */
  read(after: Place | null, atMost: number): Promise<Found>;
  /** The place of an item, as JSON. */
  placeOf(item: Item): Place;
}

/** The part of a list that was read before the read stopped early. */
export interface PartlyFound<Item, Place> {
  items: Item[];
  /** Where the read ended; null: at the end of the list, or with the page. */
  lookedUntil: Place | null;
}

type InvalidCursor = Refusal<'invalid_input'>;

/** The place after which a page begins, as JSON; null: it is the first page. */
function startOf(
  vault: Vault,
  owner: CursorOwner,
  cursor: string | undefined,
): string | null | InvalidCursor {
  if (cursor === undefined) return null;
  const field = { path: 'query/cursor', message: foreignCursor };
  return (
    positionOf(vault, owner, cursor) ??
    refuseStaff('invalid_input', `This ${foreignCursor}.`, field)
  );
}

const placeAt = <Place>(start: string | null): Place | null =>
  start === null ? null : (JSON.parse(start) as Place);

/** A page of a feed that staff's programs follow: each has a cursor. */
export function feedPageForStaff(
  vault: Vault,
  operation: StaffList,
  { limit, cursor }: PageRequest,
  usualSize: number,
): Page | InvalidCursor {
  const owner = { operation, applicationId: null, filters: {} };
  const start = startOf(vault, owner, cursor);
  if (isRefusal(start)) return start;
  return {
    size: limit ?? usualSize,
    after: placeAt<string>(start),
    cursorAt: (position) => writeCursor(vault, owner, JSON.stringify(position)),
  };
}

/**
 * Reads a page of a list whose reads end after a number of rows, so that a rare filter does not read all of them
 * at once: a page can have fewer items than `limit` and be followed by others. Refuses a cursor of another list or
 * other filters.
 */
export async function sparsePageForStaff<Item, Place>(
  vault: Vault,
  list: ListOfStaff<Item, Place, PartlyFound<Item, Place>>,
  { limit = operatorLimits.pageSize.default, cursor }: PageRequest,
): Promise<PageOfStaff<Item> | InvalidCursor> {
  const { operation, filters } = list;
  const owner = { operation, applicationId: null, filters };
  const start = startOf(vault, owner, cursor);
  if (isRefusal(start)) return start;
  const found = await list.read(placeAt<Place>(start), limit + 1);
  const { items, last } = cutPage(found.items, limit);
  const place = last ? list.placeOf(last) : found.lookedUntil;
  const nextCursor = place === null ? null : writeCursor(vault, owner, JSON.stringify(place));
  return { items, nextCursor };
}

/** Reads a page of a list. Refuses a cursor of another list or other filters. */
export const pageForStaff = <Item, Place>(
  vault: Vault,
  list: ListOfStaff<Item, Place>,
  page: PageRequest,
): Promise<PageOfStaff<Item> | InvalidCursor> =>
  sparsePageForStaff<Item, Place>(
    vault,
    {
      ...list,
      read: async (after, atMost) => ({ items: await list.read(after, atMost), lookedUntil: null }),
    },
    page,
  );
