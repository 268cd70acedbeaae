/** Drives runs as the command does, in one process. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Run, Scenario, Task } from '../../src/contract/sandbox/conformance.ts';
import type {
  SandboxBodyOf,
  SandboxOperationId,
  SandboxReplyOf,
} from '../../src/contract/sandbox/operations.ts';
import type { Profile, ScenarioId } from '../../src/contract/sandbox/scenarios.ts';
import type { Partner } from '../harness/partner.ts';
import { callSandbox } from '../harness/sandbox.ts';

/** Does a task. */
export type Program = (task: Task, scenario: ScenarioId) => Promise<Outcome>;

const crashed: Outcome = { ended: 'crashed' };

const mostTries = 30;
const againMs = 500;

/** Makes a call of the sandbox; while the service is busy with other tests, again. */
async function ordered<Id extends SandboxOperationId>(
  partner: Partner,
  id: Id,
  input: Parameters<typeof callSandbox<Id>>[2],
): Promise<SandboxReplyOf<Id>['body']> {
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await callSandbox(partner, id, input);
    if (status < 300) return body as SandboxReplyOf<Id>['body'];
    assert.ok(
      status === 503 && tries < mostTries,
      `${id} returned ${status}: ${JSON.stringify(body)}`,
    );
    await sleep(againMs);
  }
}

/** Says an outcome. Null: the machine was so busy that the time of the scenario was over. */
async function finish(
  partner: Partner,
  params: { runId: string; scenario: string },
  outcome: Outcome,
): Promise<Scenario | null> {
  for (let tries = 1; ; tries += 1) {
    const input = { params, body: { outcome } };
    const { status, body } = await callSandbox(partner, 'sandbox.scenario.finish', input);
    if (status === 200) return body as Scenario;
    if (status === 409) return null;
    const text = JSON.stringify(body);
    assert.ok(status === 503 && tries < mostTries, `an outcome was answered ${status}: ${text}`);
    await sleep(againMs);
  }
}

/** Runs one scenario of a run; once more if the service itself was at fault. */
async function driveScenario(
  partner: Partner,
  runId: string,
  scenario: ScenarioId,
  program: Program,
): Promise<void> {
  const params = { runId, scenario };
  let judged: Scenario | null = null;
  for (let tries = 1; judged?.state !== 'judged' && tries <= mostTries; tries += 1) {
    const { task } = await ordered(partner, 'sandbox.scenario.start', { params });
    const outcome = await program(task!, scenario).catch(() => crashed);
    judged = await finish(partner, params, outcome);
  }
}

/** Begins a run. One whose response was lost is open already. */
async function begin(partner: Partner, body: SandboxBodyOf<'sandbox.run.start'>): Promise<Run> {
  const { status, body: found } = await callSandbox(partner, 'sandbox.run.start', { body });
  if (status === 201) return found as Run;
  const { error } = found as { error: { details?: { runId?: string } } };
  const runId = error.details?.runId;
  if (runId !== undefined) return ordered(partner, 'sandbox.run.get', { params: { runId } });
  assert.equal(status, 503);
  await sleep(againMs);
  return begin(partner, body);
}

/** Runs all scenarios that wait, and ends the run. */
export async function drive(
  partner: Partner,
  profile: Profile,
  program: Program,
  only?: ScenarioId[],
): Promise<Run> {
  const body = { profile, seed: 7, ...(only && { only }) };
  const run = await begin(partner, body);
  const params = { runId: run.runId };
  for (const { scenario, state } of run.scenarios) {
    if (state === 'waiting') await driveScenario(partner, run.runId, scenario, program);
  }
  const { status, body: ended } = await callSandbox(partner, 'sandbox.run.finish', { params });
  return status === 200 ? (ended as Run) : readEnded(partner, params);
}

/** A run that was to end. The call may have had its effect, though its answer was another one. */
async function readEnded(partner: Partner, params: { runId: string }): Promise<Run> {
  const run = await ordered(partner, 'sandbox.run.get', { params });
  return run.state === 'open' ? ordered(partner, 'sandbox.run.finish', { params }) : run;
}
