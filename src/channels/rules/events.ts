/**
 * What a read of a calendar means for its events: that nights are taken is believed at once, that they are free is
 * believed slowly.
 */

import type { EpochMs } from '../../contract/time.ts';
import type { DayNumber } from '../../pricing/index.ts';
import { decideEcho, type ExportReads, type Original, type OriginalsByNight } from './echoes.ts';

/**
 * `taken`: it holds its nights. `conflict`: something else has some of them. `missing`: it holds its nights although
 * the calendar does not show it any more. `echo`: a copy of what we have shown. `ignored`: it takes no nights.
 */
export type EventState = 'taken' | 'conflict' | 'missing' | 'echo' | 'ignored';

/** Why an event takes no nights. */
export type IgnoredBecause = 'free' | 'cancelled' | 'summary' | 'no_night';

/**
 * Why an event has its state. Of what is missing: the channel has `moved` it, says why it takes no nights, or it is
 * `gone`. `sale`: it has exactly the nights of something else, and is no copy. Of an echo: `copy`.
 */
export type EventReason = IgnoredBecause | 'moved' | 'gone' | 'sale' | 'copy';

/** Nights of an event, half-open. */
interface EventKey {
  uid: string;
  from: DayNumber;
  to: DayNumber;
}

/** An event that the calendar shows. */
export interface SeenEvent extends EventKey {
  /** Null: it was not read again. */
  summary: string | null;
  ignored: IgnoredBecause | null;
}

/** An event as it is stored. */
export interface KnownEvent extends EventKey {
  state: EventState;
  reason: EventReason | null;
  /** Of an echo: what it is a copy of. */
  copyOf: string | null;
  firstSeenAt: EpochMs;
  /** The first whole read without it. Null: the last whole read had it. */
  missingSince: EpochMs | null;
}

/** An event after the read. `holds`: it wants its nights, whether it has them or something else. */
export interface DecidedEvent extends Omit<KnownEvent, 'state'> {
  state: 'holds' | 'missing' | 'echo' | 'ignored';
  /** Null: as it is stored. */
  summary: string | null;
  /** Whether the read showed it. */
  isShown: boolean;
}

/**
 * `whole`: what it does not show may be over. `damaged`: it shows some of its events. `unchanged`: the content that
 * was read last. `accepted`: a person has said that what is missing is over.
 */
export type ReadKind = 'whole' | 'damaged' | 'unchanged' | 'accepted';

/** A read of a calendar. */
export interface EventRead {
  kind: ReadKind;
  /** Of `whole` and `damaged`. */
  events: readonly SeenEvent[];
  /** Whether a person has asked for exactly this content: what it does not show is over. */
  atOnce: boolean;
}

/** What is known about a calendar before the read. */
export interface CalendarState extends ExportReads {
  /** The first of the whole reads in a row in which too much was missing. */
  shrunkSince: EpochMs | null;
  /** Whether a person has said that the nights stay taken. */
  isKept: boolean;
  /** Whether its options have changed since the last whole read. */
  hasNewOptions: boolean;
}

/** What a read means. */
export interface EventDecision {
  /** All events that are not over. Those that are not among them are forgotten. */
  events: DecidedEvent[];
  shrunkSince: EpochMs | null;
  /** Events whose nights are free now. */
  freed: number;
}

const minuteMs = 60_000;
/** The time between the first and the second whole read without an event, at least. Spec: CHANNEL-3. */
const missingForMs = 10 * minuteMs;
/** How long too much must be missing in every read. Spec: CHANNEL-5. */
const shrunkForMs = 6 * 60 * minuteMs;
/** So many future events, or fewer, are never too much. */
const fewEvents = 2;

const holdingStates: ReadonlySet<EventState> = new Set(['taken', 'conflict', 'missing']);
const holds = ({ state }: KnownEvent): boolean => holdingStates.has(state);

const keyOf = ({ uid, from, to }: EventKey): string => `${from} ${to} ${uid}`;

/** Each event once: where one of them takes its nights, that one. */
function withoutRepeats(events: readonly SeenEvent[]): SeenEvent[] {
  const takingLast = [
    ...events.filter(({ ignored }) => ignored !== null),
    ...events.filter(({ ignored }) => ignored === null),
  ];
  return [...new Map(takingLast.map((event) => [keyOf(event), event])).values()];
}

/** The parts of nights that are not over, joined where they touch, by date. */
function joined(
  nights: readonly EventKey[],
  today: DayNumber,
): { from: DayNumber; to: DayNumber }[] {
  const all: { from: DayNumber; to: DayNumber }[] = [];
  for (const { from, to } of nights.toSorted((a, b) => a.from - b.from)) {
    const begin = Math.max(from, today);
    const last = all.at(-1);
    if (last && begin <= last.to) last.to = Math.max(last.to, to);
    else if (begin < to) all.push({ from: begin, to });
  }
  return all;
}

