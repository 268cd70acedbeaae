import { readyBytes } from '../../api/response.ts';
import { catalogOf, read } from '../context.ts';

/** Spec: Resources, Listing. */
export const getListing = read('distribution.listing.get', {
  notFound: 'There is no home with this listingId.',
  load: (call) => catalogOf(call).find(call.params.listingId),
  reply: ({ knownTags }, published) => readyBytes(knownTags, published.bytes, published.etag),
});
