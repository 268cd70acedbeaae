/** The tests know in which test they are, although `node:test` does not follow promises. */
import assert from 'node:assert/strict';
import { executionAsyncId } from 'node:async_hooks';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

describe('a test process', () => {
  it('after() inside a test runs at the end of that test', async (t) => {
    const order: string[] = [];
    await t.test('a test with a resource', async () => {
      await sleep(1);
      after(() => void order.push('released'));
      await sleep(1);
      order.push('tested');
    });
    assert.deepEqual(order, ['tested', 'released']);
  });

  it('a test started inside a test belongs to it', async (t) => {
    const parent = t.fullName;
    let name = '';
    await sleep(1);
    await it('a test inside', (inner) => void (name = inner.fullName));
    assert.equal(name, `${parent} > a test inside`);
  });

  it(
    'an error that nobody catches fails the test that caused it',
    { expectFailure: /not caught/, timeout: 60_000 },
    () => {
      setImmediate(() => {
        throw new Error('not caught');
      });
      return new Promise(() => undefined);
    },
  );

  it('follows no promise', async () => {
    const first = await Promise.resolve().then(executionAsyncId);
    const second = await Promise.resolve().then(executionAsyncId);
    assert.equal(first, second);
  });
});
