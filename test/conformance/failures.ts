/** Lets a wrong program run, and finds what it fails. */
import assert from 'node:assert/strict';
import type { Scenario } from '../../src/contract/sandbox/conformance.ts';
import type { Profile, ScenarioId } from '../../src/contract/sandbox/scenarios.ts';
import { freePort } from '../harness/free-port.ts';
import type { TestService } from '../harness/service.ts';
import { addEndpoint } from '../harness/webhooks.ts';
import { drive } from './drive.ts';
import { type Mistake, mutantProgram } from './mutants.ts';

/** The scenarios that a program with a mistake (null: none) does not pass, of these. */
export async function failuresOf(
  service: TestService,
  profile: Profile,
  mistake: Mistake | null,
  only: ScenarioId[],
): Promise<Scenario[]> {
  const partner = await service.partner({ settlement: profile === 'card' ? 'card' : 'partner' });
  const { applicationId, applicationKey } = partner.credentials;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hook`;
  const { secret } = await addEndpoint(service.database, applicationId, url);
  const { origin } = service;
  const program = mutantProgram(mistake, { origin, applicationId, applicationKey, port, secret });
  const run = await drive(partner, profile, (task) => program(task, profile), only);
  const judged = run.scenarios.filter(({ scenario }) => only.includes(scenario));
  for (const { scenario, state, findings } of judged) {
    assert.equal(state, 'judged', scenario);
    // A program that has crashed fails every scenario, whatever its mistake.
    for (const { message } of findings) {
      const isCrash = /said `crashed`|said nothing in time/.test(message);
      assert.ok(!isCrash, `${scenario}: ${message}`);
    }
  }
  // A "should" that is failed only warns.
  const isFailed = ({ result }: (typeof judged)[number]): boolean =>
    result === 'failed' || result === 'warned';
  return judged.filter(isFailed);
}

/** The IDs of scenarios, sorted. */
export const idsOf = (scenarios: readonly Scenario[]): ScenarioId[] =>
  scenarios.map(({ scenario }) => scenario).toSorted();
