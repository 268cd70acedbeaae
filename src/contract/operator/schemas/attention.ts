import Type from 'typebox';
import {
  Instant,
  Minor,
  Nullable,
  RequestObject,
  ResponseObject,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

export const AttentionQuery = RequestObject({
  money: Type.Optional(Type.Boolean({ description: 'Only what is about money.' })),
});

const AttentionItem = ResponseObject('AttentionItem', 'Something that waits for people.', {
  kind: Type.String({
    description: 'What it is, such as `declined`. There may be further kinds.',
  }),
  subject: Type.String({
    description: 'Names it among those of its kind, for an act that closes it.',
  }),
  reference: Nullable(Type.String({ description: 'The reservation; null: there is none.' })),
  checkoutId: Nullable(Uuid('The checkout.')),
  application: Nullable(Type.String({ description: "The partner's name." })),
  guest: Nullable(Type.String({ description: "The guest's name." })),
  phone: Nullable(Type.String({ description: 'How to reach the guest.' })),
  listing: Nullable(Type.String({ description: "The home's slug." })),
  listingName: Nullable(Type.String({ description: "The home's name." })),
  amount: Nullable(Minor('In minor units.')),
  currency: Nullable(Type.String()),
  reason: Type.String({ description: 'Why it waits, in words.' }),
  code: Nullable(
    Type.String({ description: 'The word behind the reason, as of the card provider.' }),
  ),
  since: Instant('Since when.'),
  deadline: Nullable(Instant('Until when it must be done; null: there is no such time.')),
});

export const AttentionList = ResponseObject('AttentionList', {
  items: Type.Array(AttentionItem, { description: 'Longest first.' }),
  hasMore: Type.Boolean({ description: `There are more than ${operatorLimits.attentionItems}.` }),
});

export const AlertSent = ResponseObject('AlertSent', {
  sentTo: Type.String({ description: 'The host that has taken it.' }),
});
