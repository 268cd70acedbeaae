import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { ReservationState } from '../../partner/schemas/states.ts';
import {
  Balances,
  balances,
  expectedBalance,
  pageQuery,
  PageOf,
  PaymentOfReservation,
  reasonInput,
} from './shared.ts';

export const AccountsQuery = Type.RequestObject({
  needsAttention: Type.Optional(
    Type.Flag('Only where staff have to decide: a declined instalment, a refused refund.'),
  ),
  applicationId: Type.Optional(Type.UuidInput('Only reservations of this application.')),
  from: Type.Optional(Type.KeptDate('The first day of confirmation, in UTC.')),
  to: Type.Optional(Type.KeptDate('The last day of confirmation, in UTC.')),
  ...pageQuery,
});

const account = {
  reference: Type.String(),
  state: ReservationState,
  applicationId: Type.Uuid('The application.'),
  application: Type.Text('Its name.'),
  checkoutId: Type.Uuid('The checkout.'),
  guest: Type.Nullable(Type.Text("The guest's name; null: it was removed, or cannot be read.")),
  phone: Type.Nullable(Type.Text('How to reach the guest.')),
  listing: Type.Nullable(Type.Text("The home's slug; null: it no longer exists.")),
  listingName: Type.Nullable(Type.Text("The home's name.")),
  currency: Type.String(),
  ...balances,
  atProperty: Type.Whole('What the guest pays at the property, in minor units. No balance has it.'),
  refusals: Type.Whole('Refusals of the card provider that still bind: `start` ends them.'),
  attention: Type.Nullable(
    Type.Enum(
      ['declined', 'stopped', 'no_card', 'refund_refused', 'refund_failed', 'unknown', 'adopted'],
      {
        $id: 'PaymentAttention',
        description: 'Why staff have to decide first; null: they need not.',
      },
    ),
  ),
  attentionSince: Type.Nullable(Type.Instant('Since when.')),
  stoppedAt: Type.Nullable(
    Type.Instant('Since when staff have stopped collecting; null: they have not.'),
  ),
  nextAt: Type.Nullable(Type.Instant('When a worker processes it next; null: after a change.')),
  confirmedAt: Type.Instant('When the reservation was confirmed.'),
};

export const PaymentAccount = Type.ResponseObject(
  'PaymentAccount',
  'The money of a reservation, in minor units.',
  account,
);

export const AccountsPage = PageOf(
  PaymentAccount,
  'AccountsPage',
  'The money of reservations by the time of confirmation, earliest first.',
);

const RefundOfPayment = Type.ResponseObject('RefundOfPayment', {
  refundId: Type.Uuid('The refund.'),
  paymentId: Type.Uuid('The payment.'),
  amount: Type.Minor('In minor units.'),
  state: Type.Enum(['requested', 'done', 'refused', 'unknown', 'failed'], { $id: 'RefundState' }),
  reason: Type.String(),
  requestedAt: Type.Instant('When it was requested.'),
});

const LedgerEntry = Type.ResponseObject('LedgerEntry', {
  entryId: Type.Integer(),
  at: Type.Instant('When it was entered.'),
  kind: Type.String(),
  paymentId: Type.Nullable(Type.Uuid('The payment.')),
  refundId: Type.Nullable(Type.Uuid('The refund.')),
  debit: Type.Nullable(Type.Text('The account; null: an attempt without effect.')),
  credit: Type.Nullable(Type.String()),
  amount: Type.Nullable(Type.Minor('In minor units.')),
  currency: Type.Nullable(Type.String()),
  details: Type.Nullable(Type.Record(Type.String(), Type.Unknown())),
});

export const AccountInFull = Type.ResponseObject(
  'AccountInFull',
  'The money of a reservation with every row of its ledger.',
  {
    ...account,
    payments: Type.Array(PaymentOfReservation),
    refunds: Type.Array(RefundOfPayment),
    entries: Type.Array(LedgerEntry, { description: 'The ledger, oldest row first.' }),
  },
);

const amount = Type.WholeFrom(1, Number.MAX_SAFE_INTEGER, 'In minor units.');

export const RefundPayment = Type.RequestObject('RefundPayment', {
  amount,
  ...reasonInput,
  expectedDue: Type.Optional(
    Type.WholeFrom(
      0,
      Number.MAX_SAFE_INTEGER,
      'The balance `due` that you have seen, in minor units: `precondition_failed` if it is another. A refund lowers it, so the same call sent again refunds nothing. Absent: any.',
    ),
  ),
  ...expectedBalance,
});

export const ReducePayment = Type.RequestObject('ReducePayment', {
  amount,
  ...reasonInput,
  ...expectedBalance,
});

const recordKind = Type.Enum(['collected', 'refunded', 'charged_back', 'written_off'], {
  $id: 'MoneyRecordKind',
  description: 'What has happened.',
});

const method = Type.GivenText(200, 'How it happened: bank transfer, cash.', patterns.line);

export const RecordMoney = Type.RequestObject('RecordMoney', {
  kind: recordKind,
  amount,
  method,
  ...reasonInput,
  happenedOn: Type.Optional(Type.KeptDate('The day on which it happened. Absent: today.')),
  ...expectedBalance,
});

