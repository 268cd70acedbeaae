/** What the commands of staff on reservations, checkouts and the audit trail share. */
import type { PageOfStaff } from '../access/index.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import type { StaffContext } from '../bookings/index.ts';
import { staffContext } from '../service/staff-context.ts';
import type { CommandContext, Outcome } from './command.ts';
import * as kinds from './flag-kinds.ts';

/** The reservation that a command is about. */
export const reference = {
  kind: kinds.reference,
  required: true,
  description: 'The reservation, by its reference.',
} as const;

/** Why staff do it. */
export const reason = {
  kind: kinds.line('TEXT', operatorLimits.reasonLength),
  required: true,
  description: 'The reason, for staff only; it is in the audit trail.',
} as const;

/** Only shows what a command would do. */
export const dryRun = {
  kind: kinds.withoutValue,
  required: false,
  description: 'Show what would happen, and change nothing.',
} as const;

/** The note of a command that only shows what it would do. */
export const previewNote = 'This is a preview: nothing has changed.';

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

// Nothing to wake: the deliverer of a running service looks every second.
const notWoken = (): void => undefined;

/** The dependencies of what staff do, from those of a command. */
export const staffOf = async ({
  database,
  environment,
  openProvider,
}: CommandContext): Promise<StaffContext> =>
  staffContext(database, environment, notWoken, await openProvider());
