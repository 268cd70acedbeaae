/** Proves that the model detects damage: each damaged database must differ from it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CallCounts } from './call-counts.ts';
import { damages } from './damage.ts';
import { playSeeds, seedsFrom } from './simulation.ts';
import { modelEnvironments } from './world.ts';

const timeout = 240_000;

/** Where the search for a session that shows the damage starts. Absent: at 1. The sessions before it show nothing. */
const firstSeeds: Readonly<Record<string, number>> = {
  'uses that are not counted: promotions without end': 7,
  'an event that is lost': 3,
  'a block that cannot be removed': 4,
  'a price without the adjustment of the application': 2,
  'stays that have no preparation': 5,
  'outside stays that have no preparation': 14,
  'outside stays that do not get what becomes free': 5,
  'a home that has lost its gaps': 3,
  'holds that do not keep to preparations': 15,
};

suite('the model sees', () => {
  for (const environment of modelEnvironments) {
    for (const [wrong, damage] of Object.entries(damages[environment])) {
      test(wrong, { timeout }, async () => {
        const seeds = seedsFrom(firstSeeds[wrong] ?? 1, 40);
        const few = { seeds, isLeftLarge: true, workers: ['apart'] as const };
        const played = { ...few, environments: [environment], damage };
        const failure = await playSeeds(played, new CallCounts());
        const { name } = (failure?.error as Error | undefined) ?? {};
        assert.equal(name, 'Difference', `${failure?.error}`);
      });
    }
  }
});
