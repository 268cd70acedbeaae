import { instant } from '../../contract/time.ts';
import { refuseBecause } from '../../contract/errors.ts';
import { findConfirmation } from '../store/checkouts.ts';
import { nightsOf, stayOf } from '../../pricing/index.ts';
import { read } from '../context.ts';
import { materializationOf } from './reservation-view.ts';

/** The reservation as it was at its confirmation; later changes do not show. Spec: CHECKOUT-10. */
export const getConfirmation = read('reservation.checkout.getConfirmation', {
  notFound: 'There is no checkout with this checkoutId.',
  load: ({ context, actor, params }) =>
    findConfirmation(context.executor, actor.applicationId, params.checkoutId),
  reply(_call, { quote, timeZone, charges, partnerReference, reservation }) {
    if (!reservation) return refuseBecause('invalid_state', 'The checkout is not confirmed.');
    return {
      status: 200,
      body: {
        reference: reservation.reference,
        stay: {
          listingId: quote.listingId,
          timeZone,
          checkIn: quote.checkIn,
          checkOut: quote.checkOut,
          nights: nightsOf(stayOf(quote)),
          party: quote.party,
        },
        charges,
        partnerReference,
        confirmedAt: instant(reservation.confirmedAt),
        materialization: materializationOf(reservation.materialized),
      },
    };
  },
});
