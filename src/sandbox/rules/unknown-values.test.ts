import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { unknownValues } from './unknown-values.ts';

// Spec: SANDBOX-2.
suite('unknownValues', () => {
  test('replaces state and actions, and adds a member', () => {
    assert.deepEqual(unknownValues({ state: 'ready', nextActions: ['submit'], version: 3 }), {
      state: 'sandbox_state',
      nextActions: ['sandbox_action'],
      version: 3,
      sandboxMember: { isNew: true },
    });
  });

  test('gives events a type that does not exist', () => {
    const event = { id: 'evt_1', type: 'reservation.confirmed', schemaVersion: 1 };
    const { items } = unknownValues({ items: [event] }) as { items: unknown[] };
    assert.deepEqual(items, [{ ...event, type: 'sandbox.happened' }]);
  });

  test('changes the items of other lists too', () => {
    const { items } = unknownValues({ items: [{ state: 'pending' }] }) as { items: unknown[] };
    assert.deepEqual(items, [{ state: 'sandbox_state', sandboxMember: { isNew: true } }]);
  });
});
