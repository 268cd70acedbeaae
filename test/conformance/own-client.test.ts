/** The program of the guide, which is made with our own client, passes every scenario. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createClient } from '../../packages/partner/src/index.ts';
import type { Scenario } from '../../src/contract/sandbox/conformance.ts';
import {
  isOfProfile,
  type Profile,
  profiles,
  scenarioFacts,
  type ScenarioId,
  scenarioIds,
} from '../../src/contract/sandbox/scenarios.ts';
import { freePort } from '../harness/free-port.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addEndpoint } from '../harness/webhooks.ts';
import { drive } from './drive.ts';
import { type DoTask, loadGuideProgram } from './guide-program.ts';

let service: TestService;
let doTask: DoTask;
let deprecated: Set<string>;
before(async () => {
  [service, { doTask, deprecated }] = await Promise.all([startTestService(), loadGuideProgram()]);
});
after(() => service.stop());

/** Each scenario for an application of its own, so that they can run at the same time. */
async function runAlone(profile: Profile, scenario: ScenarioId): Promise<Scenario> {
  const partner = await service.partner({ settlement: profile === 'card' ? 'card' : 'partner' });
  const { applicationId, applicationKey } = partner.credentials;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hook`;
  const { secret } = await addEndpoint(service.database, applicationId, url);
  const client = createClient({
    baseUrl: service.origin,
    applicationId,
    applicationKey,
    onDeprecation: ({ operation }) => deprecated.add(operation),
  });
  const run = await drive(
    partner,
    profile,
    (task) => doTask(client, profile, task, { port, secrets: [secret] }),
    [scenario],
  );
  return run.scenarios.find((one) => one.scenario === scenario)!;
}

/** Those whose tasks wait longest come first. */
const waitsLong = (id: ScenarioId): boolean =>
  scenarioFacts(id).task === 'follow' || id === 'pending-long' || id.startsWith('uncertain');

/** A program meets these before it books, or when it tells the guest: by the same code in every profile. */
const alike: ReadonlySet<ScenarioId> = new Set([
  'currency-no-decimals',
  'currency-three-decimals',
  'clock-change-dates',
  'clock-off',
]);

/** What a program does differs between profiles. */
const isOfProfiles = (id: ScenarioId): boolean =>
  scenarioFacts(id).task === 'book' && !alike.has(id);

const all = profiles
  .flatMap((profile) =>
    scenarioIds
      .filter((id) => isOfProfile(id, profile) && (profile === 'checkout' || isOfProfiles(id)))
      .map((id): [Profile, ScenarioId] => [profile, id]),
  )
  .toSorted(([, one], [, other]) => Number(waitsLong(other)) - Number(waitsLong(one)));

// Spec: SANDBOX-4.
suite('our own client in a conformance run', { concurrency: 8 }, () => {
  test('the guide lists every scenario with its rules', async () => {
    const file = path.join(import.meta.dirname, '../../docs/partners/conformance.md');
    const guide = (await readFile(file, 'utf8')).replaceAll(/ +/g, ' ');
    for (const id of scenarioIds) {
      const { level, title, rules } = scenarioFacts(id);
      assert.ok(guide.includes(`| \`${id}\` | ${level} |`), id);
      assert.ok(guide.includes(`| ${title} | ${rules.join(' ')} |`), id);
    }
  });

  for (const [profile, scenario] of all) {
    test(`${profile} › ${scenario}`, async () => {
      const { result, findings } = await runAlone(profile, scenario);
      assert.deepEqual({ result, findings }, { result: 'passed', findings: [] });
    });
  }
});
