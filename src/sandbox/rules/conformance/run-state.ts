/** What became of a run. */
import type { Run } from '../../../contract/sandbox/conformance.ts';
import { scenarioFacts, type ScenarioId } from '../../../contract/sandbox/scenarios.ts';

type Ended = Pick<Run['scenarios'][number], 'result' | 'skippedFor'> & { scenario: ScenarioId };

/** Why a must need not be passed. */
const excused: ReadonlySet<string | undefined> = new Set(['profile', 'grant', 'no_endpoint']);

/** The final state of a run. Spec: SANDBOX-4. */
export function stateOfRun(scenarios: readonly Ended[]): 'passed' | 'failed' | 'incomplete' {
  const musts = scenarios.filter(({ scenario }) => scenarioFacts(scenario).level === 'must');
  if (musts.some(({ result }) => result === 'failed')) return 'failed';
  const isMet = ({ result, skippedFor }: Ended) =>
    result === 'passed' || (result === 'skipped' && excused.has(skippedFor));
  return musts.every(isMet) ? 'passed' : 'incomplete';
}

/** The result of a judged scenario. */
export function resultOf(scenario: ScenarioId, findings: number): 'passed' | 'failed' | 'warned' {
  if (findings === 0) return 'passed';
  return scenarioFacts(scenario).level === 'must' ? 'failed' : 'warned';
}
