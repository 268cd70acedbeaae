import * as Type from '../../type.ts';
import { operatorLimits } from '../limits.ts';

export const AttentionQuery = Type.RequestObject({
  money: Type.Optional(Type.Flag('Only what is about money.')),
});

const AttentionItem = Type.ResponseObject('AttentionItem', 'Something that waits for people.', {
  kind: Type.Text('What it is, such as `declined`. There may be further kinds.'),
  subject: Type.Text('Names it among those of its kind, for an act that closes it.'),
  reference: Type.Nullable(Type.Text('The reservation; null: there is none.')),
  checkoutId: Type.Nullable(Type.Uuid('The checkout.')),
  application: Type.Nullable(Type.Text("The partner's name.")),
  guest: Type.Nullable(Type.Text("The guest's name.")),
  phone: Type.Nullable(Type.Text('How to reach the guest.')),
  listing: Type.Nullable(Type.Text("The home's slug.")),
  listingName: Type.Nullable(Type.Text("The home's name.")),
  amount: Type.Nullable(Type.Minor('In minor units.')),
  currency: Type.Nullable(Type.String()),
  reason: Type.Text('Why it waits, in words.'),
  code: Type.Nullable(Type.Text('The word behind the reason, as of the card provider.')),
  since: Type.Instant('Since when.'),
  deadline: Type.Nullable(Type.Instant('Until when it must be done; null: there is no such time.')),
});

export const AttentionList = Type.ResponseObject('AttentionList', {
  items: Type.Array(AttentionItem, { description: 'Longest first.' }),
  hasMore: Type.Flag(`There are more than ${operatorLimits.attentionItems}.`),
});

export const AlertSent = Type.ResponseObject('AlertSent', {
  sentTo: Type.Text('The host that has taken it.'),
});
