import { refuseBecause } from '../../../contract/errors.ts';
import { findCheckoutStatus } from '../../../db/checkouts.ts';
import type { Operation } from '../../call.ts';
import { sessionOfCallRefusal } from './open.ts';
import { statusView } from './view.ts';

/** A pure read. Spec: Per-operation shapes, status. */
export const getCheckoutStatus: Operation<'reservation.checkout.getStatus'> = async (
  house,
  call,
) => {
  const { applicationId } = call.application;
  const found = await findCheckoutStatus(house.executor, applicationId, call.params.checkoutId);
  if (!found) return refuseBecause('not_found', 'There is no checkout with this checkoutId.');
  const refusal = sessionOfCallRefusal(house, call, found.session, found.present) ?? call.meter();
  if (refusal) return refusal;
  return { status: 200, body: statusView(house, found.checkout, found.present) };
};
