import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  checkoutTransition,
  checkoutTransitions,
  nextActionsOf,
  quoteExpired,
  stateRefusal,
  type CheckoutCommand,
  type CheckoutCondition,
  type CheckoutTrigger,
} from './checkout.ts';
import type { FailureReason } from '../../contract/states.ts';
import type { Checkout } from './booking.ts';
import {
  checkoutIn,
  NOW,
  QUOTE_EXPIRES_AT,
  setupIn,
} from '../../../test/harness/domain-bookings.ts';

type State = Checkout['state'];

// Written by hand, so that a wrong row of the table is found. Spec: CHECKOUT-1.
const states: State[] = [
  'needs_guest',
  'needs_payment',
  'ready',
  'pending',
  'requires_action',
  'confirmed',
  'uncertain',
  'failed',
  'expired',
];
const finalStates: State[] = ['confirmed', 'failed', 'expired'];

const resolved = 'checkout.resolved';
const confirmed = 'checkout.resolved reservation.confirmed';

/** `<from> <trigger> <condition>`: the next state and the events. */
const specified: Record<string, [to: State, events: string]> = {
  'needs_guest saveGuest card': ['needs_payment', ''],
  'needs_guest saveGuest no_card': ['ready', ''],
  'needs_payment saveGuest -': ['needs_payment', ''],
  'ready saveGuest -': ['ready', ''],
  'needs_guest applyPromo -': ['needs_guest', ''],
  'needs_guest removePromo -': ['needs_guest', ''],
  'needs_payment applyPromo card': ['needs_payment', ''],
  'needs_payment applyPromo no_card': ['ready', ''],
  'needs_payment removePromo card': ['needs_payment', ''],
  'needs_payment removePromo no_card': ['ready', ''],
  'ready applyPromo card': ['needs_payment', ''],
  'ready applyPromo no_card': ['ready', ''],
  'ready removePromo card': ['needs_payment', ''],
  'ready removePromo no_card': ['ready', ''],
  'needs_payment setupPayment -': ['needs_payment', ''],
  'needs_payment setupAnswered -': ['needs_payment', ''],
  'ready setupAnswered -': ['ready', ''],
  'needs_payment verifyPayment -': ['ready', ''],
  'ready submit accepted': ['pending', ''],
  'ready submit action_needed': ['requires_action', ''],
  'requires_action verifyPayment -': ['pending', ''],
  'requires_action actionUnanswered -': ['failed', resolved],
  'needs_guest quoteExpired -': ['expired', ''],
  'needs_payment quoteExpired -': ['expired', ''],
  'ready quoteExpired -': ['expired', ''],
  'pending resolved made': ['confirmed', confirmed],
  'pending resolved refused': ['failed', resolved],
  'pending resolved expired': ['expired', resolved],
  'pending resolved unknown': ['uncertain', ''],
  'pending resolved action_needed': ['requires_action', ''],
  'uncertain resolved made': ['confirmed', confirmed],
  'uncertain resolved refused': ['failed', resolved],
};

const commands: Record<CheckoutCommand, State[]> = {
  saveGuest: ['needs_guest', 'needs_payment', 'ready'],
  applyPromo: ['needs_guest', 'needs_payment', 'ready'],
  removePromo: ['needs_guest', 'needs_payment', 'ready'],
  setupPayment: ['needs_payment'],
  verifyPayment: ['needs_payment', 'requires_action'],
  submit: ['ready'],
};

const triggers: Record<CheckoutTrigger, CheckoutCondition[]> = {
  saveGuest: ['card', 'no_card'],
  applyPromo: ['card', 'no_card'],
  removePromo: ['card', 'no_card'],
  setupPayment: [],
  verifyPayment: [],
  submit: ['accepted', 'action_needed'],
  setupAnswered: [],
  resolved: ['made', 'refused', 'expired', 'unknown', 'action_needed'],
  actionUnanswered: [],
  quoteExpired: [],
};

suite('checkout transitions', () => {
  // Spec: CHECKOUT-1.
  test('checkout transitions › are those of the specification, no more and no fewer', () => {
    const coded = Object.fromEntries(
      checkoutTransitions.map(({ from, on, when, to, emits }) => [
        `${from} ${on} ${when ?? '-'}`,
        [to, emits.join(' ')],
      ]),
    );
    assert.deepEqual(coded, specified);
    assert.equal(checkoutTransitions.length, Object.keys(specified).length, 'no row twice');
  });

  for (const from of states) {
    for (const [on, conditions] of Object.entries(triggers) as [
      CheckoutTrigger,
      CheckoutCondition[],
    ][]) {
      for (const when of conditions.length > 0 ? conditions : [undefined]) {
        const [to] = specified[`${from} ${on} ${when ?? '-'}`] ??
          specified[`${from} ${on} -`] ?? [undefined];
        test(`checkout transitions › ${from} › ${on} ${when ?? ''} → ${to ?? 'refused'}`, () => {
          assert.equal(checkoutTransition(from, on, when)?.to, to);
        });
      }
    }
  }

  for (const command of Object.keys(commands) as CheckoutCommand[]) {
    for (const state of states) {
      const allowed = commands[command].includes(state);
      test(`checkout.${command} › ${state} › ${allowed ? 'allowed' : 'invalid_state'}`, () => {
        const refusal = stateRefusal(checkoutIn(state), command);
        assert.equal(refusal?.refused, allowed ? undefined : 'invalid_state');
      });
    }
  }

  test('checkout transitions › a final state has no transitions', () => {
    const fromFinal = checkoutTransitions.filter(({ from }) => finalStates.includes(from));
    assert.deepEqual(fromFinal, []);
  });

  test('checkout transitions › every state can be reached from a new checkout', () => {
    const reached = new Set<State>(['needs_guest']);
    for (const state of reached) {
      for (const row of checkoutTransitions) if (row.from === state) reached.add(row.to);
    }
    assert.deepEqual([...reached].toSorted(), [...states].toSorted());
  });

  for (const start of states.filter((state) => !finalStates.includes(state))) {
    test(`checkout transitions › ${start} is no dead end`, () => {
      const ahead = new Set<State>([start]);
      for (const state of ahead) {
        for (const row of checkoutTransitions) if (row.from === state) ahead.add(row.to);
      }
      assert.ok(finalStates.some((state) => ahead.has(state)));
    });
  }

  test('checkout transitions › only a submitted checkout causes events', () => {
    const loud = checkoutTransitions.filter(({ emits }) => emits.length > 0);
    for (const { from, to } of loud) {
      assert.ok(['pending', 'uncertain', 'requires_action'].includes(from), from);
      assert.ok(finalStates.includes(to), to);
    }
  });
});

