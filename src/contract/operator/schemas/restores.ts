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
} from '../../partner/schemas/primitives.ts';
import { reasonInput } from './shared.ts';

export const DeclareRestore = RequestObject('DeclareRestore', { ...reasonInput });

export const CloseEffect = RequestObject('CloseEffect', { ...reasonInput });

const AdoptedEffect = ResponseObject('AdoptedEffect', {
  providerReference: Text("The card provider's name of it."),
  kind: Type.Enum(['payment', 'refund', 'link'], { $id: 'AdoptedKind' }),
  applicationId: Nullable(Uuid),
  checkoutId: Nullable(Uuid),
  part: Nullable(Text('The part of the money that it names, such as `refund 2`.')),
  amount: Minor,
  currency: Type.String(),
  outcome: Type.Enum(['booked', 'unmatched', 'ended'], {
    $id: 'AdoptedOutcome',
    description:
      '`booked`: the ledger has it now, and what is open waits for staff. `unmatched`: no reservation has a place for it. `ended`: a payment link that can no longer be paid; send another one.',
  }),
});

export const EffectClosed = ResponseObject('EffectClosed', {
  ...AdoptedEffect.properties,
  closedAt: Instant('When staff have closed it.'),
});

/** The current epoch of the database. */
export const Epoch = ResponseObject('Epoch', {
  epoch: Integer('Rises with each epoch, also across restores.'),
  reason: Type.Enum(['first', 'gap', 'server', 'outside_off', 'declared'], {
    $id: 'EpochReason',
    description: 'Why it has begun.',
  }),
  beganAt: Instant('When it began.'),
  comparedSince: Instant("From when on the card provider's effects are compared."),
  comparedAt: Nullable(Instant('When all were compared; null: not yet.')),
  moneyMoves: Flag('Whether anything is charged or refunded.'),
  effects: Type.Array(AdoptedEffect, {
    description: 'What the provider had and the database had lost; at most 500.',
  }),
});