/** Whether nights that are not over are all among others. */
function coverage(nights: readonly EventKey[], today: DayNumber): (one: EventKey) => boolean {
  const ranges = joined(nights, today);
  return ({ from, to }) => {
    const begin = Math.max(from, today);
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]!.to <= begin) low = middle + 1;
      else high = middle;
    }
    const range = ranges[low];
    return range !== undefined && range.from <= begin && to <= range.to;
  };
}

/** Decides about one read. */
class Decision {
  readonly #read: EventRead;
  readonly #known: readonly KnownEvent[];
  readonly #byKey: ReadonlyMap<string, KnownEvent>;
  readonly #byNights: ReadonlyMap<string, KnownEvent[]>;
  readonly #calendar: CalendarState;
  readonly #originals: OriginalsByNight;
  readonly #today: DayNumber;
  readonly #now: EpochMs;

  constructor({ read, known, calendar, originals, today, now }: DecisionInput) {
    this.#read = read;
    this.#known = known;
    this.#calendar = calendar;
    this.#today = today;
    this.#now = now;
    this.#byKey = new Map(known.map((event) => [keyOf(event), event]));
    this.#byNights = Map.groupBy(known, (event) => this.#nightsKey(event));
    const left = originals
      .filter(({ to }) => to > today)
      .map((one) => ({ ...one, from: Math.max(one.from, today) }));
    this.#originals = Map.groupBy(left, ({ from }) => from);
  }

