import { refuseBecause } from '../../../contract/errors.ts';
import { findConfirmation } from '../../../db/checkouts.ts';
import { nightsOf } from '../../../domain/stay.ts';
import type { Operation } from '../../call.ts';
import { stayOf } from '../../stay-input.ts';
import { sessionOfCallRefusal } from './open.ts';

/** The reservation as it was confirmed, whatever became of it. Spec: Resources, Confirmation. */
export const getConfirmation: Operation<'reservation.checkout.getConfirmation'> = async (
  house,
  call,
) => {
  const { applicationId } = call.application;
  const found = await findConfirmation(house.executor, applicationId, call.params.checkoutId);
  if (!found) return refuseBecause('not_found', 'There is no checkout with this checkoutId.');
  const refusal = sessionOfCallRefusal(house, call, found.session, found.present) ?? call.meter();
  if (refusal) return refusal;
  const { quote, charges, reservation } = found;
  if (!reservation) return refuseBecause('invalid_state', 'The checkout is not confirmed.');
  return {
    status: 200,
    body: {
      reference: reservation.reference,
      stay: {
        listingId: quote.listingId,
        timeZone: house.catalog.current().find(quote.listingId)?.listing.timeZone ?? null,
        checkIn: quote.checkIn,
        checkOut: quote.checkOut,
        nights: nightsOf(stayOf(quote)),
        party: quote.party,
      },
      charges,
      confirmedAt: new Date(reservation.confirmedAt).toISOString(),
      materialization: reservation.materialized ? 'ready' : 'pending',
    },
  };
};
