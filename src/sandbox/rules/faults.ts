import type { FaultAction, FaultRule } from '../../contract/sandbox/schemas.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';

/** A call on which a rule acted. */
export interface FaultHit {
  requestId: string;
  at: string;
}

/** What a rule has done. */
export interface RuleHits {
  count: number;
  /** The last ones, oldest first. */
  last: readonly FaultHit[];
}

/** The rules of an application, and what has happened since they were set. */
export interface FaultState {
  seed: number;
  rules: readonly FaultRule[];
  /** The calls of each operation that a rule names. */
  counts: Readonly<Record<string, number>>;
  /** One of each rule. */
  hits: readonly RuleHits[];
}

/** A number from 0 (included) to 1 (excluded) that depends on nothing but these. */
export type Chance = (seed: number, rule: number, count: number) => number;

const noHits: RuleHits = { count: 0, last: [] };

/** New rules: counts begin anew. */
export const newFaults = (seed: number, rules: readonly FaultRule[]): FaultState => ({
  seed,
  rules,
  counts: {},
  hits: rules.map(() => noHits),
});

/** Whether calls of an operation are counted. */
export const isCounted = ({ rules }: FaultState, operation: string): boolean =>
  rules.some(({ match }) => match.operation === operation);

const holds = (
  { match: { operation, nth, every, probability }, times }: FaultRule,
  call: { operation: string; count: number; hits: number; chance: () => number },
): boolean =>
  operation === call.operation &&
  (nth === undefined || nth === call.count) &&
  (every === undefined || call.count % every === 0) &&
  call.hits < (times ?? Infinity) &&
  (probability === undefined || call.chance() < probability);

/** Counts a call. The first rule that holds acts. Spec: SANDBOX-2. */
export function decideFault(
  state: FaultState,
  operation: string,
  hit: FaultHit,
  chance: Chance,
): { next: FaultState; played: { rule: number; action: FaultAction } | null } {
  const count = (state.counts[operation] ?? 0) + 1;
  const counts = { ...state.counts, [operation]: count };
  const rule = state.rules.findIndex((one, index) =>
    holds(one, {
      operation,
      count,
      hits: state.hits[index]!.count,
      chance: () => chance(state.seed, index, count),
    }),
  );
  if (rule === -1) return { next: { ...state, counts }, played: null };
  const before = state.hits[rule]!;
  const hits = state.hits.with(rule, {
    count: before.count + 1,
    last: [...before.last, hit].slice(-sandboxLimits.hitsShown),
  });
  return { next: { ...state, counts, hits }, played: { rule, action: state.rules[rule]!.do } };
}

/** What a rule did, as the request log shows it. */
export function faultText(rule: number | null, action: object): string {
  const by = rule === null ? 'conformance run' : `rule ${rule + 1}`;
  const what = Object.entries(action).map(([name, value]) => `${name} ${value}`);
  return `${by}: ${what.join(', ')}`;
}
