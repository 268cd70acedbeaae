import * as Type from '../../type.ts';
import { reasonInput } from './shared.ts';

export const DeclareRestore = Type.RequestObject('DeclareRestore', { ...reasonInput });

export const CloseEffect = Type.RequestObject('CloseEffect', { ...reasonInput });

const AdoptedEffect = Type.ResponseObject('AdoptedEffect', {
  providerReference: Type.Text("The card provider's name of it."),
  kind: Type.Enum(['payment', 'refund', 'link'], { $id: 'AdoptedKind' }),
  applicationId: Type.Nullable(Type.Uuid('The application.')),
  checkoutId: Type.Nullable(Type.Uuid('The checkout or reservation request.')),
  part: Type.Nullable(Type.Text('The part of the money that it names, such as `refund 2`.')),
  amount: Type.Minor('In minor units.'),
  currency: Type.String(),
  outcome: Type.Enum(['booked', 'unmatched', 'ended'], {
    $id: 'AdoptedOutcome',
    description:
      '`booked`: the ledger has it now, and what is open waits for staff. `unmatched`: no reservation has a place for it. `ended`: a payment link that can no longer be paid; send another one.',
  }),
});

export const EffectClosed = Type.ResponseObject('EffectClosed', {
  ...AdoptedEffect.properties,
  closedAt: Type.Instant('When staff have closed it.'),
});

/** The current epoch of the database. */
export const Epoch = Type.ResponseObject('Epoch', {
  epoch: Type.Whole('Rises with each epoch, also across restores.'),
  reason: Type.Enum(['first', 'gap', 'server', 'outside_off', 'declared'], {
    $id: 'EpochReason',
    description: 'Why it has begun.',
  }),
  beganAt: Type.Instant('When it began.'),
  comparedSince: Type.Instant("From when on the card provider's effects are compared."),
  comparedAt: Type.Nullable(Type.Instant('When all were compared; null: not yet.')),
  moneyMoves: Type.Flag('Whether anything is charged or refunded.'),
  effects: Type.Array(AdoptedEffect, {
    description: 'What the provider had and the database had lost; at most 500.',
  }),
});
