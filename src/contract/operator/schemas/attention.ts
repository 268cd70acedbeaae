import Type from 'typebox';
import {
  Flag,
  Instant,
  Minor,
  Nullable,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

export const AttentionQuery = RequestObject({
  money: Type.Optional(Flag('Only what is about money.')),
});

const AttentionItem = ResponseObject('AttentionItem', 'Something that waits for people.', {
  kind: Text('What it is, such as `declined`. There may be further kinds.'),
  subject: Text('Names it among those of its kind, for an act that closes it.'),
  reference: Nullable(Text('The reservation; null: there is none.')),
  checkoutId: Nullable(Uuid('The checkout.')),
  application: Nullable(Text("The partner's name.")),
  guest: Nullable(Text("The guest's name.")),
  phone: Nullable(Text('How to reach the guest.')),
  listing: Nullable(Text("The home's slug.")),
  listingName: Nullable(Text("The home's name.")),
  amount: Nullable(Minor('In minor units.')),
  currency: Nullable(Type.String()),
  reason: Text('Why it waits, in words.'),
  code: Nullable(Text('The word behind the reason, as of the card provider.')),
  since: Instant('Since when.'),
  deadline: Nullable(Instant('Until when it must be done; null: there is no such time.')),
});

export const AttentionList = ResponseObject('AttentionList', {
  items: Type.Array(AttentionItem, { description: 'Longest first.' }),
  hasMore: Flag(`There are more than ${operatorLimits.attentionItems}.`),
});

export const AlertSent = ResponseObject('AlertSent', {
  sentTo: Text('The host that has taken it.'),
});
