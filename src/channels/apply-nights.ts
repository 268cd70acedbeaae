import {
  blockChannelNights,
  readNightsForChannel,
  readPreparation,
  unblockChannelNights,
  type NightsForChannel,
} from '../inventory/index.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { isConflict, isLockTimeout } from '../platform/postgres/database-errors.ts';
import type { Validators } from '../platform/sending/download.ts';
import type { DayNumber } from '../pricing/index.ts';
import { ownDomains } from './icalendar/own-events.ts';
import type { Original } from './rules/echoes.ts';
import {
  decideEvents,
  type DecidedEvent,
  type EventDecision,
  type KnownEvent,
  type ReadKind,
  type SeenEvent,
} from './rules/events.ts';
import {
  decideNights,
  overlapOf,
  withoutOverlaps,
  type BlockedNights,
  type EventNights,
  type NightChanges,
  type NightConflict,
  type OtherNights,
} from './rules/nights.ts';
import { isDamage, type ReadProblem } from './rules/problems.ts';
import { lockCalendars } from './store/calendars.ts';
import type { CalendarClaim } from './store/claims.ts';
import {
  readCalendarState,
  writeCalendarResult,
  writeValidators,
  writeVerdict,
} from './store/read-results.ts';
import { readConflictNights, replaceConflicts } from './store/conflicts.ts';
import { readOutsideStayNights, yieldToOutsideStays } from './store/outside-stays.ts';
import {
  readEvents,
  readEventsOfOthers,
  writeEvents,
  type EventToWrite,
  type StoredEvent,
} from './store/events.ts';

/** A calendar that was read, or whose content is known from before. */
export interface ReadToApply {
  kind: ReadKind;
  events: readonly SeenEvent[];
  /** What is wrong with its content. Null: the content is that of the last read. */
  problems: readonly ReadProblem[] | null;
  /** Whether a person has asked for exactly this content: what it does not show is over. */
  atOnce: boolean;
  /** Null: the content is that of the last read. */
  validators: Validators | null;
  today: DayNumber;
  nextInSeconds: number;
}

/** What a calendar changed. */
export interface AppliedNights {
  /** Blocks. */
  added: number;
  removed: number;
  unchanged: number;
  /** Nights that could not be blocked, and how many of them are new. */
  conflicts: number;
  newConflicts: number;
  /** Events that the calendar does not show any more, and whose nights are still blocked. */
  missing: number;
  /** Whether so much is missing that nothing becomes free. */
  shrunk: boolean;
}

const triesAtMost = 5;

type Home = Pick<CalendarClaim, 'calendarId' | 'listingId'>;

/** Everything that has nights of a home: of this calendar, and of others. */
interface TakenNights {
  blocked: NightsForChannel[];
  others: NightsForChannel[];
}

async function readTaken(
  executor: Executor,
  { calendarId, listingId }: Home,
  today: DayNumber,
): Promise<TakenNights> {
  const taken = await readNightsForChannel(executor, listingId, today);
  return {
    blocked: taken.filter((one) => one.calendarId === calendarId),
    others: taken.filter((one) => one.calendarId !== calendarId),
  };
}

function changesOf(
  { blocked, others }: TakenNights,
  wanted: readonly EventNights[],
  today: DayNumber,
): NightChanges {
  const own = blocked.map(({ occupancyId, eventUid, from, to }): BlockedNights => {
    return { blockId: occupancyId, uid: eventUid!, from, to };
  });
  const rest: readonly OtherNights[] = others;
  return decideNights(wanted, own, rest, today);
}

/** Changes the blocks. If nights are taken in the meantime, it reads and decides again. */
async function changeBlocks(
  executor: Executor,
  home: Home,
  wanted: readonly EventNights[],
  today: DayNumber,
): Promise<{ added: number; removed: number; left: NightChanges }> {
  let added = 0;
  let removed = 0;
  for (;;) {
    const left = changesOf(await readTaken(executor, home, today), wanted, today);
    const { remove, add } = left;
    if (remove.length + add.length === 0) return { added, removed, left };
    if (remove.length > 0) await unblockChannelNights(executor, remove);
    if (add.length > 0) added += await blockChannelNights(executor, home, add);
    removed += remove.length;
  }
}

