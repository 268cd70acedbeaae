import { refuseBecause } from '../../../contract/errors.ts';
import { readyBytes, type Operation } from '../../call.ts';

/** Spec: Resources, Listing. */
export const getListing: Operation<'distribution.listing.get'> = async (house, call) => {
  const sold = house.catalog.current().find(call.params.listingId);
  if (!sold) return refuseBecause('not_found', 'There is no home with this listingId.');
  const over = call.meter();
  if (over) return over;
  return readyBytes(call.knownTags, sold.bytes, sold.etag);
};
