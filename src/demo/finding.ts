import type { PartyInput } from '../contract/partner/schemas/primitives.ts';
import { DemoFailure } from './failure.ts';
import { daysAhead, hidden, inline, money, shortened } from './format.ts';
import type { Narrator } from './narrator.ts';
import type { Partner } from './partner.ts';

/** A stay that can be had. */
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

/** The key becomes a token. */
export async function showToken(tell: Narrator, partner: Partner): Promise<void> {
  const { applicationId, applicationKey } = partner.credentials;
  tell.step(
    'Token',
    'The application key goes to the token endpoint and nowhere else. The token that comes back opens every other call until it runs out; keep it and share it among your calls.',
  );
  tell.request({ method: 'POST', path: '/oauth/token' }, [
    `Authorization: Basic ${applicationId}:${hidden(applicationKey)}`,
    'grant_type=client_credentials',
  ]);
  const { accessToken, expiresInSeconds, scope } = await partner.token();
  tell.answer(200, [
    ['access_token', hidden(accessToken)],
    ['expires_in', `${expiresInSeconds} seconds`],
    ['scope', `${scope.split(' ').length} scopes: ${scope.split(' ').slice(0, 2).join(', ')}, …`],
  ]);
}

/** What the application may offer. Throws `DemoFailure` where a booking would be a real one. */
export async function showSite(tell: Narrator, partner: Partner): Promise<void> {
  tell.step(
    'Site',
    'Whose homes these are, and which flows this application may offer. The environment says whether anything here is real.',
  );
  const site = await tell.call<'distribution.site.get'>(
    partner,
    { method: 'GET', path: '/v1/site' },
    ({ name, environment, capabilities, collections }) => [
      ['name', name],
      ['environment', environment],
      ['capabilities', capabilities.join(', ')],
      ['collections', collections.map((collection) => collection.name).join(', ')],
    ],
  );
  if (site.environment !== 'simulation') {
    throw new DemoFailure(
      `This service is in the environment ${site.environment}, where bookings are real: run "npm start" without LATCHKEY_ENVIRONMENT for the demo.`,
    );
  }
}

/** The homes, as a copy is kept of them. */
export async function showListings(tell: Narrator, partner: Partner): Promise<void> {
  tell.step(
    'Listings',
    'Texts, pictures and rules of the homes, page by page until nextCursor is null. Keep a copy and refresh it; it says nothing about free nights.',
  );
  await tell.call<'distribution.listing.list'>(
    partner,
    { method: 'GET', path: '/v1/listings?limit=3' },
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

/** Searches day after day until something is free. Throws `DemoFailure` if nothing is. */
export async function findStay(tell: Narrator, partner: Partner): Promise<Stay> {
  tell.step(
    'Search',
    'Which homes are free for these dates and this party? A result is a home that a quote would accept now. Its total is an indication: only the quote counts.',
  );
  for (let days = firstDay; days < firstDay + daysToTry; days += 1) {
    const dates = { checkIn: daysAhead(days), checkOut: daysAhead(days + nights) };
    const { items } = await tell.call<'distribution.listing.search'>(
      partner,
      { method: 'POST', path: '/v1/listings/search', body: { ...dates, party, limit: 3 } },
      (page) => [
        ...page.items.map(({ listing, total, currency }): [string, string] => [
          'items[].listing, .total',
          `${listing.name}: ${total === null || currency === null ? 'not told' : money(total, currency)}`,
        ]),
        ['nextCursor', shortened(page.nextCursor ?? 'null')],
      ],
    );
    const [first] = items;
    if (first) return { listingId: first.listing.listingId, ...dates, party };
    tell.note('Nothing is free on these dates: the next day is tried.');
  }
  throw new DemoFailure('No home is free for weeks: run "npm run demo" again tomorrow.');
}

/** The nights around the stay. */
export async function showCalendar(tell: Narrator, partner: Partner, stay: Stay): Promise<void> {
  tell.step(
    'Calendar',
    'One home, night by night: what is free, the shortest stay for each arrival, and on which days guests may come and go.',
  );
  const query = new URLSearchParams({ startDate: stay.checkIn, endDate: stay.checkOut });
  await tell.call<'inventory.calendar.get'>(
    partner,
    { method: 'GET', path: `/v1/listings/${stay.listingId}/calendar?${query}` },
    ({ days, timeZone }) => [
      ...days.map(({ date, ...rest }): [string, string] => [date, inline(rest)]),
      ['timeZone', `${timeZone}`],
    ],
  );
}
