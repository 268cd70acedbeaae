/** What each page reads when it opens, by its route. Nothing here needs the code that draws. */
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { searchParameters } from '../base/search.ts';
import { thisMonth } from '../base/words/months.ts';
import { attentionQuery } from './api/attention.ts';
import { changeRequestsQuery } from './api/change-requests.ts';
import { funnelQuery } from './api/funnel.ts';
import {
  blocksQuery,
  calendarsQuery,
  catalogsQuery,
  conflictsQuery,
  homeQuery,
  homesQuery,
  promotionsQuery,
} from './api/homes-queries.ts';
import {
  keysQuery,
  partnerPageQuery,
  partnerQuery,
  partnersQuery,
  portalPeopleQuery,
  statementQuery,
} from './api/partners.ts';
import { auditQuery } from './api/queries.ts';
import {
  checkoutQuery,
  firstOfDaySheetQuery,
  overviewQuery,
  paymentsQuery,
  reservationQuery,
  reservationsQuery,
  uncertainQuery,
} from './api/reservations.ts';
import { ownSessionsQuery, passkeysQuery } from './api/session.ts';
import { settingsQuery, signingKeysQuery, staffQuery, tokensQuery } from './api/staff.ts';
import {
  deliveriesQuery,
  deliveryQuery,
  endpointsQuery,
  requestQuery,
  requestsQuery,
} from './api/webhooks.ts';
import { firstPartQuery } from './pages/calendar/first-part.ts';
import { shownFilter } from './pages/reservations/shown-filter.ts';
import { todayHere } from './words/days.ts';

/** The filters in the addresses of pages. */
export const searches = {
  reservations: searchParameters(
    'reference',
    'guestOf',
    'partnerReference',
    'state',
    'listing',
    'applicationId',
    'recordsRefused',
    'from',
    'to',
    'cursor',
  ),
  daySheet: searchParameters('date'),
  uncertain: searchParameters('cursor'),
  checkout: searchParameters('applicationId', 'kind'),
  payments: searchParameters('needsAttention', 'applicationId', 'from', 'to', 'cursor'),
  calendar: searchParameters(
    'from',
    'text',
    'catalogId',
    'collectionId',
    'freeFrom',
    'freeTo',
    'sleeps',
  ),
  homes: searchParameters('text', 'catalogId', 'offset', 'state', 'cursor'),
  addHome: searchParameters('copy'),
  audit: searchParameters(
    'actor',
    'action',
    'from',
    'until',
    'reference',
    'applicationId',
    'listing',
    'cursor',
  ),
  deliveries: searchParameters('state', 'endpointId', 'type', 'cursor'),
  requests: searchParameters('method', 'status', 'code', 'operation', 'from', 'until', 'cursor'),
  statement: searchParameters('month'),
  funnel: searchParameters('applicationId', 'listing', 'weeks', 'to'),
} as const;

/** The values of a route's parameters, and of the filters of its page. */
interface At<Name extends string, Page extends keyof typeof searches | null = null> {
  params: Record<Name, string>;
  search: Page extends keyof typeof searches ? ReturnType<(typeof searches)[Page]> : object;
}

/** Starts to read. */
export type Read = <Data, Key extends QueryKey>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
) => void;

