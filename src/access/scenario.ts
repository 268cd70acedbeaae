/** The scenario of a conformance run that an application runs. Spec: SANDBOX-4. */
import type { Effects } from '../contract/sandbox/effects.ts';
import type { ScenarioId } from '../contract/sandbox/scenarios.ts';

/** The scenario that an application runs. */
export interface RunningScenario {
  runId: string;
  scenario: ScenarioId;
  attemptId: string;
  effects: Effects;
}

/** The row of the scenario that an application runs. At most one, found by an index. */
export const runningOf = (applicationId: string, columns: string): string =>
  `(SELECT ${columns} FROM conformance_scenarios running
      WHERE running.application_id = ${applicationId} AND running.state = 'running'
        AND running.ends_at > now())`;

/** What an application meets in the scenario that it runs; null: it runs none. */
export const effectsOf = (applicationId: string): string =>
  runningOf(applicationId, 'running.effects');
