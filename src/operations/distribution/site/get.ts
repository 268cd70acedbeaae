import { readyBytes, type Operation } from '../../call.ts';

/** Spec: Resources, Site. */
export const getSite: Operation<'distribution.site.get'> = async (house, call) => {
  const over = call.meter();
  if (over) return over;
  const { bytes, etag } = house.catalog.current().site(call.application.grants);
  return readyBytes(call.knownTags, bytes, etag);
};
