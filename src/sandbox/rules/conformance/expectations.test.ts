import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { scenarioFacts, scenarioIds } from '../../../contract/sandbox/scenarios.ts';
import { expectationsOf } from './expectations.ts';
import type { SeenCall } from './seen.ts';

const call = (changes: Partial<SeenCall>): SeenCall => ({
  requestId: '01a406c7-566a-7c77-a1e5-969f7edd4981',
  at: 0 as SeenCall['at'],
  endedAt: 0 as SeenCall['at'],
  operation: 'reservation.quote.create',
  status: 0,
  code: null,
  reason: null,
  id: 'a',
  digest: 'd',
  isPlayed: false,
  sent: {},
  got: {},
  ...changes,
});

// Spec: SANDBOX-4.
suite('what a judge waits for', () => {
  test('is the call at which it plays, then what must follow, then the outcome alone', () => {
    const outcome = 'The outcome `confirmed`, within 45 seconds of the start.';
    assert.deepEqual(expectationsOf('quote-reply-lost', []), [
      'The first quote, at which something is played.',
      outcome,
    ]);
    const lost = call({ isPlayed: true });
    const [first, ...rest] = expectationsOf('quote-reply-lost', [lost]);
    assert.match(first!, /^The create was not sent again\. A create whose response is lost/);
    assert.deepEqual(rest, [outcome]);
    assert.deepEqual(expectationsOf('quote-reply-lost', [lost, call({ status: 201 })]), [outcome]);
  });

  test('is said for every scenario, and ends with its outcome', () => {
    for (const id of scenarioIds) {
      const expected = expectationsOf(id, []);
      assert.ok(expected.length > 1, id);
      assert.match(expected.at(-1)!, new RegExp(`${scenarioFacts(id).sayWithinSeconds} seconds`));
    }
  });
});
