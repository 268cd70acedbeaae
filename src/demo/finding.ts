import type { PartyInput } from '../contract/partner/schemas/primitives.ts';
import { DemoFailure } from './failure.ts';
import { daysAhead, hidden, inline, money, shortened } from './format.ts';
import type { Narrator } from './narrator.ts';
import type { Partner } from './partner.ts';

/** An available stay. */
export interface Stay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: PartyInput;
}

const party: PartyInput = { adults: 2 };
const nights = 3;
const firstDay = 45;
const daysToTry = 30;

/** Exchanges the application key for a token. */
export async function showToken(narrator: Narrator, partner: Partner): Promise<void> {
  const { applicationId, applicationKey } = partner.credentials;
  narrator.step(
    'Token',
    'The application key is sent only to the token endpoint. The token authorizes every other call until it expires; keep it and use it for all calls.',
  );
  narrator.request('POST /oauth/token', [
    `Authorization: Basic ${applicationId}:${hidden(applicationKey)}`,
    'grant_type=client_credentials',
  ]);
  const { accessToken, expiresInSeconds, scope } = await partner.token();
  narrator.response(200, [
    ['access_token', hidden(accessToken)],
    ['expires_in', `${expiresInSeconds} seconds`],
    ['scope', `${scope.split(' ').length} scopes: ${scope.split(' ').slice(0, 2).join(', ')}, …`],
  ]);
}

/** Shows the site. Throws `DemoFailure` in `live`, where bookings are real. */
export async function showSite(narrator: Narrator, partner: Partner): Promise<void> {
  narrator.step(
    'Site',
    'The operator of these homes, and the flows that this application may use. The environment says whether bookings are real.',
  );
  const site = await narrator.call(
    partner,
    'distribution.site.get',
    {},
    ({ name, environment, capabilities, collections }) => [
      ['name', name],
      ['environment', environment],
      ['capabilities', capabilities.join(', ')],
      ['collections', collections.map((collection) => collection.name).join(', ')],
    ],
  );
  if (site.environment === 'live') {
    throw new DemoFailure(
      'This service is in the environment live, where bookings are real: the demo makes none.',
    );
  }
}

/** Shows the first page of the listings. */
export async function showListings(narrator: Narrator, partner: Partner): Promise<void> {
  narrator.step(
    'Listings',
    'Texts, pictures and rules of the homes, page by page until nextCursor is null. Keep a copy and refresh it. It does not contain availability.',
  );
  await narrator.call(
    partner,
    'distribution.listing.list',
    { query: { limit: 3 } },
    ({ items, nextCursor, meta }, { headers }) => [
      ...items.map((home): [string, string] => [
        'items[].name',
        `${home.name}, ${home.destination}; sleeps ${home.sleeps}`,
      ]),
      ['nextCursor', shortened(nextCursor ?? 'null')],
      ['meta.definitionVersion', meta.definitionVersion],
      ['ETag (header)', `${headers.get('etag')}: send it as If-None-Match, and 304 saves the body`],
    ],
  );
}

/** Searches day after day until a home is free. Throws `DemoFailure` if none is. */
export async function findStay(narrator: Narrator, partner: Partner): Promise<Stay> {
  narrator.step(
    'Search',
    'Finds homes that are free for these dates and this party, and that a quote would accept now. The total is an indication; only the quote is binding.',
  );
  for (let days = firstDay; days < firstDay + daysToTry; days += 1) {
    const dates = { checkIn: daysAhead(days), checkOut: daysAhead(days + nights) };
    const { items } = await narrator.call(
      partner,
      'distribution.listing.search',
      { body: { ...dates, party, limit: 3 } },
      (page) => [
        ...page.items.map(({ listing, total, currency }): [string, string] => [
          'items[].listing, .total',
          `${listing.name}: ${total === null || currency === null ? 'unknown' : money(total, currency)}`,
        ]),
        ['nextCursor', shortened(page.nextCursor ?? 'null')],
      ],
    );
    const [first] = items;
    if (first) return { listingId: first.listing.listingId, ...dates, party };
    narrator.note('No home is free on these dates; the demo tries the next day.');
  }
  throw new DemoFailure('No home is free for weeks: run "npm run demo" again tomorrow.');
}

/** Shows the calendar of the stay. */
export async function showCalendar(
  narrator: Narrator,
  partner: Partner,
  stay: Stay,
): Promise<void> {
  narrator.step(
    'Calendar',
    'One home, night by night: availability, minimum nights per arrival day, and the days on which check-in and check-out are allowed.',
  );
  const query = { startDate: stay.checkIn, endDate: stay.checkOut };
  await narrator.call(
    partner,
    'inventory.calendar.get',
    { params: { listingId: stay.listingId }, query },
    ({ days, timeZone }) => [
      ...days.map(({ date, ...rest }): [string, string] => [date, inline(rest)]),
      ['timeZone', `${timeZone}`],
    ],
  );
}
