/** The index of taken nights against plain SQL with the same answers, its start, and searches over HTTP. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { to } from 'pg-copy-streams';
import type { PublishedListing } from '../../src/catalog/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Availability, openNightsIndex } from '../../src/inventory/index.ts';
import { freeHomesOf, listedHomes } from '../../src/inventory/nights-index/free-homes.ts';
import { TakenNights } from '../../src/inventory/nights-index/taken-nights.ts';
import { openStorage } from '../../src/installation/storage.ts';
import { startBenchSystem, type BenchSystem } from '../bench-system.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import { requestsPerSecond } from '../load.ts';
import { chanceOf } from '../../test/harness/chance.ts';
import type { Measure, Round } from '../measure.ts';
import { countInSql, fillInventory, pageInSql, type SearchedStay, sqlDesigns } from '../nights.ts';
import { residentMiB, startFloor, startLoadProcess, startService } from '../processes.ts';
import { dayFrom, searchRequest } from '../search-request.ts';

/** The number of homes. */
export const inventory = { homes: 100_000 };

const environment = { LATCHKEY_ENVIRONMENT: 'test' };
const pageSize = 20;
const dayMs = 86_400_000;
const staysOfRound = 10;
const repeats = 100;

interface Filled {
  system: BenchSystem;
  client: pg.Client;
  index: Availability;
  /** The memory of the service before it had homes. */
  idleMiB: number;
  list: PublishedListing[];
  stays: number;
}

let opened: Promise<Filled> | undefined;

async function openFilled(): Promise<Filled> {
  const system = await startBenchSystem(environment);
  const { database, dataDir } = system;
  const idleMiB = await residentMiB(system.service.pid);
  const stays = await fillInventory(database, dataDir, inventory.homes);
  const client = await database.connect();
  const { rows } = await client.query<{ id: string }>(
    'SELECT listing_id AS id FROM bench_ranks ORDER BY rank',
  );
  const list = rows.map(({ id }) => ({ listing: { listingId: id } }) as PublishedListing);
  const index = await openNightsIndex(database, () => [list]);
  const { homes, bytes } = index.size();
  process.stderr.write(
    `${homes} homes, ${stays} stays, ${Math.round(bytes / homes)} bytes a home\n`,
  );
  await untilFollowed(system);
  return { system, client, index, idleMiB, list, stays };
}

const filled = (): Promise<Filled> => (opened ??= openFilled());

