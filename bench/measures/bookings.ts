import { BookingClient, type FreeStay } from '../booking.ts';
import { openCallFloor } from '../call-floor.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measures.ts';
import { startBenchSystem, type BenchPartner, type BenchSystem } from '../bench-system.ts';

const secondsPerRound = 5;
const warmUpSeconds = 2;
/** Quote, checkout, guest, submit, and the outcome that the worker writes. */
const writesPerBooking = 5;

/** Partners that book the same stay, with a fixed number of bookings in flight. */
interface BookingLoad {
  perSecond(seconds: number): Promise<number>;
  /** The average number of calls per booking; the number of status reads varies. */
  callsPerBooking(): number;
  close(): void;
}

async function openBookingLoad(
  { service: { port } }: BenchSystem,
  partners: readonly BenchPartner[],
  inFlight: number,
): Promise<BookingLoad> {
  const count = Math.ceil(Math.max(inFlight, partners.length) / inFlight) * inFlight;
  const clients = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      BookingClient.open(port, partners[n % partners.length]!),
    ),
  );
  const stay: FreeStay = await clients[0]!.freeStay();
  for (const client of clients) client.calls = 0;
  let bookings = 0;
  // Each worker uses its own clients in turn.
  const next = Array.from({ length: inFlight }, (_, worker) => worker);
  async function book(worker: number): Promise<void> {
    const client = clients[next[worker]!]!;
    next[worker] = (next[worker]! + inFlight) % count;
    await client.book(stay);
    bookings += 1;
  }
  return {
    perSecond: (seconds) => perSecond(inFlight, seconds, book),
    callsPerBooking: () => clients.reduce((sum, { calls }) => sum + calls, 0) / bookings,
    close: () => clients.forEach((client) => client.close()),
  };
}

async function openPartners(system: BenchSystem, count: number): Promise<BenchPartner[]> {
  const partners = [];
  for (let n = 0; n < count; n += 1) partners.push(await system.partner());
  return partners;
}

/** Complete bookings per second; the floor is as many bare calls and commits on the same PostgreSQL. */
export const measureBookings =
  (inFlight: number): Measure['run'] =>
  async (rounds, onRound) => {
    const system = await startBenchSystem();
    const floor = await openCallFloor(system.connection, inFlight);
    const load = await openBookingLoad(system, await openPartners(system, 1), inFlight);
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

/** Bookings of many applications; the floor is bookings of one application. */
export const measureManyApplications =
  (applications: number): Measure['run'] =>
  async (rounds, onRound) => {
    const inFlight = 16;
    const system = await startBenchSystem();
    const one = await openBookingLoad(system, await openPartners(system, 1), inFlight);
    const many = await openBookingLoad(system, await openPartners(system, applications), inFlight);
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
