/** Blocks as staff see them: by the command line and by the operator's API. */
import type { FeedChange } from './store/change-feed.ts';
import { instant } from '../contract/time.ts';
import type { ListedBlock } from './edit-blocks.ts';
import type { Block } from './store/blocks.ts';

/** A block of nights. */
export const blockView = ({ blockId, listingId, from, to, reason, source, createdAt }: Block) => ({
  blockId,
  listingId,
  from,
  to,
  reason,
  source,
  createdAt: instant(createdAt),
});

/** A block in a list, with slug and name of its home. */
export const listedBlockView = ({ listing, listingName, ...block }: ListedBlock) => ({
  listing,
  listingName,
  ...blockView(block),
});

/** An entry of a feed of changes. */
export const changeView = ({ sequence, changedAt, kind, listingId, from, to }: FeedChange) => ({
  sequence,
  changedAt: instant(changedAt),
  kind,
  listingId,
  from,
  to,
});
