import type { Run, Scenario } from '../../contract/sandbox/conformance.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';
import { scenarioFacts } from '../../contract/sandbox/scenarios.ts';
import { instant } from '../../contract/time.ts';
import { expectationsOf } from '../rules/conformance/expectations.ts';
import type { Calls } from '../rules/conformance/seen.ts';
import type { StoredRun } from '../store/runs.ts';
import type { StoredScenario } from '../store/scenarios.ts';

/** A scenario as the wire has it; its task only while it runs. */
export function scenarioView(stored: StoredScenario): Scenario {
  const { scenario, state, skippedFor, task } = stored;
  const { level, title, rules, limitSeconds } = scenarioFacts(scenario);
  return {
    scenario,
    level,
    title,
    rules: [...rules],
    limitSeconds,
    state,
    result: stored.result,
    ...(skippedFor && { skippedFor }),
    attempts: stored.attempts,
    findings: stored.findings,
    requestIds: stored.requestIds,
    startedAt: instant(stored.startedAt),
    finishedAt: instant(stored.finishedAt),
    ...(state === 'running' && task && { task }),
  };
}

/** A scenario that runs, with the calls until now and what its judge waits for. */
const runningView = (stored: StoredScenario, calls: Calls): Scenario => ({
  ...scenarioView(stored),
  requestIds: calls.map(({ requestId }) => requestId).slice(0, sandboxLimits.requestIdsShown),
  expects: expectationsOf(stored.scenario, calls),
});

/** A run as the wire has it. */
export const runView = (
  { applicationId: _, ...run }: StoredRun,
  scenarios: readonly StoredScenario[],
  /** Those of the scenario that runs; absent: they are not shown. */
  calls?: Calls,
): Run => ({
  ...run,
  startedAt: instant(run.startedAt),
  finishedAt: instant(run.finishedAt),
  scenarios: scenarios.map((stored) =>
    calls && stored.state === 'running' ? runningView(stored, calls) : scenarioView(stored),
  ),
});
