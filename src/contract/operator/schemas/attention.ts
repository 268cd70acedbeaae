import Type from 'typebox';
import { Instant, Minor, Nullable, Uuid } from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

export const AttentionQuery = Type.Object(
  {
    money: Type.Optional(Type.Boolean({ description: 'Only what is about money.' })),
  },
  { additionalProperties: false },
);

const AttentionItem = Type.Object(
  {
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
  },
  { $id: 'AttentionItem', description: 'Something that waits for people.' },
);

export const AttentionList = Type.Object(
  {
    items: Type.Array(AttentionItem, { description: 'Longest first.' }),
    hasMore: Type.Boolean({ description: `There are more than ${operatorLimits.attentionItems}.` }),
  },
  { $id: 'AttentionList' },
);

export const AlertSent = Type.Object(
  { sentTo: Type.String({ description: 'The host that has taken it.' }) },
  { $id: 'AlertSent' },
);
