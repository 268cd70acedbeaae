import { requestBytes, RawConnection } from '../http-client.ts';
import { BookingClient } from '../booking.ts';
import { awake, requestsPerSecond } from '../load.ts';
import type { Round } from '../measure.ts';
import { startFloor, type ServerProcess } from '../processes.ts';
import { startBenchSystem, type BenchSystem } from '../bench-system.ts';

const inFlight = 16;
const secondsPerRound = 3;

type OnRound = (round: Round) => void;

async function alternate(
  rounds: number,
  onRound: OnRound,
  floor: { port: number; request: string },
  figure: { port: number; request: string },
): Promise<void> {
  // Warms up both before the first round.
  await requestsPerSecond(floor.port, floor.request, inFlight, 1);
  await requestsPerSecond(figure.port, figure.request, inFlight, 2);
  for (let round = 0; round < rounds; round += 1) {
    onRound({
      floor: await requestsPerSecond(floor.port, floor.request, inFlight, secondsPerRound),
      figure: await requestsPerSecond(figure.port, figure.request, inFlight, secondsPerRound),
    });
  }
}

async function withBenchSystem(
  work: (system: BenchSystem, floors: ServerProcess[]) => Promise<void>,
): Promise<void> {
  const system = await startBenchSystem();
  const floors: ServerProcess[] = [];
  try {
    await work(system, floors);
  } finally {
    await Promise.all(floors.map((floor) => floor.stop()));
    await system.close();
  }
}

/** Measures a read of prebuilt bytes; the floor sends the same bytes. */
async function measureBytes(
  rounds: number,
  onRound: OnRound,
  pathOf: (system: BenchSystem) => Promise<string>,
): Promise<void> {
  await withBenchSystem(async (system, floors) => {
    const { token } = await system.partner();
    const request = requestBytes('GET', await pathOf(system), { authorization: `Bearer ${token}` });
    const connection = await RawConnection.open(system.service.port);
    const { body } = await connection.send(request);
    connection.close();
    const floor = await startFloor({ kind: 'bytes', bytes: body.toString() });
    floors.push(floor);
    const floorRequest = requestBytes('GET', '/', {});
    await awake(() =>
      alternate(
        rounds,
        onRound,
        { port: floor.port, request: floorRequest },
        { port: system.service.port, request },
      ),
    );
  });
}

/** `GET /v1/listings/{id}` with authentication and quota. */
export const measureListing = (rounds: number, onRound: OnRound): Promise<void> =>
  measureBytes(rounds, onRound, async ({ database }) => {
    const [row] = await database.query<{ id: string }>({
      name: 'bench-a-listing',
      text: 'SELECT listing_id AS id FROM listings ORDER BY slug LIMIT 1',
    });
    return `/v1/listings/${row?.id}`;
  });

/** `GET /v1/listings?limit=20` with authentication and quota. */
export const measureListings = (rounds: number, onRound: OnRound): Promise<void> =>
  measureBytes(rounds, onRound, async () => '/v1/listings?limit=20');

/** `GET …/status`: the floor reads the same row by its key. */
export const measureStatus = (rounds: number, onRound: OnRound): Promise<void> =>
  withBenchSystem(async (system, floors) => {
    const partner = await system.partner();
    const client = await BookingClient.open(system.service.port, partner);
    const { path, session } = await client.readyCheckout(await client.freeStay());
    client.close();
    const floor = await startFloor({
      kind: 'select',
      connection: system.connection,
      text: `SELECT version, state, failure_reason, reference, session_nonce, session_expires_at
        FROM bookings WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2`,
      values: [partner.applicationId, path.split('/').at(-1)],
    });
    floors.push(floor);
    const headers = { authorization: `Bearer ${partner.token}`, ...session };
    await alternate(
      rounds,
      onRound,
      { port: floor.port, request: requestBytes('GET', '/', {}) },
      { port: system.service.port, request: requestBytes('GET', `${path}/status`, headers) },
    );
  });
