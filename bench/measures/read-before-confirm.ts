import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { ageCalendars, serveCalendars } from '../calendars.ts';
import { importInventory, type Inventory } from '../inventory.ts';
import type { Measure } from '../measure.ts';

const bookingsPerRound = 20;
const bookingsThatHang = 3;
const warmUpBookings = 10;

/** What the calendars of the home do. */
interface Calendars {
  count: number;
  /** Null: they never answer. */
  afterMs: number | null;
}

const middle = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1]!;

interface Side {
  system: BenchSystem;
  client: BookingClient;
  inventory: Inventory;
}

async function openSide(more: Record<string, string> = {}): Promise<Side> {
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test', ...more });
  const inventory = await importInventory(system.database, system.dataDir);
  const client = await BookingClient.open(system.service.port, await system.partner());
  return { system, client, inventory };
}

/** The median time from a submit to its outcome, in milliseconds. */
async function submitMs({ system, client, inventory }: Side, bookings: number): Promise<number> {
  const times: number[] = [];
  for (let booking = 0; booking < bookings; booking += 1) {
    const checkout = await client.readyCheckout(inventory.nextOfOneHome());
    await ageCalendars(system.database);
    const began = performance.now();
    await client.submit(checkout);
    times.push(performance.now() - began);
  }
  return middle(times);
}

/**
 * What the read before confirm adds to a booking from its submit on, in milliseconds; the floor is the time in which
 * the calendars answer, or after which a booking waits no longer. Without calendars: the whole time, and the floor is
 * that of a service that does not read them.
 */
export const measureReadBeforeConfirm =
  ({ count, afterMs }: Calendars): Measure['run'] =>
  async (rounds, onRound) => {
    const plain = await openSide({ LATCHKEY_CALENDAR_BEFORE_CONFIRM: 'off' });
    const reading = await openSide();
    const server = await serveCalendars();
    try {
      const { listingId } = reading.inventory.nextOfOneHome();
      await server.add(reading.system.database, listingId, count, afterMs);
      const bookings = afterMs === null ? bookingsThatHang : bookingsPerRound;
      await submitMs(plain, warmUpBookings);
      await submitMs(reading, afterMs === null ? 1 : warmUpBookings);
      for (let round = 0; round < rounds; round += 1) {
        const without = await submitMs(plain, bookings);
        const figure = await submitMs(reading, bookings);
        onRound(
          count === 0
            ? { floor: without, figure }
            : { floor: afterMs ?? 2_500, figure: figure - without },
        );
      }
    } finally {
      for (const { client, system } of [plain, reading]) {
        client.close();
        await system.close();
      }
      await server.close();
    }
  };
