import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { latePage, PageFailure } from '../base/components/late-page.tsx';
import { TextLink } from '../base/components/links.tsx';
import { Notice } from '../base/components/notice.tsx';
import { parseSearch, searchParameters, stringifySearch } from '../base/search.ts';
import { attentionQuery } from './api/attention.ts';
import { readEarly } from './api/cache.ts';
import { changeRequestsQuery } from './api/change-requests.ts';
import { funnelQuery } from './api/funnel.ts';
import {
  calendarsQuery,
  catalogsQuery,
  conflictsQuery,
  homeQuery,
  homesQuery,
  promotionsQuery,
} from './api/homes-queries.ts';
import { keysQuery, partnerQuery, partnersQuery } from './api/partners.ts';
import { auditQuery } from './api/queries.ts';
import {
  checkoutQuery,
  daySheetQuery,
  overviewQuery,
  paymentsQuery,
  reservationQuery,
  reservationsQuery,
  uncertainQuery,
} from './api/reservations.ts';
import { ownSessionsQuery, sessionQuery } from './api/session.ts';
import { settingsQuery, signingKeysQuery, staffQuery, tokensQuery } from './api/staff.ts';
import {
  deliveriesQuery,
  deliveryQuery,
  endpointsQuery,
  requestQuery,
  requestsQuery,
} from './api/webhooks.ts';
import { Gate } from './frame/gate.tsx';
import { firstPartQuery } from './pages/calendar/first-part.ts';
import { LateChart } from './pages/overview/late-chart.ts';
import { shownFilter } from './pages/reservations/shown-filter.ts';
import { todayHere } from './words/days.ts';

const NotFound = () => (
  <Notice title="Page not found">
    <TextLink to="/audit" size="sm">
      Show the audit trail
    </TextLink>
  </Notice>
);

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: latePage(() => import('./pages/invitation/invitation.tsx'), 'Invitation'),
});
const provider = createRoute({
  getParentRoute: () => root,
  path: '/provider',
  component: latePage(() => import('./pages/provider/provider.tsx'), 'Provider'),
});
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Gate,
  loader: () => readEarly(sessionQuery),
});

