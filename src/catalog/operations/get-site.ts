import { catalogOf, read } from '../context.ts';
import { catalogAsOf, withFollowed } from '../freshness.ts';

/** Spec: LISTING-1. */
export const getSite = read('distribution.site.get', {
  reply: (call) =>
    withFollowed(call.context, () => {
      const { context, actor } = call;
      const { bytes, etag } = catalogOf(call).site(context.servedGrants(actor.application));
      return { status: 200 as const, bytes: [bytes], etag, asOf: catalogAsOf(context) };
    }),
});
