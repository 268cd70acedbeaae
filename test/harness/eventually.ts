import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until it is so; fails after `withinMs`. */
export async function eventually(
  isSo: () => Promise<boolean>,
  withinMs = 20_000,
  everyMs = 25,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not so within ${withinMs} ms`);
    await sleep(everyMs);
  }
}
