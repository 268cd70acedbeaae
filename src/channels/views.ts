/** Calendars of other channels as staff see them: by the command line and by the operator's API. */
import { optionsVersion } from './options.ts';
import { instant } from '../contract/time.ts';
import { dateText } from '../pricing/index.ts';
import type { EventReason } from './rules/events.ts';
import { problemText, type ReadProblem } from './rules/problems.ts';
import type { ListedCalendar } from './store/listed-calendars.ts';
import type { StoredEvent } from './store/events.ts';
import type { ListedConflict } from './store/conflicts.ts';
import type { OutsideStay } from './store/outside-stays.ts';

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
  missing: calendar.missing,
  lastWholeReadAt: instant(calendar.wholeAt),
  refreshedAt: instant(calendar.refreshedAt),
  checkedAt: instant(calendar.checkedAt),
  nextAt: instant(calendar.nextAt),
  createdAt: instant(calendar.createdAt),
});

/** What has the nights of a conflict. */
const takenBy = (conflict: ListedConflict) => {
  const { kind, reference, occupancyId, source, reason, outsideHolder } = conflict;
  if (kind === 'confirmed') return { kind: 'reservation' as const, reference };
  if (kind === 'held') return { kind: 'booking' as const };
  if (outsideHolder !== null) {
    return { kind: 'outside_stay' as const, reference: outsideHolder, reason };
  }
  return { kind: 'block' as const, blockId: occupancyId, source, reason };
};

/** Nights of another channel's event, or of an outside stay, that something else has. */
export const conflictView = (conflict: ListedConflict) => ({
  calendarId: conflict.calendarId,
  listingId: conflict.listingId,
  listing: conflict.slug,
  listingName: conflict.name,
  eventUid: conflict.eventUid,
  outsideStay:
    conflict.outsideSource === null
      ? null
      : { source: conflict.outsideSource, externalId: conflict.outsideId! },
  from: conflict.from,
  to: conflict.to,
  doubleSale:
    conflict.kind !== 'block' || conflict.source === 'channel' || conflict.source === 'outside',
  takenBy: takenBy(conflict),
  foundAt: instant(conflict.foundAt),
});

const reasonTexts = {
  free: 'It is shown as free.',
  cancelled: 'It is cancelled.',
  summary: 'Its text takes no nights at this calendar.',
  no_night: 'It has no night: no midnight lies in it.',
  moved: 'It has moved to other nights.',
  gone: 'It is not shown any more.',
  sale: 'It was there before the channel had read what has its nights: both have sold them.',
  copy: 'It is a copy of what the channel has read from us',
} as const satisfies Record<EventReason, string>;

function reasonText({ reason, copyOf, state, outsideStay }: StoredEvent): string | null {
  if (outsideStay !== null) return `It is the outside stay ${outsideStay}.`;
  if (reason === null)
    return state === 'conflict' ? 'Something else has some of its nights.' : null;
  if (reason !== 'copy') return reasonTexts[reason];
  return `${reasonTexts.copy}: ${copyOf ?? 'the event of another channel'}.`;
}

/** The conflicts of channels' events among these. */
export const channelConflictsOf = (conflicts: readonly ListedConflict[]) =>
  conflicts.flatMap((conflict) => {
    const { outsideStay: _, ...shown } = conflictView(conflict);
    const { calendarId, eventUid } = conflict;
    return calendarId === null || eventUid === null ? [] : [{ ...shown, calendarId, eventUid }];
  });

/** Nights that another system has sold. */
export const outsideStayView = ({ createdAt, updatedAt, conflicts, ...stay }: OutsideStay) => ({
  source: stay.source,
  externalId: stay.externalId,
  listingId: stay.listingId,
  from: stay.from,
  to: stay.to,
  reason: stay.reason,
  createdAt: instant(createdAt),
  updatedAt: instant(updatedAt),
  conflicts: conflicts.map(({ reference, ...conflict }) => ({
    ...conflict,
    ...(reference !== null && { reference }),
  })),
});

/** The problems of a calendar: why it was not read, and what is wrong with what was read last. */
function problemsOf({ problem, problems }: ListedCalendar): ProblemView[] {
  const isFound = problems.some(
    (one) => one.problem === problem?.problem && one.detail === problem.detail,
  );
  const content = problems.map(problemView);
  if (problem === null || isFound) return content;
  return [problemView({ line: null, uid: null, ...problem }), ...content];
}

/** A calendar without the part of its address that can be secret. */
export function shownCalendar(calendar: ListedCalendar) {
  const { url, ...shown } = calendarView(calendar);
  return { ...shown, origin: url === null ? null : new URL(url).origin };
}

/** A calendar and its events. */
export const calendarWithEvents = (calendar: ListedCalendar, events: readonly StoredEvent[]) => ({
  ...shownCalendar(calendar),
  shrunkSince: instant(calendar.shrunkSince),
  kept: calendar.keptAt !== null,
  exportReadAt: instant(calendar.fetchedAt),
  options: {
    ...calendar.options,
    ignore: [...calendar.options.ignore],
    userAgent: calendar.userAgent,
    source: calendar.source,
  },
  version: optionsVersion(calendar),
  problems: problemsOf(calendar),
  events: events.map((event) => ({
    uid: event.uid,
    summary: event.summary,
    from: dateText(event.from),
    to: dateText(event.to),
    // The outside stay has its nights, as what an echo copies has.
    state: event.outsideStay === null ? event.state : ('echo' as const),
    reason: reasonText(event),
    firstSeenAt: instant(event.firstSeenAt),
    lastSeenAt: instant(event.lastSeenAt ?? calendar.seenAt ?? event.firstSeenAt),
  })),
});
