import type { Ended } from './booking.ts';
import { inline, money, shortened } from './format.ts';
import type { Narrator } from './narrator.ts';
import type { BodyOf, Partner } from './partner.ts';

/** What the guest is shown, and what stays. */
export async function showConfirmation(
  tell: Narrator,
  partner: Partner,
  { at, session }: Ended,
): Promise<void> {
  tell.step(
    'Confirmation',
    'nextActions says view_confirmation. This is the booking as it was confirmed, and it stays so. From here on the reference names it: keep it as it is.',
  );
  await tell.call<'reservation.checkout.getConfirmation'>(
    partner,
    { method: 'GET', path: `/v1/checkouts/${at.checkoutId}/confirmation`, session },
    ({ reference, stay, charges, confirmedAt, materialization }) => [
      ['reference', reference],
      ['stay', `${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${stay.timeZone}`],
      ['charges.total', money(charges.total, charges.currency)],
      ['confirmedAt', confirmedAt],
      ['materialization', materialization],
    ],
  );
}

/** The reservation as it is now. */
export async function showReservation(
  tell: Narrator,
  partner: Partner,
  reference: string,
): Promise<void> {
  tell.step(
    'Reservation',
    'The stay as it is now. If the operator’s reservations team cancels or moves it, it shows here; no session is needed.',
  );
  await tell.call<'reservation.reservation.get'>(
    partner,
    { method: 'GET', path: `/v1/reservations/${reference}` },
    ({ state, checkIn, checkOut, charges, updatedAt, materialization }) => [
      ['state', state],
      ['checkIn, checkOut', `${checkIn}, ${checkOut}`],
      ['charges.total', money(charges.total, charges.currency)],
      ['updatedAt', updatedAt],
      ['materialization', materialization],
    ],
  );
}

/** The events of one booking, found by paging through the feed. */
export async function showEvents(
  tell: Narrator,
  partner: Partner,
  bookingId: string,
): Promise<void> {
  tell.step(
    'Events',
    'Everything that happened to this application’s bookings in the last 30 days, oldest first. Page until hasMore is false, then keep nextCursor and go on from there next time.',
  );
  let page: BodyOf<'reservation.event.list'> | undefined;
  do {
    const cursor: string = page ? `&cursor=${page.nextCursor}` : '';
    page = await tell.call<'reservation.event.list'>(
      partner,
      { method: 'GET', path: `/v1/events?limit=50${cursor}` },
      ({ items, hasMore, nextCursor }) => [
        ['items', `${items.length} events`],
        ...items
          .filter(({ data }) => data.checkoutId === bookingId)
          .map(({ sequence, type, data }): [string, string] => [
            `sequence ${sequence}`,
            `${type} ${inline({ state: data.state, ...('reference' in data && { reference: data.reference }) })}`,
          ]),
        ['hasMore', `${hasMore}`],
        ['nextCursor', shortened(nextCursor)],
      ],
    );
  } while (page.hasMore);
}