/** By route. */
export const reads = {
  '/': (_at: object, read) => {
    read(overviewQuery);
    read(attentionQuery);
  },
  '/waiting': (_at: object, read) => read(attentionQuery),
  '/reservations': ({ search }: At<never, 'reservations'>, read) => {
    read(reservationsQuery(shownFilter(search, todayHere())));
    read(partnersQuery);
  },
  '/reservations/$reference': ({ params: { reference } }: At<'reference'>, read) => {
    read(reservationQuery(reference));
    read(attentionQuery);
  },
  '/day-sheet': ({ search: { date = todayHere() } }: At<never, 'daySheet'>, read) =>
    read(firstOfDaySheetQuery(date)),
  '/change-requests': ({ search }: At<never, 'uncertain'>, read) =>
    read(changeRequestsQuery(search.cursor)),
  '/checkouts': ({ search }: At<never, 'uncertain'>, read) => read(uncertainQuery(search.cursor)),
  '/checkouts/$checkoutId': (
    { params: { checkoutId }, search }: At<'checkoutId', 'checkout'>,
    read,
  ) => read(checkoutQuery(checkoutId, search)),
  '/payments': ({ search }: At<never, 'payments'>, read) => {
    read(paymentsQuery(search));
    read(partnersQuery);
  },
  '/account': (_at: object, read) => {
    read(ownSessionsQuery);
    read(passkeysQuery);
  },
  '/calendar': ({ search }: At<never, 'calendar'>, read) => {
    read(firstPartQuery(search));
    read(catalogsQuery);
  },
  '/homes': ({ search: { state, offset, ...filter } }: At<never, 'homes'>, read) => {
    if (state !== 'withdrawn') read(homesQuery(filter, offset));
    read(catalogsQuery);
  },
  '/homes/add': ({ search: { copy } }: At<never, 'addHome'>, read) => {
    if (copy) read(homeQuery(copy));
    read(catalogsQuery);
  },
  '/homes/$listing': ({ params: { listing } }: At<'listing'>, read) => {
    read(homeQuery(listing));
    read(catalogsQuery);
  },
  '/channels': (_at: object, read) => {
    read(calendarsQuery(undefined));
    read(conflictsQuery(undefined));
    read(blocksQuery({}));
  },
  '/catalogs': (_at: object, read) => read(catalogsQuery),
  '/promotions': (_at: object, read) => {
    read(promotionsQuery(undefined));
    read(catalogsQuery);
  },
  '/audit': ({ search }: At<never, 'audit'>, read) => {
    read(auditQuery(search));
    read(partnersQuery);
  },
  '/partners': (_at: object, read) => {
    read(partnerPageQuery(undefined));
    read(catalogsQuery);
  },
  '/partners/$applicationId': ({ params: { applicationId } }: At<'applicationId'>, read) => {
    read(partnerQuery(applicationId));
    read(keysQuery(applicationId));
    read(portalPeopleQuery(applicationId));
    read(catalogsQuery);
  },
  '/partners/$applicationId/webhooks': (
    { params: { applicationId } }: At<'applicationId'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(endpointsQuery(applicationId));
  },
  '/partners/$applicationId/deliveries': (
    { params: { applicationId }, search }: At<'applicationId', 'deliveries'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(endpointsQuery(applicationId));
    read(deliveriesQuery(applicationId, search));
  },
  '/partners/$applicationId/deliveries/$deliveryId': (
    { params: { applicationId, deliveryId } }: At<'applicationId' | 'deliveryId'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(endpointsQuery(applicationId));
    read(deliveryQuery(applicationId, deliveryId));
  },
  '/partners/$applicationId/requests': (
    { params: { applicationId }, search }: At<'applicationId', 'requests'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(requestsQuery(applicationId, search));
  },
  '/partners/$applicationId/requests/$requestId': (
    { params: { applicationId, requestId } }: At<'applicationId' | 'requestId'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(requestQuery(applicationId, requestId));
  },
  '/partners/$applicationId/statement': (
    {
      params: { applicationId },
      search: { month = thisMonth() },
    }: At<'applicationId', 'statement'>,
    read,
  ) => {
    read(partnerQuery(applicationId));
    read(statementQuery(applicationId, month));
  },
  '/funnel': ({ search }: At<never, 'funnel'>, read) => {
    read(funnelQuery(search));
    read(partnersQuery);
  },
  // Guests are read when they are searched.
  '/guests': () => undefined,
  '/settings': (_at: object, read) => {
    read(settingsQuery);
    read(signingKeysQuery);
  },
  '/staff': (_at: object, read) => {
    read(staffQuery);
    read(tokensQuery(undefined));
  },
} satisfies Record<string, (at: never, read: Read) => void>;

/** The route of a page that reads something when it opens. */
export type PageRoute = keyof typeof reads;
