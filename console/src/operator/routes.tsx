import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { latePage, PageFailure } from '../base/parts/late-page.tsx';
import { TextLink } from '../base/parts/links.tsx';
import { Notice } from '../base/parts/notice.tsx';
import { parseSearch, searchParameters, stringifySearch } from '../base/search.ts';
import { readEarly } from './api/cache.ts';
import {
  calendarsQuery,
  catalogsQuery,
  conflictsQuery,
  homeQuery,
  promotionsQuery,
} from './api/homes-queries.ts';
import { keysQuery, partnerQuery, partnersQuery } from './api/partners.ts';
import { overviewQuery, reservationQuery, reservationsQuery } from './api/reservations.ts';
import { sessionQuery } from './api/session.ts';
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

const calendarSearch = searchParameters('from', 'text', 'catalogId', 'collectionId');

const pages = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    loader: () => readEarly(overviewQuery),
    component: latePage(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations',
    validateSearch: searchParameters(
      'reference',
      'guestEmail',
      'partnerReference',
      'state',
      'listing',
      'applicationId',
      'recordsRefused',
      'from',
      'to',
      'cursor',
    ),
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
    loader: ({ params }) => readEarly(reservationQuery(params.reference)),
    component: latePage(
      () => import('./pages/reservations/reservation-page.tsx'),
      'ReservationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts',
    validateSearch: searchParameters('cursor'),
    component: latePage(() => import('./pages/checkouts/checkouts.tsx'), 'Checkouts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts/$checkoutId',
    validateSearch: searchParameters('applicationId', 'kind'),
    component: latePage(() => import('./pages/checkouts/checkout-page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/payments',
    validateSearch: searchParameters('needsAttention', 'applicationId', 'from', 'to', 'cursor'),
    component: latePage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    component: latePage(() => import('./pages/account/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/calendar',
    validateSearch: calendarSearch,
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
    component: latePage(() => import('./pages/homes/homes.tsx'), 'Homes'),
    validateSearch: searchParameters('text', 'catalogId', 'offset', 'state', 'cursor'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes/add',
    loader: () => readEarly(catalogsQuery),
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
    validateSearch: searchParameters(
      'actor',
      'action',
      'from',
      'until',
      'reference',
      'applicationId',
      'cursor',
    ),
    loader: () => readEarly(partnersQuery),
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
    component: latePage(() => import('./pages/partners/webhooks.tsx'), 'PartnerWebhooks'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries',
    validateSearch: searchParameters('state', 'endpointId', 'type', 'cursor'),
    component: latePage(() => import('./pages/partners/deliveries.tsx'), 'PartnerDeliveries'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries/$deliveryId',
    component: latePage(() => import('./pages/partners/delivery.tsx'), 'PartnerDelivery'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests',
    validateSearch: searchParameters('method', 'status', 'code', 'operation', 'cursor'),
    component: latePage(() => import('./pages/partners/requests.tsx'), 'PartnerRequests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests/$requestId',
    component: latePage(() => import('./pages/partners/request.tsx'), 'PartnerRequest'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/funnel',
    validateSearch: searchParameters('applicationId', 'listing', 'weeks', 'to'),
    component: latePage(() => import('./pages/funnel/funnel.tsx'), 'Funnel'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/settings',
    component: latePage(() => import('./pages/settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/staff',
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
