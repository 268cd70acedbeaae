import type { Log } from './log.ts';
import type { EpochMs } from '../contract/time.ts';
import { type ClockVerdict, decideClock, isAcceptedClock, longestOffMs } from './clock-jump.ts';
import {
  acceptClock,
  type ClockRow,
  holdClock,
  lookAgain,
  noteNearClock,
  readClockRow,
} from './postgres/clock-row.ts';
import type { Database, Executor, Statement } from './postgres/database.ts';
import { noteWrongTime } from './postgres/wrong-times.ts';

/** Returns the current time. Passed as a parameter wherever code depends on time. */
export type Clock = () => EpochMs;

const nowStatement: Statement = { name: 'session-now', text: 'SELECT clock_timestamp() AS now' };

/** What decides whether something is done because of the time. */
export interface TimeCheck {
  /** Whether the database's clock has jumped: then nothing is swept, collected, or decided by the time. */
  isHeld(): boolean;
  /** Whether what the database has given as now is within a minute of the time that this process carries on. */
  isNear(now: EpochMs): boolean;
}

/** A clock that is always believed, where there is no other. */
export const believed: TimeCheck = { isHeld: () => false, isNear: () => true };

/** The database's time, estimated by this process or read from the database. */
export interface DatabaseClock extends TimeCheck {
  /**
   * Estimates the database's time from the last reading and a monotonic counter, without a query.
   * Precise enough for a success. A refusal or an expiry must use `ask`.
   */
  now: Clock;
  /** Reads the time from the database; the line, while its clock is not believed. Throws `DatabaseUnavailableError`. */
  ask(): Promise<EpochMs>;
  /** Whether a time that the database has given still counts after another look at its clock, if that has jumped. */
  confirms(now: EpochMs): Promise<boolean>;
  /** Takes a new reading for `now`, and notices a jump. Throws `DatabaseUnavailableError`. */
  adjust(): Promise<void>;
}

/** Whether a time that the database has given still counts after another look at its clock, if that has jumped. */
export type ConfirmsTime = DatabaseClock['confirms'];

/**
 * Reads what the database decides by its time, such as what is in a window; once more if that time does not count.
 * Spec: CLOCK-2.
 */
export async function readByTime<T extends { now: EpochMs | null }>(
  confirmsTime: ConfirmsTime,
  read: () => Promise<T>,
): Promise<T> {
  const found = await read();
  return found.now === null || (await confirmsTime(found.now)) ? found : read();
}

/**
 * Writes what ends a while after the database's time, by a statement that compares it with that of this process; once
 * more after another look at the clock, if nothing was written. Spec: CLOCK-2.
 */
export async function writeInTime<T>(
  { now, askTime }: { now: Clock; askTime: DatabaseClock['ask'] },
  write: (line: EpochMs) => Promise<T | null>,
): Promise<T | null> {
  const written = await write(now());
  return written ?? write(await askTime());
}

/** The offset of the database's clock from this process's counter. All values in milliseconds. */
export interface ClockReading {
  offset: number;
  /** The maximum error of the offset at the time of the reading. */
  error: number;
  /** The time of the reading, on the counter. */
  takenAt: number;
}

// The parsed time has no microseconds.
const resolutionMs = 1;
// NTP changes the speed of a clock by at most 500 parts per million.
const driftPerMs = 0.0005;

/** The reading of a query that was sent and answered at these times on the counter. */
export const clockReading = (sentAt: number, answeredAt: number, now: EpochMs): ClockReading => ({
  offset: now - (sentAt + answeredAt) / 2,
  error: (answeredAt - sentAt) / 2 + resolutionMs,
  takenAt: answeredAt,
});

/**
 * Returns the more precise of two readings. The later one is less precise if its round trip was long. Two
 * readings that contradict each other mean that the database's clock was set: returns the later one.
 */
export function betterReading(earlier: ClockReading, later: ClockReading): ClockReading {
  const error = earlier.error + (later.takenAt - earlier.takenAt) * driftPerMs;
  const wasSet = Math.abs(later.offset - earlier.offset) > error + later.error;
  return wasSet || later.error <= error ? later : earlier;
}

