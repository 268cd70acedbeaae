import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ReservationRequest } from './booking.ts';
import {
  requestActions,
  requestTransition,
  requestTransitions,
  type RequestTransition,
} from './reservation-request.ts';
import { requestIn } from '../../../test/harness/domain-bookings.ts';

type State = ReservationRequest['state'];

// Written by hand, so that a wrong row of the table is found. Spec: REQUEST-2.
const states: State[] = ['pending', 'unresolved', 'confirmed', 'failed'];
const finalStates: ReadonlySet<State> = new Set(['confirmed', 'failed']);
const outcomes: RequestTransition['when'][] = ['made', 'refused', 'expired', 'unknown'];
const specified: Record<string, [to: State, events: string]> = {
  'pending made': ['confirmed', 'checkout.resolved reservation.confirmed'],
  'pending refused': ['failed', 'checkout.resolved'],
  'pending unknown': ['unresolved', ''],
  'unresolved made': ['confirmed', 'checkout.resolved reservation.confirmed'],
  'unresolved refused': ['failed', 'checkout.resolved'],
};

suite('reservation request transitions', () => {
  // Spec: REQUEST-2.
  test('reservation request transitions › are those of the specification', () => {
    const coded = Object.fromEntries(
      requestTransitions.map(({ from, when, to, emits }) => [
        `${from} ${when}`,
        [to, emits.join(' ')],
      ]),
    );
    assert.deepEqual(coded, specified);
    assert.equal(requestTransitions.length, Object.keys(specified).length, 'no row twice');
  });

  for (const from of states) {
    for (const when of outcomes) {
      const [to] = specified[`${from} ${when}`] ?? [undefined];
      test(`reservation request transitions › ${from} › ${when} → ${to ?? 'refused'}`, () => {
        assert.equal(requestTransition(from, when)?.to, to);
      });
    }
  }

  test('reservation request transitions › every state is reachable, and only final states have no transitions', () => {
    const reached = new Set<State>(['pending']);
    for (const state of reached) {
      const onward = requestTransitions.filter(({ from }) => from === state);
      assert.equal(onward.length === 0, finalStates.has(state), state);
      for (const { to } of onward) reached.add(to);
    }
    assert.deepEqual([...reached].toSorted(), [...states].toSorted());
  });
});

suite('reservation request next actions', () => {
  const cases: [State, ReservationRequest['failureReason'], string[]][] = [
    ['pending', null, ['poll']],
    ['unresolved', null, ['poll']],
    ['confirmed', null, ['view_confirmation']],
    ['failed', 'sold_out', ['refresh_quote']],
    ['failed', 'price_changed', ['refresh_quote']],
    ['failed', 'policy_changed', ['refresh_quote']],
    ['failed', 'quote_expired', ['refresh_quote']],
    ['failed', 'authority_revoked', ['contact_support']],
    ['failed', 'refused', ['contact_support']],
    ['failed', null, ['contact_support']],
  ];
  for (const [state, failureReason, actions] of cases) {
    // Spec: REQUEST-6.
    test(`reservation request next actions › ${state} ${failureReason ?? ''}: ${actions.join()}`, () => {
      assert.deepEqual(requestActions(requestIn(state, { failureReason })), actions);
    });
  }
});
