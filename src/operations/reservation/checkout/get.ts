import { isRefusal } from '../../../contract/errors.ts';
import { readReservation } from '../reservation/read.ts';
import type { Operation } from '../../call.ts';
import { openCheckout } from './open.ts';
import { checkoutView, versionTag } from './view.ts';

/** Spec: Per-operation shapes, checkout read. A change announced for its reservation is applied by it. */
export const getCheckout: Operation<'reservation.checkout.get'> = async (house, call) => {
  const found = await openCheckout(house, call);
  if (isRefusal(found)) return found;
  const over = call.meter();
  if (over) return over;
  const { checkout, present } = found;
  if (checkout.reference !== null) {
    await readReservation(house, checkout.applicationId, checkout.reference);
  }
  const body = checkoutView(house, checkout, present);
  return { status: 200, body, etag: versionTag(checkout.version) };
};
