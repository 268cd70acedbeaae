import type { PartnerActor } from '../../access/index.ts';
import type { SandboxContext } from '../context.ts';
import { findRun, type StoredRun } from '../store/runs.ts';
import { readScenarios, type StoredScenario } from '../store/scenarios.ts';
import { judgeAttempt } from './judge-attempt.ts';

/** A run with its scenarios. */
export interface FoundRun {
  run: StoredRun;
  scenarios: StoredScenario[];
}

/** Judges a scenario whose time is over. */
async function judgeLate(context: SandboxContext, stored: StoredScenario): Promise<boolean> {
  if (!stored.isLate) return false;
  await judgeAttempt(context, stored, { ended: 'nothing' });
  return true;
}

/** Reads a run with its scenarios. Undefined: the application has none with this ID. */
export async function loadRun(
  context: SandboxContext,
  { applicationId }: PartnerActor,
  runId: string,
): Promise<FoundRun | undefined> {
  const { executor } = context;
  const run = await findRun(executor, applicationId, runId.toLowerCase());
  if (!run) return undefined;
  const scenarios = await readScenarios(executor, [run.runId]);
  let isChanged = false;
  for (const stored of scenarios) isChanged = (await judgeLate(context, stored)) || isChanged;
  return { run, scenarios: isChanged ? await readScenarios(executor, [run.runId]) : scenarios };
}
