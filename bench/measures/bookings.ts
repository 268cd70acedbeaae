import { BookingClient, type FreeStay } from '../booking.ts';
import { openCallFloor } from '../call-floor.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measures.ts';
import { openStage, type BenchPartner, type Stage } from '../stage.ts';

const secondsARound = 5;
const warmUpSeconds = 2;
/** Quote, checkout, guest, submit, and the outcome that the worker writes. */
const writesOfABooking = 5;

/** Partners who book the same stay, so many bookings in flight. */
interface Bookers {
  perSecond(seconds: number): Promise<number>;
  /** Calls of one booking, on average: the number of status reads varies. */
  callsOfABooking(): number;
  close(): void;
}

async function openBookers(
  { service: { port } }: Stage,
  partners: readonly BenchPartner[],
  inFlight: number,
): Promise<Bookers> {
  const count = Math.ceil(Math.max(inFlight, partners.length) / inFlight) * inFlight;
  const clients = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      BookingClient.open(port, partners[n % partners.length]!),
    ),
  );
  const stay: FreeStay = await clients[0]!.freeStay();
  for (const client of clients) client.calls = 0;
  let bookings = 0;
  // Each worker goes through the clients of its own.
  const next = Array.from({ length: inFlight }, (_, worker) => worker);
  async function book(worker: number): Promise<void> {
    const client = clients[next[worker]!]!;
    next[worker] = (next[worker]! + inFlight) % count;
    await client.book(stay);
    bookings += 1;
  }
  return {
    perSecond: (seconds) => perSecond(inFlight, seconds, book),
    callsOfABooking: () => clients.reduce((sum, { calls }) => sum + calls, 0) / bookings,
    close: () => clients.forEach((client) => client.close()),
  };
}

async function openPartners(stage: Stage, count: number): Promise<BenchPartner[]> {
  const partners = [];
  for (let n = 0; n < count; n += 1) partners.push(await stage.partner());
  return partners;
}

/** Whole bookings a second against as many bare calls and commits, on one PostgreSQL. */
export const measureBookings =
  (inFlight: number): Measure['run'] =>
  async (rounds, onRound) => {
    const stage = await openStage();
    const floor = await openCallFloor(stage.connection, inFlight);
    const bookers = await openBookers(stage, await openPartners(stage, 1), inFlight);
    try {
      await bookers.perSecond(warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        const calls = Math.round(bookers.callsOfABooking());
        onRound({
          floor: await floor.perSecond(secondsARound, { calls, writes: writesOfABooking }),
          figure: await bookers.perSecond(secondsARound),
        });
      }
    } finally {
      bookers.close();
      await floor.close();
      await stage.close();
    }
  };

/** Bookings of many applications against bookings of one. */
export const measureManyApplications =
  (applications: number): Measure['run'] =>
  async (rounds, onRound) => {
    const inFlight = 16;
    const stage = await openStage();
    const one = await openBookers(stage, await openPartners(stage, 1), inFlight);
    const many = await openBookers(stage, await openPartners(stage, applications), inFlight);
    try {
      await one.perSecond(warmUpSeconds);
      await many.perSecond(warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        onRound({
          floor: await one.perSecond(secondsARound),
          figure: await many.perSecond(secondsARound),
        });
      }
    } finally {
      one.close();
      many.close();
      await stage.close();
    }
  };
