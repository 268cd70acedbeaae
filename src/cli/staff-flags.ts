/** What the commands of staff on reservations, checkouts and the audit trail share. */
import type { PageOfStaff } from '../access/index.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { Outcome } from './command.ts';
import * as kinds from './flag-kinds.ts';

/** The pages of a list. */
export const pageFlags = {
  limit: {
    kind: kinds.itemsPerPage,
    required: false,
    description: `The maximum number; the default is ${operatorLimits.pageSize.default}.`,
  },
  cursor: {
    kind: kinds.cursor,
    required: false,
    description: 'Continue after a page: its nextCursor, with the same filters.',
  },
} as const;

/** A page as outcome of a command. */
export const pageOutcome = (
  { items, nextCursor }: PageOfStaff<object>,
  columns: readonly string[],
): Outcome => ({
  document: { items, nextCursor },
  columns,
  note: nextCursor === null ? undefined : `There are more: --cursor ${nextCursor}`,
});
