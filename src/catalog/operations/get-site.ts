import { catalogOf, read } from '../context.ts';

/** Spec: LISTING-1. */
export const getSite = read('distribution.site.get', {
  reply(call) {
    const { context, actor } = call;
    const { bytes, etag } = catalogOf(call).site(context.servedGrants(actor.application));
    return { status: 200, bytes: [bytes], etag };
  },
});
