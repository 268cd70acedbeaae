import { pageAfter } from '../pages.ts';
import type { SortKey } from '../sort-key.ts';
import type { CatalogView, TaggedBytes } from '../view.ts';
import { type Page, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { isRefusal } from '../../contract/errors.ts';
import { etagOf } from '../../platform/etag.ts';
import { catalogOf, metBy, read, type CatalogCall } from '../context.ts';
import { catalogAsOf, withFollowed } from '../freshness.ts';
import { completeMeta } from './complete-meta.ts';

const opening = Buffer.from('{"items":[');
const comma = Buffer.from(',');

function placeAt(text: string): SortKey {
  const [position, listingId] = positionAt(text);
  return { position, listingId };
}

function buildPage(
  { context, actor, query }: CatalogCall<'distribution.listing.list'>,
  catalog: CatalogView,
  { size, after, cursorAt }: Page,
): TaggedBytes {
  const sortKey = after === null ? null : placeAt(after);
  const { items, lastSortKey: last } = pageAfter(catalog.within(query.collectionId), sortKey, size);
  const found = items.map((published) => metBy(actor, published));
  const nextCursor = last && cursorAt(positionText(last.position, last.listingId));
  const meta = completeMeta(context, catalog.changedAt);
  const rest = `],"nextCursor":${JSON.stringify(nextCursor)},"meta":${JSON.stringify(meta)}}`;
  const homes = found.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [comma, bytes]));
  const etag = etagOf(found.map((published) => published.etag).join('') + rest);
  return { bytes: Buffer.concat([opening, ...homes, Buffer.from(rest)]), etag };
}

/** Spec: LISTING-3. */
export const listListings = read('distribution.listing.list', {
  load: (call) => {
    const page = pageForPartner(call);
    return isRefusal(page) ? page : withFollowed(call.context, () => page);
  },
  reply(call, asked) {
    const { actor, query } = call;
    const catalog = catalogOf(call);
    const met = JSON.stringify(actor.application.scenario?.effects);
    const key = [actor.applicationId, query.collectionId, query.cursor, query.limit, met].join();
    const { bytes, etag } = catalog.page(key, () => buildPage(call, catalog, asked));
    return { status: 200, bytes: [bytes], etag, asOf: catalogAsOf(call.context) };
  },
});
