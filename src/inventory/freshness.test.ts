import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Catalog } from '../catalog/index.ts';
import { followIfOld } from './freshness.ts';
import { createLiveReads } from './live-reads.ts';

const now = 1_000_000_000_000;

/** A catalog that this process last followed at a time; `following`: what happens when it follows now. */
function catalogAt(knownUntil: number, following: () => Promise<number>): Catalog {
  let known = knownUntil;
  return {
    knownUntil: () => known,
    follow: async () => {
      known = await following();
    },
  } as Catalog;
}

const never = (): Promise<number> => assert.fail('it is recent enough');

const decide = (catalog: Catalog, atMostSeconds = 60, deadlineMs = 1_000) =>
  followIfOld(
    { catalog, liveReads: createLiveReads(1, deadlineMs), now: () => now },
    atMostSeconds,
  );

suite('the age of a live read', () => {
  test('a catalog within the limit is used as it is', async () => {
    assert.equal(await decide(catalogAt(now - 60_000, never)), null);
    assert.equal(await decide(catalogAt(now - 120_000, never), 120), null);
  });

  test('an older catalog is followed first', async () => {
    const catalog = catalogAt(now - 60_001, async () => now - 5);
    assert.equal(await decide(catalog), null);
    assert.equal(catalog.knownUntil(), now - 5);
  });

  test('a wrong clock of the process refuses nothing', async () => {
    assert.equal(await decide(catalogAt(now - 90_000, async () => now - 61_000)), null);
  });

  test('following takes too long: unavailable', async () => {
    const catalog = catalogAt(now - 90_000, () => new Promise<number>(() => undefined));
    const refused = await decide(catalog, 60, 20);
    assert.equal(refused?.refused, 'unavailable');
  });
});
