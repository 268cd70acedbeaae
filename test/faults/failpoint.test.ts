/** `LATCHKEY_FAILPOINT` works only in the simulation and has no effect if it is not set. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ConfigError, readServiceConfig } from '../../src/config/config.ts';
import { type Failpoint, withFailpoint } from '../../src/program/failpoint.ts';
import { createTestDatabase } from '../harness/postgres.ts';

const { database, drop } = await createTestDatabase();
after(drop);

const readFailpoint = (text: string | undefined, environment: string): Failpoint | null =>
  readServiceConfig({ LATCHKEY_FAILPOINT: text, LATCHKEY_ENVIRONMENT: environment }).failpoint;

describe('a failpoint', () => {
  it('is read from the environment', () => {
    const read = (text: string) => readFailpoint(text, 'simulation');
    assert.deepEqual(read('after:transition-booking'), {
      side: 'after',
      statement: 'transition-booking',
      time: 1,
    });
    assert.deepEqual(read(' before:insert-quote:12 '), {
      side: 'before',
      statement: 'insert-quote',
      time: 12,
    });
  });

  for (const text of [
    'transition-booking',
    'during:transition-booking',
    'after:',
    'after:x:0',
    'after:x:y',
  ]) {
    it(`is refused as ${text}`, () => {
      assert.throws(() => readFailpoint(text, 'simulation'), {
        name: 'Error',
        message: /LATCHKEY_FAILPOINT must be as before:STATEMENT/,
      });
    });
  }

  for (const environment of ['test', 'live'] as const) {
    it(`is refused in ${environment}`, () => {
      assert.throws(
        () => readFailpoint('after:transition-booking', environment),
        (error) =>
          error instanceof ConfigError &&
          error.problems.includes(
            `LATCHKEY_FAILPOINT is for the simulation, and this is ${environment}.`,
          ),
      );
    });
  }

  it('has no effect if none is set', () => {
    for (const text of [undefined, '', '  ']) {
      assert.equal(readFailpoint(text, 'simulation'), null);
    }
    assert.equal(withFailpoint(database, null), database);
  });
});
