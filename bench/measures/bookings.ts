import { BookingClient } from '../booking.ts';
import { openCommitFloor } from '../commit-floor.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measures.ts';
import { openStage } from '../stage.ts';

const secondsPerRound = 5;

/** Complete bookings per second against single commits per second, on one PostgreSQL. */
export const measureBookings =
  ({ inFlight, applications }: { inFlight: number; applications: number }): Measure['run'] =>
  async (rounds, onRound) => {
    const stage = await openStage();
    const floor = await openCommitFloor(stage.connection);
    try {
      const partners = [];
      for (let n = 0; n < applications; n += 1) partners.push(await stage.partner());
      const clients = await Promise.all(
        partners
          .slice(0, Math.max(inFlight, applications))
          .map((partner) => BookingClient.open(stage.service.port, partner)),
      );
      while (clients.length < inFlight) {
        clients.push(await BookingClient.open(stage.service.port, partners[0]!));
      }
      const stay = await clients[0]!.freeStay();
      // Each worker cycles through its own share of the clients.
      const nextClients = Array.from({ length: inFlight }, (_, worker) => worker);
      const book = (worker: number): Promise<void> => {
        const index = nextClients[worker]!;
        nextClients[worker] = (index + inFlight) % (clients.length - (clients.length % inFlight));
        return clients[index]!.book(stay);
      };
      await perSecond(inFlight, 2, book);
      for (let round = 0; round < rounds; round += 1) {
        onRound({
          floor: await floor.perSecond(secondsPerRound),
          figure: await perSecond(inFlight, secondsPerRound, book),
        });
      }
      for (const client of clients) client.close();
    } finally {
      await floor.close();
      await stage.close();
    }
  };
