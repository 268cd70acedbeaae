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
export interface ListOfStaff<Item, Position, Found = Item[]> {
  operation: StaffList;
  filters: Record<string, unknown>;
  /** Reads items after a position; null: from the beginning. */
  read(after: Position | null, atMost: number): Promise<Found>;
  /** The position of an item, as JSON. */
  positionOf(item: Item): Position;
}

/** The part of a list that was read before the read stopped early. */
export interface PartlyFound<Item, Position> {
  items: Item[];
  /** Where the read ended; null: at the end of the list, or with the page. */
  lookedUntil: Position | null;
}

type InvalidCursor = Refusal<'invalid_input'>;

/** The position after which a page begins, as JSON; null: it is the first page. */
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

const positionAt = <Position>(start: string | null): Position | null =>
  start === null ? null : (JSON.parse(start) as Position);

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
    after: positionAt<string>(start),
    cursorAt: (position) => writeCursor(vault, owner, JSON.stringify(position)),
  };
}

/**
 * Reads a page of a list whose reads end after a number of rows, so that a rare filter does not read all of them
 * at once: a page can have fewer items than `limit` and be followed by others. Refuses a cursor of another list or
 * other filters.
 */
export async function sparsePageForStaff<Item, Position>(
  vault: Vault,
  list: ListOfStaff<Item, Position, PartlyFound<Item, Position>>,
  { limit = operatorLimits.pageSize.default, cursor }: PageRequest,
): Promise<PageOfStaff<Item> | InvalidCursor> {
  const { operation, filters } = list;
  const owner = { operation, applicationId: null, filters };
  const start = startOf(vault, owner, cursor);
  if (isRefusal(start)) return start;
  const found = await list.read(positionAt<Position>(start), limit + 1);
  const { items, last } = cutPage(found.items, limit);
  const position = last ? list.positionOf(last) : found.lookedUntil;
  const nextCursor = position === null ? null : writeCursor(vault, owner, JSON.stringify(position));
  return { items, nextCursor };
}

/** Reads a page of a list. Refuses a cursor of another list or other filters. */
export const pageForStaff = <Item, Position>(
  vault: Vault,
  list: ListOfStaff<Item, Position>,
  page: PageRequest,
): Promise<PageOfStaff<Item> | InvalidCursor> =>
  sparsePageForStaff<Item, Position>(
    vault,
    {
      ...list,
      read: async (after, atMost) => ({ items: await list.read(after, atMost), lookedUntil: null }),
    },
    page,
  );