/** A reading with what the processes say of the clock. */
interface Look {
  reading: ClockReading;
  row: ClockRow;
}

/** Uses a held connection, so that the wait in the connection queue does not count as round trip. */
const look = (database: Database): Promise<Look> =>
  database.transaction(async (executor) => {
    const sentAt = performance.now();
    const row = await readClockRow(executor);
    return { reading: clockReading(sentAt, performance.now(), row.now), row };
  });

const silent: Pick<Log, 'warn' | 'error'> = { warn: () => undefined, error: () => undefined };

// A process that is younger than this when it sees that the clock is not believed has begun with a wrong one.
const youngMs = 60_000;

const wallOffset = (): number => Date.now() - performance.now();

/** The line of a process that starts: the clock's, or the one that other processes have carried on. */
const lineOf = ({ reading, row }: Look): ClockReading =>
  row.lineLessWallMs === null ? reading : { ...reading, offset: wallOffset() + row.lineLessWallMs };

/** How far a reading is from the line, without the errors of both. */
function offOf(line: ClockReading, reading: ClockReading): number {
  const off = reading.offset - line.offset;
  return Math.sign(off) * Math.max(0, Math.abs(off) - line.error - reading.error);
}

/** The line that this process carries on, and whether it believes the database's clock. */
class Line implements DatabaseClock {
  readonly #database: Database;
  readonly #log: Pick<Log, 'warn' | 'error'>;
  #reading: ClockReading;
  /** The wall clock less the counter, when the reading was taken. */
  #wall = wallOffset();
  #accepted: number;
  #isHeld = false;
  /** The last look, on the counter. */
  #lookedAt: number;
  /** What the sessions of this process add to the clock. */
  #shiftMs = 0;
  /** A wrong time that is not written yet. */
  #unnoted: EpochMs | null = null;
  readonly #begun = performance.now();
  #adjusting: Promise<void> | null = null;

