/** Calendars of other channels as staff see them: by the command line and by the operator's API. */
import { instant } from '../contract/time.ts';
import { problemText, type ReadProblem } from './rules/problems.ts';
import type { ListedCalendar } from './store/calendars.ts';
import type { ListedConflict } from './store/conflicts.ts';

/** The state of a calendar: `new` until it was read, `failing` while it cannot be read as a whole. */
function stateOf({
  problem,
  refreshedAt,
  shrunkSince,
}: ListedCalendar): 'new' | 'ok' | 'failing' | 'shrunk' {
  if (problem !== null) return 'failing';
  if (shrunkSince !== null) return 'shrunk';
  return refreshedAt === null ? 'new' : 'ok';
}

/** A problem as people see it. */
export interface ProblemView {
  line: number | null;
  uid: string | null;
  message: string;
}

/** A problem of a calendar. */
export const problemView = ({ line, uid, ...problem }: ReadProblem): ProblemView => ({
  line,
  uid,
  message: problemText(problem),
});

/** A calendar of another channel. `url` can contain a secret of that channel. */
export const calendarView = (calendar: ListedCalendar) => ({
  calendarId: calendar.calendarId,
  listingId: calendar.listingId,
  listing: calendar.slug,
  listingName: calendar.name,
  url: calendar.url,
  file: calendar.fileName,
  state: stateOf(calendar),
  problem: calendar.problem && {
    reason: calendar.problem.problem,
    message: problemText(calendar.problem),
    since: instant(calendar.failingSince),
    attempts: calendar.failures,
  },
  blocks: calendar.blocks,
  conflicts: calendar.conflicts,
  refreshedAt: instant(calendar.refreshedAt),
  checkedAt: instant(calendar.checkedAt),
  nextAt: instant(calendar.nextAt),
  createdAt: instant(calendar.createdAt),
});

/** What has the nights of a conflict. */
const takenBy = ({ kind, reference, occupancyId, source, reason }: ListedConflict) => {
  if (kind === 'confirmed') return { kind: 'reservation' as const, reference };
  if (kind === 'held') return { kind: 'booking' as const };
  return { kind: 'block' as const, blockId: occupancyId, source, reason };
};

/** Nights of another channel's event that something else has. */
export const conflictView = (conflict: ListedConflict) => ({
  calendarId: conflict.calendarId,
  listingId: conflict.listingId,
  listing: conflict.slug,
  listingName: conflict.name,
  eventUid: conflict.eventUid,
  from: conflict.from,
  to: conflict.to,
  takenBy: takenBy(conflict),
  foundAt: instant(conflict.foundAt),
});