suite('checkout next actions', () => {
  const simple: [State, string[]][] = [
    ['needs_guest', ['save_guest']],
    ['ready', ['submit']],
    ['pending', ['poll']],
    ['uncertain', ['poll']],
    ['requires_action', ['verify_payment']],
    ['confirmed', ['view_confirmation']],
    ['expired', ['refresh_quote']],
  ];
  for (const [state, actions] of simple) {
    // Spec: CHECKOUT-2.
    test(`checkout next actions › ${state}: ${actions.join()}`, () => {
      const checkout = checkoutIn(state, { paymentSetup: setupIn('ready') });
      assert.deepEqual(nextActionsOf(checkout, NOW), actions);
    });
  }

  const payments: [what: string, setup: Checkout['paymentSetup'], actions: string[]][] = [
    ['no setup yet', null, ['setup_payment']],
    ['a setup under way', setupIn('pending'), ['poll']],
    ['a setup that is ready', setupIn('ready'), ['verify_payment']],
    ['unavailable', setupIn('failed', { failure: 'unavailable' }), ['setup_payment']],
    ['unresolved', setupIn('failed', { failure: 'unresolved' }), ['setup_payment']],
    ['not_authorized', setupIn('failed', { failure: 'not_authorized' }), ['contact_support']],
    ['a minute less a moment', setupIn('pending', { requestedAt: NOW - 59_999 }), ['poll']],
    [
      'a minute without an answer',
      setupIn('pending', { requestedAt: NOW - 60_000 }),
      ['setup_payment'],
    ],
  ];
  for (const [what, paymentSetup, actions] of payments) {
    test(`checkout next actions › needs_payment, ${what}: ${actions.join()}`, () => {
      assert.deepEqual(nextActionsOf(checkoutIn('needs_payment', { paymentSetup }), NOW), actions);
    });
  }

  const failures: Record<FailureReason, string[]> = {
    sold_out: ['refresh_quote'],
    price_changed: ['refresh_quote'],
    policy_changed: ['refresh_quote'],
    quote_expired: ['refresh_quote'],
    authority_revoked: ['contact_support'],
    refused: ['contact_support'],
  };
  for (const [reason, actions] of Object.entries(failures)) {
    test(`checkout next actions › failed, ${reason}: ${actions.join()}`, () => {
      const failureReason = reason as FailureReason;
      assert.deepEqual(nextActionsOf(checkoutIn('failed', { failureReason }), NOW), actions);
    });
  }

  for (const state of ['needs_guest', 'needs_payment', 'ready'] as const) {
    test(`checkout next actions › ${state}, the quote has expired: only refresh_quote`, () => {
      for (const paymentSetup of [null, setupIn('pending'), setupIn('ready')]) {
        const checkout = checkoutIn(state, { paymentSetup });
        assert.notDeepEqual(nextActionsOf(checkout, QUOTE_EXPIRES_AT - 1), ['refresh_quote']);
        assert.deepEqual(nextActionsOf(checkout, QUOTE_EXPIRES_AT), ['refresh_quote']);
      }
    });
  }

  test('checkout next actions › an expired quote changes nothing once it was submitted', () => {
    for (const state of ['pending', 'uncertain', 'requires_action', 'confirmed'] as const) {
      const checkout = checkoutIn(state);
      const later = nextActionsOf(checkout, QUOTE_EXPIRES_AT);
      assert.deepEqual(later, nextActionsOf(checkout, NOW));
    }
  });

  test('checkout next actions › failed without a reason counts as refused', () => {
    assert.deepEqual(nextActionsOf(checkoutIn('failed'), NOW), ['contact_support']);
  });
});

suite('checkout quote', () => {
  const unsubmitted: ReadonlySet<State> = new Set(['needs_guest', 'needs_payment', 'ready']);
  for (const state of states) {
    const expires = unsubmitted.has(state);
    test(`checkout quote › ${state}: ${expires ? 'expires at its time' : 'never expires'}`, () => {
      const checkout = checkoutIn(state);
      assert.equal(quoteExpired(checkout, QUOTE_EXPIRES_AT - 1), false);
      assert.equal(quoteExpired(checkout, QUOTE_EXPIRES_AT), expires);
    });
  }
});
