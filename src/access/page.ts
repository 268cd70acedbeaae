/** Pages of the lists that partners read. */
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import type { Vault } from '../platform/vault.ts';
import { type CursorOwner, readCursor, writeCursor } from './cursor.ts';

interface ListCall {
  operation: CursorOwner['operation'];
  actor: { applicationId: string };
  query: { limit?: number; cursor?: string };
}

/** The requested page of a list. */
export interface Page {
  size: number;
  /** The end position of the previous page. Null: this is the first page. */
  after: string | null;
  /** Returns the cursor that continues at a position. */
  cursorAt(position: string): string;
}

/** The parameters besides page size and cursor are the filters that the cursor is bound to. */
function pageOf(
  { operation, actor, query }: ListCall,
  vault: Vault,
  usualSize: number,
): Page | Refusal<'invalid_input'> {
  const { limit, cursor, ...filters } = query;
  const owner = { operation, applicationId: actor.applicationId, filters };
  const after = cursor === undefined ? null : readCursor(vault, owner, cursor, 'query/cursor');
  if (isRefusal(after)) return after;
  return {
    size: limit ?? usualSize,
    after,
    cursorAt: (position) => writeCursor(vault, owner, position),
  };
}

/** Reads the page size and the cursor of a list of the partners' API. Refuses a cursor of another list. */
export const pageForPartner = (
  call: ListCall & { context: { executor: { vault: Vault } } },
): Page | Refusal<'invalid_input'> =>
  pageOf(call, call.context.executor.vault, limits.pageSize.default);

/** Reads the page size and the cursor of a list of the portal. Refuses a cursor of another list. */
export const pageInPortal = (
  call: ListCall & { context: { database: { vault: Vault } } },
): Page | Refusal<'invalid_input'> =>
  pageOf(call, call.context.database.vault, portalLimits.pageSize.default);
