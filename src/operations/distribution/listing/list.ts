import {
  pageAfter,
  type CatalogSnapshot,
  type Place,
  type TaggedBytes,
} from '../../../catalog/index.ts';
import { etagOf } from '../../../platform/etag.ts';
import { readyBytes, type Call, type House, type Operation } from '../../call.ts';
import { completeMeta, cursorAfter, pageSize, placeAfter } from './page.ts';

const opening = Buffer.from('{"items":[');
const comma = Buffer.from(',');

type ListCall = Call<'distribution.listing.list'>;

const ownerOf = ({ application, query }: ListCall) =>
  ({
    operation: 'distribution.listing.list',
    applicationId: application.applicationId,
    filters: { collectionId: query.collectionId },
  }) as const;

function makePage(
  house: House,
  call: ListCall,
  catalog: CatalogSnapshot,
  after: Place | null,
): TaggedBytes {
  const page = pageAfter(catalog.within(call.query.collectionId), after, pageSize(call.query));
  const nextCursor = cursorAfter(house.executor.vault, ownerOf(call), page.lastPlace);
  const meta = completeMeta(house, catalog.changedAt);
  const rest = `],"nextCursor":${JSON.stringify(nextCursor)},"meta":${JSON.stringify(meta)}}`;
  const items = page.items.flatMap(({ bytes }, place) => (place === 0 ? [bytes] : [comma, bytes]));
  const etag = etagOf(page.items.map((sold) => sold.etag).join('') + rest);
  return { bytes: Buffer.concat([opening, ...items, Buffer.from(rest)]), etag };
}

/** Spec: Per-operation shapes, listings. */
export const listListings: Operation<'distribution.listing.list'> = async (house, call) => {
  const { query, application } = call;
  const after = placeAfter(house.executor.vault, ownerOf(call), query.cursor, 'query/cursor');
  const over = call.meter();
  if (over) return over;
  const catalog = house.catalog.current();
  const name = [application.applicationId, query.collectionId, query.cursor, query.limit].join();
  const page = catalog.page(name, () => makePage(house, call, catalog, after));
  return readyBytes(call.knownTags, page.bytes, page.etag);
};
