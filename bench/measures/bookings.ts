import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { burstsOf, startBursts } from '../bursts.ts';
import { BookingClient } from '../booking.ts';
import { openCallFloor } from '../call-floor.ts';
import { importInventory, type Inventory } from '../inventory.ts';
import { atRate, perSecond } from '../load.ts';
import { searchRequest } from '../search-request.ts';
import type { Measure } from '../measure.ts';
import { startCardProvider, startLoadProcess } from '../processes.ts';
import { startBenchSystem, type BenchPartner, type BenchSystem } from '../bench-system.ts';

const secondsPerRound = 5;
const warmUpSeconds = 2;
/** Quote, checkout, guest, submit, the held nights, and the outcome that the worker writes. */
const writesPerBooking = 6;

/** Partners that book nights that nobody else has, with a fixed number of bookings in flight. */
interface BookingLoad {
  perSecond(seconds: number): Promise<number>;
  /** Books at a rate for `seconds`. */
  atRate(rate: number, seconds: number): Promise<void>;
  /** The average number of calls per booking; the number of status reads varies. */
  callsPerBooking(): number;
  close(): void;
}

async function openBookingLoad(
  { service: { port } }: BenchSystem,
  inventory: Inventory,
  partners: readonly BenchPartner[],
  inFlight: number,
  how: 'book' | 'bookByCard' = 'book',
): Promise<BookingLoad> {
  const count = Math.ceil(Math.max(inFlight, partners.length) / inFlight) * inFlight;
  const clients = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      BookingClient.open(port, partners[n % partners.length]!),
    ),
  );
  let bookings = 0;
  // Each worker uses its own clients in turn.
  const next = Array.from({ length: inFlight }, (_, worker) => worker);
  async function book(worker: number): Promise<void> {
    const client = clients[next[worker]!]!;
    next[worker] = (next[worker]! + inFlight) % count;
    await client[how](inventory.next());
    bookings += 1;
  }
  return {
    perSecond: (seconds) => perSecond(inFlight, seconds, book),
    atRate: (rate, seconds) => atRate(rate, inFlight, seconds, book),
    callsPerBooking: () => clients.reduce((sum, { calls }) => sum + calls, 0) / bookings,
    close: () => clients.forEach((client) => client.close()),
  };
}

async function openPartners(system: BenchSystem, count: number): Promise<BenchPartner[]> {
  const partners = [];
  for (let n = 0; n < count; n += 1) partners.push(await system.partner());
  return partners;
}

/** Starts a service that sells an operator's homes. */
async function startWithHomes(
  more: Record<string, string> = {},
): Promise<{ system: BenchSystem; inventory: Inventory }> {
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test', ...more });
  return { system, inventory: await importInventory(system.database, system.dataDir) };
}

/** Complete bookings per second; the floor is as many bare calls and commits on the same PostgreSQL. */
export const measureBookings =
  (inFlight: number): Measure['run'] =>
  async (rounds, onRound) => {
    const { system, inventory } = await startWithHomes();
    const floor = await openCallFloor(system.connection, inFlight);
    const load = await openBookingLoad(system, inventory, await openPartners(system, 1), inFlight);
    try {
      await load.perSecond(warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        const calls = Math.round(load.callsPerBooking());
        onRound({
          floor: await floor.perSecond(secondsPerRound, { calls, writes: writesPerBooking }),
          figure: await load.perSecond(secondsPerRound),
        });
      }
    } finally {
      load.close();
      await floor.close();
      await system.close();
    }
  };

/** Bookings that the guest's card pays; the floor is partner-settled bookings of the same service. */
export const measureCardBookings: Measure['run'] = async (rounds, onRound) => {
  const inFlight = 16;
  const provider = await startCardProvider();
  const { system, inventory } = await startWithHomes({
    STRIPE_SECRET_KEY: 'sk_test_standin',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_standin',
    STRIPE_WEBHOOK_SECRET: 'whsec_standin',
    STRIPE_API_URL: `http://127.0.0.1:${provider.port}`,
  });
  const settled = await openBookingLoad(system, inventory, [await system.partner()], inFlight);
  const paying = [await system.partner('card')];
  const byCard = await openBookingLoad(system, inventory, paying, inFlight, 'bookByCard');
  try {
    await settled.perSecond(warmUpSeconds);
    await byCard.perSecond(warmUpSeconds);
    for (let round = 0; round < rounds; round += 1) {
      onRound({
        floor: await settled.perSecond(secondsPerRound),
        figure: await byCard.perSecond(secondsPerRound),
      });
    }
  } finally {
    settled.close();
    byCard.close();
    await system.close();
    await provider.stop();
  }
};

