import { readyBytes } from '../../api/response.ts';
import { catalogOf, read } from '../context.ts';

/** Spec: Resources, Site. */
export const getSite = read('distribution.site.get', {
  reply(call) {
    const { bytes, etag } = catalogOf(call).site(call.actor.application.grants);
    return readyBytes(call.knownTags, bytes, etag);
  },
});
