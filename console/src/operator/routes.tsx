import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { latePage, PageFailure } from '../base/components/late-page.tsx';
import { TextLink } from '../base/components/links.tsx';
import { Notice } from '../base/components/notice.tsx';
import { parseSearch, stringifySearch } from '../base/search.ts';
import { readEarly } from './api/cache.ts';
import { sessionQuery } from './api/session.ts';
import { Gate } from './frame/gate.tsx';
import { LateChart } from './pages/overview/late-chart.ts';
import { reads, searches } from './reads.ts';

const NotFound = () => (
  <Notice title="Page not found">
    <TextLink to="/" size="sm">
      Show the overview
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

const pages = [
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    loader: () => reads['/']({}, readEarly),
    component: latePage(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/waiting',
    loader: () => reads['/waiting']({}, readEarly),
    component: latePage(() => import('./pages/attention/attention.tsx'), 'Attention'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations',
    validateSearch: searches.reservations,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/reservations']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/reservations/reservations.tsx'), 'Reservations'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations/$reference',
    loader: ({ params }) => reads['/reservations/$reference']({ params, search: {} }, readEarly),
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
    loader: ({ params, deps }) => reads['/day-sheet']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/day-sheet/day-sheet.tsx'), 'DaySheet'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/change-requests',
    validateSearch: searches.uncertain,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/change-requests']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/reservations/change-requests.tsx'), 'ChangeRequests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts',
    validateSearch: searches.uncertain,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/checkouts']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/checkouts/checkouts.tsx'), 'Checkouts'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts/$checkoutId',
    validateSearch: searches.checkout,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) =>
      reads['/checkouts/$checkoutId']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/checkouts/checkout-page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/payments',
    validateSearch: searches.payments,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/payments']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/account',
    loader: () => reads['/account']({}, readEarly),
    component: latePage(() => import('./pages/account/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/calendar',
    validateSearch: searches.calendar,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/calendar']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/calendar/calendar.tsx'), 'Calendar'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes',
    validateSearch: searches.homes,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/homes']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/homes/homes.tsx'), 'Homes'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes/add',
    validateSearch: searches.addHome,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/homes/add']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/homes/add-home.tsx'), 'AddHome'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes/$listing',
    loader: ({ params }) => reads['/homes/$listing']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/homes/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/channels',
    loader: () => reads['/channels']({}, readEarly),
    component: latePage(() => import('./pages/channels/channels.tsx'), 'Channels'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/catalogs',
    loader: () => reads['/catalogs']({}, readEarly),
    component: latePage(() => import('./pages/catalogs/catalogs.tsx'), 'Catalogs'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/promotions',
    loader: () => reads['/promotions']({}, readEarly),
    component: latePage(() => import('./pages/promotions/promotions.tsx'), 'Promotions'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/audit',
    validateSearch: searches.audit,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/audit']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners',
    loader: () => reads['/partners']({}, readEarly),
    component: latePage(() => import('./pages/partners/partners.tsx'), 'Partners'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId',
    loader: ({ params }) => reads['/partners/$applicationId']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/partners/partner.tsx'), 'Partner'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/webhooks',
    loader: ({ params }) =>
      reads['/partners/$applicationId/webhooks']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/partners/webhooks.tsx'), 'PartnerWebhooks'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries',
    validateSearch: searches.deliveries,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) =>
      reads['/partners/$applicationId/deliveries']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/partners/deliveries.tsx'), 'PartnerDeliveries'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries/$deliveryId',
    loader: ({ params }) =>
      reads['/partners/$applicationId/deliveries/$deliveryId']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/partners/delivery.tsx'), 'PartnerDelivery'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests',
    validateSearch: searches.requests,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) =>
      reads['/partners/$applicationId/requests']({ params, search: deps }, readEarly),
    component: latePage(() => import('./pages/partners/requests.tsx'), 'PartnerRequests'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests/$requestId',
    loader: ({ params }) =>
      reads['/partners/$applicationId/requests/$requestId']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/partners/request.tsx'), 'PartnerRequest'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/statement',
    validateSearch: searches.statement,
    loader: ({ params }) =>
      reads['/partners/$applicationId/statement']({ params, search: {} }, readEarly),
    component: latePage(() => import('./pages/partners/statement.tsx'), 'PartnerStatement'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/funnel',
    validateSearch: searches.funnel,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => reads['/funnel']({ params, search: deps }, readEarly),
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
    loader: () => reads['/settings']({}, readEarly),
    component: latePage(() => import('./pages/settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/staff',
    loader: () => reads['/staff']({}, readEarly),
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
