/** What work consists of: CPU time of the service by kind of work, and of PostgreSQL by statement. */
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { costOf } from '../../test/harness/cost.ts';
import { postmasterIn } from '../../test/harness/postgres-server.ts';
import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { type CpuProfile, slowestFunctions, timesOf } from './service-profile.ts';
import { connectSuperuser, type StatementCost, statementCosts } from './statement-profile.ts';
import { workloads } from './workloads.ts';

const names = Object.keys(workloads);
const usage = `npm run profile -- [${names.join('|')}] [--seconds N] [--functions N]`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '20' },
    functions: { type: 'string', default: '0' },
  },
});
const [name = 'bookings'] = positionals;
const seconds = Number(values.seconds);
const functions = Number(values.functions);
const isKnown = names.includes(name) && positionals.length <= 1;
if (!isKnown || !(seconds > 0) || !(functions >= 0)) throw new Error(usage);
const { unit, environment, open } = workloads[name as keyof typeof workloads];

const warmUpSeconds = 3;
/** What is rarer and cheaper than this for one is one line with the others. */
const shown = { ms: 0.01, calls: 0.1 };

const sampled = (file: string) => ({
  ...environment,
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'sampler.ts')}`,
  CPU_PROFILE_FILE: file,
});

/** PostgreSQL counts statements only if it has started with the library. */
async function startCounting(): Promise<BenchSystem> {
  const first = await startBenchSystem(environment);
  const client = await connectSuperuser(first);
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await client.end();
  await first.stopKeeping();
  const { dataDir } = first;
  return startBenchSystem(sampled(path.join(dataDir, 'service.cpuprofile')), dataDir);
}

async function writtenProfile(file: string): Promise<CpuProfile> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as CpuProfile;
    await sleep(50);
  }
}

type Cost = Omit<StatementCost, 'name'>;

function printTable(heading: string, rows: readonly (readonly string[])[]): void {
  console.log(`\n${heading}`);
  for (const [title, ...figures] of rows) {
    console.log(`  ${title!.padEnd(58)}${figures.map((figure) => figure.padStart(10)).join('')}`);
  }
}

/** What was seen during the work. */
interface Profile {
  /** How often it was done. */
  count: number;
  httpCalls: number;
  /** CPU time of the service and of PostgreSQL, in seconds. */
  cpuSeconds: [service: number, postgres: number];
  service: CpuProfile;
  statements: StatementCost[];
}

async function profileOf(system: BenchSystem): Promise<Profile> {
  const { service, dataDir } = system;
  const work = await open(system);
  const { calls = () => 0 }: { calls?(): number } = work;
  const pids = [service.pid, await postmasterIn(dataDir)] as const;
  const cpuSeconds = () => Promise.all(pids.map(async (pid) => (await costOf(pid)).cpuSeconds));
  const superuser = await connectSuperuser(system);
  await superuser.query('CREATE EXTENSION pg_stat_statements');
  await work.perSecond(warmUpSeconds);
  const callsBefore = calls();
  await superuser.query('SELECT pg_stat_statements_reset()');
  const before = await cpuSeconds();
  process.kill(service.pid, 'SIGUSR2');
  const rate = await work.perSecond(seconds);
  process.kill(service.pid, 'SIGUSR2');
  const after = await cpuSeconds();
  const statements = await statementCosts(superuser);
  await superuser.end();
  const written = await writtenProfile(path.join(dataDir, 'service.cpuprofile'));
  await work.close();
  return {
    count: rate * seconds,
    httpCalls: calls() - callsBefore,
    cpuSeconds: [after[0]! - before[0]!, after[1]! - before[1]!],
    service: written,
    statements,
  };
}

function print({ count, httpCalls, cpuSeconds, service, statements }: Profile): void {
  const each = (ms: number): string => (ms / count).toFixed(4);
  const [one, many] = unit;
  const [inService, inPostgres] = cpuSeconds.map((cpu) => each(cpu * 1_000));
  const calls = httpCalls === 0 ? '' : `, ${each(httpCalls)} calls each`;
  console.log(
    `${(count / seconds).toFixed(0)} ${many} a second${calls}. CPU time of a ${one}: ` +
      `${inService} ms in the service, ${inPostgres} ms in PostgreSQL`,
  );
  const times = timesOf(service);
  printTable(`The service, by samples: ms of a ${one}`, [
    ...times.map(([kind, ms]) => [kind, each(ms)]),
    ['all', each(times.reduce((sum, [, ms]) => sum + ms, 0))],
  ]);
  if (functions > 0) {
    const slowest = slowestFunctions(service, functions);
    printTable(
      `Its functions: ms of a ${one}, alone and with what they call`,
      slowest.map(({ name: called, self, total }) => [called, each(self), each(total)]),
    );
  }
  const isShown = ({ ms, calls: often }: StatementCost): boolean =>
    ms / count >= shown.ms || often / count >= shown.calls;
  const rest = statements.filter((statement) => !isShown(statement));
  const line = (title: string, costs: readonly Cost[]): string[] => {
    const sum = (key: keyof Cost): string => each(costs.reduce((all, cost) => all + cost[key], 0));
    return [title, sum('ms'), sum('calls'), sum('rows'), sum('walBytes')];
  };
  printTable(`PostgreSQL, by statement: of a ${one}`, [
    ['', 'ms', 'calls', 'rows', 'WAL bytes'],
    ...statements.filter(isShown).map((statement) => line(statement.name, [statement])),
    line(`${rest.length} others`, rest),
    line('all', statements),
  ]);
}

const system = await startCounting();
try {
  print(await profileOf(system));
} finally {
  await system.close();
  await rm(system.dataDir, { recursive: true, force: true });
}
