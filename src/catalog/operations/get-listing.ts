import { catalogOf, metBy, read } from '../context.ts';
import { catalogAsOf, withFollowed } from '../freshness.ts';

/** Spec: LISTING-2. */
export const getListing = read('distribution.listing.get', {
  notFound: 'There is no home with this listingId.',
  load: (call) => withFollowed(call.context, () => catalogOf(call).find(call.params.listingId)),
  reply({ context, actor }, published) {
    const { bytes, etag } = metBy(actor, published);
    return { status: 200, bytes: [bytes], etag, asOf: catalogAsOf(context) };
  },
});
