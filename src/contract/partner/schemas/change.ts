import * as Type from '../../type.ts';
import { changeKinds, type ChangeKind } from '../../changes.ts';
import { limits } from '../../limits.ts';
import { Cursor, paged } from './primitives.ts';

const InventoryChangeKind = Type.OpenEnum(
  Object.keys(changeKinds) as ChangeKind[],
  'InventoryChangeKind',
  `What has changed. ${Object.entries(changeKinds)
    .map(([kind, text]) => `\`${kind}\`: ${text}`)
    .join(' ')} New values may appear within a wire version: read the home and its calendar again.`,
);

/** The members of an entry of the feed of changes. */
export const changeMembers = {
  sequence: Type.AtLeast(
    1,
    'Number of the entry within the feed: 1, 2, 3 without gaps. No entry appears later with a lower number.',
  ),
  changedAt: Type.Instant(
    'When the change became known to the feed, after it was made. A response whose `asOf` is not earlier includes it.',
  ),
  kind: InventoryChangeKind,
  listingId: Type.Nullable(Type.Uuid('The home; null: every home of the catalog.')),
  from: Type.Nullable(
    Type.CalendarDate(
      'The first date that may have changed. Null: every date may have, or the change is not about dates.',
    ),
  ),
  to: Type.Nullable(Type.CalendarDate('The date after the last one that can have changed.')),
};

const InventoryChange = Type.ResponseObject(
  'InventoryChange',
  'A change in homes, prices, rules or nights.',
  changeMembers,
);

/** The members of a page of a feed of changes, besides its items. */
export const changePageMembers = {
  nextCursor: Type.Described(
    Cursor,
    'The cursor for the next read. Always present, also on an empty page.',
  ),
  hasMore: Type.Flag('Whether there are more changes already.'),
};

export const InventoryChangePage = Type.ResponseObject(
  'InventoryChangePage',
  'Changes, oldest first.',
  {
    items: Type.Array(InventoryChange),
    ...changePageMembers,
  },
);

export const ChangeQuery = Type.RequestObject({
  ...paged,
  limit: Type.Optional(
    Type.Integer({
      minimum: limits.changePageSize.min,
      maximum: limits.changePageSize.max,
      description: `Maximum number of items; ${limits.changePageSize.default} if absent.`,
      here: true,
    }),
  ),
  from: Type.Optional(
    Type.Literal('latest', {
      description:
        'An empty page whose `nextCursor` is the end of the feed. Not together with `cursor`.',
    }),
  ),
});
