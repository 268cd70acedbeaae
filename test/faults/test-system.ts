/** The system under test of the fault tests: PostgreSQL, the network to it, the service, partners. */
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  defaultPoolLimits,
  openDatabase,
  type Database,
} from '../../src/platform/postgres/database.ts';
import { openVault } from '../../src/platform/vault.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { copyUsed, usedMasterKey } from '../harness/used-folder.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import type { Environment } from '../../src/contract/wire.ts';
import type { TestRedis } from '../harness/redis.ts';
import { freePort } from '../harness/free-port.ts';
import { openFleet, type Roles } from '../fleet/fleet.ts';
import {
  movementsOf,
  openCardPayments,
  problemsOfMoney,
  readMoney,
  awaitMoney,
  type CardPayments,
} from './card-payments.ts';
import { RareWriters } from './rare-writers.ts';
import { Channel } from './channel.ts';
import { check, isOverdue, isWaiting } from './checker.ts';
import { readBookings, readFacts } from './facts.ts';
import { simulated, type Stay } from './guests.ts';
import { newFolder } from './new-folder.ts';
import { OutsideSystem } from './outside-system.ts';
import { openOwnHomes } from './own-homes.ts';
import { PostgresServer } from '../harness/postgres-server.ts';
import { ServiceRunner } from './service-runner.ts';
import type { SmallDisk } from './small-disk.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { bookingGuest, startWorkload, type Workload } from './workload.ts';

/** The longest wait of a booking when everything runs: a lease and one or two polls of the worker. */
const longestWaitMs = 15_000 + 3_000;

/** Where partners book: the homes of the simulation, or the operator's own. */
export const faultEnvironments = ['simulation', 'test'] as const satisfies Environment[];
export type FaultEnvironment = (typeof faultEnvironments)[number];

/** A process, and the network between it and PostgreSQL. */
export interface Member {
  roles: Roles[string];
  service: ServiceRunner;
  proxy: TcpProxy;
}

/**
 * A PostgreSQL outside the service, connected by networks that the test controls. `service` and `proxy` are those
 * of the first process.
 */
export interface TestSystem extends Member {
  postgres: PostgresServer;
  /** One process, or those of a fleet. */
  members: readonly Member[];
  /** The networks of all that write: the processes, and staff. */
  networks: readonly TcpProxy[];
  /** Shares the quotas of a fleet. Null: there is one process. */
  redis: TestRedis | null;
  /** With PostgreSQL's files. Null: they are on no disk of their own. */
  disk: SmallDisk | null;
  /** The card provider. Null: the simulation. */
  cards: CardPayments | null;
  /** A direct connection, without the proxy. */
  database: Database;
  /** The connection of staff, through a network of their own. */
  ofStaff: Database;
  /** Creates one card-paying and one partner-settled partner. */
  partners(): Promise<Partner[]>;
  /** Partners that book. */
  workload(
    seed: number,
    guestsAtOnce?: number,
    options?: { administered?: boolean },
  ): Promise<Workload>;
  close(): Promise<void>;
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
  { administered = false }: { administered?: boolean } = {},
): Promise<Workload> =>
  bookingOf(
    await bothKinds(database, origin),
    seed,
    guestsAtOnce,
    administered ? await RareWriters.open({ database, origin }, `made-${seed}`) : undefined,
  );

/** Lets partners book homes of the simulation; the service must run. */
export async function bookingOf(
  partners: Partner[],
  seed: number,
  guestsAtOnce?: number,
  rareWriters?: RareWriters,
): Promise<Workload> {
  const selling = simulated(await freeStays(partners[0]!));
  const guest = bookingGuest(selling);
  return startWorkload({
    partners,
    guest,
    seed,
    ...(guestsAtOnce && { guestsAtOnce }),
    ...(rareWriters && { rareWriters }),
  });
}

/**
 * Lets partners of both settlements book new homes of the operator's own, while staff act, another system sells
 * them, and a channel one of them.
 */
const bookingOwnHomes =
  (cards: CardPayments, movesMoney: boolean, ofStaff: Database): typeof bookingPartners =>
  async (database, origin, seed, guestsAtOnce, { administered = false } = {}) => {
    const own = await openOwnHomes(database, `own-${seed}`);
    const { catalogId } = own;
    const partners = await Promise.all(
      (['card', 'partner'] as const).map((settlement) =>
        registerPartner(database, origin, { settlement, catalogId, reservationsPerDay }, 'test'),
      ),
    );
    const { enterCard } = cards;
    const guest = bookingGuest({ ...own.selling, enterCard });
    const channel = await Channel.open(database, own);
    const name = `pms-${seed}`;
    const outside = await OutsideSystem.open({ database, origin }, { own, channel, name });
    const at = { database, origin };
    const rareWriters = administered
      ? await RareWriters.open(at, `made-${seed}`, `own-${seed}`)
      : undefined;
    const staff = { database: ofStaff, own, channel, outside };
    const work = { partners, guest, seed, staff, cards, movesMoney };
    return startWorkload({
      ...work,
      ...(guestsAtOnce && { guestsAtOnce }),
      ...(rareWriters && { rareWriters }),
    });
  };

