/** Partners that book concurrently until they are stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import type { CardPayments } from './card-payments.ts';
import { CarefulClient, Surprise } from './careful-client.ts';
import { readFeedOn } from './feed-reader.ts';
import { book, type Ended, type Selling, type Stay } from './guests.ts';
import { History, type Shown } from './history.ts';
import type { RareWriters } from './rare-writers.ts';
import type { OutsideSystem } from './outside-system.ts';
import type { OwnHomes } from './own-homes.ts';
import { chanceOf, type Chance } from '../harness/chance.ts';
import { actsOutside, moneyActs } from './money-acts.ts';
import { stayActs, workAsStaff, type StaffOptions } from './staff.ts';

/**
 * One guest of a partner, from the first call to the last. A guest who has not begun to book leaves when `closing`
 * is aborted. Null: the guest has booked nothing.
 */
export type GuestRun = (
  client: CarefulClient,
  chance: Chance,
  closing: AbortSignal,
) => Promise<{ stay: Stay; end: Ended } | null>;

/** The kinds of bookings and their frequency. */
export interface WorkloadOptions {
  partners: readonly Partner[];
  /** What every guest does. */
  guest: GuestRun;
  seed: number;
  /** Staff act, too. Absent: the simulation. */
  staff?: Pick<StaffOptions, 'database' | 'own' | 'channel'> & {
    /** Another system that sells the homes. */
    outside: OutsideSystem;
  };
  /** Somebody administers the installation. */
  rareWriters?: RareWriters;
  /** Some move money, too, here and outside. */
  movesMoney?: boolean;
  /** The provider of card payments. Absent: that of the simulation. */
  cards?: CardPayments;
  /** Concurrent guests per partner. */
  guestsAtOnce?: number;
  /** The time between two reads of a feed. */
  feedPauseMs?: number;
}

/** A running workload. */
export interface Workload extends Pick<WorkloadOptions, 'cards'> {
  history: History;
  /** The number of bookings by final state; `nowhere`: the guest could not continue. */
  ended: Map<string, number>;
  /** The number of acts of staff, by their end. */
  acts: Map<string, number>;
  /** Starts no more guests and waits for the others. */
  finish(withinMs: number): Promise<void>;
  /** Lets the other channel's calendar be read, and reads reservations and calendars by the API, after `finish`. */
  look(): Promise<void>;
  /** Stops all guests, and the other channel. */
  abandon(): Promise<void>;
}

const lost: ReadonlySet<ErrorCode> = new Set(['not_found']);
const staffAtOnce = 3;
const newest = 20;
// A guest whose nights are taken looks for others.
const lookingMs = 100;

const increment = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** The dates that the calendar of a home shows as taken, by a process that knows all changes up to `since`. */
async function takenNights(
  client: CarefulClient,
  listingId: string,
  { selling, range: query }: OwnHomes,
  since: number,
): Promise<string[]> {
  const id = 'inventory.calendar.get';
  const input = { params: { listingId }, query };
  for (;;) {
    const calendar = await client.unlessRefused(id, input, selling.refusals);
    if (calendar && Date.parse(calendar.meta.asOf ?? '') >= since) {
      return calendar.days.filter(({ available }) => !available).map(({ date }) => date);
    }
    // Within a second each process knows what has changed, and that the home is sold again.
    await sleep(lookingMs);
  }
}

/** Guests who book at once, and who come again a little later if their nights are taken. */
export const bookingGuest =
  (selling: Selling): GuestRun =>
  async (client, chance) => {
    const stay = selling.stay(chance);
    const end = await book(client, stay, selling, chance);
    if (end?.state === 'not offered') await sleep(chance.below(lookingMs));
    return { stay, end };
  };

