/** Some of the seeds that `npm run random -- payments` plays by the thousand. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { playSeed, type Run } from './run.ts';
import { openSharedSystem, type SharedSystem } from './system.ts';
import { withoutLookups } from './planted-defects.ts';

const first = 1;
const seeds = 60;
// A slow machine plays fewer, but never fewer than these.
const mostSeconds = 15;
const seedsAtLeast = 25;

const again = ({ seed, problems }: Run): string =>
  `npm run random -- payments --count 1 --seed ${seed} -- --trace: ${problems.join('; ')}`;

suite('the booking path with cards, simulated', () => {
  let shared: SharedSystem;

  before(async () => {
    shared = await openSharedSystem();
  });
  after(() => shared.drop());

  test(
    `${seeds} seeds: guests, tables and provider agree after every failure`,
    { timeout: 240_000 },
    async (run) => {
      const end = performance.now() + mostSeconds * 1_000;
      const outcomes = new Set<string>();
      const faults = new Set<string>();
      let seed = first;
      const goesOn = () => seed < first + seedsAtLeast || performance.now() < end;
      for (; seed < first + seeds && goesOn(); seed += 1) {
        const played = await playSeed(shared, seed);
        assert.deepEqual(played.problems, [], again(played));
        for (const outcome of played.outcomes) outcomes.add(outcome);
        for (const fault of played.faults) faults.add(fault);
      }
      if (seed < first + seeds) {
        run.diagnostic(`only ${seed - first} seeds in time: what they cover was not checked`);
        return;
      }
      for (const outcome of ['confirmed', 'failed refused', 'failed sold_out']) {
        assert.ok(outcomes.has(outcome), outcome);
      }
      assert.ok(faults.size > 20, `only ${faults.size} kinds of faults`);
    },
  );

  test('the same seed is the same run', async () => {
    const once = await playSeed(shared, 17);
    const twice = await playSeed(shared, 17);
    assert.ok(once.trace.length > 20);
    assert.deepEqual(twice.trace, once.trace);
    assert.deepEqual(twice.faults, once.faults);
  });

  test('a run that is wrong leaves no timer behind', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const running = timers();
    const problems = new Set<string>();
    // Every twentieth run has later days.
    for (let seed = 20; problems.size < 2 && seed <= 80; seed += 20) {
      const begun = await playSeed(shared, seed, { stepsAtMost: 5 });
      const later = await playSeed(shared, seed, { laterStepsAtMost: 5 });
      for (const problem of [...begun.problems, ...later.problems]) problems.add(problem);
    }
    assert.ok(problems.has('the run does not end'));
    assert.ok(problems.has('the later days do not end'));
    assert.equal(timers(), running);
  });

  test('a provider whose lookups miss payments is noticed', async () => {
    for (let seed = 1000; seed < 1060; seed += 1) {
      const { problems } = await playSeed(shared, seed, {
        change: withoutLookups,
        stepsAtMost: 3_000,
      });
      if (problems.length > 0) return;
    }
    assert.fail('the simulation notices nothing');
  });
});