/** Removes the database of these measures. */
export async function closeInventory(): Promise<void> {
  if (!opened) return;
  const { system, client } = await opened;
  await client.end();
  await system.close();
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

const never = new AbortController().signal;

const freeFor = ({ index, list }: Filled, { from, nights }: SearchedStay) => {
  const checkIn = Math.floor(Date.now() / dayMs) + from;
  return index.freeHomes(list, { checkIn, checkOut: checkIn + nights }, never);
};

async function pageOf(system: Filled, stay: SearchedStay): Promise<number[]> {
  const free = await freeFor(system, stay);
  const ranks: number[] = [];
  for (let at = free.nextFree(0); at !== -1; at = free.nextFree(at + 1)) {
    ranks.push(at + 1);
    if (ranks.length > pageSize) break;
  }
  return ranks;
}

const countOf = async (system: Filled, stay: SearchedStay): Promise<number> =>
  (await freeFor(system, stay)).count();

const stays = (nights: number): SearchedStay[] =>
  Array.from({ length: staysOfRound }, (_, at) => ({ from: 5 + at * 60, nights }));

/** Compares one question of the index with the fastest design in SQL; all must give the same answers. */
const against =
  (
    nights: number,
    inIndex: (system: Filled, stay: SearchedStay) => Promise<unknown>,
    inSql: (
      client: pg.Client,
      design: (typeof sqlDesigns)[number],
      stay: SearchedStay,
    ) => Promise<unknown>,
  ): Measure['run'] =>
  async (rounds, onRound) => {
    const system = await filled();
    const asked = stays(nights);
    const askAll = async (ask: (stay: SearchedStay) => Promise<unknown>): Promise<number> =>
      (await msOf(async () => {
        for (const stay of asked) await ask(stay);
      })) / asked.length;
    for (const stay of asked) {
      const answer = await inIndex(system, stay);
      for (const design of sqlDesigns) {
        assert.deepEqual(await inSql(system.client, design, stay), answer);
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      const floors: number[] = [];
      for (const design of sqlDesigns) {
        floors.push(await askAll((stay) => inSql(system.client, design, stay)));
      }
      let figure = 0;
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        figure += (await askAll((stay) => inIndex(system, stay))) / repeats;
      }
      onRound({ floor: Math.min(...floors), figure });
    }
  };

/** The first page of a search. */
export const measureIndexPage = (nights: number): Measure['run'] =>
  against(nights, pageOf, (client, design, stay) => pageInSql(client, design, stay, pageSize + 1));

/** The number of free homes. */
export const measureIndexCount = (nights: number): Measure['run'] =>
  against(nights, countOf, countInSql);

/** Bytes of the bitmaps for each home, and of one bit for each night. */
export const measureIndexBytes: Measure['run'] = async (_rounds, onRound) => {
  const { index } = await filled();
  const { homes, bytes } = index.size();
  onRound({ floor: 92, figure: bytes / homes });
};

/** Memory of the service with all homes and stays; the floor is that of the same process without homes. */
export const measureIndexMemory: Measure['run'] = async (_rounds, onRound) => {
  const { system, idleMiB } = await filled();
  onRound({ floor: idleMiB, figure: await residentMiB(system.service.pid) });
};

/** A search by a new partner. */
const newSearch = async (system: BenchSystem, members: object = {}): Promise<string> =>
  searchRequest((await system.partner()).token, members);

/**
 * Waits until a service searches. It could not follow while the tables were locked to be filled, and refuses
 * searches until it has read all of it.
 */
export async function untilFollowed(system: BenchSystem): Promise<void> {
  const request = await newSearch(system);
  const connection = await RawConnection.open(system.service.port);
  for (;;) {
    const { status, body } = await connection.send(request);
    if (status === 200) break;
    if (status !== 503) throw new Error(`the response is ${status}: ${body.toString()}`);
    await sleep(500);
  }
  connection.close();
}

/** The bytes of the response to a request, which must succeed. */
async function responseTo(port: number, request: string): Promise<string> {
  const connection = await RawConnection.open(port);
  const { status, body } = await connection.send(request);
  connection.close();
  assert.equal(status, 200, body.toString());
  return body.toString();
}

/** Searches with authentication and quota, in turn; the floor sends the bytes of the first response. */
const againstBytes = async (
  system: BenchSystem,
  requests: readonly string[],
  rounds: number,
  onRound: (round: Round) => void,
): Promise<void> => {
  const bytes = await responseTo(system.service.port, requests[0]!);
  const floor = await startFloor({ kind: 'bytes', bytes });
  const floorRequest = requestBytes('GET', '/', {});
  const load = startLoadProcess();
  const perSecond = (port: number, request: string | readonly string[], seconds: number) =>
    load.run('requestsPerSecond', port, request, 16, seconds);
  const measured = async (seconds: number): Promise<Round> => ({
    floor: await perSecond(floor.port, floorRequest, seconds),
    figure: await perSecond(system.service.port, requests, seconds),
  });
  try {
    await measured(2);
    for (let round = 0; round < rounds; round += 1) onRound(await measured(3));
  } finally {
    await load.stop();
    await floor.stop();
  }
};

/** `POST /v1/listings/search`, the same search again and again. */
export const measureSearch: Measure['run'] = async (rounds, onRound) => {
  const { system } = await filled();
  await againstBytes(system, [await newSearch(system)], rounds, onRound);
};

/** More different stays than the service remembers pages of. */
export const manyStays = 600;

/** More kinds of stays than the service remembers the offers of. */
const manyKinds = 1_260;

/** The lengths and parties of stays, each of another kind. */
const kindOfStay = (at: number) => ({
  nights: 4 + (at % 7),
  party: {
    adults: 1 + (Math.floor(at / 7) % 2),
    children: 1,
    childAges: [Math.floor(at / 14) % 18],
    infants: Math.floor(at / 252),
  },
});

const sameKind = () => ({ nights: 7, party: { adults: 2 } });

/** Searches by a new partner, each for another stay. */
const searchesOf =
  (count: number, kindOf: typeof kindOfStay | typeof sameKind) =>
  async (system: BenchSystem): Promise<string[]> => {
    const { token } = await system.partner();
    return Array.from({ length: count }, (_, at) => {
      const { nights, party } = kindOf(at);
      const first = 40 + (at % manyStays);
      const stay = { checkIn: dayFrom(first), checkOut: dayFrom(first + nights) };
      return searchRequest(token, { ...stay, party });
    });
  };

/** Each for a week of two. */
export const searchesOfManyStays = searchesOf(manyStays, sameKind);

/** Each also for another length or party, so that nothing of them is remembered. */
const searchesOfNewStays = searchesOf(manyKinds, kindOfStay);

const measureSearches =
  (searches: (system: BenchSystem) => Promise<string[]>): Measure['run'] =>
  async (rounds, onRound) => {
    const { system } = await filled();
    await againstBytes(system, await searches(system), rounds, onRound);
  };

/** `POST /v1/listings/search`, each for a week of two that begins on another day than the ones before. */
export const measureSearchOfManyStays = measureSearches(searchesOfManyStays);

/** The same, each also for another length or party. */
export const measureSearchOfNewStays = measureSearches(searchesOfNewStays);

/** The same search with optional members; the floor is the search without them. One call at a time. */
export const measureSearchWith =
  (members: object): Measure['run'] =>
  async (rounds, onRound) => {
    const { system } = await filled();
    const { port } = system.service;
    const plain = await newSearch(system);
    const request = await newSearch(system, members);
    // The first search with a member prepares the homes for it.
    await responseTo(port, request);
    const measured = async (seconds: number): Promise<Round> => ({
      floor: await requestsPerSecond(port, plain, 1, seconds),
      figure: await requestsPerSecond(port, request, 1, seconds),
    });
    await measured(1);
    for (let round = 0; round < rounds; round += 1) onRound(await measured(3));
  };

const mostHomes = 50;

/**
 * Searches of 50 homes for so many stays in turn, with compressed responses; the floor is the same without. One call
 * at a time.
 */
export const measureCompressedSearch =
  (stayCount: number): Measure['run'] =>
  async (rounds, onRound) => {
    const { system } = await filled();
    const { token } = await system.partner();
    const requests = (headers: object): string[] =>
      Array.from({ length: stayCount }, (_, at) => {
        const stay = { checkIn: dayFrom(40 + at), checkOut: dayFrom(47 + at) };
        return searchRequest(token, { ...stay, limit: mostHomes }, headers);
      });
    const [plain, compressed] = [requests({}), requests({ 'accept-encoding': 'gzip' })];
    const { port } = system.service;
    const measured = async (seconds: number): Promise<Round> => ({
      floor: await requestsPerSecond(port, plain, 1, seconds),
      figure: await requestsPerSecond(port, compressed, 1, seconds),
    });
    await measured(2);
    for (let round = 0; round < rounds; round += 1) onRound(await measured(3));
  };

const tablesOfHomes = [
  'listings',
  'catalog_listings',
  'seasons',
  'dated_rates',
  'length_discounts',
  'fees',
  'taxes',
  'cancellation_rules',
];

/** The load of the index, and `COPY` of the same rows. */
export const measureIndexLoad: Measure['run'] = async (rounds, onRound) => {
  const { client, system, list } = await filled();
  for (let round = 0; round < rounds; round += 1) {
    const floor = await msOf(() => copyOut(client, ['occupancies']));
    onRound({ floor, figure: await msOf(() => openNightsIndex(system.database, () => [list])) });
  }
};

/** Copies the rows of all homes. */
export const copyHomes = (client: pg.Client): Promise<void> => copyOut(client, tablesOfHomes);

async function copyOut(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await finished(client.query(to(`COPY ${table} TO STDOUT`)).resume());
  }
}

