/** Each wrong program fails the scenarios of its mistake, and no other that it meets. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  isOfProfile,
  type Profile,
  scenarioFacts,
  type ScenarioId,
  scenarioIds,
} from '../../src/contract/sandbox/scenarios.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { failuresOf, idsOf } from './failures.ts';
import { type Mistake, mutants } from './mutants.ts';
import { linesOf, mutantsTable } from './table.ts';

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

const quick = scenarioIds.filter((id) => scenarioFacts(id).task === 'book' && !waitsLong(id));

/** A scenario that a mistake in booking must not touch, another one for each mistake. */
function neighboursOf(profile: Profile, expected: readonly ScenarioId[], index: number) {
  if (expected.some((id) => scenarioFacts(id).task !== 'book')) return [];
  const others = quick.filter((id) => isOfProfile(id, profile) && !expected.includes(id));
  return [others[index % others.length]!];
}

// Spec: SANDBOX-4.
suite('wrong programs in a conformance run', { concurrency: 8 }, () => {
  const longFirst = entries.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  for (const [index, { mistake, profile, expected }] of longFirst.entries()) {
    test(`${mistake} › fails ${expected.join(', ')} alone`, async () => {
      const asked = [...expected, ...neighboursOf(profile, expected, index)];
      const failed = await failuresOf(service, profile, mistake, asked);
      assert.deepEqual(idsOf(failed), expected.toSorted());
    });
  }

  const met = new Map(
    entries.flatMap(({ profile, expected }) => expected.map((id) => [id, profile] as const)),
  );
  for (const [scenario, profile] of met) {
    test(`no mistake › passes ${scenario}`, async () => {
      assert.deepEqual(await failuresOf(service, profile, null, [scenario]), []);
    });
  }

  test('the table of the documents is that of the programs', async () => {
    const [head] = mutantsTable();
    const file = path.join(import.meta.dirname, '../../docs/contributors/conformance.md');
    assert.deepEqual(linesOf(await readFile(file, 'utf8'), head!), mutantsTable());
  });

  test('every scenario has a mistake that fails it', () => {
    const failed = new Set(entries.flatMap(({ expected }) => expected));
    assert.deepEqual(
      scenarioIds.filter((id) => !failed.has(id)),
      [],
    );
  });
});
