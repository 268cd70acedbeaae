import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { outcomeOf, simulatedSetupOf, suffixOf, suffixOutcomes } from './outcomes.ts';

interface Specified {
  result: 'made' | 'refused';
  reason?: string;
  /** Seconds until the outcome is known; null: never. */
  knownIn: number | null;
  announced?: string;
}

// Written by hand, so that a wrong row of the table is found. Spec: SIMULATION-1.
const specified: Record<string, Specified> = {
  failed: { result: 'refused', reason: 'refused', knownIn: 0 },
  sold_out: { result: 'refused', reason: 'sold_out', knownIn: 0 },
  price_changed: { result: 'refused', reason: 'price_changed', knownIn: 0 },
  policy_changed: { result: 'refused', reason: 'policy_changed', knownIn: 0 },
  authority_revoked: { result: 'refused', reason: 'authority_revoked', knownIn: 0 },
  quote_expired: { result: 'refused', reason: 'quote_expired', knownIn: 0 },
  uncertain: { result: 'made', knownIn: null },
  uncertain_confirmed: { result: 'made', knownIn: 5 },
  uncertain_failed: { result: 'refused', reason: 'refused', knownIn: 5 },
  setup_unavailable: { result: 'made', knownIn: 0 },
  setup_declined: { result: 'made', knownIn: 0 },
  cancelled: { result: 'made', knownIn: 0, announced: 'cancelled in 5' },
  changed: { result: 'made', knownIn: 0, announced: 'moved_one_day in 5' },
};

function summary(email: string): Specified {
  const { answer, knownInSeconds } = outcomeOf(suffixOf(email));
  if (answer.outcome === 'refused') {
    return { result: 'refused', reason: answer.reason, knownIn: knownInSeconds };
  }
  const { announced } = answer;
  return {
    result: 'made',
    knownIn: knownInSeconds,
    ...(announced && { announced: `${announced.change} in ${announced.inSeconds}` }),
  };
}

suite('suffix outcomes', () => {
  test('suffix outcomes › are those of the specification, no more and no fewer', () => {
    assert.deepEqual(Object.keys(suffixOutcomes).toSorted(), Object.keys(specified).toSorted());
  });

  for (const [suffix, expected] of Object.entries(specified)) {
    test(`suffix outcomes › +${suffix}`, () => {
      assert.deepEqual(summary(`ada+${suffix}@example.com`), expected);
    });
  }

  const ordinary = [
    'ada@example.com',
    'failed@example.com',
    'ada+@example.com',
    'ada+failed+@example.com',
    'ada+failed2@example.com',
    'ada+FAILED@example.com',
    'ada+uncertain-failed@example.com',
    'ada@failed.example.com',
    'ada+toString@example.com',
    'ada+__proto__@example.com',
    '',
  ];
  for (const email of ordinary) {
    test(`suffix outcomes › "${email}" confirms`, () => {
      assert.deepEqual(summary(email), { result: 'made', knownIn: 0 });
    });
  }

  test('suffix outcomes › the last suffix counts', () => {
    assert.equal(suffixOf('ada+holiday+sold_out@example.com'), 'sold_out');
    assert.equal(suffixOf('ada+sold_out+holiday@example.com'), null);
  });

  const setups: [suffix: string, attempt: number, failure: string | null][] = [
    ['setup_unavailable', 1, 'unavailable'],
    ['setup_unavailable', 2, null],
    ['setup_unavailable', 3, null],
    ['setup_declined', 1, 'not_authorized'],
    ['setup_declined', 2, 'not_authorized'],
    ['setup_declined', 9, 'not_authorized'],
    ['failed', 1, null],
    ['uncertain', 1, null],
    ['nothing', 1, null],
  ];
  for (const [suffix, attempt, failure] of setups) {
    test(`suffix outcomes › +${suffix}, setup ${attempt}: ${failure ?? 'ready'}`, () => {
      assert.equal(simulatedSetupOf(suffix, attempt), failure);
    });
  }
});