interface HeldNights extends EventNights {
  since: number;
}

/** The parts of an event that touch, as one. */
function merged(parts: readonly HeldNights[]): HeldNights[] {
  const byEnd = new Map<string, HeldNights>();
  const all = new Set<HeldNights>();
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const one = byEnd.get(`${part.uid} ${part.from}`) ?? { ...part };
    one.to = part.to;
    byEnd.set(`${part.uid} ${part.to}`, one);
    all.add(one);
  }
  return [...all];
}

/** Nights that the calendar holds without an event, because the version before this one has read it. */
async function unexplained(
  executor: Executor,
  { calendarId }: Home,
  stored: readonly StoredEvent[],
  { blocked }: TakenNights,
): Promise<StoredEvent[]> {
  const conflicts = await readConflictNights(executor, calendarId);
  const held = [
    ...blocked.map(({ eventUid, from, to, exportedFrom }) => {
      return { uid: eventUid!, from, to, since: exportedFrom };
    }),
    ...conflicts.map(({ uid, from, to, foundAt }) => ({ uid, from, to, since: foundAt })),
  ];
  const isExplained = overlapOf(
    stored.filter(({ state }) => state !== 'ignored' && state !== 'echo'),
  );
  return merged(held.filter((part) => !isExplained(part))).map(({ since, ...event }) => ({
    ...event,
    state: 'taken',
    reason: null,
    copyOf: null,
    firstSeenAt: since,
    missingSince: null,
    lastSeenAt: null,
    summary: null,
    outsideStay: null,
  }));
}

/** What the channel can have copied from us: the stays, the events of other channels, and preparation. */
async function originalsOf(
  executor: Executor,
  home: Home,
  { others }: TakenNights,
  today: DayNumber,
): Promise<Original[]> {
  const own = others
    .filter(({ kind, outsideStay }) => kind === 'confirmed' || outsideStay !== null)
    .map(({ from, to, exportedFrom, reference, outsideStay, occupancyId }) => {
      return { from, to, exportedFrom, reference: reference ?? outsideStay, occupancyId };
    });
  const events = await readEventsOfOthers(executor, home, today);
  const preparation = await readPreparation(executor, home.listingId, today);
  const unnamed = [...events, ...preparation].map((nights) => {
    return { ...nights, reference: null, occupancyId: null };
  });
  return [...own, ...unnamed];
}

const keyOf = ({ uid, from, to }: EventNights): string => `${from} ${to} ${uid}`;

type Written = Pick<EventToWrite, keyof KnownEvent | 'lastSeenAt' | 'summary'>;

const isSame = (one: Written, other: Written): boolean =>
  one.state === other.state &&
  one.reason === other.reason &&
  one.copyOf === other.copyOf &&
  one.summary === other.summary &&
  one.firstSeenAt === other.firstSeenAt &&
  one.lastSeenAt === other.lastSeenAt &&
  one.missingSince === other.missingSince;

/** The events as they are stored, and those of them that are written or removed. */
function changedEvents(
  decided: readonly DecidedEvent[],
  stored: readonly StoredEvent[],
  conflicts: readonly NightConflict[],
  seenAt: number | null,
) {
  const before = new Map(stored.map((event) => [keyOf(event), event]));
  const hasConflict = overlapOf(conflicts);
  const events = decided.map(({ isShown, state: wanted, ...event }): EventToWrite => {
    const known = before.get(keyOf(event));
    const state = wanted !== 'holds' ? wanted : hasConflict(event) ? 'conflict' : 'taken';
    const lastSeenAt = isShown ? null : (known?.lastSeenAt ?? seenAt ?? event.firstSeenAt);
    const summary = event.summary ?? known?.summary ?? null;
    return { ...event, state, lastSeenAt, summary };
  });
  const left = new Set(events.map(keyOf));
  return {
    written: events.filter((event) => {
      const known = before.get(keyOf(event));
      return !known || !isSame(event, known);
    }),
    removed: stored.filter((event) => !left.has(keyOf(event))),
  };
}