  constructor(database: Database, log: Pick<Log, 'warn' | 'error'>, first: Look) {
    this.#database = database;
    this.#log = log;
    this.#reading = lineOf(first);
    this.#accepted = first.row.accepted;
    this.#lookedAt = first.reading.takenAt;
    if (first.row.heldSince !== null) {
      this.#isHeld = true;
      this.#shiftMs = this.#reading.offset - first.reading.offset;
      database.shiftClock(this.#shiftMs);
    }
  }

  readonly now = (): EpochMs => Math.floor(this.#reading.offset + performance.now());

  isHeld(): boolean {
    return this.#isHeld;
  }

  isNear(now: EpochMs): boolean {
    return Math.abs(now - this.now()) <= longestOffMs;
  }

  readonly ask = async (): Promise<EpochMs> => {
    const now = await readSessionTime(this.#database);
    if (this.isNear(now)) return now;
    // It has jumped, and perhaps nobody has noticed yet. A look that has begun may be one of before.
    await this.#adjusting;
    await this.adjust();
    return readSessionTime(this.#database);
  };

  readonly confirms = async (now: EpochMs): Promise<boolean> =>
    this.isNear(now) || Math.abs((await this.ask()) - now) <= longestOffMs;

  readonly adjust = (): Promise<void> => {
    this.#adjusting ??= this.#adjust().finally(() => {
      this.#adjusting = null;
    });
    return this.#adjusting;
  };

  async #adjust(): Promise<void> {
    const seen = await look(this.#database);
    await this.#noteWrong();
    this.#joinHold(seen);
    const verdict = decideClock(this.#factsOf(seen));
    this.#lookedAt = seen.reading.takenAt;
    await this.#verdicts[verdict](seen);
  }

  /** Changes what sessions mean by `now()`. What they wrote in the moment before had the time that they meant then. */
  async #shift(byMs: number, clock: EpochMs): Promise<void> {
    const wrong = clock + this.#shiftMs;
    const isFar = Math.abs(byMs - this.#shiftMs) > longestOffMs;
    this.#database.shiftClock(byMs);
    this.#shiftMs = byMs;
    if (isFar) this.#unnoted = Math.round(wrong);
    await this.#noteWrong();
  }

  /** Also what could not be written at the last look. */
  async #noteWrong(): Promise<void> {
    if (this.#unnoted === null) return;
    await noteWrongTime(this.#database, this.#unnoted, this.now());
    this.#unnoted = null;
    await lookAgain(this.#database);
  }

  /** A process that has started with the wrong clock takes the line of those that have seen the right one. */
  #joinHold(seen: Look): void {
    const isNew = !this.#isHeld && seen.row.heldSince !== null;
    if (isNew && performance.now() - this.#begun < youngMs) this.#reading = lineOf(seen);
  }

  #factsOf({ reading, row }: Look) {
    return {
      off: offOf(this.#reading, reading),
      wallOff: wallOffset() - this.#wall,
      line: this.now(),
      heldSince: row.heldSince,
      nearSince: row.nearSince,
      isAccepted: this.#isAccepted(row),
    };
  }

  #isAccepted(row: ClockRow): boolean {
    // A database that was put back has no hold, and perhaps the same number.
    if (row.accepted === this.#accepted) return this.#isHeld && row.heldSince === null;
    const sinceLookMs = performance.now() - this.#lookedAt;
    return isAcceptedClock({ acceptedAt: row.acceptedAt, shown: row.now, sinceLookMs });
  }

  readonly #verdicts: Readonly<Record<ClockVerdict, (seen: Look) => Promise<void>>> = {
    follow: async ({ reading }) => this.#take(betterReading(this.#reading, reading)),
    accept: async (seen) => this.#accept(seen),
    hold: async (seen) => this.#hold(seen),
    near: async (seen) => {
      await this.#carryOn(seen);
      if (seen.row.nearSince !== null) return;
      await noteNearClock(this.#database, seen.row.accepted, this.now());
    },
  };

  #take(reading: ClockReading): void {
    this.#reading = reading;
    this.#wall = wallOffset();
  }

  /** The sessions of this process mean the line by `now()`. */
  async #carryOn({ reading, row }: Look): Promise<void> {
    this.#isHeld = true;
    await this.#shift(this.#reading.offset - reading.offset, row.now);
  }

  async #hold(seen: Look): Promise<void> {
    const { row } = seen;
    const isNew = !this.#isHeld;
    // It can have jumped since it was accepted.
    this.#accepted = row.accepted;
    await this.#carryOn(seen);
    const line = this.now();
    const lineLessWallMs = Math.round(line - Date.now());
    await holdClock(this.#database, row.accepted, { line, lineLessWallMs, shown: row.now });
    if (!isNew) return;
    const details = { databaseTime: new Date(row.now), expectedTime: new Date(line) };
    this.#log.error(details, "the database's clock has jumped; nothing is swept or collected");
    await lookAgain(this.#database);
  }

  async #accept({ row, reading }: Look): Promise<void> {
    if (row.accepted === this.#accepted && row.heldSince !== null) {
      await lookAgain(this.#database);
      await this.#database.transaction((executor) => acceptClock(executor, row.accepted));
      return this.#adjust();
    }
    this.#accepted = row.accepted;
    this.#isHeld = false;
    this.#take(reading);
    await this.#shift(0, row.now);
    this.#log.warn({ databaseTime: new Date(row.now) }, "the database's clock is believed");
  }
}

async function readSessionTime(executor: Executor): Promise<EpochMs> {
  const [row] = await executor.query<{ now: EpochMs }>(nowStatement);
  return row!.now;
}

/** Reads the database's time once. Call `adjust` periodically. Spec: CLOCK-1. */
export async function startDatabaseClock(
  database: Database,
  log: Pick<Log, 'warn' | 'error'> = silent,
): Promise<DatabaseClock> {
  return new Line(database, log, await look(database));
}

/** Makes the statements of a process without a line of its own use that of the others, while there is one. */
export async function joinLine(database: Database): Promise<void> {
  const seen = await look(database);
  if (seen.row.heldSince !== null) {
    database.shiftClock(lineOf(seen).offset - seen.reading.offset);
  }
}
