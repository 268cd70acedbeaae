import { catalogOf, read } from '../context.ts';

/** Spec: LISTING-2. */
export const getListing = read('distribution.listing.get', {
  notFound: 'There is no home with this listingId.',
  load: (call) => catalogOf(call).find(call.params.listingId),
  reply: (_call, { bytes, etag }) => ({ status: 200, bytes: [bytes], etag }),
});
