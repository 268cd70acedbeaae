/** The documents that `--json` prints, with instants in ISO 8601. */
import { endpointView, type ListedEndpoint, type WebhookSecrets } from '../webhooks/index.ts';
import { type ListedCalendar, type ListedConflict, problemText } from '../channels/index.ts';
import type { Block, ListedBlock } from '../inventory/index.ts';
import type { EpochMs } from '../contract/time.ts';

const shown = (at: EpochMs): string => new Date(at).toISOString();
const shownOrNull = (at: EpochMs | null): string | null => (at === null ? null : shown(at));

/** The new secret of an endpoint, and until when the previous one also signs. */
export const rotatedSecretView = (endpointId: string, { secret, previous }: WebhookSecrets) => ({
  endpointId,
  secret,
  previousSecretUntil: shownOrNull(previous?.expiresAt ?? null),
});

/** An endpoint with its health: `failing` from the first failure to the next success. */
export const listedEndpointView = ({ retrying, exhausted, ...endpoint }: ListedEndpoint) => ({
  ...endpointView(endpoint),
  health: endpoint.failingSince === null ? 'ok' : 'failing',
  retrying,
  exhausted,
});

/** A block of nights. */
export const blockView = ({ blockId, listingId, from, to, reason, source, createdAt }: Block) => ({
  blockId,
  listingId,
  from,
  to,
  reason,
  source,
  createdAt: shown(createdAt),
});

/** A block in a list, with the slug of its home. */
export const listedBlockView = ({ listing, ...block }: ListedBlock) => ({
  listing,
  ...blockView(block),
});

/** The state of a calendar: `new` until it was read, `failing` while it cannot be read. */
function calendarState({ problem, refreshedAt }: ListedCalendar): 'new' | 'ok' | 'failing' {
  if (problem !== null) return 'failing';
  return refreshedAt === null ? 'new' : 'ok';
}

/** A calendar of another channel. */
export const calendarView = (calendar: ListedCalendar) => ({
  calendarId: calendar.calendarId,
  listingId: calendar.listingId,
  listing: calendar.slug,
  url: calendar.url,
  file: calendar.fileName,
  state: calendarState(calendar),
  problem: calendar.problem && {
    reason: calendar.problem.problem,
    message: problemText(calendar.problem),
    since: shownOrNull(calendar.failingSince),
    attempts: calendar.failures,
  },
  blocks: calendar.blocks,
  conflicts: calendar.conflicts,
  refreshedAt: shownOrNull(calendar.refreshedAt),
  checkedAt: shownOrNull(calendar.checkedAt),
  nextAt: shownOrNull(calendar.nextAt),
  createdAt: shown(calendar.createdAt),
});

/** What has the nights of a conflict. */
const takenView = ({ kind, reference, occupancyId, source, reason }: ListedConflict) => {
  if (kind === 'confirmed') return { kind: 'reservation', reference };
  if (kind === 'held') return { kind: 'booking' };
  return { kind: 'block', blockId: occupancyId, source, reason };
};

/** Nights of another channel's event that something else has. */
export const conflictView = (conflict: ListedConflict) => ({
  calendarId: conflict.calendarId,
  listingId: conflict.listingId,
  listing: conflict.slug,
  eventUid: conflict.eventUid,
  from: conflict.from,
  to: conflict.to,
  takenBy: takenView(conflict),
  foundAt: shown(conflict.foundAt),
});
