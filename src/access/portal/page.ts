import { readCursor, writeCursor } from '../cursor.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalOperationId } from '../../contract/portal/operations.ts';
import type { PortalCallOf } from './kinds.ts';

interface Paged {
  limit?: number;
  cursor?: string;
}

/** The requested page of a list. */
export interface Page {
  size: number;
  /** The end position of the previous page. Null: this is the first page. */
  after: string | null;
  /** Returns the cursor that continues at a position. */
  cursorAt(position: string): string;
}

/** Reads the page size and the cursor of a list. The other parameters are the filters that the cursor is bound to. */
export function pageOf<Id extends PortalOperationId>({
  operation,
  context,
  actor,
  query,
}: PortalCallOf<Id>): Page {
  const { vault } = context.database;
  const { limit, cursor, ...filters } = query as Paged & Record<string, unknown>;
  const owner = { operation, applicationId: actor.applicationId, filters };
  return {
    size: limit ?? portalLimits.pageSize.default,
    after: cursor === undefined ? null : readCursor(vault, owner, cursor, 'query/cursor'),
    cursorAt: (position) => writeCursor(vault, owner, position),
  };
}