/** Makes an installation of the simulation one of the environment `test`, without homes. */
async function withoutHomes(database: Database): Promise<void> {
  await sql(database, `UPDATE installation SET environment = 'test'`);
  await sql(database, 'TRUNCATE catalogs, listings CASCADE');
}

/** Running processes: where partners call, and what a test can do to them. */
type Started = Pick<TestSystem, 'members' | 'redis'> & { origin: string };

/** What processes are started with. */
interface Base {
  folder: string;
  /** The settings of a process that connects to PostgreSQL at this port. */
  envFor(port: number): Record<string, string>;
  openProxy(): Promise<TcpProxy>;
  /** What to do at the end, the last first. */
  undo: (() => Promise<unknown>)[];
}

async function startOne({ folder, envFor, openProxy, undo }: Base): Promise<Started> {
  const proxy = await openProxy();
  const service = new ServiceRunner({
    dataDir: path.join(folder, 'service'),
    port: await freePort(),
    env: envFor(proxy.port),
  });
  undo.push(() => service.end());
  await service.start();
  return {
    origin: service.origin,
    members: [{ roles: 'api,worker', service, proxy }],
    redis: null,
  };
}

async function startFleet({ envFor, openProxy, undo }: Base, roles: Roles): Promise<Started> {
  const opened = Object.keys(roles).map(async (name) => [name, await openProxy()] as const);
  const proxies = new Map(await Promise.all(opened));
  const fleet = await openFleet({ roles, envOf: (name) => envFor(proxies.get(name)!.port) });
  undo.push(() => fleet.close());
  const members = Object.entries(fleet.members).map(([name, service]) => ({
    roles: roles[name]!,
    service,
    proxy: proxies.get(name)!,
  }));
  return { origin: fleet.origin, members, redis: fleet.redis };
}

/**
 * Opens a system with running processes. `disk`: for PostgreSQL's files. `roles`: several processes behind HAProxy;
 * absent: one.
 */
export async function openTestSystem(
  options: {
    disk?: SmallDisk | null;
    env?: Record<string, string>;
    environment?: FaultEnvironment;
    roles?: Roles | undefined;
    /** At the operator's own homes, some move money, too. */
    movesMoney?: boolean;
  } = {},
): Promise<TestSystem> {
  const { environment = 'simulation', disk = null, roles, movesMoney = false } = options;
  const folder = await newFolder();
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const dataDir = path.join(disk?.folder ?? folder, 'pg');
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await copyUsed('postgres', path.join(dataDir, 'postgres'));
    const masterKey = await usedMasterKey();
    const postgres = await PostgresServer.start(dataDir);
    undo.push(() => postgres.stop());
    const cards = environment === 'test' ? await openCardPayments() : null;
    if (cards) undo.push(async () => cards[Symbol.asyncDispose]());
    const vault = openVault(masterKey);
    const { connection } = postgres;
    const database = openDatabase(connection, vault, defaultPoolLimits, () => undefined);
    undo.push(() => database.close());
    const staffNetwork = await TcpProxy.open(() => postgres.socket);
    undo.push(() => staffNetwork.close());
    const ofStaff = openDatabase(
      { ...connection, host: '127.0.0.1', port: staffNetwork.port },
      vault,
      defaultPoolLimits,
      () => undefined,
    );
    undo.push(() => ofStaff.close());
    const booking = cards ? bookingOwnHomes(cards, movesMoney, ofStaff) : bookingPartners;
    if (environment === 'test') await withoutHomes(database);
    const base: Base = {
      folder,
      undo,
      envFor: (port) => ({
        DATABASE_URL: `postgres://${connection.user}@127.0.0.1:${port}/${connection.database}`,
        LATCHKEY_MASTER_KEY: masterKey.toString('base64'),
        LATCHKEY_LOG_LEVEL: 'warn',
        LATCHKEY_ENVIRONMENT: environment,
        ...cards?.env,
        ...options.env,
      }),
      async openProxy() {
        const proxy = await TcpProxy.open(() => postgres.socket);
        undo.push(() => proxy.close());
        return proxy;
      },
    };
    const started = await (roles ? startFleet(base, roles) : startOne(base));
    const { origin, ...processes } = started;
    const workloads: Workload[] = [];
    undo.push(() => Promise.all(workloads.map((workload) => workload.abandon())));
    return {
      ...processes,
      ...processes.members[0]!,
      networks: [...processes.members.map(({ proxy }) => proxy), staffNetwork],
      postgres,
      cards,
      disk,
      database,
      ofStaff,
      partners: () => bothKinds(database, origin),
      async workload(seed, guestsAtOnce, how) {
        const begun = await booking(database, origin, seed, guestsAtOnce, how);
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
export async function outcomesOf(
  database: Database,
  workload: Workload,
  allowed?: RegExp,
): Promise<string[]> {
  const applicationIds = [...workload.history.feeds.keys()];
  const { cards } = workload;
  const finishing = workload.finish(longestWaitMs * 2);
  // A guest whose outcome is not known waits for it.
  if (cards) await awaitMoney(database, applicationIds, finishing);
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
  return [...overdue, ...check({ history: workload.history, facts }, allowed), ...money];
}
