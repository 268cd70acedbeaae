import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { MaybePromise } from '../../api/maybe-promise.ts';
import type { PublishedListing } from '../../catalog/index.ts';
import { limits } from '../../contract/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import { nightReadings } from '../../platform/diagnostics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import { withoutDeadline } from '../../platform/postgres/deadline.ts';
import { primaryReads, type Reads } from '../../platform/postgres/replica.ts';
import { copyOut } from '../../platform/postgres/copy-out.ts';
import { type DayNumber, type Stay, todayAt } from '../../pricing/index.ts';
import type { Availability, FreeHomes } from '../availability.ts';
import {
  type ChangedNights,
  copyTakenNights,
  type LogPosition,
  type NightChanges,
  readNightChanges,
  readPosition,
  type Reading,
  readTakenParts,
} from '../store/night-changes.ts';
import { nightState, type TakenPart } from '../night-states.ts';
import { copiedKey, createCopyReader, listingIdOf } from './copied-nights.ts';
import { freeHomesOf, type ListedHomes, listedHomes } from './free-homes.ts';
import { type Nights, TakenNights } from './taken-nights.ts';

/** Nights of a home that this process has taken itself. */
interface Taken extends Nights {
  listingId: string;
}

type LoadReads = Pick<Reads, 'run'>;

/** One state of the index: a load replaces it. */
interface State {
  nights: TakenNights;
  /** The slots of homes by listing ID. A home without a slot has no taken night. */
  slots: Map<string, number>;
  /** By the list of a view. */
  lists: WeakMap<readonly PublishedListing[], MaybePromise<ListedHomes>>;
  position: LogPosition;
  knownUntil: EpochMs;
}

// "Today" at the westernmost property is the day before that of UTC, at the easternmost the day after. One
// more night, so that the next one can be read long before it is needed.
// The night before an arrival may be the end of a gap.
const nightsBefore = 2;
const nightsAfter = 1 + limits.bookingHorizonDays + limits.nightsPerStay.max + 1;
const windowNights = nightsBefore + nightsAfter;
// After a longer leap of the database's time, everything is loaded again.
const movesAtMost = 7;

/** The first night of the window at a time of the database. */
const firstNightAt = (now: EpochMs): DayNumber => todayAt(now, null) - nightsBefore;

// More changes than this take longer to apply than everything to load.
const changesAtMost = 20_000;
const partsAtOnce = 500;
// A few milliseconds of work.
const listedAtOnce = 10_000;

function slotOf({ slots, nights }: Pick<State, 'slots' | 'nights'>, listingId: string): number {
  const known = slots.get(listingId);
  if (known !== undefined) return known;
  const slot = slots.size;
  slots.set(listingId, slot);
  nights.ensure(slot);
  return slot;
}

/** Gives homes slots in their order, so that a list of them is searched fastest. */
async function giveSlots(
  state: Pick<State, 'slots' | 'nights'>,
  listings: readonly PublishedListing[],
): Promise<Int32Array> {
  const slots = new Int32Array(listings.length);
  for (let index = 0; index < listings.length; index += 1) {
    slots[index] = slotOf(state, listings[index]!.listing.listingId);
    if (index % listedAtOnce === listedAtOnce - 1) await nextLoopIteration();
  }
  return slots;
}

/** The slots of homes by the key of their IDs in a copy. */
async function slotsByKey(slots: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const byKey = new Map<string, number>();
  for (const [listingId, slot] of slots) {
    byKey.set(copiedKey(listingId), slot);
    if (byKey.size % listedAtOnce === 0) await nextLoopIteration();
  }
  return byKey;
}

type Lists = Iterable<readonly PublishedListing[]>;

/**
 * Reads everything. The position is that of the primary, where the log is followed; a replica that is read
 * afterwards has everything that is committed at the position.
 */
async function load(database: Database, reads: LoadReads, lists: Lists): Promise<State> {
  // What is committed after this reading can be missing below, and is read again from the log.
  const position = await readPosition(database);
  return reads.run((from) => readAll(from, position, lists));
}

