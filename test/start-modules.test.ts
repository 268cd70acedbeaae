/** Loading modules is three quarters of the CPU time of a start, so each package that a start loads is listed here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { digestOf, importProgram } from '../src/build/bundled.ts';
import { scratchFolder } from './harness/scratch-folder.ts';

const root = path.join(import.meta.dirname, '..');

// A type of the same module is no import when the program runs; the formatter puts each statement on a new line.
const statement = /^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)';/gm;

/** The packages that a module loads when it is imported, and those of the modules that it imports. */
function packagesOf(file: string, known = new Set<string>(), found = new Set<string>()) {
  if (known.has(file)) return found;
  known.add(file);
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(statement)) {
    if (from.startsWith('.')) packagesOf(path.join(path.dirname(file), from), known, found);
    else if (!from.startsWith('node:')) found.add(from);
  }
  return found;
}

const loaded = (file: string): string[] => [...packagesOf(path.join(root, file))].toSorted();

const withoutCalls = [
  'aws4fetch',
  'ipaddr.js',
  'jose/errors',
  'jose/jwt/sign',
  'jose/jwt/verify',
  'jose/key/export',
  'jose/key/generate/keypair',
  'jose/key/import',
  'jsonc-parser',
  'lru-cache',
  'pg',
  'pg-copy-streams',
  'typebox',
  'typebox/schema',
  'typebox/system',
];

suite('modules of a start', () => {
  test('the service › loads only packages that every process needs', () => {
    const ofCalls = ['@fastify/compress', '@fastify/helmet', '@fastify/static', 'fastify', 'pino'];
    assert.deepEqual(
      loaded('src/program/run-service.ts'),
      [...withoutCalls, ...ofCalls].toSorted(),
    );
  });

  test('the command line › loads no HTTP server', () => {
    assert.deepEqual(loaded('src/cli/run-command-line.ts'), [...withoutCalls, 'leven'].toSorted());
  });

  for (const name of withoutCalls.filter((from) => from.startsWith('typebox'))) {
    test(`${name} › is read by tests from the bundle, which has all of its exports`, async () => {
      const bundled = import.meta.resolve(name);
      assert.match(bundled, /\/\.cache\/latchkey\/bundle-\w+\/[\w-]+\.mjs$/);
      const own = path.join(
        root,
        'node_modules',
        name.replace('typebox', 'typebox/build'),
        'index.mjs',
      );
      const [all, found] = [await import(pathToFileURL(own).href), await import(bundled)];
      for (const key of Object.keys(all)) assert.equal(typeof found[key], typeof all[key], key);
    });
  }

  test('the bundle › is what programs load', async () => {
    const bundled = await importProgram('cli/run-command-line');
    const sources = await import('../src/cli/run-command-line.ts');
    assert.notEqual(bundled.runCommandLine, sources.runCommandLine);
    assert.deepEqual(Object.keys(bundled), Object.keys(sources));
  });

  test('the bundle › belongs to the names and texts of the sources', async () => {
    const folder = await mkdtemp(path.join(scratchFolder, 'latchkey-sources-'));
    const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
    await mkdir(path.join(folder, 'api'));
    await write('main.ts', 'one');
    await write('api/server.ts', 'two');
    const first = digestOf(folder);
    await write('main.test.ts', 'a test');
    assert.equal(digestOf(folder), first);
    await write('api/server.ts', 'TWO');
    const changed = digestOf(folder);
    await rename(path.join(folder, 'main.ts'), path.join(folder, 'other.ts'));
    const renamed = digestOf(folder);
    await write('third.ts', '');
    const added = digestOf(folder);
    await rm(path.join(folder, 'api/server.ts'));
    const digests = [first, changed, renamed, added, digestOf(folder)];
    assert.equal(new Set(digests).size, digests.length);
    await rm(folder, { recursive: true });
  });
});
