/** What a booking consists of: CPU time of the service by kind of work, and of PostgreSQL by statement. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { costOf } from '../../test/harness/cost.ts';
import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { BookingClient } from '../booking.ts';
import { importInventory } from '../inventory.ts';
import { perSecond } from '../load.ts';
import { type CpuProfile, timesOf } from './service-profile.ts';
import { connectSuperuser, type StatementCost, statementCosts } from './statement-profile.ts';

const usage = 'npm run profile -- [--seconds N]';
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error(usage);

const inFlight = 16;
const warmUpSeconds = 3;
/** What is rarer and cheaper than this for a booking is one line with the others. */
const shown = { ms: 0.01, calls: 0.1 };

const environment = (file: string) => ({
  LATCHKEY_ENVIRONMENT: 'test',
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'sampler.ts')}`,
  CPU_PROFILE_FILE: file,
});

/** PostgreSQL counts statements only if it has started with the library. */
async function startCounting(): Promise<BenchSystem> {
  const first = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
  const client = await connectSuperuser(first);
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await client.end();
  await first.stopKeeping();
  const { dataDir } = first;
  return startBenchSystem(environment(path.join(dataDir, 'service.cpuprofile')), dataDir);
}

async function writtenProfile(file: string): Promise<CpuProfile> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as CpuProfile;
    await sleep(50);
  }
}

type Cost = Omit<StatementCost, 'name'>;

function printTable(title: string, rows: readonly (readonly string[])[]): void {
  console.log(`\n${title}`);
  for (const [name, ...figures] of rows) {
    console.log(`  ${name!.padEnd(58)}${figures.map((figure) => figure.padStart(10)).join('')}`);
  }
}

/** What was seen while bookings were made. */
interface Profile {
  bookings: number;
  httpCalls: number;
  /** CPU time of the service and of PostgreSQL, in seconds. */
  cpuSeconds: [service: number, postgres: number];
  service: CpuProfile;
  statements: StatementCost[];
}

async function openClients(system: BenchSystem): Promise<BookingClient[]> {
  const partner = await system.partner();
  const open = () => BookingClient.open(system.service.port, partner);
  return Promise.all(Array.from({ length: inFlight }, open));
}

async function profileBookings(system: BenchSystem): Promise<Profile> {
  const { service, dataDir, database } = system;
  const inventory = await importInventory(database, dataDir);
  const clients = await openClients(system);
  const book = (worker: number) => clients[worker]!.book(inventory.next());
  const httpCalls = () => clients.reduce((sum, { calls }) => sum + calls, 0);
  const pids = [service.pid, await postmasterIn(dataDir)] as const;
  const cpuSeconds = () => Promise.all(pids.map(async (pid) => (await costOf(pid)).cpuSeconds));
  const superuser = await connectSuperuser(system);
  await superuser.query('CREATE EXTENSION pg_stat_statements');
  await perSecond(inFlight, warmUpSeconds, book);
  const callsBefore = httpCalls();
  await superuser.query('SELECT pg_stat_statements_reset()');
  const before = await cpuSeconds();
  process.kill(service.pid, 'SIGUSR2');
  const rate = await perSecond(inFlight, seconds, book);
  process.kill(service.pid, 'SIGUSR2');
  const after = await cpuSeconds();
  const statements = await statementCosts(superuser);
  await superuser.end();
  for (const client of clients) client.close();
  return {
    bookings: rate * seconds,
    httpCalls: httpCalls() - callsBefore,
    cpuSeconds: [after[0]! - before[0]!, after[1]! - before[1]!],
    service: await writtenProfile(path.join(dataDir, 'service.cpuprofile')),
    statements,
  };
}

function print({ bookings, httpCalls, cpuSeconds, service, statements }: Profile): void {
  const each = (ms: number): string => (ms / bookings).toFixed(3);
  const [inService, inPostgres] = cpuSeconds.map((one) => each(one * 1_000));
  console.log(
    `${(bookings / seconds).toFixed(0)} bookings a second, ${each(httpCalls)} calls each. CPU time of a booking: ` +
      `${inService} ms in the service, ${inPostgres} ms in PostgreSQL`,
  );
  const times = timesOf(service);
  printTable('The service, by samples: ms of a booking', [
    ...times.map(([kind, ms]) => [kind, each(ms)]),
    ['all', each(times.reduce((sum, [, ms]) => sum + ms, 0))],
  ]);
  const isShown = ({ ms, calls }: StatementCost): boolean =>
    ms / bookings >= shown.ms || calls / bookings >= shown.calls;
  const rest = statements.filter((statement) => !isShown(statement));
  const line = (name: string, costs: readonly Cost[]): string[] => {
    const sum = (key: keyof Cost): string => each(costs.reduce((all, one) => all + one[key], 0));
    return [name, sum('ms'), sum('calls'), sum('rows'), sum('walBytes')];
  };
  printTable('PostgreSQL, by statement: of a booking', [
    ['', 'ms', 'calls', 'rows', 'WAL bytes'],
    ...statements.filter(isShown).map((statement) => line(statement.name, [statement])),
    line(`${rest.length} others`, rest),
    line('all', statements),
  ]);
}

const system = await startCounting();
try {
  print(await profileBookings(system));
} finally {
  await system.close();
  await rm(system.dataDir, { recursive: true, force: true });
}