/** `lists`: the homes of each catalog in their order. */
async function readAll(
  database: Database,
  { snapshot, server, now }: Reading,
  lists: Lists,
): Promise<State> {
  const first = firstNightAt(now);
  const nights = new TakenNights(first, windowNights);
  const slots = new Map<string, number>();
  const listed: State['lists'] = new WeakMap();
  for (const listings of lists) {
    const homes = listedHomes(await giveSlots({ slots, nights }, listings));
    listed.set(listings, homes);
  }
  const byKey = await slotsByKey(slots);
  const readRows = createCopyReader((key, from, to, lead) => {
    let slot = byKey.get(key);
    if (slot === undefined) {
      slot = slotOf({ slots, nights }, listingIdOf(key));
      byKey.set(key, slot);
    }
    nights.mark(slot, { from, to, lead });
  });
  for await (const bytes of copyOut(database, copyTakenNights(first))) readRows(bytes);
  for (let block = 0; block < nights.blocks(); block += 1) {
    nights.fillRuns(block);
    await nextLoopIteration();
  }
  const position = { snapshot, server };
  return { nights, slots, lists: listed, position, knownUntil: now };
}

/** Reads parts of the taken nights again, a group at a time. */
async function readAgain(
  database: Database,
  parts: readonly ChangedNights[],
  onGroup: (group: readonly ChangedNights[], taken: TakenPart[][]) => void,
): Promise<void> {
  for (let from = 0; from < parts.length; from += partsAtOnce) {
    const group = parts.slice(from, from + partsAtOnce);
    const taken: TakenPart[][] = group.map(() => []);
    for (const part of await readTakenParts(database, group)) taken[part.index]!.push(part);
    onGroup(group, taken);
  }
}

/** Follows the taken nights. Only changed nights are read again. */
class FollowedNights implements Availability {
  readonly #database: Database;
  readonly #reads: LoadReads;
  /** The lists of homes at this moment. */
  readonly #listings: () => Lists;
  #state: State;
  #reading: Promise<void> | null = null;
  /**
   * Nights are kept in order until a later reading has read them again. The log alone is not enough: an earlier
   * reading may have seen both the hold and that another process freed the nights afterwards.
   */
  #taken: Taken[] = [];
  /** The reading that later searches wait for. */
  #awaited: Promise<void> | null = null;

  constructor(database: Database, reads: LoadReads, listings: () => Lists, state: State) {
    this.#database = database;
    this.#reads = reads;
    this.#listings = listings;
    this.#state = state;
  }

  knownUntil(): EpochMs {
    return this.#state.knownUntil;
  }

  size(): { homes: number; bytes: number } {
    return { homes: this.#state.slots.size, bytes: this.#state.nights.bytes() };
  }

  took(listingId: string, { checkIn: from, checkOut: to }: Stay): void {
    const taken = { listingId, from, to };
    this.#taken.push(taken);
    this.#mark(taken);
  }

  #mark({ listingId, ...nights }: Taken): void {
    // What preparation it has is read from the log.
    this.#state.nights.set(slotOf(this.#state, listingId), nights, [{ ...nights, lead: 0 }]);
  }

