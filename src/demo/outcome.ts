import type { FinishedBooking } from './booking.ts';
import { inline, money, shortened } from './format.ts';
import type { Narrator } from './narrator.ts';
import type { BodyOf, Partner } from './partner.ts';

/** Shows the confirmation. */
export async function showConfirmation(
  narrator: Narrator,
  partner: Partner,
  { status, session }: FinishedBooking,
): Promise<void> {
  narrator.step(
    'Confirmation',
    'nextActions contains view_confirmation. This is the booking as it was confirmed; it does not change later. Store the reference: it identifies the reservation from now on.',
  );
  await narrator.call(
    partner,
    'reservation.checkout.getConfirmation',
    { params: { checkoutId: status.checkoutId }, session },
    ({ reference, stay, charges, confirmedAt, materialization }) => [
      ['reference', reference],
      ['stay', `${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${stay.timeZone}`],
      ['charges.total', money(charges.total, charges.currency)],
      ['confirmedAt', confirmedAt],
      ['materialization', materialization],
    ],
  );
}

/** Shows the current reservation. */
export async function showReservation(
  narrator: Narrator,
  partner: Partner,
  reference: string,
): Promise<void> {
  narrator.step(
    'Reservation',
    'The current state of the stay. If the operator’s reservations team cancels or moves it, you see it here. No session is needed.',
  );
  await narrator.call(
    partner,
    'reservation.reservation.get',
    { params: { reference } },
    ({ state, checkIn, checkOut, charges, updatedAt, materialization }) => [
      ['state', state],
      ['checkIn, checkOut', `${checkIn}, ${checkOut}`],
      ['charges.total', money(charges.total, charges.currency)],
      ['updatedAt', updatedAt],
      ['materialization', materialization],
    ],
  );
}

/** Shows the events of one booking by paging through the feed. */
export async function showEvents(
  narrator: Narrator,
  partner: Partner,
  bookingId: string,
): Promise<void> {
  narrator.step(
    'Events',
    'All events of this application’s bookings in the last 30 days, oldest first. Page until hasMore is false, then store nextCursor and continue from there next time.',
  );
  let page: BodyOf<'reservation.event.list'> | undefined;
  do {
    const query = { limit: 50, ...(page && { cursor: page.nextCursor }) };
    page = await narrator.call(
      partner,
      'reservation.event.list',
      { query },
      ({ items, hasMore, nextCursor }) => [
        ['items', `${items.length} events`],
        ...items
          .filter(({ data }) => 'checkoutId' in data && data.checkoutId === bookingId)
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
