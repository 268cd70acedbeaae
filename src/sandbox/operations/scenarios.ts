import { isRefusal } from '../../contract/errors.ts';
import { refuseSandbox } from '../../contract/sandbox/errors.ts';
import { judgeAttempt } from '../conformance/judge-attempt.ts';
import { startAttempt } from '../conformance/start-attempt.ts';
import { scenarioView } from '../conformance/views.ts';
import { read, type SandboxContext } from '../context.ts';
import { loadRun } from '../conformance/load-run.ts';

const noScenario = 'There is no run with this runId, or no such scenario.';

async function loadScenario({
  context,
  actor,
  params,
}: {
  context: SandboxContext;
  actor: Parameters<typeof loadRun>[1];
  params: { runId: string; scenario: string };
}) {
  const found = await loadRun(context, actor, params.runId);
  const stored = found?.scenarios.find(({ scenario }) => scenario === params.scenario);
  return found && stored && { ...found, stored };
}

/** Spec: SANDBOX-4. */
export const startScenario = read('sandbox.scenario.start', {
  notFound: noScenario,
  load: loadScenario,
  async reply({ context, actor }, { run, scenarios, stored }) {
    if (run.state !== 'open') return refuseSandbox('invalid_state', 'run_final');
    if (stored.state === 'skipped') return refuseSandbox('invalid_state', 'skipped');
    const isRunning = scenarios.some(({ state }) => state === 'running');
    const started = isRunning ? undefined : await startAttempt(context, actor, run, stored);
    if (!started) return refuseSandbox('invalid_state', 'scenario_running');
    if (isRefusal(started)) return started;
    return { status: 200, body: scenarioView(started) };
  },
});

/** Spec: SANDBOX-4. */
export const finishScenario = read('sandbox.scenario.finish', {
  notFound: noScenario,
  load: loadScenario,
  async reply({ context, body }, { run, stored }) {
    if (run.state !== 'open') return refuseSandbox('invalid_state', 'run_final');
    const judged =
      stored.state === 'running' ? await judgeAttempt(context, stored, body.outcome) : undefined;
    if (!judged) return refuseSandbox('invalid_state', 'scenario_not_running');
    return { status: 200, body: scenarioView(judged) };
  },
});
