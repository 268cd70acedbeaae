/** Large catalog files: memory does not grow with the file, and a killed import leaves nothing. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, suite, test } from 'node:test';
import type { CatalogFile } from '../../src/contract/catalog-file.ts';
import { generateCatalog } from '../../src/simulation/index.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { onDatabase, projectRoot } from '../harness/service-process.ts';

/** `npm test` uses a file of 20 MB; `LATCHKEY_TEST_FILE_MB=200` one of 200 MB. */
const megabytes = Number(process.env['LATCHKEY_TEST_FILE_MB'] ?? 20);

const listing = JSON.stringify({
  name: 'Home',
  description: 'd'.repeat(2_000),
  currency: 'EUR',
  rates: { nightly: 10_000 },
});

/** A file of this size whose listings are valid, or each wrong in another place. */
function* largeFile(bytes: number, isValid: boolean): Generator<string> {
  const head = { slug: 'large', name: 'Large', discovery: 'brand' };
  yield `{"format":"latchkey-catalog/1","catalog":${JSON.stringify(head)},"listings":[`;
  let written = 0;
  for (let at = 0; written < bytes; at += 1) {
    const slug = isValid ? `home-${at}` : `Home ${at}`;
    const text = `${at > 0 ? ',\n' : ''}{"slug":"${slug}",${listing.slice(1)}`;
    written += text.length;
    yield text;
  }
  yield ']}';
}

/** Imports a file in a process with a small heap, and says how much memory it had at most. */
const importAndMeasure = `
  import { readFileSync } from 'node:fs';
  import { fileSource, importCatalog } from './src/catalog/index.ts';
  import { defaultPoolLimits, openDatabase } from './src/platform/postgres/database.ts';
  import { openVault } from './src/platform/vault.ts';
  const [file, url] = process.argv.slice(1);
  const limits = { ...defaultPoolLimits, connections: 1 };
  const database = openDatabase({ connectionString: url }, openVault(Buffer.alloc(32, 7)), limits, () => undefined);
  const options = { mode: 'merge', dryRun: true, actor: null, blocks: null };
  const result = await importCatalog(database, fileSource(file), options);
  await database.close();
  const count = 'problems' in result ? result.problems.count : result.difference.listings.added;
  // Not \`maxRSS\`, which begins with the memory of the test process that this one was forked from.
  const [, peak] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  console.log(JSON.stringify({ count, peakMegabytes: Number(peak) / 1024 }));
`;

async function ended(child: ChildProcess): Promise<string> {
  let out = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0);
  return out;
}

suite('catalog import › large files', () => {
  let clone: TestDatabase;
  let folder: string;
  before(async () => {
    clone = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), 'lk-large-'));
  });
  after(async () => {
    await clone?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [what, isValid] of [
    ['valid', true],
    ['with a problem in every listing', false],
  ] as const) {
    // Spec: FILE-6.
    test(`${megabytes} MB, ${what}, in a heap of 64 MB`, async () => {
      const file = path.join(folder, `${isValid}.json`);
      const bytes = megabytes * 1_000_000;
      await pipeline(Readable.from(largeFile(bytes, isValid)), createWriteStream(file));
      const child = spawn(
        process.execPath,
        [
          '--max-old-space-size=64',
          '--input-type=module-typescript',
          '--eval',
          importAndMeasure,
          file,
          onDatabase(clone)['DATABASE_URL']!,
        ],
        { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const { count, peakMegabytes } = JSON.parse(await ended(child)) as Record<string, number>;
      assert.ok(count! > bytes / 2_300, `${count} listings`);
      assert.ok(peakMegabytes! < 400, `${peakMegabytes} MB of memory`);
    });
  }

  test('kill -9 in the middle leaves nothing, and the next import does everything', async () => {
    const file = path.join(folder, 'generated.json');
    const input = { listings: 2_000, seed: 3, from: '2027-01-01' };
    const pieces = await Array.fromAsync(generateCatalog(input));
    // The simulation takes no blocks.
    const { blocks: _, ...rest } = JSON.parse(pieces.join('')) as CatalogFile;
    await writeFile(file, JSON.stringify(rest));
    const start = () =>
      spawn(process.execPath, ['src/cli/latchkey.ts', 'catalog', 'import', file, '--json'], {
        cwd: projectRoot,
        env: {
          PATH: process.env['PATH'],
          LATCHKEY_DATA_DIR: path.join(folder, 'data'),
          ...onDatabase(clone),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const rows = () =>
      sql(
        clone.database,
        ['catalogs', 'listings', 'catalog_listings', 'seasons', 'fees', 'audit_entries']
          .map((table) => `SELECT '${table}' AS table, count(*) FROM ${table}`)
          .join(' UNION ALL ')
          .concat(' ORDER BY 1'),
      );
    const untouched = await rows();
    const killed = start();
    const isWriting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND query ~ '(INTO seasons|INTO listings)' AND pid <> pg_backend_pid()`;
    await eventually(async () => (await sql(clone.database, isWriting)).length > 0, 60_000);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    await eventually(async () => (await sql(clone.database, isWriting)).length === 0, 60_000);
    assert.deepEqual(await rows(), untouched);
    const { changes } = JSON.parse(await ended(start())) as {
      changes: { listings: { added: number } };
    };
    assert.equal(changes.listings.added, 2_000);
  });
});
