import {
  blockChannelNights,
  readNightsForChannel,
  unblockChannelNights,
} from '../inventory/index.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { isConflict, isLockTimeout } from '../platform/postgres/database-errors.ts';
import type { Validators } from '../platform/sending/download.ts';
import type { DayNumber } from '../pricing/index.ts';
import {
  decideNights,
  type BlockedNights,
  type EventNights,
  type NightChanges,
  type OtherNights,
} from './rules/nights.ts';
import {
  lockCalendars,
  writeCalendarResult,
  writeValidators,
  type CalendarClaim,
} from './store/calendars.ts';
import { replaceConflicts } from './store/conflicts.ts';

/** A calendar that was read. */
export interface NightsToApply {
  nights: readonly EventNights[];
  validators: Validators;
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
}

const triesAtMost = 5;

type Home = Pick<CalendarClaim, 'calendarId' | 'listingId'>;

async function decide(
  executor: Executor,
  { calendarId, listingId }: Home,
  { nights, today }: NightsToApply,
): Promise<NightChanges> {
  const taken = await readNightsForChannel(executor, listingId, today);
  const blocked = taken
    .filter((one) => one.calendarId === calendarId)
    .map(({ occupancyId, eventUid, from, to }): BlockedNights => {
      return { blockId: occupancyId, uid: eventUid!, from, to };
    });
  const others: readonly OtherNights[] = taken.filter((one) => one.calendarId !== calendarId);
  return decideNights(nights, blocked, others, today);
}

/** Changes the blocks. If nights are taken in the meantime, it reads and decides again. */
async function changeBlocks(
  executor: Executor,
  home: Home,
  read: NightsToApply,
): Promise<{ added: number; removed: number; left: NightChanges }> {
  let added = 0;
  let removed = 0;
  for (;;) {
    const left = await decide(executor, home, read);
    const { remove, add } = left;
    if (remove.length + add.length === 0) return { added, removed, left };
    if (remove.length > 0) await unblockChannelNights(executor, remove);
    if (add.length > 0) added += await blockChannelNights(executor, home, add);
    removed += remove.length;
  }
}

/**
 * Makes a calendar block exactly the nights of its events. It removes only its own blocks, and what it cannot
 * block becomes a conflict. `lost`: another process has claimed the calendar, or it was removed.
 *
 * Call it in `changeNights`.
 */
export async function applyNights(
  executor: Executor,
  claim: CalendarClaim,
  read: NightsToApply,
): Promise<AppliedNights | 'lost'> {
  const { calendarId, listingId, fence } = claim;
  const locked = await lockCalendars(executor, listingId);
  if (!locked.some((one) => one.calendarId === calendarId && one.fence === fence)) return 'lost';
  const { added, removed, left } = await changeBlocks(executor, claim, read);
  const newConflicts = await replaceConflicts(executor, calendarId, left.conflicts);
  await writeValidators(executor, claim, read.validators);
  const { nextInSeconds } = read;
  await writeCalendarResult(executor, claim, { problem: null, nextInSeconds });
  return {
    added,
    removed,
    unchanged: left.unchanged - added,
    conflicts: left.conflicts.length,
    newConflicts,
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
