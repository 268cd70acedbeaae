/** Proves that the model detects damage: each damaged database must differ from it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CallCounts } from './call-counts.ts';
import { damages } from './damage.ts';
import { playSeeds, seedsFrom } from './simulation.ts';
import { modelEnvironments } from './world.ts';

const timeout = 240_000;

suite('the model sees', () => {
  for (const environment of modelEnvironments) {
    for (const [wrong, damage] of Object.entries(damages[environment])) {
      test(wrong, { timeout }, async () => {
        const few = { seeds: seedsFrom(1, 40), isLeftLarge: true, workers: ['apart'] as const };
        const played = { ...few, environments: [environment], damage };
        const failure = await playSeeds(played, new CallCounts());
        const { name } = (failure?.error as Error | undefined) ?? {};
        assert.equal(name, 'Difference', `${failure?.error}`);
      });
    }
  }
});
