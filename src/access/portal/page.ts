import { readCursor, writeCursor } from '../cursor.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalOperationId } from '../../contract/portal/operations.ts';
import type { PortalCallOf } from './kinds.ts';

interface Paged {
  limit?: number;
  cursor?: string;
}

/** A page of a list that was asked for. */
export interface Page {
  size: number;
  /** Where the page before ended, as it was written; null: it is the first. */
  after: string | null;
  /** The cursor that goes on from a position. */
  cursorAt(position: string): string;
}

/** Reads the size and the cursor of a list; its other parameters are the filters it is bound to. */
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
