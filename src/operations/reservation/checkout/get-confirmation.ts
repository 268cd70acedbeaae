import { isRefusal, refuse } from '../../../contract/errors.ts';
import { findReservation } from '../../../db/reservations.ts';
import { nightsOf } from '../../../domain/stay.ts';
import type { Operation } from '../../call.ts';
import { stayOf } from '../../stay-input.ts';
import { openCheckout } from './open.ts';

/** The reservation as it was confirmed, whatever became of it. Spec: Resources, Confirmation. */
export const getConfirmation: Operation<'reservation.checkout.getConfirmation'> = async (
  house,
  call,
) => {
  const found = await openCheckout(house, call);
  if (isRefusal(found)) return found;
  const over = call.meter();
  if (over) return over;
  const { checkout } = found;
  const { applicationId, quote } = checkout;
  if (checkout.reference === null) return refuse('invalid_state');
  const kept = await findReservation(house.executor, applicationId, checkout.reference);
  if (!kept) throw new Error('a confirmed checkout has a reservation');
  const { reservation } = kept;
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
      charges: checkout.charges,
      confirmedAt: new Date(reservation.confirmedAt).toISOString(),
      materialization: reservation.materializedAt === null ? 'pending' : 'ready',
    },
  };
};
