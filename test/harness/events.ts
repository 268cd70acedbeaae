import type { EventType } from '../../src/contract/events.ts';
import type { ReplyOf } from '../../src/contract/partner/operations.ts';
import { sql } from './catalog.ts';
import { guest, type Partner } from './partner.ts';
import type { TestService } from './service.ts';

export type EventPage = ReplyOf<'reservation.event.list'>['body'];
export type Event = EventPage['items'][number];

/** A page of the feed. */
export const feed = (
  partner: Partner,
  query: { cursor?: string; limit?: number; type?: EventType; from?: string } = {},
): Promise<EventPage> => partner.succeed('reservation.event.list', { query });

/** The feed from the start of the window, or from a cursor, to its end. */
export async function wholeFeed(partner: Partner, cursor?: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let from = cursor; ;) {
    const page = await feed(partner, { limit: 50, ...(from !== undefined && { cursor: from }) });
    events.push(...page.items);
    if (!page.hasMore) return events;
    from = page.nextCursor;
  }
}

/** A reservation request for a stay, with the outcome that the suffix selects. Returns its ID. */
export async function requestStay(
  partner: Partner,
  stay: Awaited<ReturnType<Partner['freeStay']>>,
  suffix?: string,
): Promise<string> {
  const quote = await partner.quote(stay);
  return (await partner.request(quote, { guest: guest(suffix) })).reservationRequestId;
}

/** Makes an announced change of a reservation due. */
export async function announceNow(service: TestService, reference: string): Promise<void> {
  await sql(
    service,
    `UPDATE reservations SET announced_for = now() - interval '1 second' WHERE reference = $1`,
    [reference],
  );
}

/** Makes the simulated supplier report its result now. */
export async function tellOutcome(service: TestService, bookingId: string): Promise<void> {
  await sql(
    service,
    `UPDATE simulated_attempts SET known_at = now() WHERE attempt_id =
      (SELECT attempt_id FROM bookings WHERE booking_id = $1)`,
    [bookingId],
  );
}

/** Makes the events of an application up to a sequence older by these days and a minute. */
export async function ageEvents(
  service: TestService,
  partner: Partner,
  upTo: number,
  days: number,
): Promise<void> {
  await sql(
    service,
    `UPDATE events SET created_at = created_at - make_interval(days => $3, mins => 1)
      WHERE application_id = $1 AND sequence <= $2`,
    [partner.credentials.applicationId, upTo, days],
  );
}