async function decide(
  executor: Executor,
  home: Home,
  read: ReadToApply,
): Promise<EventDecision & { stored: StoredEvent[]; seenAt: number | null }> {
  const { calendarId } = home;
  const { today } = read;
  const { seenAt, now, ...calendar } = await readCalendarState(executor, calendarId);
  const stored = await readEvents(executor, calendarId, today);
  const taken = await readTaken(executor, home, today);
  const known = [...stored, ...(await unexplained(executor, home, stored, taken))];
  const originals = await originalsOf(executor, home, taken, today);
  const state = { ...calendar, ownDomains: ownDomains(executor.vault) };
  return {
    ...decideEvents({ read, known, calendar: state, originals, today, now }),
    stored,
    seenAt,
  };
}

/** The conflicts of a calendar but those of events that are outside stays: the stays have conflicts of their own. */
async function ownConflicts(
  executor: Executor,
  { listingId, source }: CalendarClaim,
  events: readonly DecidedEvent[],
  conflicts: readonly NightConflict[],
): Promise<NightConflict[]> {
  if (source === null || conflicts.length === 0) return [...conflicts];
  const stays = await readOutsideStayNights(executor, listingId, source);
  const nights = new Set(stays.map(({ from, to }) => `${from} ${to}`));
  const same = Map.groupBy(
    events.filter(({ from, to }) => nights.has(`${from} ${to}`)),
    ({ uid }) => uid,
  );
  return conflicts.filter(
    (one) => !same.get(one.uid)?.some(({ from, to }) => from <= one.from && one.to <= to),
  );
}

async function writeResult(
  executor: Executor,
  claim: CalendarClaim,
  { validators, nextInSeconds, problems }: ReadToApply,
): Promise<void> {
  if (validators) await writeValidators(executor, claim, validators);
  const damage = problems?.find(isDamage);
  const problem = damage ? { problem: damage.problem, detail: damage.detail } : null;
  await writeCalendarResult(executor, claim, {
    problem,
    nextInSeconds,
    ...(problems && { problems }),
  });
}

/**
 * Applies a read to the nights of its home: the calendar blocks those of the events that hold nights. It removes only
 * its own blocks, and what it cannot block becomes a conflict. `lost`: another process has claimed the calendar, or
 * it was removed.
 *
 * Call it in `changeNights`.
 */
export async function applyRead(
  executor: Executor,
  claim: CalendarClaim,
  read: ReadToApply,
): Promise<AppliedNights | 'lost'> {
  const { calendarId, listingId, fence } = claim;
  const locked = await lockCalendars(executor, listingId);
  if (!locked.some((one) => one.calendarId === calendarId && one.fence === fence)) return 'lost';
  if (claim.source !== null) await yieldToOutsideStays(executor, listingId);
  const { events, shrunkSince, stored, seenAt } = await decide(executor, claim, read);
  const missing = events.filter(({ state }) => state === 'missing');
  const wanted = withoutOverlaps([...events.filter(({ state }) => state === 'holds'), ...missing]);
  const { added, removed, left } = await changeBlocks(executor, claim, wanted, read.today);
  const written = await replaceConflicts(executor, calendarId, left.conflicts);
  await writeEvents(executor, calendarId, changedEvents(events, stored, left.conflicts, seenAt));
  await writeVerdict(executor, calendarId, read.kind, shrunkSince);
  if (read.kind !== 'accepted') await writeResult(executor, claim, read);
  const conflicts = await ownConflicts(executor, claim, events, left.conflicts);
  return {
    added,
    removed,
    unchanged: left.unchanged - added,
    conflicts: conflicts.length,
    newConflicts: written.filter((one) => conflicts.includes(one)).length,
    missing: missing.length,
    shrunk: shrunkSince !== null,
  };
}

/** Runs work on calendars in a transaction. It is repeated if it waited too long for the locks of others. */
export async function changeNights<T>(
  database: Database,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      const isPassing = isLockTimeout(error) || isConflict(error);
      if (!isPassing || tries === triesAtMost) throw error;
    }
  }
}
