/** Texts for conformance runs. */
import type { StateLabel } from '../../base/components/state-badge.tsx';
import type { Profile } from '#contract/sandbox/scenarios.ts';
import type { Run, RunScenario } from '../api/types.ts';

const runStates = {
  open: { name: 'Open', color: 'blue' },
  passed: { name: 'Passed', color: 'teal' },
  failed: { name: 'Failed', color: 'red' },
  incomplete: { name: 'Incomplete', color: 'orange' },
  abandoned: { name: 'Abandoned', color: 'gray' },
} as const satisfies Record<Run['state'], StateLabel>;

/** The state of a run. */
export const runState = ({ state }: Pick<Run, 'state'>): StateLabel => runStates[state];

const scenarioResults = {
  passed: { name: 'Passed', color: 'teal' },
  failed: { name: 'Failed', color: 'red' },
  warned: { name: 'Not met', color: 'orange' },
  skipped: { name: 'Skipped', color: 'gray' },
} as const satisfies Record<NonNullable<RunScenario['result']>, StateLabel>;

const waiting = { name: 'Waiting', color: 'gray' } as const;
const running = { name: 'Running', color: 'blue' } as const;

/** How a scenario stands. */
export function scenarioState({ state, result }: RunScenario): StateLabel {
  if (state === 'running') return running;
  return result ? scenarioResults[result] : waiting;
}

const reasons = {
  profile: 'Not of this profile',
  grant: 'Your application has no grant for it',
  no_endpoint: 'Your application has no active endpoint',
  not_asked: 'Not asked for',
  not_started: 'Not started before the run ended',
} as const satisfies Record<NonNullable<RunScenario['skippedFor']>, string>;

/** Why a scenario is skipped. */
export const skippedText = ({ skippedFor }: RunScenario): string | undefined =>
  skippedFor && reasons[skippedFor];

/** Each profile in words. */
export const profileTexts = {
  checkout: 'Checkouts that you settle yourself',
  request: 'Reservation requests',
  card: 'Checkouts that are paid by card',
} as const satisfies Record<Profile, string>;

/** How many scenarios ended how, without those of other profiles. */
export function countsText({ scenarios }: Run): string {
  const count = (wanted: RunScenario['result']): number =>
    scenarios.filter(({ result, skippedFor }) => result === wanted && skippedFor !== 'profile')
      .length;
  const counts = [
    [count('passed'), 'passed'],
    [count('failed'), 'failed'],
    [count('warned'), 'not met'],
    [count('skipped'), 'skipped'],
    [count(null), 'to go'],
  ] as const;
  return counts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(', ');
}
