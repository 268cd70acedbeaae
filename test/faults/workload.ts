/** Partners that book concurrently until they are stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../harness/partner.ts';
import { CarefulClient, Surprise } from './careful-client.ts';
import { readFeedOn } from './feed-reader.ts';
import { book, type Ended, type Stay } from './guests.ts';
import { History } from './history.ts';
import { chanceOf } from './random.ts';

/** What is booked how often. */
export interface WorkloadOptions {
  partners: readonly Partner[];
  stays: readonly Stay[];
  seed: number;
  /** Guests on their way at once, for each partner. */
  guestsAtOnce?: number;
}

/** A workload under way. */
export interface Workload {
  history: History;
  /** How the bookings ended, by state; `nowhere`: the guest could not go on. */
  ended: Map<string, number>;
  /** No more guests come; those on their way go on to their end. */
  finish(withinMs: number): Promise<void>;
  /** Nobody goes on. */
  abandon(): void;
}

const feedPauseMs = 200;

/** Makes partners book until `finish`. */
export function startWorkload(options: WorkloadOptions): Workload {
  const { partners, stays, seed, guestsAtOnce = 3 } = options;
  const history = new History();
  const ended = new Map<string, number>();
  const references: { client: CarefulClient; reference: string }[] = [];
  const giveUp = new AbortController();
  let closing = false;
  let idle = false;

  function count(client: CarefulClient, end: Ended): void {
    const state = end?.state ?? 'nowhere';
    ended.set(state, (ended.get(state) ?? 0) + 1);
    if (end?.reference) references.push({ client, reference: end.reference });
  }

  async function guests(client: CarefulClient, index: number): Promise<void> {
    const chance = chanceOf(index);
    while (!closing) count(client, await book(client, chance.pick(stays), chance));
  }

  async function readFeed(client: CarefulClient): Promise<void> {
    const feed = history.feedOf(client.applicationId);
    let after: string | undefined;
    while (!idle) {
      after = await readFeedOn(client, feed, after);
      await sleep(feedPauseMs);
    }
    await readFeedOn(client, feed, after);
  }

  const clients = partners.map((partner, place) => {
    const chance = chanceOf(seed * 31 + place);
    return new CarefulClient(partner, history, chance, giveUp.signal);
  });
  const runs = clients.flatMap((client, place) =>
    Array.from({ length: guestsAtOnce }, (_, index) => guests(client, seed + place * 100 + index)),
  );
  const feeds = clients.map((client) => readFeed(client));

  async function readReservations(): Promise<void> {
    try {
      for (const { client, reference } of references) {
        await client.clear('reservation.reservation.get', { params: { reference } });
      }
    } catch (error) {
      if (!(error instanceof Surprise)) throw error;
    }
  }

  return {
    history,
    ended,
    abandon() {
      closing = true;
      idle = true;
      giveUp.abort();
    },
    async finish(withinMs) {
      closing = true;
      const timer = setTimeout(() => giveUp.abort(), withinMs);
      try {
        await Promise.all(runs);
        // A change that was announced happens when the reservation is next read.
        await readReservations();
      } finally {
        idle = true;
        await Promise.all(feeds);
        clearTimeout(timer);
      }
    },
  };
}
