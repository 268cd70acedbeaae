import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type DifferenceKind,
  differencesOf,
  type PaymentHere,
  type PaymentThere,
} from './reconciliation.ts';

const here: PaymentHere = {
  paymentId: 'p1',
  providerReference: 'pi_1',
  state: 'captured',
  purpose: 'booking',
  amountMinor: 500,
  currency: 'USD',
  refundedMinor: 100,
  enteredCollectedMinor: 500,
  enteredRefundedMinor: 100,
  isDisputeEntered: false,
  returnedElsewhereMinor: 0,
  isWithoutReservation: false,
};

const there: PaymentThere = {
  providerReference: 'pi_1',
  state: 'captured',
  amountMinor: 500,
  refundedMinor: 100,
  currency: 'USD',
  isDisputed: false,
};

const nothing = { enteredCollectedMinor: 0, enteredRefundedMinor: 0, refundedMinor: 0 };
const refused: PaymentHere = { ...here, ...nothing, state: 'refused' };
const unknown: PaymentHere = { ...here, ...nothing, state: 'unknown', providerReference: null };
const declined: PaymentThere = { ...there, state: 'declined', refundedMinor: 0 };

suite('payments › reconciliation', () => {
  const cases: [string, PaymentHere | null, PaymentThere | null, DifferenceKind[]][] = [
    ['both sides agree', here, there, []],
    ['the provider does not have it', here, null, ['missing_there']],
    [
      'a part is kept, and there is no reservation',
      { ...here, isWithoutReservation: true },
      there,
      ['not_returned'],
    ],
    [
      'all is returned, and there is no reservation',
      { ...here, isWithoutReservation: true, refundedMinor: 500, enteredRefundedMinor: 500 },
      { ...there, refundedMinor: 500 },
      [],
    ],
    [
      'kept without a reservation, and paid back elsewhere',
      { ...here, isWithoutReservation: true, returnedElsewhereMinor: 400 },
      there,
      [],
    ],
    ['refused, and there is no reservation', { ...refused, isWithoutReservation: true }, null, []],
    ['we do not have it', null, there, ['missing_here']],
    ['we do not have one without effect', null, declined, []],
    ['refused here, unknown there', refused, null, []],
    [
      'an instalment that the bank wants authenticated',
      { ...refused, purpose: 'instalment' },
      { ...declined, state: 'action_needed' },
      [],
    ],
    [
      'a payment of a booking that the guest can still authenticate',
      refused,
      { ...declined, state: 'action_needed' },
      ['state'],
    ],
    ['refused here, declined there', refused, declined, []],
    ['refused here, captured there', refused, { ...there, refundedMinor: 0 }, ['state']],
    [
      'voided here, waits for the guest there',
      { ...refused, state: 'voided' },
      { ...declined, state: 'action_needed' },
      ['state'],
    ],
    ['not known here, nothing there', unknown, null, []],
    ['not known here, captured there', unknown, { ...there, refundedMinor: 0 }, ['state']],
    ['another amount', here, { ...there, amountMinor: 501 }, ['amount']],
    ['another currency', here, { ...there, currency: 'EUR' }, ['currency']],
    ['a currency that was not returned', here, { ...there, currency: null }, []],
    ['refunded elsewhere', here, { ...there, refundedMinor: 500 }, ['refunded']],
    [
      'a second payment with the same name',
      here,
      { ...there, providerReference: 'pi_2' },
      ['duplicate'],
    ],
    ['a second payment without effect', here, { ...declined, providerReference: 'pi_2' }, []],
    ['a dispute whose event has not come', here, { ...there, isDisputed: true }, ['disputed']],
    ['a dispute', { ...here, isDisputeEntered: true }, { ...there, isDisputed: true }, []],
    ['the ledger has not collected it', { ...here, enteredCollectedMinor: 0 }, there, ['ledger']],
    ['the ledger has refunded less', { ...here, enteredRefundedMinor: 0 }, there, ['ledger']],
    [
      'the ledger has collected a refused one',
      { ...refused, enteredCollectedMinor: 500 },
      null,
      ['ledger'],
    ],
    [
      'everything differs',
      { ...here, enteredRefundedMinor: 0 },
      { ...there, state: 'authorized', amountMinor: 1, currency: 'EUR', refundedMinor: 0 },
      ['ledger', 'state', 'amount', 'currency', 'refunded'],
    ],
  ];
  for (const [why, ours, theirs, expected] of cases) {
    test(why, () => assert.deepEqual(differencesOf(ours, theirs), expected));
  }
});