/** The start of the service on this inventory to ready, and `COPY` of the same rows. Ends the system. */
export const measureIndexStart: Measure['run'] = async (rounds, onRound) => {
  const { system, client } = await filled();
  opened = undefined;
  await client.end();
  const { dataDir } = system;
  await system.stopKeeping();
  const config = readConfig({ LATCHKEY_DATA_DIR: dataDir, ...environment });
  for (let round = 0; round < rounds; round += 1) {
    const storage = await openStorage(config, { join: false, log: () => undefined });
    const copying = await storage.database.connect();
    const floor = await msOf(() => copyOut(copying, [...tablesOfHomes, 'occupancies']));
    await copying.end();
    await storage.close();
    const begin = performance.now();
    const service = await startService(dataDir, environment);
    const figure = performance.now() - begin;
    await service.stop();
    onRound({ floor, figure });
  }
  await rm(dataDir, { recursive: true, force: true });
};

/** The index alone, with ten times the homes: a count, and the bare words of two bitmaps. */
export const measureIndexAlone: Measure['run'] = async (rounds, onRound) => {
  const homes = inventory.homes * 10;
  const first = 20_000;
  const nights = new TakenNights(first, 823);
  nights.ensure(homes - 1);
  const { below: draw } = chanceOf(1);
  for (let slot = 0; slot < homes; slot += 1) {
    for (let night = first + draw(13); night < first + 730; night += 2 + draw(13)) {
      const from = night;
      night += 2 + draw(14);
      nights.mark(slot, { from, to: night, lead: 0 });
    }
  }
  for (let block = 0; block < nights.blocks(); block += 1) nights.fillRuns(block);
  const free = freeHomesOf(
    nights,
    listedHomes(Int32Array.from({ length: homes }, (_, slot) => slot)),
    { checkIn: first + 200, checkOut: first + 207 },
  );
  const words = [0, 1].map(() => Int32Array.from({ length: homes / 32 }, () => draw(2 ** 31)));
  const bare = (): number => {
    let taken = 0;
    for (let word = 0; word < words[0]!.length; word += 1) {
      taken ^= words[0]![word]! | words[1]![word]!;
    }
    return taken;
  };
  const averageMs = async (work: () => unknown): Promise<number> =>
    (await msOf(async () => {
      for (let repeat = 0; repeat < 200; repeat += 1) work();
    })) / 200;
  for (let round = 0; round < rounds; round += 1) {
    onRound({ floor: await averageMs(bare), figure: await averageMs(() => free.count()) });
  }
  const update = await averageMs(() =>
    nights.set(draw(homes), { from: first + 300, to: first + 303 }, []),
  );
  process.stderr.write(`${homes} homes: an update takes ${(update * 1_000).toFixed(1)} µs\n`);
};
