/** Pages of the lists that staff read. */
import { RefusalError } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Vault } from '../../platform/vault.ts';
import { readCursor, writeCursor, type StaffList } from '../cursor.ts';
import { cutPage } from '../paging.ts';
import { OperatorRefusal } from './operator-refusal.ts';

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

function placeAfter<Place>(
  vault: Vault,
  { operation, filters }: Pick<ListOfStaff<never, Place>, 'operation' | 'filters'>,
  cursor: string,
): Place {
  const owner = { operation, applicationId: null, filters };
  try {
    return JSON.parse(readCursor(vault, owner, cursor, 'cursor')) as Place;
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const message = 'is not a cursor of this list with these filters';
    throw new OperatorRefusal('This is not a cursor of this list with these filters.', {
      code: 'invalid_input',
      details: { fields: [{ path: 'query/cursor', message }] },
    });
  }
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
  const after = cursor === undefined ? null : placeAfter<Place>(vault, list, cursor);
  const found = await list.read(after, limit + 1);
  const { items, last } = cutPage(found.items, limit);
  const place = last ? list.placeOf(last) : found.lookedUntil;
  if (place === null) return { items, nextCursor: null };
  const owner = { operation, applicationId: null, filters };
  return { items, nextCursor: writeCursor(vault, owner, JSON.stringify(place)) };
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
