import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mayStillArrive, resultOfFound } from './intent.ts';

suite('payments › an attempt to take money', () => {
  test('a declined payment still waits for the guest, until it is voided at the provider', () => {
    const found = { providerReference: 'pi_1', declineCode: 'insufficient_funds' };
    const states = ['action_needed', 'declined', 'authorized', 'captured', 'voided'] as const;
    assert.deepEqual(
      states.map((state) => resultOfFound({ ...found, state })),
      ['action_needed', 'action_needed', 'authorized', 'captured', 'voided'].map((state) => ({
        ...found,
        state,
      })),
    );
  });

  test('a request without an answer may still arrive for two minutes', () => {
    const askedAt = 1_000_000;
    for (const [after, expected] of [
      [0, true],
      [119_999, true],
      [120_000, false],
    ] as const) {
      assert.equal(mayStillArrive({ askedAt, now: askedAt + after }), expected);
    }
  });
});
