/** Loading modules is three quarters of the CPU time of a start, so each package that a start loads is listed here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

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
    assert.deepEqual(loaded('src/run-service.ts'), [...withoutCalls, ...ofCalls].toSorted());
  });

  test('the command line › loads no HTTP server', () => {
    assert.deepEqual(loaded('src/cli/run-command-line.ts'), [...withoutCalls, 'leven'].toSorted());
  });

  // The entry of a test process uses the joined files, as the service and the command line do.
  for (const name of withoutCalls.filter((from) => from.startsWith('typebox'))) {
    test(`${name} › is read from its joined file, which has all of its exports`, async () => {
      const joined = import.meta.resolve(name);
      assert.match(joined, /\/\.cache\/latchkey\/typebox-[^/]+\/\w+\.mjs$/);
      const own = path.join(
        root,
        'node_modules',
        name.replace('typebox', 'typebox/build'),
        'index.mjs',
      );
      const [all, found] = [await import(pathToFileURL(own).href), await import(joined)];
      assert.deepEqual(Object.keys(found), Object.keys(all));
    });
  }
});
