import { randomInt } from 'node:crypto';
import type { SandboxReplyOf } from '../../contract/sandbox/operations.ts';
import { read } from '../context.ts';
import { type FaultState, newFaults } from '../rules/faults.ts';
import { findFaults, putFaults } from '../store/faults.ts';

const noFaults: SandboxReplyOf<'sandbox.faults.get'>['body'] = { seed: null, rules: [] };

const faultsView = (state: FaultState): SandboxReplyOf<'sandbox.faults.get'>['body'] => ({
  seed: state.seed,
  rules: state.rules.map((rule, index) => ({
    ...rule,
    calls: state.counts[rule.match.operation] ?? 0,
    hits: [...state.hits[index]!.last],
  })),
});

const mostSeeds = 2 ** 31;

/** Spec: SANDBOX-2. */
export const putFaultRules = read('sandbox.faults.put', {
  async reply({ context, actor: { applicationId }, body: { seed, rules } }) {
    const faults = rules.length > 0 ? newFaults(seed ?? randomInt(mostSeeds), rules) : null;
    await putFaults(context.executor, applicationId, faults);
    await context.takeEffect(applicationId);
    return { status: 200, body: faults ? faultsView(faults) : noFaults };
  },
});

export const getFaultRules = read('sandbox.faults.get', {
  async reply({ context, actor: { applicationId } }) {
    const found = await findFaults(context.executor, applicationId);
    return { status: 200, body: found ? faultsView(found.state) : noFaults };
  },
});

export const deleteFaultRules = read('sandbox.faults.delete', {
  async reply({ context, actor: { applicationId } }) {
    await putFaults(context.executor, applicationId, null);
    await context.takeEffect(applicationId);
    return { status: 204, body: null };
  },
});
