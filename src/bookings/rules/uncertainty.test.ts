import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decidedBy, endOverdue, sessionEnd, uncertaintyOf } from './uncertainty.ts';

const hourMs = 3_600_000;
const submittedAt = Date.UTC(2027, 0, 15);
const end = submittedAt + 24 * hourMs;
const unknown = { result: 'unknown', step: 'capture' } as const;
const refused = { result: 'refused', reason: 'refused' } as const;

describe('an uncertainty', () => {
  // Spec: UNCERTAIN-2.
  test('it ends 24 hours after submission, and never in the simulation', () => {
    assert.equal(decidedBy({ submittedAt }, 24), end);
    assert.equal(decidedBy({ submittedAt }, null), null);
    assert.equal(decidedBy({ submittedAt: null }, 24), null);
  });

  test('only uncertain and unresolved are', () => {
    const booking = { submittedAt, updatedAt: submittedAt + 5_000 };
    const open = { since: submittedAt + 5_000, decidedBy: end };
    assert.deepEqual(uncertaintyOf({ ...booking, state: 'uncertain' }, 24), open);
    assert.deepEqual(uncertaintyOf({ ...booking, state: 'unresolved' }, 24), open);
    assert.equal(uncertaintyOf({ ...booking, state: 'pending' }, 24), null);
    assert.equal(uncertaintyOf({ ...booking, state: 'failed' }, 24), null);
  });

  test('at its end no reservation was made, unless it is known that the supplier made it', () => {
    assert.deepEqual(endOverdue({ submittedAt }, unknown, end - 1, 24), unknown);
    assert.deepEqual(endOverdue({ submittedAt }, unknown, end, 24), refused);
    assert.deepEqual(endOverdue({ submittedAt }, unknown, end, null), unknown);
    const made = { ...unknown, confirmed: { announced: null } };
    assert.deepEqual(endOverdue({ submittedAt }, made, end, 24), {
      result: 'made',
      announced: null,
    });
  });

  test('an outcome that is known counts at any time', () => {
    const late = { result: 'made', announced: null } as const;
    assert.deepEqual(endOverdue({ submittedAt }, late, end + hourMs, 24), late);
  });
});

describe('the session of a checkout', () => {
  const expiresAt = submittedAt + 24 * hourMs;

  test('it does not end while an outcome is open', () => {
    for (const state of ['pending', 'requires_action', 'uncertain']) {
      assert.equal(sessionEnd({ state, resolvedAt: null }, expiresAt, 24), Infinity);
    }
    assert.equal(sessionEnd({ state: 'ready', resolvedAt: null }, expiresAt, 24), expiresAt);
  });

  // Spec: SESSION-4.
  test('it lives 24 hours more after the outcome, and never shorter than it was told', () => {
    const resolvedAt = expiresAt + hourMs;
    const later = sessionEnd({ state: 'failed', resolvedAt }, expiresAt, 24);
    assert.equal(later, resolvedAt + 24 * hourMs);
    const early = submittedAt - 24 * hourMs;
    assert.equal(sessionEnd({ state: 'confirmed', resolvedAt: early }, expiresAt, 24), expiresAt);
  });
});
