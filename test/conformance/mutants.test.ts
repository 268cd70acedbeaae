/** Each wrong program fails the scenarios of its mistake, and no other that it meets. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  isOfProfile,
  type Profile,
  scenarioFacts,
  type ScenarioId,
  scenarioIds,
} from '../../src/contract/sandbox/scenarios.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { failuresOf } from './failures.ts';
import { type Mistake, mutants } from './mutants.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const entries = (Object.keys(mutants) as Mistake[]).map((mistake) => {
  const [profile, ...expected] = mutants[mistake] as readonly [Profile, ...ScenarioId[]];
  return { mistake, profile, expected };
});

const waitsLong = (id: ScenarioId): boolean =>
  scenarioFacts(id).task === 'follow' || id === 'pending-long' || id.startsWith('uncertain');

const isLong = ({ expected }: { expected: ScenarioId[] }) => expected.some(waitsLong);

/** All scenarios, by `npm run mutants`: minutes of CPU. */
const isWhole = process.env['LATCHKEY_MUTANTS'] === 'all';

/** Scenarios that a mistake must not touch: of those that book, one. */
function neighboursOf(profile: Profile, expected: readonly ScenarioId[]): ScenarioId[] {
  if (isWhole) {
    return scenarioIds.filter((id) => isOfProfile(id, profile) && !expected.includes(id));
  }
  if (expected.some((id) => scenarioFacts(id).task !== 'book')) return [];
  return [expected.includes('quote-reply-lost') ? 'submit-reply-lost' : 'quote-reply-lost'];
}

// Spec: SANDBOX-4.
suite('wrong programs in a conformance run', { concurrency: 10 }, () => {
  const longFirst = entries.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  for (const profile of ['checkout', 'card'] as const) {
    test(`no mistake, ${profile} › fails nothing`, { skip: !isWhole }, async () => {
      assert.deepEqual(await failuresOf(service, profile, null, neighboursOf(profile, [])), []);
    });
  }

  for (const { mistake, profile, expected } of longFirst) {
    test(`${mistake} › fails ${expected.join(', ')} alone`, async () => {
      const asked = [...expected, ...neighboursOf(profile, expected)];
      const failed = await failuresOf(service, profile, mistake, asked);
      assert.deepEqual(failed.toSorted(), expected.toSorted());
    });
  }

  test('every scenario has a mistake that fails it', () => {
    const failed = new Set(entries.flatMap(({ expected }) => expected));
    assert.deepEqual(
      scenarioIds.filter((id) => !failed.has(id)),
      [],
    );
  });
});
