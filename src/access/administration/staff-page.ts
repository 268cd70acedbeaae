/** Pages of the lists that staff read. */
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
import { invalidMember } from './operator-refusal.ts';

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

function placeAfter<Place>(vault: Vault, owner: CursorOwner, cursor: string): Place {
  const position = positionOf(vault, owner, cursor);
  if (position !== null) return JSON.parse(position) as Place;
  const field = { path: 'query/cursor', message: foreignCursor };
  throw invalidMember(field, `This ${foreignCursor}.`);
}

/** A page of a feed that staff's programs follow: each has a cursor. Throws `OperatorRefusal`. */
export function feedPageForStaff(
  vault: Vault,
  operation: StaffList,
  { limit, cursor }: PageRequest,
  usualSize: number,
): Page {
  const owner = { operation, applicationId: null, filters: {} };
  return {
    size: limit ?? usualSize,
    after: cursor === undefined ? null : placeAfter<string>(vault, owner, cursor),
    cursorAt: (position) => writeCursor(vault, owner, JSON.stringify(position)),
  };
}

/**
 * Reads a page of a list whose reads end after a number of rows, so that a rare filter does not read all of them
 * at once: a page can have fewer items than `limit` and be followed by others. Throws `OperatorRefusal` for a
 * cursor of another list or other filters.
 */
export async function sparsePageForStaff<Item, Place>(
  vault: Vault,
  list: ListOfStaff<Item, Place, PartlyFound<Item, Place>>,
  { limit = operatorLimits.pageSize.default, cursor }: PageRequest,
): Promise<PageOfStaff<Item>> {
  const { operation, filters } = list;
  const owner = { operation, applicationId: null, filters };
  const after = cursor === undefined ? null : placeAfter<Place>(vault, owner, cursor);
  const found = await list.read(after, limit + 1);
  const { items, last } = cutPage(found.items, limit);
  const place = last ? list.placeOf(last) : found.lookedUntil;
  const nextCursor = place === null ? null : writeCursor(vault, owner, JSON.stringify(place));
  return { items, nextCursor };
}

/** Reads a page of a list. Throws `OperatorRefusal` for a cursor of another list or other filters. */
export const pageForStaff = <Item, Place>(
  vault: Vault,
  list: ListOfStaff<Item, Place>,
  page: PageRequest,
): Promise<PageOfStaff<Item>> =>
  sparsePageForStaff<Item, Place>(
    vault,
    {
      ...list,
      read: async (after, atMost) => ({ items: await list.read(after, atMost), lookedUntil: null }),
    },
    page,
  );
