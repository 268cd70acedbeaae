import type { FaultRule } from '../../api/types.ts';

type Action = FaultRule['do'];
type Match = FaultRule['match'];

/** The kinds of faults, as a person chooses them. `takes`: what else the kind needs. */
export const faultKinds = {
  unavailable: { name: '503 unavailable', takes: 'retryAfter' },
  rateLimited: { name: '429 rate limited', takes: 'retryAfter' },
  internal: { name: '500 internal', takes: null },
  unresolvedApplied: { name: '504 unresolved, with effect', takes: null },
  unresolvedNotApplied: { name: '504 unresolved, without effect', takes: null },
  dropBefore: { name: 'Connection ends before the effect', takes: null },
  dropAfter: { name: 'Connection ends after the effect', takes: null },
  proxy: { name: '502, the page of a proxy', takes: null },
  delay: { name: 'A late answer', takes: 'delay' },
  unknownValues: { name: 'Unknown members, states, actions and events', takes: null },
} as const;

export type FaultKind = keyof typeof faultKinds;

/** The action of a kind. `amount`: seconds of `Retry-After`, or milliseconds of the delay. */
export function actionOf(kind: FaultKind, amount: number | undefined): Action {
  const retryAfter = amount === undefined ? {} : { retryAfterSeconds: amount };
  const actions = {
    unavailable: { respond: 503, ...retryAfter },
    rateLimited: { respond: 429, ...retryAfter },
    internal: { respond: 500 },
    unresolvedApplied: { unresolved: 'applied' },
    unresolvedNotApplied: { unresolved: 'not_applied' },
    dropBefore: { drop: 'before' },
    dropAfter: { drop: 'after' },
    proxy: { html: 502 },
    delay: { delayMs: amount ?? 1_000 },
    unknownValues: { unknownValues: true },
  } as const satisfies Record<FaultKind, Action>;
  return actions[kind];
}

/** What a rule does, for a person. */
export function actionText(action: Action): string {
  if ('respond' in action) {
    const { respond, retryAfterSeconds } = action;
    const after = retryAfterSeconds === undefined ? '' : `, Retry-After ${retryAfterSeconds} s`;
    return `Answered with ${respond}${after}`;
  }
  if ('unresolved' in action) {
    return `504 unresolved, ${action.unresolved === 'applied' ? 'with' : 'without'} effect`;
  }
  if ('drop' in action) return `The connection ends ${action.drop} the effect`;
  if ('delayMs' in action) return `The answer is ${action.delayMs.toLocaleString('en')} ms late`;
  if ('html' in action) return 'The page of a proxy, with 502';
  return 'Unknown members, states, actions and event types';
}

/** Which calls a rule is about, for a person. */
export function matchText({ nth, every, probability }: Match, times: number | undefined): string {
  const conditions = [
    nth !== undefined && `call ${nth}`,
    every !== undefined && (every === 1 ? 'every call' : `every ${every} calls`),
    probability !== undefined && `${Math.round(probability * 1_000) / 10} % of the calls`,
  ].filter((part) => part !== false);
  const when = conditions.length === 0 ? 'every call' : conditions.join(', ');
  return times === undefined ? when : `${when}, at most ${times} times`;
}
