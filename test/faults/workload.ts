/** Partners that book concurrently until they are stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../harness/partner.ts';
import { CarefulClient, Surprise } from './careful-client.ts';
import { readFeedOn } from './feed-reader.ts';
import { book, type Ended, type Stay } from './guests.ts';
import { History } from './history.ts';
import { chanceOf } from './random.ts';

/** The kinds of bookings and their frequency. */
export interface WorkloadOptions {
  partners: readonly Partner[];
  stays: readonly Stay[];
  seed: number;
  /** Concurrent guests per partner. */
  guestsAtOnce?: number;
}

/** A running workload. */
export interface Workload {
  history: History;
  /** The number of bookings by final state; `nowhere`: the guest could not continue. */
  ended: Map<string, number>;
  /** Starts no more guests and waits for the others. */
  finish(withinMs: number): Promise<void>;
  /** Stops all guests. */
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
        // The next read of the reservation applies an announced change.
        await readReservations();
      } finally {
        idle = true;
        await Promise.all(feeds);
        clearTimeout(timer);
      }
    },
  };
}
