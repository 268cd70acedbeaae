/** A service that has something to show on every page of console and portal, in the longest texts that it stores. */
import { makeMoneyWait } from './money-waits.ts';
import { createApplication } from '../../src/access/index.ts';
import { sumUpBookings } from '../../src/bookings/index.ts';
import type { CatalogFile, CatalogListing } from '../../src/contract/catalog-file.ts';
import { operatorLimits } from '../../src/contract/operator/limits.ts';
import { testBaseUrl } from './base-url.ts';
import { plusDays } from './catalog.ts';
import { Journey } from './journey.ts';
import { hugeText, longEmail, longSlug, longText, strangeText } from './longest-texts.ts';
import { type Operator, operatorOf } from './operator.ts';
import { signedIn } from './staff-member.ts';
import type { Partner } from './partner.ts';
import { enterPortal } from './portal.ts';
import { sql } from './rows.ts';
import { confirmedReference, submitWithCard } from './stripe/card-journey.ts';
import type { PaidService } from './stripe/service.ts';
import { addEndpoint, writeDeliveries } from './webhooks.ts';
import { inviteStaff } from './acts.ts';

const today = new Date().toISOString().slice(0, 10);
const promotion = 'W'.repeat(64);

const guest = {
  firstName: longText,
  lastName: strangeText,
  email: longEmail('guest'),
  phone: '+351912345678',
};

const home = (slug: string): CatalogListing => ({
  slug,
  name: longText,
  description: hugeText,
  blurb: longText,
  collection: longSlug('coast'),
  timeZone: 'Europe/Lisbon',
  destination: longText,
  sleeps: 4,
  bedrooms: 2,
  bathrooms: 1,
  checkInFrom: '16:00',
  checkOutUntil: '10:00',
  images: [{ url: `https://elsewhere.example/${'w'.repeat(80)}.jpg`, alt: longText }],
  amenities: [longText],
  policies: [{ label: longText, body: hugeText }],
  spaces: [
    { type: longText, name: longText, isPrivate: true, beds: [{ type: longText, quantity: 2 }] },
  ],
  geo: { latitude: 37.7247, longitude: -8.7835 },
  currency: 'EUR',
  rates: {
    nightly: 18_000,
    weekdays: { fri: 21_000 },
    seasons: [{ name: longText, from: '06-15', to: '09-10', changePercent: 35, minNights: 1 }],
    dates: [{ from: plusDays(today, 20), to: plusDays(today, 21), nightly: 60_000 }],
    lengthDiscounts: [{ label: longText, minNights: 2, percent: 10 }],
  },
  fees: [{ label: longText, kind: 'fee', per: 'guest_night', amount: 2_500, fromGuest: 1 }],
  taxes: [{ label: longText, on: ['accommodation', 'fees'], percent: 6 }],
  party: { maxPets: 2 },
  cancellation: [{ daysBefore: 7, refundPercent: 50 }],
});

const file: CatalogFile = {
  format: 'latchkey-catalog/1',
  catalog: {
    slug: longSlug('catalog'),
    name: longText,
    discovery: 'brand',
    policies: [{ label: longText, body: longText }],
    collections: [{ slug: longSlug('coast'), name: longText, description: longText }],
  },
  listings: [home(longSlug('mill')), home(longSlug('farm'))],
  blocks: [
    {
      listing: longSlug('mill'),
      from: plusDays(today, 5),
      to: plusDays(today, 8),
      reason: longText,
    },
  ],
  promotions: [{ code: promotion, label: longText, percent: 10, maxUses: 5 }],
};

const nights = (from: number, to: number) =>
  [plusDays(today, from), plusDays(today, to)].map((day) => day.replaceAll('-', ''));

