import { readyBytes } from '../../api/response.ts';
import { read } from '../context.ts';

/** Spec: Resources, Site. */
export const getSite = read('distribution.site.get', {
  reply({ context, actor, knownTags }) {
    const { bytes, etag } = context.catalog.current().site(actor.application.grants);
    return readyBytes(knownTags, bytes, etag);
  },
});