  /** Some channels cut events that have begun. */
  #nightsKey({ from, to }: EventKey): string {
    return `${Math.max(from, this.#today)} ${to}`;
  }

  /** What the calendar shows: of content that was read before, what it has shown then. */
  #shown(): SeenEvent[] {
    const { kind, events } = this.#read;
    const isRead = kind === 'whole' || kind === 'damaged';
    if (isRead) return withoutRepeats(events);
    return this.#known
      .filter(({ state, missingSince }) => state !== 'missing' && missingSince === null)
      .map(({ uid, from, to, state, reason }) => {
        const ignored = state === 'ignored' ? (reason as IgnoredBecause) : null;
        return { uid, from, to, summary: null, ignored };
      });
  }

  /** The stored event with the same nights: the same event, or one that the channel names differently now. */
  #before(event: EventKey): KnownEvent | undefined {
    return this.#byKey.get(keyOf(event)) ?? this.#byNights.get(this.#nightsKey(event))?.[0];
  }

  /** An event that the calendar shows. */
  #decideShown({ ignored, ...seen }: SeenEvent): DecidedEvent {
    const before = this.#before(seen);
    const firstSeenAt = before?.firstSeenAt ?? this.#now;
    const event = { ...seen, firstSeenAt, missingSince: null, copyOf: null, isShown: true };
    if (ignored) return { ...event, state: 'ignored', reason: ignored };
    if (before?.state === 'echo') {
      return { ...event, state: 'echo', reason: 'copy', copyOf: before.copyOf };
    }
    const isSale = before?.reason === 'sale';
    const from = Math.max(seen.from, this.#today);
    const suspect = { uid: seen.uid, from, to: seen.to, firstSeenAt, isSale };
    const echo = decideEcho(suspect, this.#originals, this.#calendar);
    if (echo.verdict === 'echo') {
      const references = echo.originals.flatMap(({ reference }) => reference ?? []);
      const copyOf = references.length > 0 ? references.join(', ') : null;
      return { ...event, state: 'echo', reason: 'copy', copyOf };
    }
    return { ...event, state: 'holds', reason: isSale || echo.verdict === 'sale' ? 'sale' : null };
  }

  /** Why an event that held nights does not any more. Each new event explains one that was moved. */
  #reasons(shown: readonly DecidedEvent[]): (event: KnownEvent) => EventReason {
    const ignored = new Map(
      shown.filter(({ state }) => state === 'ignored').map((one) => [keyOf(one), one.reason]),
    );
    const moves = new Map<string, number>();
    for (const event of shown) {
      if (event.state === 'ignored' || this.#byKey.has(keyOf(event))) continue;
      moves.set(event.uid, (moves.get(event.uid) ?? 0) + 1);
    }
    return (event) => {
      if (event.reason === 'moved' && event.state === 'missing') return 'moved';
      const why = ignored.get(keyOf(event));
      if (why) return why;
      const left = moves.get(event.uid) ?? 0;
      if (left === 0) return 'gone';
      moves.set(event.uid, left - 1);
      return 'moved';
    };
  }

  /** The events that held nights, and that a whole read shows no more. */
  #missing(shown: readonly DecidedEvent[]): DecidedEvent[] {
    const holding = shown.filter(({ state }) => state === 'holds');
    const isCovered = coverage(holding, this.#today);
    const echoes = new Set(
      shown.filter(({ state }) => state === 'echo').map((one) => this.#nightsKey(one)),
    );
    const isEcho = (event: KnownEvent) => echoes.has(this.#nightsKey(event));
    const reasonOf = this.#reasons(shown);
    return this.#known
      .filter((event) => holds(event) && !isCovered(event) && !isEcho(event))
      .map((event): DecidedEvent => {
        const missingSince = event.missingSince ?? this.#now;
        const reason = reasonOf(event);
        return { ...event, state: 'missing', reason, missingSince, summary: null, isShown: false };
      });
  }

  /** What a read that is not whole does not show stays as it is. */
  #left(shown: readonly DecidedEvent[]): DecidedEvent[] {
    const keys = new Set(shown.map(keyOf));
    return this.#known
      .filter((event) => !keys.has(keyOf(event)))
      .map((event): DecidedEvent => {
        const state = event.state === 'taken' || event.state === 'conflict' ? 'holds' : event.state;
        return { ...event, state, summary: null, isShown: false };
      });
  }

  /** Nothing of a read that is not whole is free: an event that held nights, and is shown as free, holds them. */
  #withoutFreeing(event: DecidedEvent): DecidedEvent {
    const before = this.#byKey.get(keyOf(event));
    if (event.state !== 'ignored' || !before || !holds(before)) return event;
    const state = before.state === 'missing' ? 'missing' : 'holds';
    const { reason, missingSince } = before;
    return { ...event, state, reason, missingSince };
  }

  #damaged(): EventDecision {
    const shown = this.#shown().map((event) => this.#withoutFreeing(this.#decideShown(event)));
    return {
      events: [...shown, ...this.#left(shown)],
      shrunkSince: this.#calendar.shrunkSince,
      freed: 0,
    };
  }

  /**
   * Whether at least half of the events that hold nights are missing, apart from those that were moved. Events that
   * came later than the first one was missed do not make up for it. What was not too much when it was first missed
   * is not judged again: events among which it was counted may be forgotten by now.
   */
  #isShrunk(missing: readonly DecidedEvent[]): boolean {
    const isNew = (event: EventKey) => this.#byKey.get(keyOf(event))!.missingSince === null;
    if (this.#calendar.shrunkSince === null && !missing.some(isNew)) return false;
    const since = Math.min(...missing.map(({ missingSince }) => missingSince!));
    const before = this.#known.filter((event) => holds(event) && event.firstSeenAt < since);
    const keys = new Set(before.map(keyOf));
    const lost = missing.filter((event) => event.reason !== 'moved' && keys.has(keyOf(event)));
    return before.length > fewEvents && lost.length * 2 >= before.length;
  }

  /** Whether the nights of a missing event are free, whatever else is missing. */
  #isOverAtOnce(event: DecidedEvent, shownUids: ReadonlySet<string>): boolean {
    if (this.#read.atOnce || this.#read.kind === 'accepted') return true;
    return this.#calendar.hasNewOptions && shownUids.has(event.uid);
  }

  #isOver(event: DecidedEvent): boolean {
    const isSecond = this.#byKey.get(keyOf(event))!.missingSince !== null;
    return isSecond && this.#now - event.missingSince! >= missingForMs;
  }

  decide(): EventDecision {
    if (this.#read.kind === 'damaged') return this.#damaged();
    const shown = this.#shown().map((event) => this.#decideShown(event));
    const uids = new Set(shown.map(({ uid }) => uid));
    const missing = this.#missing(shown);
    const believed = missing.filter((event) => !this.#isOverAtOnce(event, uids));
    const isShrunk = this.#isShrunk(believed);
    const shrunkSince = isShrunk ? (this.#calendar.shrunkSince ?? this.#now) : null;
    const isLong = shrunkSince !== null && this.#now - shrunkSince >= shrunkForMs;
    const isRipe = !isShrunk || (isLong && !this.#calendar.isKept);
    const left = isRipe ? believed.filter((event) => !this.#isOver(event)) : believed;
    // Of a missing event and an ignored one with its name and nights, the missing one holds them.
    const held = new Set(left.map(keyOf));
    return {
      events: [...shown.filter((event) => !held.has(keyOf(event))), ...left],
      shrunkSince: isRipe ? null : shrunkSince,
      freed: missing.length - left.length,
    };
  }
}

/** What is known when a calendar was read. */
export interface DecisionInput {
  read: EventRead;
  /** The stored events whose nights are not over. */
  known: readonly KnownEvent[];
  calendar: CalendarState;
  /** What the channel can have copied. */
  originals: readonly Original[];
  /** At the home. */
  today: DayNumber;
  now: EpochMs;
}

/**
 * Decides what a read of a calendar means for its events.
 *
 * | An event that holds nights is | in a whole read | in a read that is not whole |
 * | --- | --- | --- |
 * | shown with its nights | holds them | holds them, and is not missing any more |
 * | not shown, moved, cancelled, or free | missing; free at the second such read in a row, ten minutes after the first | as before |
 * | one of at least half that are missing | missing; free after six hours of such reads, or when accepted | as before |
 * Spec: CHANNEL-4.
 */
export const decideEvents = (input: DecisionInput): EventDecision => new Decision(input).decide();