export const Refund = Type.ResponseObject('Refund', 'A refund, done or as a preview.', {
  dryRun: Type.Flag('Nothing was changed.'),
  reference: Type.String(),
  currency: Type.String(),
  amount: Type.Minor('In minor units.'),
  givesBack: Type.Minor('What of it was collected and goes back to the guest.'),
  lowersCollection: Type.Minor('What of it is no longer collected.'),
  before: Balances,
  after: Balances,
});

export const MoneyRecord = Type.ResponseObject(
  'MoneyRecord',
  'A record of money that moved elsewhere, done or as a preview.',
  {
    ...Refund.properties,
    kind: recordKind,
    method,
    happenedOn: Type.KeptDate('When it happened.'),
  },
);

export const RecordReturn = Type.RequestObject('RecordReturn', {
  applicationId: Type.Optional(
    Type.UuidInput('Its application, if checkouts of several applications have the ID.'),
  ),
  amount,
  method,
  ...reasonInput,
  happenedOn: Type.Optional(Type.KeptDate('The day on which it happened. Absent: today.')),
});

export const ReturnRecorded = Type.ResponseObject(
  'ReturnRecorded',
  'Money of a checkout without a reservation that went back in another way.',
  {
    dryRun: Type.Flag('Nothing was changed.'),
    checkoutId: Type.Uuid('The checkout.'),
    currency: Type.String(),
    amount: Type.Minor('In minor units.'),
    left: Type.Minor('What of its payments has still not gone back.'),
    method,
    happenedOn: Type.KeptDate('When it happened.'),
  },
);

export const PaymentLink = Type.ResponseObject(
  'PaymentLink',
  'A page where the guest pays what is open with any card.',
  {
    reference: Type.String(),
    amount: Type.Minor('What it asks for, in minor units.'),
    currency: Type.String(),
    url: Type.Text("The card provider's page, for the guest."),
    expiresAt: Type.Instant('Afterwards it can no longer be paid.'),
  },
);

const reasonBody = ($id: string) => Type.RequestObject($id, reasonInput);

export const RetryPayment = reasonBody('RetryPayment');
export const StartPayment = reasonBody('StartPayment');
export const StopPayment = reasonBody('StopPayment');

export const ExportQuery = Type.RequestObject({
  from: Type.KeptDate('The first day, in UTC.'),
  to: Type.KeptDate('The last day, in UTC.'),
});

export const LedgerExport = Type.ResponseObject('LedgerExport', {
  items: Type.Array(
    Type.Object({
      at: Type.Instant('When it was entered.'),
      reference: Type.Nullable(Type.Text('The reservation; null: there is none.')),
      kind: Type.String(),
      account: Type.String(),
      amount: Type.Whole('In minor units; below 0: it leaves the account.'),
      currency: Type.String(),
      providerId: Type.Nullable(
        Type.Text("The card provider's name of the payment, refund or dispute."),
      ),
      reason: Type.Nullable(Type.String()),
    }),
  ),
});

const PayoutLine = Type.ResponseObject('PayoutLine', {
  kind: Type.Enum(['payment', 'refund', 'dispute', 'fee', 'other'], { $id: 'PayoutLineKind' }),
  reference: Type.Nullable(Type.Text('The reservation; null: none of ours.')),
  amount: Type.Whole('In minor units; below 0: the provider takes it.'),
  fee: Type.Whole('What the provider keeps of it, in minor units.'),
});

export const Payouts = Type.ResponseObject('Payouts', {
  items: Type.Array(
    Type.ResponseObject('Payout', {
      payoutId: Type.Text("The card provider's name of it."),
      arrivesOn: Type.String({ format: 'date', description: 'In UTC.' }),
      currency: Type.String(),
      amount: Type.Whole('In minor units.'),
      lines: Type.Array(PayoutLine, {
        description:
          'The amounts less the fees add up to the payout. Empty: it was asked for by hand, so the card provider does not say what is in it.',
      }),
    }),
    { description: 'By the day of arrival, earliest first.' },
  ),
});

export const Reconcile = Type.RequestObject('Reconcile', {
  since: Type.KeptDate('The first day of payments, refunds and disputes, in UTC.'),
});

const Side = Type.Nullable(
  Type.Object({
    state: Type.String(),
    amountMinor: Type.Integer(),
    currency: Type.Nullable(Type.String()),
    refundedMinor: Type.Integer(),
  }),
);

export const Differences = Type.ResponseObject('Differences', {
  differences: Type.Array(
    Type.ResponseObject('PaymentDifference', {
      kind: Type.Enum([
        'missing_here',
        'missing_there',
        'duplicate',
        'state',
        'amount',
        'currency',
        'refunded',
        'disputed',
        'ledger',
        'not_returned',
        'foreign',
        'unreadable',
      ]),
      paymentId: Type.Nullable(Type.Uuid('The payment; null: Latchkey did not make it.')),
      providerReference: Type.Nullable(Type.String()),
      reference: Type.Nullable(Type.Text('Null: no reservation has this payment.')),
      here: Side,
      there: Side,
    }),
    { description: 'Empty: both sides agree.' },
  ),
});
