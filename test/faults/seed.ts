import type { TestContext } from 'node:test';

/** The seed of `LATCHKEY_TEST_SEED`, or a new one. It is printed, so that a run can be repeated. */
export function newSeed(test: Pick<TestContext, 'diagnostic'>): number {
  const seed = Number(process.env['LATCHKEY_TEST_SEED'] ?? Date.now() % 1_000_000);
  test.diagnostic(`LATCHKEY_TEST_SEED=${seed}`);
  return seed;
}
