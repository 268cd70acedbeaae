import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSlots, heldUntilRelease } from './slots.ts';

const never = new AbortController().signal;

suite('slots', () => {
  test('are taken in turn, and each is given back once', async () => {
    const slots = createSlots(1);
    const order: string[] = [];
    const first = await slots.take(never);
    const others = ['second', 'third'].map(async (name) => {
      const release = await slots.take(never);
      order.push(name);
      return release;
    });
    assert.deepEqual(order, []);
    first();
    first();
    const release = await others[0]!;
    assert.deepEqual(order, ['second']);
    release();
    await others[1];
    assert.deepEqual(order, ['second', 'third']);
  });

  test('who stops waiting takes none', async () => {
    const slots = createSlots(1);
    const release = await slots.take(never);
    const ending = new AbortController();
    const waiting = slots.take(ending.signal);
    ending.abort(new Error('enough'));
    release();
    await assert.rejects(waiting, /enough/);
    (await slots.take(never))();
    await assert.rejects(slots.take(ending.signal), /enough/);
  });

  test('that are held are given back at the end', async () => {
    const slots = createSlots(1);
    const held = heldUntilRelease(slots);
    (await held.take(never))();
    const waiting = slots.take(never);
    assert.equal(await Promise.race([waiting, Promise.resolve('taken')]), 'taken');
    held.release();
    (await waiting)();
  });
});
