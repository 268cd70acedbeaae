/** What can be profiled. */
import type { BenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { importInventory } from '../inventory.ts';
import { perSecond } from '../load.ts';
import { searchesOfManyStays, untilFollowed } from '../measures/nights-index.ts';
import { openHealthyEndpoints } from '../measures/webhooks.ts';
import { fillInventory } from '../nights.ts';
import { startLoadProcess, startReceiver } from '../processes.ts';

const inFlight = 16;
/** Enough that each page is full. */
const searchedHomes = 10_000;

/** Work that is repeated. */
export interface Work {
  /** Works for some seconds. Returns how often in one of them. */
  perSecond(seconds: number): Promise<number>;
  /** The calls of HTTP so far, if the work consists of several. */
  calls?(): number;
  close(): Promise<void>;
}

/** Work of one kind. */
interface Workload {
  /** What one of it is called, and many. */
  unit: readonly [one: string, many: string];
  environment: Record<string, string>;
  open(system: BenchSystem): Promise<Work>;
}

async function openBookings({ service, dataDir, database, partner }: BenchSystem): Promise<Work> {
  const inventory = await importInventory(database, dataDir);
  const caller = await partner();
  const clients = await Promise.all(
    Array.from({ length: inFlight }, () => BookingClient.open(service.port, caller)),
  );
  return {
    perSecond: (seconds) =>
      perSecond(inFlight, seconds, (worker) => clients[worker]!.book(inventory.next())),
    calls: () => clients.reduce((sum, { calls }) => sum + calls, 0),
    async close() {
      for (const client of clients) client.close();
    },
  };
}

async function openDeliveries(system: BenchSystem): Promise<Work> {
  const receiver = await startReceiver();
  const endpoints = await openHealthyEndpoints(system, receiver);
  return { perSecond: (seconds) => endpoints.perSecond(seconds), close: () => receiver.stop() };
}

async function openSearches(system: BenchSystem): Promise<Work> {
  await fillInventory(system.database, system.dataDir, searchedHomes);
  await untilFollowed(system);
  const requests = await searchesOfManyStays(system);
  const load = startLoadProcess();
  return {
    perSecond: (seconds) =>
      load.run('requestsPerSecond', system.service.port, requests, inFlight, seconds),
    close: () => load.stop(),
  };
}

const ofTest = { LATCHKEY_ENVIRONMENT: 'test' };

/** The kinds of work, by name. */
export const workloads = {
  bookings: { unit: ['booking', 'bookings'], environment: ofTest, open: openBookings },
  webhooks: { unit: ['delivery', 'deliveries'], environment: {}, open: openDeliveries },
  'many-stays': { unit: ['search', 'searches'], environment: ofTest, open: openSearches },
} as const satisfies Record<string, Workload>;
