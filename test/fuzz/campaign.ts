/** A fuzzing run against a service in its own process. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import { fileSource, importCatalog } from '../../src/catalog/index.ts';
import { blockImport } from '../../src/inventory/index.ts';
import { eventually } from '../harness/eventually.ts';
import { importFile } from '../harness/import-file.ts';
import { createTestDatabase, templateName, type TestDatabase } from '../harness/postgres.ts';
import { daysAhead, Partner } from '../harness/partner.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { requestText } from '../harness/raw-http.ts';
import { WaitProbe } from '../harness/wait-probe.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { TcpProxy } from '../faults/tcp-proxy.ts';
import { onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { faultOf } from './judge.ts';
import { CallerAtRandom, type CallCounts } from './caller-at-random.ts';
import { partnerCaller, sessionCaller, tokenCaller } from './callers.ts';
import { Known } from './known.ts';
import type { Caller } from './requests.ts';
import { sendSlowly, slowRequests } from './slow-sender.ts';

/** The longest waits of a read in one part of a campaign: without requests at random, and then with them. */
export interface WaitsOfPart {
  idleMs: number;
  busyMs: number;
}

/** The result of a campaign. */
export interface Outcome extends CallCounts {
  waits: WaitsOfPart[];
  /** Resident memory of the service, after warm-up and at the end. */
  warmMb: number;
  endMb: number;
  /** The status of each slow sender's response, or null. */
  slow: Record<string, number | null>;
  readiness: number | undefined;
  /** Whether a normal booking still completes. */
  booked: string;
  /** Error lines of the log. */
  complaints: string[];
}

/** The environments that are fuzzed. */
export const fuzzedEnvironments = ['simulation', 'test'] as const;
export type FuzzedEnvironment = (typeof fuzzedEnvironments)[number];

/** The settings of a campaign. */
export interface Campaign {
  seed: string;
  seconds: number;
  /** The most requests in a second. Absent: as many as the machine can send. */
  mostPerSecond?: number;
  /** It goes on until these statuses have been received; absent: none. */
  statuses?: readonly string[];
  /** The maximum time; absent: `seconds`. */
  mostSeconds?: number;
  /** Of simulated homes, or of those of the example. */
  environment: FuzzedEnvironment;
  /** Services on one database, which get the connections alternately; 1 by default. */
  processes?: number;
  /** Measures how long a partner's read waits: each minute begins with some idle seconds. */
  measuresWaits?: boolean;
  /** Statements that plant a defect after the start. */
  damage?: readonly string[];
  /** Called every few seconds. */
  progress?: (callCounts: CallCounts, residentMb: number) => void;
}

const settlements = ['card', 'partner'] as const;
const warmShare = 0.3;
const progressEveryMs = 5_000;
const paceMs = 10;

