import type { PaymentDifference } from '../../api/reservations.ts';

/** What a difference between Latchkey and the card provider means, and what to do about it. */
export const differenceWords: Readonly<
  Record<PaymentDifference['kind'], { meaning: string; toDo: string }>
> = {
  missing_here: {
    meaning: 'The provider has a payment that this database does not have.',
    toDo: 'After a restore of an old backup: see what was lost. Otherwise another installation uses the account.',
  },
  missing_there: {
    meaning: 'The provider does not have a payment that should have money.',
    toDo: 'Check whether the keys are of another account.',
  },
  duplicate: {
    meaning: 'The provider has a second payment of the same name.',
    toDo: 'Refund it in the dashboard, and report it.',
  },
  state: {
    meaning: 'The money is in another state.',
    toDo: 'If it is unknown or requested here, wait: Latchkey looks it up. Otherwise somebody used the dashboard.',
  },
  amount: { meaning: 'The amounts differ.', toDo: 'Report it.' },
  currency: { meaning: 'The currencies differ.', toDo: 'Report it.' },
  refunded: {
    meaning: 'The refunds differ.',
    toDo: 'Look for a refund in the dashboard, or one that was sent back: Latchkey looks at that within days.',
  },
  disputed: {
    meaning: 'The cardholder disputes the payment, and the ledger does not note it.',
    toDo: 'Answer it in the dashboard, and check there why its event has not come.',
  },
  ledger: { meaning: 'The ledger differs from our own payments.', toDo: 'Report it.' },
  not_returned: {
    meaning:
      'A part of the payment is kept, and its checkout has become no reservation: the refund was sent back.',
    toDo: 'Pay the guest in another way, and record it.',
  },
  foreign: {
    meaning: 'The provider has a payment of a guest of yours that Latchkey did not make.',
    toDo: 'If it was made in the dashboard for this reservation, record it as collected elsewhere.',
  },
  unreadable: {
    meaning: 'The provider did not answer about this payment.',
    toDo: 'Compare again. If it stays, look for the customer in the dashboard.',
  },
};
