import Type from 'typebox';
import {
  Flag,
  Instant,
  Integer,
  Minor,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
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
  KeptDate,
} from './shared.ts';

export const AccountsQuery = RequestObject({
  needsAttention: Type.Optional(
    Flag('Only where staff have to decide: a declined instalment, a refused refund.'),
  ),
  applicationId: Type.Optional(UuidInput('Only reservations of this application.')),
  from: Type.Optional(KeptDate('The first day of confirmation, in UTC.')),
  to: Type.Optional(KeptDate('The last day of confirmation, in UTC.')),
  ...pageQuery,
});

const account = {
  reference: Type.String(),
  state: ReservationState,
  applicationId: Uuid('The application.'),
  application: Text('Its name.'),
  checkoutId: Uuid('The checkout.'),
  guest: Nullable(Text("The guest's name; null: it was removed, or cannot be read.")),
  phone: Nullable(Text('How to reach the guest.')),
  listing: Nullable(Text("The home's slug; null: it no longer exists.")),
  listingName: Nullable(Text("The home's name.")),
  currency: Type.String(),
  ...balances,
  atProperty: Integer('What the guest pays at the property, in minor units. No balance has it.'),
  refusals: Integer('Refusals of the card provider that bind: nobody has settled them since.'),
  attention: Nullable(
    Type.Enum(
      ['declined', 'stopped', 'no_card', 'refund_refused', 'refund_failed', 'unknown', 'adopted'],
      {
        $id: 'PaymentAttention',
        description: 'Why staff have to decide first; null: they need not.',
      },
    ),
  ),
  attentionSince: Nullable(Instant('Since when.')),
  stoppedAt: Nullable(Instant('Since when staff have stopped collecting; null: they have not.')),
  nextAt: Nullable(Instant('When a worker processes it next; null: after a change.')),
  confirmedAt: Instant('When the reservation was confirmed.'),
};

export const PaymentAccount = ResponseObject(
  'PaymentAccount',
  'The money of a reservation, in minor units.',
  account,
);

export const AccountsPage = PageOf(
  PaymentAccount,
  'AccountsPage',
  'The money of reservations by the time of confirmation, earliest first.',
);

const RefundOfPayment = ResponseObject('RefundOfPayment', {
  refundId: Uuid('The refund.'),
  paymentId: Uuid('The payment.'),
  amount: Minor('In minor units.'),
  state: Type.Enum(['requested', 'done', 'refused', 'unknown', 'failed'], { $id: 'RefundState' }),
  reason: Type.String(),
  requestedAt: Instant('When it was requested.'),
});

const LedgerEntry = ResponseObject('LedgerEntry', {
  entryId: Type.Integer(),
  at: Instant('When it was entered.'),
  kind: Type.String(),
  paymentId: Nullable(Uuid('The payment.')),
  refundId: Nullable(Uuid('The refund.')),
  debit: Nullable(Text('The account; null: an attempt without effect.')),
  credit: Nullable(Type.String()),
  amount: Nullable(Minor('In minor units.')),
  currency: Nullable(Type.String()),
  details: Nullable(Type.Record(Type.String(), Type.Unknown())),
});

export const AccountInFull = ResponseObject(
  'AccountInFull',
  'The money of a reservation with every row of its ledger.',
  {
    ...account,
    payments: Type.Array(PaymentOfReservation),
    refunds: Type.Array(RefundOfPayment),
    entries: Type.Array(LedgerEntry, { description: 'The ledger, oldest row first.' }),
  },
);

const amount = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'In minor units.',
});

export const RefundPayment = RequestObject('RefundPayment', {
  amount,
  ...reasonInput,
  expectedDue: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The balance `due` that you have seen, in minor units: `precondition_failed` if it is another. A refund lowers it, so the same call sent again refunds nothing. Absent: any.',
    }),
  ),
  ...expectedBalance,
});

export const ReducePayment = RequestObject('ReducePayment', {
  amount,
  ...reasonInput,
  ...expectedBalance,
});

const recordKind = Type.Enum(['collected', 'refunded', 'charged_back', 'written_off'], {
  $id: 'MoneyRecordKind',
  description: 'What has happened.',
});

const method = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: patterns.line.pattern,
  description: 'How it happened: bank transfer, cash.',
});

export const RecordMoney = RequestObject('RecordMoney', {
  kind: recordKind,
  amount,
  method,
  ...reasonInput,
  happenedOn: Type.Optional(KeptDate('The day on which it happened. Absent: today.')),
  ...expectedBalance,
});

