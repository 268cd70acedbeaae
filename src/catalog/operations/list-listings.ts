import { pageAfter } from '../pages.ts';
import type { Place } from '../place.ts';
import type { CatalogView, TaggedBytes } from '../view.ts';
import { etagOf } from '../../platform/etag.ts';
import { catalogOf, read, type CatalogCall } from '../context.ts';
import { completeMeta, cursorAfter, pageSize, placeAfter } from './page.ts';

const opening = Buffer.from('{"items":[');
const comma = Buffer.from(',');

type ListCall = CatalogCall<'distribution.listing.list'>;

const ownerOf = ({ actor, query }: ListCall) =>
  ({
    operation: 'distribution.listing.list',
    applicationId: actor.applicationId,
    filters: { collectionId: query.collectionId },
  }) as const;

function buildPage(call: ListCall, catalog: CatalogView, after: Place | null): TaggedBytes {
  const { context } = call;
  const page = pageAfter(catalog.within(call.query.collectionId), after, pageSize(call.query));
  const nextCursor = cursorAfter(context.executor.vault, ownerOf(call), page.lastPlace);
  const meta = completeMeta(context, catalog.changedAt);
  const rest = `],"nextCursor":${JSON.stringify(nextCursor)},"meta":${JSON.stringify(meta)}}`;
  const items = page.items.flatMap(({ bytes }, place) => (place === 0 ? [bytes] : [comma, bytes]));
  const etag = etagOf(page.items.map((published) => published.etag).join('') + rest);
  return { bytes: Buffer.concat([opening, ...items, Buffer.from(rest)]), etag };
}

/** Spec: Per-operation shapes, listings. */
export const listListings = read('distribution.listing.list', {
  load: (call) => ({
    after: placeAfter(
      call.context.executor.vault,
      ownerOf(call),
      call.query.cursor,
      'query/cursor',
    ),
  }),
  reply(call, { after }) {
    const { actor, query } = call;
    const catalog = catalogOf(call);
    const key = [actor.applicationId, query.collectionId, query.cursor, query.limit].join();
    const { bytes, etag } = catalog.page(key, () => buildPage(call, catalog, after));
    return { status: 200, bytes: [bytes], etag };
  },
});
