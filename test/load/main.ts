/**
 * `npm run load -- --partners 200 --minutes 10 [--base-url URL]`: loads an installation as partners do, and
 * checks that every acknowledged answer stays true.
 */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBenchSystem } from '../../bench/bench-system.ts';
import { serviceLogOf } from '../../bench/processes.ts';
import { fileSource, importCatalog } from '../../src/catalog/index.ts';
import { readConfig } from '../../src/config/config.ts';
import { blockImport } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { generateCatalog } from '../../src/simulation/index.ts';
import { openInstalledStorage } from '../../src/installation/storage.ts';
import { postmasterIn } from '../harness/postgres-server.ts';
import { daysAhead } from '../harness/partner.ts';
import type { LogLine } from './report.ts';
import { runLoad, type Target } from './run-load.ts';

const usage = `npm run load -- [--partners 200] [--minutes 10] [--guests 1] [--pause-ms 1000] [--seed N]
                [--base-url URL | --homes 1000]

Without --base-url, a service is started in an empty folder, with --homes homes. With it, the partners are
registered in the installation of the environment (DATABASE_URL or LATCHKEY_DATA_DIR), which is not live.
`;

// The partners' keys live for an hour.
const mostMinutes = 55;

const { values } = parseArgs({
  options: {
    partners: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    guests: { type: 'string', default: '1' },
    'pause-ms': { type: 'string', default: '1000' },
    homes: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'base-url': { type: 'string' },
  },
});
const [partners, guests, homes, seed] = [
  values.partners,
  values.guests,
  values.homes,
  values.seed,
].map(Number) as [number, number, number, number];
const minutes = Number(values.minutes);
const pauseMs = Number(values['pause-ms']);

/** A target, and what ends it. */
type Opened = Target & { close(): Promise<void> };

async function importHomes(database: Database, folder: string): Promise<void> {
  const file = path.join(folder, 'load-homes.json');
  const pieces = generateCatalog({ listings: homes, seed: 1, from: daysAhead(0) });
  await pipeline(Readable.from(pieces), createWriteStream(file));
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: blockImport } as const;
  const result = await importCatalog(database, fileSource(file), options);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
}

async function startOwn(): Promise<Opened> {
  const environment = 'test';
  const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: environment });
  await importHomes(system.database, system.dataDir);
  const { database, close, service } = system;
  const processes = { service: service.pid, PostgreSQL: await postmasterIn(system.dataDir) };
  const origin = `http://127.0.0.1:${service.port}`;
  async function readLog(): Promise<LogLine[]> {
    const lines = (await readFile(serviceLogOf(system.dataDir), 'utf8')).split('\n');
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }
  return { origin, database, environment, processes, readLog, close };
}

async function join(origin: string): Promise<Opened> {
  const config = readConfig(process.env);
  const { environment } = config;
  if (environment === 'live') throw new Error('load would make reservations in live');
  const { database, close } = await openInstalledStorage(config);
  return { origin, database, environment, close };
}

const counts = [partners, guests, homes];
if (
  !counts.every((count) => Number.isInteger(count) && count > 0) ||
  !(minutes > 0 && minutes <= mostMinutes && pauseMs >= 0 && Number.isInteger(seed))
) {
  console.error(usage);
  process.exit(2);
}
const target = await (values['base-url'] === undefined
  ? startOwn()
  : join(values['base-url'].replace(/\/+$/, '')));
console.log(`${partners} partners, ${minutes} minutes, seed ${seed}, ${target.origin}`);
const settings = { partners, seed, pauseMs, guests };
const { report, wrong } = await runLoad(target, settings, () => sleep(minutes * 60_000)).finally(
  () => target.close(),
);
console.log(report);
console.log(wrong.length === 0 ? 'nothing is wrong' : `WRONG\n${wrong.join('\n')}`);
process.exit(wrong.length === 0 ? 0 : 1);
