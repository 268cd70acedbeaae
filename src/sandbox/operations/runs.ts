import { randomInt } from 'node:crypto';
import { cutPage, pageForPartner } from '../../access/index.ts';
import { refuseSandbox } from '../../contract/sandbox/errors.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';
import {
  isOfProfile,
  type Profile,
  scenarioFacts,
  type ScenarioId,
  scenarioIds,
  scenarioSet,
  type TaskKind,
} from '../../contract/sandbox/scenarios.ts';
import type { Capability } from '../../contract/scopes.ts';
import { wireVersion } from '../../contract/wire.ts';
import type { Settlement } from '../../contract/wire.ts';
import { maxUuid } from '../../platform/uuid.ts';
import { hasActiveEndpoint } from '../store/endpoints.ts';
import { endEffects } from '../conformance/judge-attempt.ts';
import { signReport } from '../conformance/report.ts';
import { loadRun } from '../conformance/load-run.ts';
import { runView } from '../conformance/views.ts';
import { read, type SandboxContext } from '../context.ts';
import { stateOfRun } from '../rules/conformance/run-state.ts';
import {
  endRun,
  findOpenRun,
  insertRun,
  listStoredRuns,
  type StoredRun,
  trimRuns,
} from '../store/runs.ts';
import { readCalls } from '../store/seen-calls.ts';
import { insertScenarios, type NewScenario, readScenarios, skipRest } from '../store/scenarios.ts';

/** The profiles that a settlement allows. */
const profilesOf: Readonly<Record<Settlement, readonly Profile[]>> = {
  partner: ['checkout', 'request'],
  card: ['card'],
};

/** What the tasks of each kind need. */
const grantsOf: Readonly<Record<TaskKind, readonly Capability[]>> = {
  read: ['catalog'],
  sync: ['catalog'],
  search: ['search'],
  book: ['quotes', 'checkout'],
  follow: ['checkout'],
};

/** Why a scenario is skipped from the start; null: it waits. */
function skippedFor(
  scenario: ScenarioId,
  {
    profile,
    only,
    grants,
    hasEndpoint,
  }: {
    profile: Profile;
    only: readonly string[] | undefined;
    grants: readonly Capability[];
    hasEndpoint: boolean;
  },
): NewScenario['skippedFor'] {
  const { task, needsEndpoint } = scenarioFacts(scenario);
  if (!isOfProfile(scenario, profile)) return 'profile';
  if (grantsOf[task].some((grant) => !grants.includes(grant))) return 'grant';
  if (needsEndpoint && !hasEndpoint) return 'no_endpoint';
  return only && !only.includes(scenario) ? 'not_asked' : null;
}

const noRun = 'There is no run with this runId.';

const mostSeeds = 2 ** 31;

/** Spec: SANDBOX-4. */
export const startRun = read('sandbox.run.start', {
  async reply({ context, actor, body: { profile, only, seed } }) {
    const { applicationId, application } = actor;
    if (!profilesOf[application.settlement].includes(profile)) {
      return refuseSandbox('policy_restricted', 'profile');
    }
    const { database, contractDigest } = context;
    const hasEndpoint = await hasActiveEndpoint(database, applicationId);
    const grants = context.servedGrants(application);
    const begun = await database.transaction(async (executor) => {
      const run = await insertRun(executor, {
        applicationId,
        profile,
        wireVersion,
        scenarioSet,
        contractDigest,
        seed: seed ?? randomInt(mostSeeds),
      });
      if (!run) return undefined;
      const facts = { profile, only, grants, hasEndpoint };
      const scenarios = scenarioIds.map((scenario) => ({
        scenario,
        skippedFor: skippedFor(scenario, facts),
      }));
      await insertScenarios(executor, run, scenarios);
      await trimRuns(executor, applicationId, sandboxLimits.runsKept);
      return run;
    });
    if (!begun) {
      const open = await findOpenRun(database, applicationId);
      const refusal = refuseSandbox('conflict', 'run_open');
      return { ...refusal, details: { reason: 'run_open', ...(open && { runId: open.runId }) } };
    }
    const scenarios = await readScenarios(database, [begun.runId]);
    return {
      status: 201,
      body: runView(begun, scenarios),
      location: `/sandbox/v1/conformance-runs/${begun.runId}`,
    };
  },
});

export const listRuns = read('sandbox.run.list', {
  load: (call) => pageForPartner(call),
  async reply({ context, actor }, { size, after, cursorAt }) {
    const { executor } = context;
    const before = after ?? maxUuid;
    const found = await listStoredRuns(executor, actor.applicationId, before, size + 1);
    const { items, last } = cutPage(found, size);
    const scenarios = await readScenarios(
      executor,
      items.map(({ runId }) => runId),
    );
    const viewOf = (run: StoredRun) =>
      runView(
        run,
        scenarios.filter(({ runId }) => runId === run.runId),
      );
    return {
      status: 200,
      body: { items: items.map(viewOf), nextCursor: last && cursorAt(last.runId) },
    };
  },
});

export const getRun = read('sandbox.run.get', {
  notFound: noRun,
  load: ({ context, actor, params }) => loadRun(context, actor, params.runId),
  async reply({ context }, { run, scenarios }) {
    const running = scenarios.find(({ state }) => state === 'running');
    const calls = running?.attemptId ? await readCalls(context.executor, running.attemptId) : [];
    return { status: 200, body: runView(run, scenarios, calls) };
  },
});

/** Skips what was not judged, and ends what the scenario that runs has changed. */
async function skipUnjudged(context: SandboxContext, runId: string): Promise<void> {
  for (const ended of await skipRest(context.executor, runId)) await endEffects(context, ended);
}

export const deleteRun = read('sandbox.run.delete', {
  notFound: noRun,
  load: ({ context, actor, params }) => loadRun(context, actor, params.runId),
  async reply({ context }, found) {
    const { executor } = context;
    if (!(await endRun(executor, found.run.runId, 'abandoned'))) {
      return refuseSandbox('invalid_state', 'run_final');
    }
    await skipUnjudged(context, found.run.runId);
    return { status: 204, body: null };
  },
});

export const finishRun = read('sandbox.run.finish', {
  notFound: noRun,
  load: ({ context, actor, params }) => loadRun(context, actor, params.runId),
  async reply({ context, actor }, found) {
    const { executor } = context;
    const { runId } = found.run;
    if (found.run.state !== 'open') return refuseSandbox('invalid_state', 'run_final');
    await skipUnjudged(context, runId);
    const scenarios = await readScenarios(executor, [runId]);
    const ended = scenarios.map(({ scenario, result, skippedFor: reason }) => ({
      scenario,
      result,
      ...(reason && { skippedFor: reason }),
    }));
    if (!(await endRun(executor, runId, stateOfRun(ended)))) {
      return refuseSandbox('invalid_state', 'run_final');
    }
    const { run } = (await loadRun(context, actor, runId))!;
    return { status: 200, body: runView(run, scenarios) };
  },
});

/** Spec: SANDBOX-4. */
export const getReport = read('sandbox.run.report', {
  notFound: noRun,
  async load({ context, actor, params }) {
    const found = await loadRun(context, actor, params.runId);
    if (!found) return undefined;
    return found.run.state === 'open' ? refuseSandbox('invalid_state', 'run_open') : found;
  },
  async reply({ context, actor }, { run, scenarios }) {
    const report = await signReport(context, actor.applicationId, runView(run, scenarios));
    return { status: 200, bytes: [Buffer.from(report)], mediaType: 'application/jose' };
  },
});
