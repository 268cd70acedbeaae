import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { TextLink } from '../base/parts/links.tsx';
import { Notice } from '../base/parts/notice.tsx';
import { parseSearch, searchParameters, stringifySearch } from '../base/search.ts';
import { Gate } from './frame/gate.tsx';
import { Account } from './pages/account/account.tsx';
import { Audit } from './pages/audit/audit.tsx';
import { Calendar } from './pages/calendar/calendar.tsx';
import { Catalogs } from './pages/catalogs/catalogs.tsx';
import { CheckoutPage } from './pages/checkouts/checkout-page.tsx';
import { Checkouts } from './pages/checkouts/checkouts.tsx';
import { Channels } from './pages/channels/channels.tsx';
import { Funnel } from './pages/funnel/funnel.tsx';
import { AddHome } from './pages/homes/add-home.tsx';
import { HomePage } from './pages/homes/home-page.tsx';
import { Homes } from './pages/homes/homes.tsx';
import { PartnerDeliveries } from './pages/partners/deliveries.tsx';
import { Partner } from './pages/partners/partner.tsx';
import { Partners } from './pages/partners/partners.tsx';
import { PartnerRequest } from './pages/partners/request.tsx';
import { PartnerRequests } from './pages/partners/requests.tsx';
import { PartnerWebhooks } from './pages/partners/webhooks.tsx';
import { Provider } from './pages/provider/provider.tsx';
import { Settings } from './pages/settings/settings.tsx';
import { Staff } from './pages/staff/staff.tsx';
import { Invitation } from './pages/invitation/invitation.tsx';
import { Overview } from './pages/overview/overview.tsx';
import { Payments } from './pages/payments/payments.tsx';
import { ReservationPage } from './pages/reservations/reservation-page.tsx';
import { Reservations } from './pages/reservations/reservations.tsx';
import { Promotions } from './pages/promotions/promotions.tsx';

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
  component: Invitation,
});
const provider = createRoute({
  getParentRoute: () => root,
  path: '/provider',
  component: Provider,
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Gate });

const pages = [
  createRoute({ getParentRoute: () => inside, path: '/', component: Overview }),
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
      'from',
      'to',
      'cursor',
    ),
    component: Reservations,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/reservations/$reference',
    component: ReservationPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts',
    validateSearch: searchParameters('cursor'),
    component: Checkouts,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/checkouts/$checkoutId',
    validateSearch: searchParameters('applicationId', 'kind'),
    component: CheckoutPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/payments',
    validateSearch: searchParameters('needsAttention', 'applicationId', 'from', 'to', 'cursor'),
    component: Payments,
  }),
  createRoute({ getParentRoute: () => inside, path: '/account', component: Account }),
  createRoute({
    getParentRoute: () => inside,
    path: '/calendar',
    component: Calendar,
    validateSearch: searchParameters('from', 'text', 'catalogId', 'collectionId'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/homes',
    component: Homes,
    validateSearch: searchParameters('text', 'catalogId', 'offset', 'state', 'cursor'),
  }),
  createRoute({ getParentRoute: () => inside, path: '/homes/add', component: AddHome }),
  createRoute({ getParentRoute: () => inside, path: '/homes/$listing', component: HomePage }),
  createRoute({ getParentRoute: () => inside, path: '/channels', component: Channels }),
  createRoute({ getParentRoute: () => inside, path: '/catalogs', component: Catalogs }),
  createRoute({ getParentRoute: () => inside, path: '/promotions', component: Promotions }),
  createRoute({
    getParentRoute: () => inside,
    path: '/audit',
    validateSearch: searchParameters('actor', 'reference', 'applicationId', 'cursor'),
    component: Audit,
  }),
  createRoute({ getParentRoute: () => inside, path: '/partners', component: Partners }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId',
    component: Partner,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/webhooks',
    component: PartnerWebhooks,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/deliveries',
    validateSearch: searchParameters('state', 'endpointId', 'type', 'cursor'),
    component: PartnerDeliveries,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests',
    validateSearch: searchParameters('method', 'status', 'code', 'operation', 'cursor'),
    component: PartnerRequests,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/partners/$applicationId/requests/$requestId',
    component: PartnerRequest,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/funnel',
    validateSearch: searchParameters('applicationId', 'listing', 'weeks', 'to'),
    component: Funnel,
  }),
  createRoute({ getParentRoute: () => inside, path: '/settings', component: Settings }),
  createRoute({ getParentRoute: () => inside, path: '/staff', component: Staff }),
] as const;

/** The routes below `/operator`. */
export const router = createRouter({
  routeTree: root.addChildren([invitation, provider, inside.addChildren(pages)]),
  basepath: `${basePath}/operator`,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