export const Refund = ResponseObject('Refund', 'A refund, done or as a preview.', {
  dryRun: Flag('Nothing was changed.'),
  reference: Type.String(),
  currency: Type.String(),
  amount: Minor('In minor units.'),
  givesBack: Minor('What of it was collected and goes back to the guest.'),
  lowersCollection: Minor('What of it is no longer collected.'),
  before: Balances,
  after: Balances,
});

export const MoneyRecord = ResponseObject(
  'MoneyRecord',
  'A record of money that moved elsewhere, done or as a preview.',
  { ...Refund.properties, kind: recordKind, method, happenedOn: KeptDate('When it happened.') },
);

export const RecordReturn = RequestObject('RecordReturn', {
  applicationId: Type.Optional(
    UuidInput('Its application, if checkouts of several applications have the ID.'),
  ),
  amount,
  method,
  ...reasonInput,
  happenedOn: Type.Optional(KeptDate('The day on which it happened. Absent: today.')),
});

export const ReturnRecorded = ResponseObject(
  'ReturnRecorded',
  'Money of a checkout without a reservation that went back in another way.',
  {
    dryRun: Flag('Nothing was changed.'),
    checkoutId: Uuid('The checkout.'),
    currency: Type.String(),
    amount: Minor('In minor units.'),
    left: Minor('What of its payments has still not gone back.'),
    method,
    happenedOn: KeptDate('When it happened.'),
  },
);

export const PaymentLink = ResponseObject(
  'PaymentLink',
  'A page where the guest pays what is open with any card.',
  {
    reference: Type.String(),
    amount: Minor('What it asks for, in minor units.'),
    currency: Type.String(),
    url: Text("The card provider's page, for the guest."),
    expiresAt: Instant('Afterwards it can no longer be paid.'),
  },
);

const reasonBody = ($id: string) => RequestObject($id, reasonInput);

export const RetryPayment = reasonBody('RetryPayment');
export const StartPayment = reasonBody('StartPayment');
export const StopPayment = reasonBody('StopPayment');

export const ExportQuery = RequestObject({
  from: KeptDate('The first day, in UTC.'),
  to: KeptDate('The last day, in UTC.'),
});

export const LedgerExport = ResponseObject('LedgerExport', {
  items: Type.Array(
    Type.Object({
      at: Instant('When it was entered.'),
      reference: Nullable(Text('The reservation; null: there is none.')),
      kind: Type.String(),
      account: Type.String(),
      amount: Integer('In minor units; below 0: it leaves the account.'),
      currency: Type.String(),
      providerId: Nullable(Text("The card provider's name of the payment, refund or dispute.")),
      reason: Nullable(Type.String()),
    }),
  ),
});

const PayoutLine = ResponseObject('PayoutLine', {
  kind: Type.Enum(['payment', 'refund', 'dispute', 'fee', 'other'], { $id: 'PayoutLineKind' }),
  reference: Nullable(Text('The reservation; null: none of ours.')),
  amount: Integer('In minor units; below 0: the provider takes it.'),
  fee: Integer('What the provider keeps of it, in minor units.'),
});

export const Payouts = ResponseObject('Payouts', {
  items: Type.Array(
    ResponseObject('Payout', {
      payoutId: Text("The card provider's name of it."),
      arrivesOn: Type.String({ format: 'date', description: 'In UTC.' }),
      currency: Type.String(),
      amount: Integer('In minor units.'),
      lines: Type.Array(PayoutLine, {
        description:
          'The amounts less the fees add up to the payout. Empty: it was asked for by hand, so the card provider does not say what is in it.',
      }),
    }),
    { description: 'By the day of arrival, earliest first.' },
  ),
});

export const Reconcile = RequestObject('Reconcile', {
  since: KeptDate('The first day of payments, refunds and disputes, in UTC.'),
});

const Side = Nullable(
  Type.Object({
    state: Type.String(),
    amountMinor: Type.Integer(),
    currency: Nullable(Type.String()),
    refundedMinor: Type.Integer(),
  }),
);

export const Differences = ResponseObject('Differences', {
  differences: Type.Array(
    ResponseObject('PaymentDifference', {
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
      paymentId: Nullable(Uuid('The payment; null: Latchkey did not make it.')),
      providerReference: Nullable(Type.String()),
      reference: Nullable(Text('Null: no reservation has this payment.')),
      here: Side,
      there: Side,
    }),
    { description: 'Empty: both sides agree.' },
  ),
});