  changed(): void {
    const reading = this.#followQuietly().finally(() => {
      if (this.#awaited === reading) this.#awaited = null;
    });
    this.#awaited = reading;
  }

  /** A reading that fails is tried again by the background task. */
  async #followQuietly(): Promise<void> {
    await this.follow().catch(() => undefined);
  }

  async prepare(listings: readonly PublishedListing[]): Promise<void> {
    await this.#listed(this.#state, listings);
  }

  freeHomes(
    listings: readonly PublishedListing[],
    stay: Stay,
    signal: AbortSignal,
  ): MaybePromise<FreeHomes> {
    const { nights, lists } = this.#state;
    const homes = lists.get(listings);
    const isKnown = homes && !(homes instanceof Promise) && nights.covers(stay);
    return isKnown && this.#awaited === null
      ? freeHomesOf(nights, homes, stay)
      : this.#freeHomesSoon(listings, stay, signal);
  }

  async #freeHomesSoon(
    listings: readonly PublishedListing[],
    stay: Stay,
    signal: AbortSignal,
  ): Promise<FreeHomes> {
    await this.#awaited;
    if (!this.#state.nights.covers(stay)) await this.follow();
    const state = this.#state;
    const homes = await this.#listed(state, listings);
    signal.throwIfAborted();
    // Everything was loaded again meanwhile.
    if (state !== this.#state) return this.#freeHomesSoon(listings, stay, signal);
    if (state.nights.covers(stay)) return freeHomesOf(state.nights, homes, stay);
    throw new DatabaseUnavailableError('the nights of the stay are not known yet');
  }

  async openNights(listingId: string, from: DayNumber, nights: number): Promise<Uint8Array> {
    await this.#awaited;
    // A new home may have been imported together with its blocks.
    if (!this.#state.slots.has(listingId)) await this.follow();
    const { nights: taken } = this.#state;
    const slot = slotOf(this.#state, listingId);
    const open = new Uint8Array(nights);
    const window = taken.window();
    const end = Math.min(from + nights, window.to);
    for (let night = Math.max(from, window.from); night < end; night += 1) {
      open[night - from] = taken.isTaken(slot, night)
        ? nightState.taken
        : taken.isLead(slot, night)
          ? nightState.lead
          : nightState.open;
    }
    return open;
  }

  async follow(): Promise<void> {
    // The read in progress may have started before the change.
    await this.#reading?.catch(() => undefined);
    // Several callers share this read, so it must not have the deadline of one of them.
    this.#reading ??= withoutDeadline(() => this.#read()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /**
   * A list that this process has not searched yet may have homes that were imported together with their blocks.
   * So the log is read once after the list.
   */
  #listed(state: State, listings: readonly PublishedListing[]): MaybePromise<ListedHomes> {
    const known = state.lists.get(listings);
    if (known) return known;
    const listed = this.follow().then(async () => {
      const homes = listedHomes(await giveSlots(state, listings));
      state.lists.set(listings, homes);
      return homes;
    });
    state.lists.set(listings, listed);
    listed.catch(() => state.lists.delete(listings));
    return listed;
  }

  async #read(): Promise<void> {
    const { position, nights } = this.#state;
    const known = [...this.#taken];
    const read = await readNightChanges(this.#database, position, changesAtMost);
    const first = firstNightAt(read.now);
    const isLost =
      read.server !== position.server ||
      read.areLost ||
      read.rows > changesAtMost ||
      first < nights.window().from ||
      first > nights.window().from + movesAtMost;
    nightReadings.publish(() => ({ changes: read.rows, isLoad: isLost }));
    if (isLost) {
      this.#state = await load(this.#database, this.#reads, this.#listings());
      this.#markSince(known);
    } else {
      await this.#apply(read, known);
      while (nights.window().to < first + windowNights) await this.#moveWindow();
    }
    this.#taken.splice(0, known.length);
  }

  /** Marks again the nights that this process took after `known`, because a reading can be older. */
  #markSince(known: readonly Taken[]): void {
    for (const taken of this.#taken.slice(known.length)) this.#mark(taken);
  }

  async #apply(
    { snapshot, server, now, changes }: NightChanges,
    known: readonly Taken[],
  ): Promise<void> {
    const state = this.#state;
    const window = state.nights.window();
    const all = [
      ...changes,
      ...known.map(({ listingId, from, to }): ChangedNights => [listingId, from, to]),
    ];
    // Also those that change only beyond the window, so that their nights are read when it moves.
    for (const [listingId] of all) slotOf(state, listingId);
    const parts = all.filter(([, from, to]) => from < window.to && to > window.from);
    await readAgain(this.#database, parts, (group, taken) => {
      group.forEach(([listingId, from, to], index) => {
        state.nights.set(slotOf(state, listingId), { from, to }, taken[index]!);
      });
      this.#markSince(known);
    });
    state.position = { snapshot, server };
    // Not the later of both: a clock that was wrong may have been set back.
    state.knownUntil = now;
  }

  /** Moves the window by a night. What changes meanwhile is read from the log afterwards. */
  async #moveWindow(): Promise<void> {
    const state = this.#state;
    const { from, to } = state.nights.beginNext();
    const parts = Array.from(state.slots.keys(), (id): ChangedNights => [id, from, to]);
    await readAgain(this.#database, parts, (group, taken) => {
      group.forEach(([listingId], index) => {
        for (const part of taken[index]!) state.nights.markNext(slotOf(state, listingId), part);
      });
    });
    state.nights.endNext();
  }
}

/**
 * Loads the taken nights of all homes. `listings`: the homes of each catalog in their order, now and each
 * time everything must be loaded again. `reads`: where they are loaded from; changes are always read from
 * `database`. Throws `DatabaseUnavailableError`. Spec: CALENDAR-7.
 */
export async function openNightsIndex(
  database: Database,
  listings: () => Lists,
  reads: LoadReads = primaryReads(database),
): Promise<Availability> {
  return new FollowedNights(database, reads, listings, await load(database, reads, listings()));
}
