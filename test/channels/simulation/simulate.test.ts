/** What the read before confirm saves, in simulated time. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allDoubleSales, type Settings, simulate } from './simulate.ts';

const settings: Settings = {
  seed: 7,
  attempts: 20_000,
  homes: 100,
  readsBeforeConfirm: true,
  writtenAfter: 0,
};

suite('the simulation of channels', () => {
  test('plays the same seed the same way, and all attempts', () => {
    const few = { ...settings, attempts: 1_000, homes: 10 };
    const figures = simulate(few);
    assert.deepEqual(simulate(few), figures);
    assert.notDeepEqual(simulate({ ...few, seed: 8 }), figures);
    assert.equal(figures.attempts, 1_000);
    assert.equal(figures.confirmed + figures.refused, 1_000);
  });

  test('with the read before confirm, only what no read can know is sold twice', () => {
    const without = simulate({ ...settings, readsBeforeConfirm: false });
    const { doubleSales, refused } = simulate(settings);
    assert.ok(allDoubleSales(without) > 0 && without.refused === 0);
    assert.ok(refused > 0);
    assert.deepEqual([doubleSales.not_read, doubleSales.not_written], [0, 0]);
  });
});