// Each has a name: the compiler does not know the parameters of a loader if they are listed beside it.
const searches = {
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

const pages = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    loader: () => {
      readEarly(overviewQuery);
      readEarly(attentionQuery);
    },
    component: latePage(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/waiting',
    loader: () => readEarly(attentionQuery),
    component: latePage(() => import('./pages/attention/attention.tsx'), 'Attention'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations',
    validateSearch: searches.reservations,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      readEarly(reservationsQuery(shownFilter(deps, todayHere())));
      readEarly(partnersQuery);
    },
    component: latePage(() => import('./pages/reservations/reservations.tsx'), 'Reservations'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations/$reference',
    loader: ({ params }) => {
      readEarly(reservationQuery(params.reference));
      readEarly(attentionQuery);
    },
    component: latePage(
      () => import('./pages/reservations/reservation-page.tsx'),
      'ReservationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/day-sheet',
    validateSearch: searches.daySheet,
    loaderDeps: ({ search }) => search,
    loader: ({ deps: { date = todayHere() } }) => readEarly(daySheetQuery(date)),
    component: latePage(() => import('./pages/day-sheet/day-sheet.tsx'), 'DaySheet'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/change-requests',
    validateSearch: searches.uncertain,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => readEarly(changeRequestsQuery(deps.cursor)),
    component: latePage(() => import('./pages/reservations/change-requests.tsx'), 'ChangeRequests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts',
    validateSearch: searches.uncertain,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => readEarly(uncertainQuery(deps.cursor)),
    component: latePage(() => import('./pages/checkouts/checkouts.tsx'), 'Checkouts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts/$checkoutId',
    validateSearch: searches.checkout,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => readEarly(checkoutQuery(params.checkoutId, deps)),
    component: latePage(() => import('./pages/checkouts/checkout-page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/payments',
    validateSearch: searches.payments,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      readEarly(paymentsQuery(deps));
      readEarly(partnersQuery);
    },
    component: latePage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    loader: () => readEarly(ownSessionsQuery),
    component: latePage(() => import('./pages/account/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/calendar',
    validateSearch: searches.calendar,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      readEarly(firstPartQuery(deps));
      readEarly(catalogsQuery);
    },
    component: latePage(() => import('./pages/calendar/calendar.tsx'), 'Calendar'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes',
    validateSearch: searches.homes,
    loaderDeps: ({ search }) => search,
    loader: ({ deps: { state, offset, ...filter } }) => {
      if (state !== 'withdrawn') readEarly(homesQuery(filter, offset));
      readEarly(catalogsQuery);
    },
    component: latePage(() => import('./pages/homes/homes.tsx'), 'Homes'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes/add',
    validateSearch: searches.addHome,
    loaderDeps: ({ search }) => search,
    loader: ({ deps: { copy } }) => {
      if (copy) readEarly(homeQuery(copy));
      readEarly(catalogsQuery);
    },
    component: latePage(() => import('./pages/homes/add-home.tsx'), 'AddHome'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes/$listing',
    loader: ({ params }) => {
      readEarly(homeQuery(params.listing));
      readEarly(catalogsQuery);
    },
    component: latePage(() => import('./pages/homes/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/channels',
    loader: () => {
      readEarly(calendarsQuery(undefined));
      readEarly(conflictsQuery(undefined));
    },
    component: latePage(() => import('./pages/channels/channels.tsx'), 'Channels'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/catalogs',
    loader: () => readEarly(catalogsQuery),
    component: latePage(() => import('./pages/catalogs/catalogs.tsx'), 'Catalogs'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/promotions',
    loader: () => {
      readEarly(promotionsQuery(undefined));
      readEarly(catalogsQuery);
    },
    component: latePage(() => import('./pages/promotions/promotions.tsx'), 'Promotions'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/audit',
    validateSearch: searches.audit,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      readEarly(auditQuery(deps));
      readEarly(partnersQuery);
    },
    component: latePage(() => import('./pages/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners',
    loader: () => readEarly(partnersQuery),
    component: latePage(() => import('./pages/partners/partners.tsx'), 'Partners'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId',
    loader: ({ params }) => {
      readEarly(partnerQuery(params.applicationId));
      readEarly(keysQuery(params.applicationId));
    },
    component: latePage(() => import('./pages/partners/partner.tsx'), 'Partner'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/webhooks',
    loader: ({ params: { applicationId } }) => {
      readEarly(partnerQuery(applicationId));
      readEarly(endpointsQuery(applicationId));
    },
    component: latePage(() => import('./pages/partners/webhooks.tsx'), 'PartnerWebhooks'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries',
    validateSearch: searches.deliveries,
    loaderDeps: ({ search }) => search,
    loader: ({ params: { applicationId }, deps }) => {
      readEarly(partnerQuery(applicationId));
      readEarly(endpointsQuery(applicationId));
      readEarly(deliveriesQuery(applicationId, deps));
    },
    component: latePage(() => import('./pages/partners/deliveries.tsx'), 'PartnerDeliveries'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries/$deliveryId',
    loader: ({ params: { applicationId, deliveryId } }) => {
      readEarly(partnerQuery(applicationId));
      readEarly(endpointsQuery(applicationId));
      readEarly(deliveryQuery(applicationId, deliveryId));
    },
    component: latePage(() => import('./pages/partners/delivery.tsx'), 'PartnerDelivery'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests',
    validateSearch: searches.requests,
    loaderDeps: ({ search }) => search,
    loader: ({ params: { applicationId }, deps }) => {
      readEarly(partnerQuery(applicationId));
      readEarly(requestsQuery(applicationId, deps));
    },
    component: latePage(() => import('./pages/partners/requests.tsx'), 'PartnerRequests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests/$requestId',
    loader: ({ params: { applicationId, requestId } }) => {
      readEarly(partnerQuery(applicationId));
      readEarly(requestQuery(applicationId, requestId));
    },
    component: latePage(() => import('./pages/partners/request.tsx'), 'PartnerRequest'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/statement',
    validateSearch: searches.statement,
    loader: ({ params: { applicationId } }) => readEarly(partnerQuery(applicationId)),
    component: latePage(() => import('./pages/partners/statement.tsx'), 'PartnerStatement'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/funnel',
    validateSearch: searches.funnel,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      readEarly(funnelQuery(deps));
      readEarly(partnersQuery);
    },
    component: latePage(() => import('./pages/funnel/funnel.tsx'), 'Funnel'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/guests',
    component: latePage(() => import('./pages/guests/guests.tsx'), 'Guests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/settings',
    loader: () => {
      readEarly(settingsQuery);
      readEarly(signingKeysQuery);
    },
    component: latePage(() => import('./pages/settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/staff',
    loader: () => {
      readEarly(staffQuery);
      readEarly(tokensQuery);
    },
    component: latePage(() => import('./pages/staff/staff.tsx'), 'Staff'),
  }),
] as const;

/** The routes below `/operator`. */
export const router = createRouter({
  routeTree: root.addChildren([invitation, provider, inside.addChildren(pages)]),
  basepath: `${basePath}/operator`,
  defaultErrorComponent: PageFailure,
  parseSearch,
  stringifySearch,
});

/**
 * Reads the code of all pages, one after the other, so that each opens without waiting for it, also while the
 * service starts again. What cannot be read now is read when its page is opened.
 */
export async function readAllPages(): Promise<void> {
  for (const { options } of pages) await options.component?.preload?.();
  await LateChart.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
