/** Rules of time zones come from Node alone: PostgreSQL's can be older, and would decide another day. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const project = path.resolve(import.meta.dirname, '..');

const conversion = /at time zone\s+(?!'UTC')[^\n]*/gi;

const conversionsIn = (files: string): string[] =>
  globSync(files, { cwd: project, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(path.join(project, file), 'utf8').matchAll(conversion)].map(
      ([text]) => `${file}: ${text.trim()}`,
    ),
  );

// Spec: CLOCK-3.
test('no statement converts to the time of a property', () => {
  assert.deepEqual(conversionsIn('src/**/*.ts'), []);
});

test('in the schema, only what the version of before has cancelled is converted', () => {
  assert.deepEqual(conversionsIn('schema.sql'), ['schema.sql: AT TIME ZONE coalesce(']);
});
