/** The CPU time of one call of each kind, in the service and in PostgreSQL. Other load changes it little. */
import { randomUUID } from 'node:crypto';
import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { type BenchPartner, type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { cpuMicrosPer } from '../cpu.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import { importInventory, type Inventory } from '../inventory.ts';
import { perSecond } from '../load.ts';
import type { Measure } from '../measure.ts';
import { type ServerProcess, startFloor } from '../processes.ts';
import { searchRequest } from '../search-request.ts';

const inFlight = 4;
const warmUpSeconds = 1;
const secondsPerRound = 3;

interface Measured {
  system: BenchSystem;
  partner: BenchPartner;
  inventory: Inventory;
  postmaster: number;
  floor: ServerProcess;
}

let opened: Promise<Measured> | undefined;

async function openMeasured(): Promise<Measured> {
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
  const inventory = await importInventory(system.database, system.dataDir);
  const floor = await startFloor({ kind: 'bytes', bytes: '{}' });
  const postmaster = await postmasterIn(system.dataDir);
  return { system, partner: await system.partner(), inventory, postmaster, floor };
}

/** Ends the service of these measures. */
export async function closeCost(): Promise<void> {
  if (!opened) return;
  const { system, floor } = await opened;
  await floor.stop();
  await system.close();
}

type Work = (worker: number) => Promise<void>;

/** Opens connections, and returns the work of one of them. */
type Open = (measured: Measured) => Promise<{ work: Work; close(): void }>;

const connectionsTo = (port: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: inFlight }, () => RawConnection.open(port)));

async function requesting(port: number, next: () => string) {
  const connections = await connectionsTo(port);
  return {
    async work(worker: number): Promise<void> {
      const { status, body } = await connections[worker]!.send(next());
      if (status >= 300) throw new Error(`the response is ${status}: ${body.toString()}`);
    },
    close: () => connections.forEach((connection) => connection.close()),
  };
}

const unitsOf = async (work: Work, seconds: number): Promise<number> =>
  (await perSecond(inFlight, seconds, work)) * seconds;

/** The floor is a call of node:http. */
const measureCost =
  (open: Open): Measure['run'] =>
  async (rounds, onRound) => {
    const measured = await (opened ??= openMeasured());
    const { system, postmaster, floor } = measured;
    const bare = await requesting(floor.port, () => requestBytes('GET', '/', {}));
    const calls = await open(measured);
    const runCalls = () => unitsOf(calls.work, secondsPerRound);
    try {
      await unitsOf(calls.work, warmUpSeconds);
      for (let round = 0; round < rounds; round += 1) {
        const floorMicros = await cpuMicrosPer([floor.pid], () => unitsOf(bare.work, 1));
        let inDatabase = 0;
        const inService = await cpuMicrosPer([system.service.pid], async () => {
          let units = 0;
          inDatabase = await cpuMicrosPer([postmaster], async () => (units = await runCalls()));
          return units;
        });
        process.stderr.write(
          `service ${inService.toFixed(0)} µs, PostgreSQL ${inDatabase.toFixed(0)} µs\n`,
        );
        onRound({ floor: floorMicros, figure: inService + inDatabase });
      }
    } finally {
      bare.close();
      calls.close();
    }
  };

const authorized = ({ partner: { token } }: Measured) => ({ authorization: `Bearer ${token}` });

/** The cost of one request that is repeated. */
const repeated = (requestOf: (measured: Measured) => Promise<string> | string) =>
  measureCost(async (measured) => {
    const request = await requestOf(measured);
    return requesting(measured.system.service.port, () => request);
  });

const getting = (pathOf: (measured: Measured) => string) =>
  repeated((measured) => requestBytes('GET', pathOf(measured), authorized(measured)));

const dayMs = 86_400_000;
const dayFrom = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const quotes = measureCost(async (measured) => {
  const headers = authorized(measured);
  const next = () => {
    const body = { quoteId: randomUUID(), ...measured.inventory.next() };
    return requestBytes('POST', '/v1/quotes', headers, body);
  };
  return requesting(measured.system.service.port, next);
});

const status = repeated(async ({ system: { service }, partner, inventory }) => {
  const client = await BookingClient.open(service.port, partner);
  const { path, session } = await client.readyCheckout(inventory.next());
  client.close();
  const headers = { authorization: `Bearer ${partner.token}`, ...session };
  return requestBytes('GET', `${path}/status`, headers);
});

/** The kinds of calls. */
export const costs: readonly { name: string; title: string; run: Measure['run'] }[] = [
  {
    name: 'listing',
    title: 'a listing',
    run: getting(({ inventory }) => `/v1/listings/${inventory.next().listingId}`),
  },
  { name: 'listings', title: 'a page of 20 listings', run: getting(() => '/v1/listings?limit=20') },
  {
    name: 'search',
    title: 'a search, 20 of 400 homes',
    run: repeated(({ partner }) => searchRequest(partner.token)),
  },
  {
    name: 'calendar',
    title: 'a calendar of 90 days',
    run: getting(
      ({ inventory }) =>
        `/v1/listings/${inventory.next().listingId}/calendar?startDate=${dayFrom(1)}&endDate=${dayFrom(90)}`,
    ),
  },
  { name: 'feed', title: 'an empty page of the feed', run: getting(() => '/v1/events') },
  { name: 'status', title: 'the status of a checkout', run: status },
  { name: 'quote', title: 'a quote', run: quotes },
];