/** Bookings of many applications; the floor is bookings of one application. */
export const measureManyApplications =
  (applications: number): Measure['run'] =>
  async (rounds, onRound) => {
    const inFlight = 16;
    const { system, inventory } = await startWithHomes();
    const one = await openBookingLoad(system, inventory, await openPartners(system, 1), inFlight);
    const partners = await openPartners(system, applications);
    const many = await openBookingLoad(system, inventory, partners, inFlight);
    try {
      await one.perSecond(warmUpSeconds);
      await many.perSecond(warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        onRound({
          floor: await one.perSecond(secondsPerRound),
          figure: await many.perSecond(secondsPerRound),
        });
      }
    } finally {
      one.close();
      many.close();
      await system.close();
    }
  };

/**
 * Bookings of one busy home per second, confirmed and refused: all in flight quote the same nights, and then
 * submit them. The floor is bookings of nights that nobody else has.
 */
export const measureBusyHome: Measure['run'] = async (rounds, onRound) => {
  const inFlight = 16;
  const { system, inventory } = await startWithHomes();
  const partners = await openPartners(system, 1);
  const spread = await openBookingLoad(system, inventory, partners, inFlight);
  const clients = await Promise.all(
    Array.from({ length: inFlight }, () => BookingClient.open(system.service.port, partners[0]!)),
  );
  async function contend(): Promise<void> {
    const stay = inventory.nextOfOneHome();
    const checkouts = await Promise.all(clients.map((client) => client.readyCheckout(stay)));
    const outcomes = await Promise.all(clients.map((client, at) => client.submit(checkouts[at]!)));
    const confirmed = outcomes.filter((outcome) => outcome === 'confirmed').length;
    if (confirmed !== 1) throw new Error(`${confirmed} bookings have the same nights`);
  }
  const contendPerSecond = async (seconds: number) =>
    inFlight * (await perSecond(1, seconds, contend));
  try {
    await spread.perSecond(warmUpSeconds);
    await contendPerSecond(warmUpSeconds);
    for (let round = 0; round < rounds; round += 1) {
      onRound({
        floor: await spread.perSecond(secondsPerRound),
        figure: await contendPerSecond(secondsPerRound),
      });
    }
  } finally {
    spread.close();
    for (const client of clients) client.close();
    await system.close();
  }
};

/** Searches, and bookings at half of the rate that the service can make. */
interface Beside {
  /** The 99th percentile of searches in ms. */
  p99(): Promise<number>;
  bookings(): Promise<void>;
  /** The processes that make bookings. */
  pids: readonly number[];
}

const alone = ({ p99 }: Beside): Promise<number> => p99();

/** Searches beside processes that use as much of the cores as bookings do, in bursts of the same length. */
async function besideBursts({ p99, bookings, pids }: Beside): Promise<number> {
  const bursts = await burstsOf(pids, bookings);
  const working = await startBursts(bursts);
  try {
    return await p99();
  } finally {
    await working.stop();
  }
}

/** The 99th percentile of searches while bookings run at half of their rate. */
const searchesBeside =
  (floor: (beside: Beside) => Promise<number>): Measure['run'] =>
  async (rounds, onRound) => {
    const { system, inventory } = await startWithHomes();
    const { port, pid } = system.service;
    const load = await openBookingLoad(system, inventory, await openPartners(system, 1), 16);
    const request = searchRequest((await system.partner()).token);
    const searcher = startLoadProcess();
    const p99 = (seconds = secondsPerRound) => searcher.run('p99Of', port, request, seconds);
    try {
      const half = (await load.perSecond(warmUpSeconds)) / 2;
      await p99(warmUpSeconds);
      const beside: Beside = {
        p99,
        bookings: () => load.atRate(half, secondsPerRound),
        pids: [process.pid, pid, await postmasterIn(system.dataDir)],
      };
      for (let round = 0; round < rounds; round += 1) {
        const floorMs = await floor(beside);
        const bookings = beside.bookings();
        const figure = await p99();
        await bookings;
        onRound({ floor: floorMs, figure });
      }
    } finally {
      await searcher.stop();
      load.close();
      await system.close();
    }
  };

/** Searches beside bookings; the floor is the same beside processes that use the cores as much. */
export const measureSearchBesideBookings: Measure['run'] = searchesBeside(besideBursts);

/** The floor is searches alone. */
export const measureSearchBesideAndAlone: Measure['run'] = searchesBeside(alone);
