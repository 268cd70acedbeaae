/** `LATCHKEY_FAILPOINT` works only in the simulation and has no effect if it is not set. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ConfigError } from '../../src/config.ts';
import { readFailpoint, withFailpoint } from '../../src/failpoint.ts';
import { createTestDatabase } from '../harness/postgres.ts';

const { database, drop } = await createTestDatabase();
after(drop);

describe('a failpoint', () => {
  it('is read from the environment', () => {
    const read = (text: string) => readFailpoint({ LATCHKEY_FAILPOINT: text }, 'simulation');
    assert.deepEqual(read('after:move-booking'), {
      side: 'after',
      statement: 'move-booking',
      time: 1,
    });
    assert.deepEqual(read(' before:insert-quote:12 '), {
      side: 'before',
      statement: 'insert-quote',
      time: 12,
    });
  });

  for (const text of ['move-booking', 'during:move-booking', 'after:', 'after:x:0', 'after:x:y']) {
    it(`is refused as ${text}`, () => {
      const env = { LATCHKEY_FAILPOINT: text };
      assert.throws(() => readFailpoint(env, 'simulation'), ConfigError);
    });
  }

  for (const environment of ['test', 'live'] as const) {
    it(`is refused in ${environment}`, () => {
      const env = { LATCHKEY_FAILPOINT: 'after:move-booking' };
      assert.throws(() => readFailpoint(env, environment), ConfigError);
    });
  }

  it('has no effect if none is set', () => {
    for (const text of [undefined, '', '  ']) {
      assert.equal(readFailpoint({ LATCHKEY_FAILPOINT: text }, 'live'), null);
    }
    assert.equal(withFailpoint(database, null), database);
  });
});