async function residentMb(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Whether a campaign is over: after its time and with all statuses, or when one stream has ended. */
interface Over {
  elapsed(): number;
  isOver(): boolean;
  /** Resolves when the next request may be sent. */
  pace(): Promise<void>;
  /** Lets nobody send until `resume`. */
  pause(): void;
  resume(): void;
  end(): void;
}

function overAfter(
  { seconds, statuses = [], mostSeconds = seconds, mostPerSecond = Infinity }: Campaign,
  callCounts: CallCounts,
): Over {
  const began = performance.now();
  let ended = false;
  let isPaused = false;
  const elapsed = (): number => (performance.now() - began) / 1_000;
  const hasAll = (): boolean => statuses.every((status) => callCounts.responses.has(status));
  return {
    elapsed,
    isOver: () => ended || elapsed() > mostSeconds || (elapsed() > seconds && hasAll()),
    async pace() {
      const mustWait = () => isPaused || callCounts.requests > mostPerSecond * elapsed();
      while (!ended && mustWait()) await sleep(paceMs);
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
    end() {
      ended = true;
    },
  };
}

/** The applications of a campaign. */
interface Callers {
  /** One for each stream of a partner. */
  streams: Partner[];
  exhausted: Partner;
  /** Books afterwards. */
  portalCaller: Partner;
}

async function castOf(
  { database }: TestDatabase,
  origin: string,
  environment: FuzzedEnvironment,
): Promise<Callers> {
  const register = (settlement: Settlement) =>
    registerPartner(database, origin, { settlement }, environment);
  return {
    streams: await Promise.all(settlements.map(register)),
    exhausted: await register('partner'),
    portalCaller: await register('partner'),
  };
}

/** Two partners, a script and a member of staff. */
async function streamsOf(
  { streams, exhausted, portalCaller }: Callers,
  { database }: TestDatabase,
  seed: string,
  callCounts: CallCounts,
): Promise<CallerAtRandom[]> {
  await findsHomes(portalCaller);
  const stay = await portalCaller.freeStay();
  const { origin } = portalCaller;
  const others = [...streams, exhausted, portalCaller];
  const [home] = await sql<{ slug: string }>(
    database,
    'SELECT slug FROM listings WHERE listing_id = $1',
    [stay.listingId],
  );
  const spared = new Set([
    stay.listingId,
    home!.slug,
    ...others.map(({ credentials }) => credentials.applicationId),
  ]);
  const parts: { caller: () => Promise<Caller>; known: Known }[] = [
    ...streams.map((partner) => ({
      caller: partnerCaller(partner, exhausted),
      known: Known.ofPartner(stay),
    })),
    ...[tokenCaller(database), sessionCaller(database)].map((caller) => ({
      caller,
      known: Known.ofOperator(stay, spared),
    })),
  ];
  return parts.map(
    (one, at) => new CallerAtRandom({ ...one, origin, seed: `${seed}/${at}`, callCounts }),
  );
}

async function endlessly(stream: CallerAtRandom, over: Over): Promise<void> {
  try {
    while (!over.isOver()) {
      await over.pace();
      await stream.step();
    }
  } finally {
    over.end();
    stream.close();
  }
}

const partMs = 60_000;
const idleMs = 5_000;

/** Measures waits until the campaign is over: a part is at most a minute, and begins with idle seconds. */
async function measureWaits(
  partner: Partner,
  { seconds }: Campaign,
  over: Over,
): Promise<WaitsOfPart[]> {
  const { port } = new URL(partner.origin);
  const read = async () => ({
    port: Number(port),
    request: requestText('GET /v1/inventory-changes', {
      authorization: `Bearer ${await partner.token()}`,
    }).toString(),
  });
  const probe = new WaitProbe(await read());
  const waits: WaitsOfPart[] = [];
  const part = Math.min(partMs, seconds * 1_000);
  try {
    while (!over.isOver()) {
      over.pause();
      // What is on its way still gets its response.
      await sleep(idleMs / 5);
      await probe.sinceLast(await read());
      await sleep(Math.min(idleMs, part / 5));
      const idle = await probe.sinceLast();
      over.resume();
      const until = over.elapsed() + (part * 0.8) / 1_000;
      while (!over.isOver() && over.elapsed() < until) await sleep(paceMs);
      const busy = await probe.sinceLast();
      if (busy.reads > 0) waits.push({ idleMs: idle.worstMs, busyMs: busy.worstMs });
    }
  } finally {
    over.resume();
    await probe.stop();
  }
  return waits;
}

async function slowly(origin: string, callCounts: CallCounts, isOver: () => boolean) {
  const slow: Outcome['slow'] = {};
  const senders = Object.entries(slowRequests).map(async ([name, request]) => {
    const response = await sendSlowly(origin, request, isOver);
    slow[name] = response?.status ?? null;
    // Health and readiness have no envelope.
    if (response === null || response.status === 200) return;
    const fault = faultOf(response, { operationId: null, isBodyless: false });
    if (fault === null) return;
    const sent = request.subarray(0, 200).toString();
    callCounts.findings.push({
      fault,
      replay: `slow: ${name}`,
      request: sent,
      response: response.text,
    });
  });
  await Promise.all(senders);
  return slow;
}

const project = path.join(import.meta.dirname, '../..');

const homesOf: Readonly<Record<FuzzedEnvironment, string>> = {
  simulation: path.join(project, 'src/simulation/homes.json'),
  test: path.join(project, 'examples/harbour-homes/catalog.json'),
};

async function importHomes(
  { database }: TestDatabase,
  environment: FuzzedEnvironment,
): Promise<void> {
  const result = await importCatalog(database, fileSource(homesOf[environment]), {
    mode: 'merge',
    dryRun: false,
    actor: null,
    blocks: blockImport,
  });
  assert.ok('difference' in result, JSON.stringify(result));
}

/** Waits until the service knows the imported homes. */
const findsHomes = (partner: Partner): Promise<void> =>
  eventually(() => partner.freeStay().then(Boolean, () => false));

/** Adds a home that no random call has changed or will change. Returns its ID. */
async function addHome(
  { database }: TestDatabase,
  environment: FuzzedEnvironment,
): Promise<string> {
  const homes = JSON.parse(await readFile(homesOf[environment], 'utf8')) as Record<string, object>;
  const { format, catalog } = homes;
  const listingId = randomUUID();
  const home = { listingId, slug: 'afterwards', name: 'Afterwards', currency: 'EUR' };
  const listings = [{ ...home, rates: { nightly: 10_000 } }];
  const result = await importFile(database, { format, catalog, listings });
  assert.ok('difference' in result, JSON.stringify(result));
  return listingId;
}

/** A quote for free nights of a home. */
async function quoteAt(partner: Partner, listingId: string): Promise<Quote> {
  const query = { startDate: daysAhead(30), endDate: daysAhead(90) };
  const { days } = await partner.succeed('inventory.calendar.get', {
    params: { listingId },
    query,
  });
  const free = days.findIndex((_, at) => days.slice(at, at + 2).every((day) => day.available));
  const nights = { checkIn: days[free]!.date, checkOut: days[free + 2]!.date };
  const body = { quoteId: randomUUID(), listingId, ...nights, party: { adults: 2 } };
  return partner.succeed('reservation.quote.create', { body });
}

/**
 * A normal booking, from quote to outcome, of a new home: random calls may have withdrawn the others, or changed
 * their prices a moment ago.
 */
async function bookAfterwards(
  { origin, credentials }: Partner,
  database: TestDatabase,
  environment: FuzzedEnvironment,
): Promise<string> {
  // Its token may have ended with the signing key.
  const partner = new Partner(origin, credentials);
  try {
    const listingId = await addHome(database, environment);
    let quote: Quote | undefined;
    // Each process learns of the home within a second.
    await eventually(async () => {
      quote = await quoteAt(partner, listingId).catch(() => undefined);
      return quote !== undefined;
    });
    const open = await partner.submittedCheckout(undefined, quote);
    const { state, failure } = await partner.statusOnce(open, ['confirmed', 'failed']);
    return failure ? `${state}: ${failure.reason}` : state;
  } catch (error) {
    return (error as Error).message;
  }
}

function complaintsOf(service: ServiceProcess): string[] {
  const serious = new Set(['error', 'fatal']);
  return service
    .log()
    .filter(({ level }) => serious.has(String(level)))
    .map((line) => JSON.stringify(line));
}

/** The services of a campaign, and the address that stands for all of them. */
interface Services {
  services: readonly ServiceProcess[];
  origin: string;
  stop(): Promise<void>;
}

async function residentMbOf(services: readonly ServiceProcess[]): Promise<number> {
  const all = await Promise.all(services.map(({ pid }) => residentMb(pid)));
  return Math.max(...all);
}

/** Starts one service, or several behind a proxy that connects to them alternately. */
async function startServices(
  processes: number,
  dataDir: string,
  env: Record<string, string>,
): Promise<Services> {
  const start = (_: unknown, index: number): Promise<ServiceProcess> =>
    serve({ dataDir: path.join(dataDir, String(index)), env });
  const services = await Promise.all(Array.from({ length: processes }, start));
  let connections = 0;
  const proxy = await TcpProxy.open(() => services[(connections += 1) % processes]!.port);
  return {
    services,
    origin: processes === 1 ? services[0]!.origin : `http://127.0.0.1:${proxy.port}`,
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await proxy.close();
    },
  };
}

async function run(
  { services, origin }: Services,
  database: TestDatabase,
  campaign: Campaign,
): Promise<Outcome> {
  const { seed, seconds, environment, progress } = campaign;
  const callers = await castOf(database, origin, environment);
  const callCounts: CallCounts = { requests: 0, responses: new Map(), findings: [] };
  const streams = await streamsOf(callers, database, seed, callCounts);
  const over = overAfter(campaign, callCounts);
  const ends = streams.map((stream) => endlessly(stream, over));
  const slow = slowly(origin, callCounts, over.isOver);
  const waits = campaign.measuresWaits ? measureWaits(callers.portalCaller, campaign, over) : [];
  let warmMb: number | null = null;
  const progressTimer = setInterval(
    async () => {
      const now = await residentMbOf(services);
      if (over.elapsed() > seconds * warmShare) warmMb ??= now;
      progress?.(callCounts, now);
    },
    Math.min(progressEveryMs, seconds * 100),
  );
  await Promise.all(ends).finally(() => clearInterval(progressTimer));
  const slowStatuses = await slow;
  const measuredWaits = await waits;
  const endMb = await residentMbOf(services);
  return {
    ...callCounts,
    waits: measuredWaits,
    slow: slowStatuses,
    warmMb: warmMb ?? endMb,
    endMb,
    readiness: await services[0]!.readiness(),
    booked: await bookAfterwards(callers.portalCaller, database, environment),
    complaints: services.flatMap(complaintsOf),
  };
}

/** A database that another environment than the simulation can claim. */
const emptyTemplate = 'template0';

/** Starts a service, fuzzes it, and checks it afterwards. */
export async function fuzz(campaign: Campaign): Promise<Outcome> {
  const { environment } = campaign;
  const isSimulation = environment === 'simulation';
  const database = await createTestDatabase(2, isSimulation ? templateName : emptyTemplate);
  const dataDir = await mkdtemp(path.join(scratchFolder, 'lk-fuzz-'));
  const env = {
    ...onDatabase(database),
    LATCHKEY_ENVIRONMENT: environment,
    LATCHKEY_LOG_LEVEL: 'error',
    // The issuer of tokens is the same for all of them.
    BASE_URL: 'http://latchkey.test',
  };
  const services = await startServices(campaign.processes ?? 1, dataDir, env);
  try {
    if (!isSimulation) await importHomes(database, environment);
    for (const text of campaign.damage ?? []) await sql(database.database, text);
    return await run(services, database, campaign);
  } finally {
    await services.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