/** Makes partners work until `finish`. */
export function startWorkload(options: WorkloadOptions): Workload {
  const { partners, guest, seed, staff, cards, guestsAtOnce = 3, feedPauseMs = 200 } = options;
  const { movesMoney = false } = options;
  const history = new History();
  const ended = new Map<string, number>();
  const acts = new Map<string, number>();
  const references: { client: CarefulClient; reference: string }[] = [];
  const giveUp = new AbortController();
  const idle = new AbortController();
  const closing = new AbortController();

  function count(client: CarefulClient, { listingId, checkIn, checkOut }: Stay, end: Ended): void {
    increment(ended, end?.state ?? 'nowhere');
    if (!end?.reference) return;
    const { reference } = end;
    references.push({ client, reference });
    history.stays.push({ reference, version: 1, state: 'confirmed', listingId, checkIn, checkOut });
  }

  async function guests(client: CarefulClient, index: number): Promise<void> {
    const chance = chanceOf(index);
    while (!closing.signal.aborted) {
      const booked = await guest(client, chance, closing.signal);
      if (booked) count(client, booked.stay, booked.end);
    }
  }

  async function readFeed(client: CarefulClient): Promise<void> {
    const feed = history.feedOf(client.applicationId);
    let after: string | undefined;
    while (!idle.signal.aborted) {
      after = await readFeedOn(client, feed, after);
      await sleep(feedPauseMs, null, { signal: idle.signal }).catch(() => null);
    }
    await readFeedOn(client, feed, after);
  }

  const clients = partners.map((partner, index) => {
    const chance = chanceOf(seed * 31 + index);
    return new CarefulClient(partner, history, chance, giveUp.signal);
  });
  const runs = clients.flatMap((client, at) =>
    Array.from({ length: guestsAtOnce }, (_, index) => guests(client, seed + at * 100 + index)),
  );
  const feeds = clients.map((client) => readFeed(client));
  const known = {
    history,
    // One of the newest, because older ones are cancelled by now.
    reservation: (chance: Chance) =>
      references.at(-1 - chance.below(Math.min(references.length, newest)))?.reference,
    count: (act: string) => increment(acts, act),
  };
  const accountants = movesMoney && cards ? [{ ...moneyActs, ...actsOutside(cards.standIn) }] : [];
  const working = staff
    ? [...Array.from({ length: staffAtOnce }, () => stayActs), ...accountants]
    : [];
  const acting = working.map((done, index) =>
    workAsStaff(
      done,
      { ...staff!, ...known },
      chanceOf(seed * 17 + index),
      () => closing.signal.aborted,
    ),
  );

  const selling = staff?.outside.work(known, chanceOf(seed * 13), {
    isOver: () => closing.signal.aborted,
    signal: giveUp.signal,
  });

  const administering = options.rareWriters?.work(known, chanceOf(seed * 19), {
    isOver: () => closing.signal.aborted,
    signal: giveUp.signal,
  });

  async function readReservations(): Promise<void> {
    try {
      for (const { client, reference } of references) {
        // What a restored database has lost is not found.
        const params = { reference };
        await client.unlessRefused('reservation.reservation.get', { params }, lost);
      }
    } catch (error) {
      if (!(error instanceof Surprise)) throw error;
    }
  }

  async function shownBy({ own, database }: NonNullable<typeof staff>): Promise<Shown> {
    const [reader] = clients;
    const shown: Shown = { reservations: [], calendars: [] };
    for (const { client, reference } of references) {
      const params = { reference };
      const { state, listingId, checkIn, checkOut } = await client.succeed(
        'reservation.reservation.get',
        { params },
      );
      shown.reservations.push({ reference, state, listingId, checkIn, checkOut });
    }
    const [settled] = await sql<{ at: number }>(database, 'SELECT now() AS at');
    for (const { listingId } of own.homes) {
      const taken = await takenNights(reader!, listingId, own, settled!.at);
      shown.calendars.push({ listingId, taken });
    }
    return shown;
  }

  return {
    ...(cards && { cards }),
    history,
    ended,
    acts,
    async look() {
      if (!staff) return;
      // A withdrawn home has no calendar.
      await staff.own.sellAll();
      history.sold = await staff.channel.readLater();
      history.shown = await shownBy(staff);
    },
    async abandon() {
      closing.abort();
      idle.abort();
      giveUp.abort();
      await staff?.channel.close();
    },
    async finish(withinMs) {
      closing.abort();
      const timer = setTimeout(() => giveUp.abort(), withinMs);
      try {
        await Promise.all([...runs, ...acting, selling, administering]);
        // The next read of the reservation applies an announced change.
        await readReservations();
      } finally {
        idle.abort();
        await Promise.all(feeds);
        clearTimeout(timer);
      }
    },
  };
}