/** A calendar of another channel, whose first event is on nights that a block has. */
const calendar = (): string => {
  const events = [nights(5, 7), nights(9, 11)].map(
    ([from, to], at) =>
      `BEGIN:VEVENT\r\nUID:${at}${at === 0 ? hugeText : strangeText}\r\nSUMMARY:${hugeText}\r\nDTSTART;VALUE=DATE:${from}\r\nDTEND;VALUE=DATE:${to}\r\nEND:VEVENT\r\n`,
  );
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//\r\n${events.join('')}END:VCALENDAR\r\n`;
};

/** What stands for the parameters of the pages. */
export interface FilledService {
  partner: Partner;
  catalogId: string;
  /** Of a reservation that was paid by card. */
  paid: string;
  /** Of one that the partner requested, and that staff have changed. */
  requested: { reference: string; bookingId: string };
  uncertain: string;
  suspended: string;
  listing: string;
  endpointId: string;
  deliveryId: string;
  eventId: string;
  /** Of a call that was refused, with its invalid fields. */
  requestId: string;
}

/** A reservation that was paid by card, with a promotion. */
async function pay(service: PaidService, card: Partner): Promise<string> {
  const journey = new Journey(card, await card.checkout());
  await journey.done('saveGuest', { body: { guest } });
  await journey.done('applyPromo', { body: { code: promotion } });
  await submitWithCard(service, journey);
  return confirmedReference(journey);
}

/** A reservation that the partner requested. */
async function request(partner: Partner) {
  const more = { guest, partnerReference: strangeText };
  const { reservationRequestId, reference } = await partner.requestedReservation(undefined, more);
  return { bookingId: reservationRequestId, reference };
}

/** What staff do, with long reasons and names. */
async function act(
  staff: Operator,
  { reference, applicationId }: { reference: string; applicationId: string },
  partner: Partner,
) {
  const params = { reference };
  const { checkOut } = await partner.succeed('reservation.reservation.get', { params });
  await staff.done('operator.reservation.change', {
    params,
    body: { checkOut: plusDays(checkOut, 1), reason: longText },
  });
  const listing = longSlug('mill');
  await staff.done('operator.reservation.addNote', {
    params: { reference },
    body: { text: hugeText.slice(0, operatorLimits.noteLength) },
  });
  await staff.done('operator.block.add', {
    body: { listing, from: plusDays(today, 12), to: plusDays(today, 14), reason: strangeText },
  });
  await staff.done('operator.channelCalendar.import', {
    body: { listing, name: longText, file: calendar() },
  });
  await staff.done('operator.listing.withdraw', {
    params: { listing: longSlug('farm') },
    body: { catalog: file.catalog.slug },
  });
  await staff.done('operator.application.suspend', {
    params: { applicationId },
    body: { reason: longText },
  });
}

/** An endpoint with deliveries in every state. Returns a failed delivery. */
async function deliver({ database }: PaidService, applicationId: string) {
  const url = `https://p.invalid/${'w'.repeat(80)}`;
  const endpoint = await addEndpoint(database, applicationId, url);
  const { endpointId } = endpoint;
  await writeDeliveries(database, endpoint, ['delivered', 'pending', 'exhausted']);
  await sql(
    database,
    `UPDATE webhook_endpoints SET description = $2, failing_since = now() - interval '3 hours'
      WHERE endpoint_id = $1`,
    [endpointId, longText],
  );
  const [failed] = await sql<{ deliveryId: string; eventId: string }>(
    database,
    `WITH failed AS (
        SELECT delivery_id, event_id FROM webhook_deliveries
        WHERE endpoint_id = $1 AND state = 'exhausted'
      ), tried AS (
        INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status, error, response)
        SELECT delivery_id, 2, now(), 40, 500, 'status', $2 FROM failed
      )
      SELECT delivery_id AS "deliveryId", 'evt_' || replace(event_id::text, '-', '') AS "eventId"
      FROM failed`,
    [endpointId, Buffer.from(hugeText.slice(0, 2_000))],
  );
  return { endpointId, ...failed! };
}

