import { pageAfter, tagOf } from '../../../catalog/index.ts';
import { readyBytes, type Operation } from '../../call.ts';
import { completeMeta, cursorAfter, pageSize, placeAfter } from './page.ts';

const opening = Buffer.from('{"items":[');
const comma = Buffer.from(',');

/** Spec: Per-operation shapes, listings. */
export const listListings: Operation<'distribution.listing.list'> = async (house, call) => {
  const { vault } = house.executor;
  const { cursor, collectionId } = call.query;
  const owner = {
    operation: 'distribution.listing.list',
    applicationId: call.application.applicationId,
    filters: { collectionId },
  } as const;
  const after = placeAfter(vault, owner, cursor, 'query/cursor');
  const over = call.meter();
  if (over) return over;
  const catalog = house.catalog.current();
  const page = pageAfter(catalog.within(collectionId), after, pageSize(call.query));
  const nextCursor = cursorAfter(vault, owner, page.lastPlace);
  const meta = completeMeta(house, catalog.readAt);
  const rest = `],"nextCursor":${JSON.stringify(nextCursor)},"meta":${JSON.stringify(meta)}}`;
  const items = page.items.flatMap(({ bytes }, place) => (place === 0 ? [bytes] : [comma, bytes]));
  const etag = tagOf(page.items.map((sold) => sold.etag).join('') + rest);
  return readyBytes(call.knownTags, Buffer.concat([opening, ...items, Buffer.from(rest)]), etag);
};
