/** The system under test of the fault tests: PostgreSQL, the network to it, the service, partners. */
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { copyUsed, usedMasterKey } from '../harness/used-folder.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import type { Environment } from '../../src/contract/wire.ts';
import { freePort } from '../harness/service-process.ts';
import {
  movementsOf,
  openCardPayments,
  problemsOfMoney,
  readMoney,
  settleMoney,
  type CardPayments,
} from './card-payments.ts';
import { Channel } from './channel.ts';
import { check, isOverdue, isWaiting } from './checker.ts';
import { readBookings, readFacts } from './facts.ts';
import { simulated, type Stay } from './guests.ts';
import { openOwnHomes } from './own-homes.ts';
import { PostgresServer } from './postgres-server.ts';
import { ServiceRunner } from './service-runner.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { bookingGuest, startWorkload, type Workload } from './workload.ts';

/** The longest wait of a booking when everything runs: a lease and one or two polls of the worker. */
const longestWaitMs = 15_000 + 3_000;

/** Where partners book: the homes of the simulation, or the operator's own. */
export const faultEnvironments = ['simulation', 'test'] as const satisfies Environment[];
export type FaultEnvironment = (typeof faultEnvironments)[number];

/** A PostgreSQL outside the service, connected by a network that the test controls. */
export interface TestSystem {
  postgres: PostgresServer;
  proxy: TcpProxy;
  service: ServiceRunner;
  /** A direct connection, without the proxy. */
  database: Database;
  /** Creates one card-paying and one partner-settled partner. */
  partners(): Promise<Partner[]>;
  /** Partners that book. */
  workload(seed: number, guestsAtOnce?: number): Promise<Workload>;
  close(): Promise<void>;
}

/** A folder that PostgreSQL's account can enter. */
export async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(scratchFolder, 'lk-faults-')));
  await chmod(folder, 0o711);
  return folder;
}

async function freeStays(partner: Partner): Promise<Stay[]> {
  const party = { adults: 2 };
  const checkIn = daysAhead(40);
  const checkOut = daysAhead(43);
  const body = { checkIn, checkOut, party, limit: 50 };
  const { items } = await partner.succeed('distribution.listing.search', { body });
  assert.ok(items.length > 0, 'nothing is free');
  return items.map(({ listing }) => ({ listingId: listing.listingId, checkIn, checkOut, party }));
}

// Never reached: so that every submission is counted.
const reservationsPerDay = 1_000_000;

/** Two partners, one for each settlement. */
const bothKinds = (database: Database, origin: string): Promise<Partner[]> =>
  Promise.all([
    registerPartner(database, origin, { settlement: 'card', reservationsPerDay }),
    registerPartner(database, origin, { settlement: 'partner', reservationsPerDay }),
  ]);

/** Lets both kinds of partners book; the service must run. */
export const bookingPartners = async (
  database: Database,
  origin: string,
  seed: number,
  guestsAtOnce?: number,
): Promise<Workload> => bookingOf(await bothKinds(database, origin), seed, guestsAtOnce);

/** Lets partners book homes of the simulation; the service must run. */
export async function bookingOf(
  partners: Partner[],
  seed: number,
  guestsAtOnce?: number,
): Promise<Workload> {
  const selling = simulated(await freeStays(partners[0]!));
  const guest = bookingGuest(selling);
  return startWorkload({ partners, guest, seed, ...(guestsAtOnce && { guestsAtOnce }) });
}

/**
 * Lets partners of both settlements book new homes of the operator's own, while staff act and another channel
 * sells one of them.
 */
const bookingOwnHomes =
  (cards: CardPayments): typeof bookingPartners =>
  async (database, origin, seed, guestsAtOnce) => {
    const own = await openOwnHomes(database, `own-${seed}`);
    const { catalogId } = own;
    const partners = await Promise.all(
      (['card', 'partner'] as const).map((settlement) =>
        registerPartner(database, origin, { settlement, catalogId, reservationsPerDay }, 'test'),
      ),
    );
    const { enterCard } = cards;
    const guest = bookingGuest({ ...own.selling, enterCard });
    const staff = { database, own, channel: await Channel.open(database, own) };
    const work = { partners, guest, seed, staff, cards };
    return startWorkload({ ...work, ...(guestsAtOnce && { guestsAtOnce }) });
  };

/** Makes an installation of the simulation one of the environment `test`, without homes. */
async function withoutHomes(database: Database): Promise<void> {
  await sql(database, `UPDATE installation SET environment = 'test'`);
  await sql(database, 'TRUNCATE catalogs, listings CASCADE');
}

/** Opens a system with a running service. `dataDir`: the folder of PostgreSQL's files. */
export async function openTestSystem(
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    environment?: FaultEnvironment;
  } = {},
): Promise<TestSystem> {
  const { environment = 'simulation' } = options;
  const folder = await newFolder();
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const dataDir = options.dataDir ?? path.join(folder, 'pg');
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await copyUsed('postgres', path.join(dataDir, 'postgres'));
    const masterKey = await usedMasterKey();
    const postgres = await PostgresServer.start(dataDir);
    undo.push(() => postgres.stop());
    const cards = environment === 'test' ? await openCardPayments() : null;
    if (cards) undo.push(async () => cards[Symbol.asyncDispose]());
    const booking = cards ? bookingOwnHomes(cards) : bookingPartners;
    const proxy = await TcpProxy.open(() => postgres.socket);
    undo.push(() => proxy.close());
    const service = new ServiceRunner({
      dataDir: path.join(folder, 'service'),
      port: await freePort(),
      env: {
        DATABASE_URL: `postgres://${postgres.connection.user}@127.0.0.1:${proxy.port}/${postgres.connection.database}`,
        LATCHKEY_MASTER_KEY: masterKey.toString('base64'),
        LATCHKEY_LOG_LEVEL: 'warn',
        LATCHKEY_ENVIRONMENT: environment,
        ...cards?.env,
        ...options.env,
      },
    });
    const vault = openVault(masterKey);
    const { connection } = postgres;
    const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
    undo.push(() => database.close());
    if (environment === 'test') await withoutHomes(database);
    undo.push(() => service.end());
    await service.start();
    const workloads: Workload[] = [];
    undo.push(() => Promise.all(workloads.map((workload) => workload.abandon())));
    return {
      postgres,
      proxy,
      service,
      database,
      partners: () => bothKinds(database, service.origin),
      async workload(seed, guestsAtOnce) {
        const begun = await booking(database, service.origin, seed, guestsAtOnce);
        workloads.push(begun);
        return begun;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finishes a workload and returns the violations; everything must run. */
export async function settle(database: Database, workload: Workload): Promise<string[]> {
  const applicationIds = [...workload.history.feeds.keys()];
  const { cards } = workload;
  const finishing = workload.finish(longestWaitMs * 2);
  // A guest whose outcome is not known waits for it.
  if (cards) await settleMoney(database, applicationIds, finishing);
  await finishing;
  const overdue: string[] = [];
  for (;;) {
    const bookings = await readBookings(database, applicationIds);
    overdue.push(
      ...bookings
        .filter((fact) => isOverdue(fact, longestWaitMs))
        .map((fact) => `${fact.kind} ${fact.bookingId} is ${fact.state} for ${fact.waitingMs} ms`),
    );
    if (overdue.length > 0 || !bookings.some(isWaiting)) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  if (overdue.length === 0) await workload.look();
  const facts = await readFacts(database, applicationIds);
  const money = cards
    ? problemsOfMoney(await readMoney(database, applicationIds), movementsOf(cards.standIn))
    : [];
  return [...overdue, ...check({ history: workload.history, facts }), ...money];
}