const funnelText = `WITH counted AS (
    SELECT date_trunc('week', now())::date - 7 * n AS week, 100 - 7 * n AS quotes, listing_id
    FROM generate_series(0, 9) n, (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS listing_id
      UNION ALL SELECT listing_id FROM listings WHERE slug = $2) homes
  ), refused AS (
    INSERT INTO funnel_refusals SELECT week, $1, listing_id, step, reason, quotes / 9
    FROM counted, (VALUES ('quote', 'too_many_guests'), ('confirm', 'sold_out')) AS why (step, reason)
  )
  INSERT INTO funnel_weeks
  SELECT week, $1, listing_id, quotes * 40, quotes * 9, quotes, quotes / 2, quotes / 3, quotes / 4
  FROM counted
  ON CONFLICT (week, application_id, listing_id) DO UPDATE SET searches = excluded.searches, views = excluded.views,
    quotes = excluded.quotes, checkouts = excluded.checkouts, submitted = excluded.submitted, confirmed = excluded.confirmed`;

/** What passes without anybody's act: time, failures, counts. */
async function pass({ database }: PaidService, partner: Partner, requested: string, paid: string) {
  const { applicationId } = partner.credentials;
  await sql(database, funnelText, [applicationId, longSlug('mill')]);
  await sql(
    database,
    `UPDATE reservations SET check_in = current_date, records_problem = $2,
      records_due_at = now() + interval '1 day' WHERE reference = $1`,
    [requested, longText],
  );
  await sql(
    database,
    'UPDATE reservations SET check_in = current_date - 3, check_out = current_date WHERE reference = $1',
    [paid],
  );
  await makeMoneyWait(database, paid);
  await sql(
    database,
    `UPDATE channel_calendars SET problem = 'unknown_time_zone', problem_detail = $1, failures = 3,
      failing_since = now() WHERE file_name IS NOT NULL`,
    [longText],
  );
  while ((await sumUpBookings(database, 30)) > 0);
}

/** Fills a service with the supply `forgetfulSupply`. */
export async function fillService(service: PaidService): Promise<FilledService> {
  const { database } = service;
  const staff = await operatorOf(service, 'administrator', longText);
  const { operator: member } = await signedIn(service);
  await member.done('operator.catalog.import', { body: { file: JSON.stringify(file) } });
  const { items } = await staff.done('operator.catalog.list');
  const { catalogId } = items.find(({ slug }) => slug === file.catalog.slug)!;
  await service.follow();
  const partner = await service.partner({ catalogId });
  const card = await service.partner({ catalogId, settlement: 'card' });
  await sql(database, 'UPDATE applications SET name = $1, portal_keys = true', [longText]);
  // From now on, its calls are logged.
  await enterPortal(service, partner);
  const { applicationId } = partner.credentials;
  const delivered = await deliver(service, applicationId);
  const refused = await partner.refused('reservation.quote.create', {
    rawBody: JSON.stringify({ checkIn: 'soon', [longText]: longText }),
  });
  const requested = await request(partner);
  const invited = { email: longEmail('grace'), role: 'viewer', baseUrl: testBaseUrl } as const;
  await inviteStaff(service.database, 'test', invited);
  const withFactor = `UPDATE staff_members SET second_factor = '' WHERE email = $1`;
  await sql(database, withFactor, [invited.email]);
  // A token cannot make what outlives it.
  const { applicationId: suspended } = await createApplication(database, 'test', {
    environment: 'test',
    name: longText,
    settlement: 'partner',
    grants: ['search'],
    quotas: {},
    catalogId,
  });
  await act(staff, { ...requested, applicationId: suspended }, partner);
  const paid = await pay(service, card);
  const unknown = await partner.submittedCheckout('uncertain');
  await partner.statusOnce(unknown, ['uncertain']);
  await pass(service, partner, requested.reference, paid);
  return {
    partner,
    catalogId,
    paid,
    requested,
    uncertain: unknown.created.checkoutId,
    suspended,
    listing: longSlug('mill'),
    ...delivered,
    requestId: refused.headers.get('x-request-id')!,
  };
}
