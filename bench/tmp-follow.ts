import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileSource, importCatalog, openCatalog } from '../src/catalog/index.ts';
import { readConfig } from '../src/config.ts';
import { generateCatalog } from '../src/simulation/index.ts';
import { openStorage } from '../src/storage.ts';
const listings = Number(process.argv[2]);
const dir = `/tmp/ten-follow/${listings}`;
const isNew = !existsSync(dir);
await mkdir(dir, { recursive: true });
const config = readConfig({ LATCHKEY_ENVIRONMENT: 'test', LATCHKEY_DATA_DIR: `${dir}/data` });
const storage = await openStorage(config, { join: false, log: () => undefined });
const { database } = storage;
if (isNew) {
  async function* pieces(): AsyncGenerator<string> {
    for await (const text of generateCatalog({ listings, seed: 1, from: '2027-01-01' })) {
      if (!text.includes('"blocks":')) yield text;
      else return yield '}';
    }
  }
  const file = `${dir}/f.json`;
  await pipeline(Readable.from(pieces()), createWriteStream(file));
  const t = performance.now();
  const r = await importCatalog(database, fileSource(file), {
    mode: 'merge',
    dryRun: false,
    actor: null,
    blocks: null,
  });
  if ('problems' in r) console.log(JSON.stringify(r.problems).slice(0, 300));
  console.log('import', Math.round(performance.now() - t));
}
for (let i = 0; i < 2; i += 1) {
  const h = monitorEventLoopDelay({ resolution: 1 });
  h.enable();
  const t = performance.now();
  const c = process.cpuUsage();
  const catalog = await openCatalog(database, { environment: 'test', baseUrl: 'https://x' });
  await new Promise((r) => setTimeout(r, 20));
  h.disable();
  const u = process.cpuUsage(c);
  console.log(
    'follow ms',
    Math.round(performance.now() - t),
    'cpu ms',
    Math.round((u.user + u.system) / 1000),
    'longest stall ms',
    Math.round(h.max / 1e6),
    'p99',
    Math.round(h.percentile(99) / 1e6),
    'heap',
    Math.round(process.memoryUsage().heapUsed / 1e6),
    'rss',
    Math.round(process.memoryUsage().rss / 1e6),
    catalog.revision(),
  );
}
await storage.close();
process.exit(0);
