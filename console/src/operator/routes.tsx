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
import { type PageRoute, reads, searches } from './reads.ts';

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

/** A page inside, which begins to read when it is opened, also when its filters change. */
const page = <Path extends PageRoute>(path: Path) => ({
  getParentRoute: () => inside,
  path,
  loaderDeps: ({ search }: { search: object }) => search,
  // The types of the router would be lost if it named more of what it gets.
  loader: (at: object) => {
    const { params, deps } = at as { params: object; deps: object };
    reads[path]({ params, search: deps } as never, readEarly);
  },
});

const pages = [
  createRoute({
    ...page('/'),
    component: latePage(() => import('./pages/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    ...page('/waiting'),
    component: latePage(() => import('./pages/attention/attention.tsx'), 'Attention'),
  }),
  createRoute({
    ...page('/reservations'),
    validateSearch: searches.reservations,
    component: latePage(() => import('./pages/reservations/reservations.tsx'), 'Reservations'),
  }),
  createRoute({
    ...page('/reservations/$reference'),
    component: latePage(
      () => import('./pages/reservations/reservation-page.tsx'),
      'ReservationPage',
    ),
  }),
  createRoute({
    ...page('/day-sheet'),
    validateSearch: searches.daySheet,
    component: latePage(() => import('./pages/day-sheet/day-sheet.tsx'), 'DaySheet'),
  }),
  createRoute({
    ...page('/change-requests'),
    validateSearch: searches.uncertain,
    component: latePage(() => import('./pages/reservations/change-requests.tsx'), 'ChangeRequests'),
  }),
  createRoute({
    ...page('/checkouts'),
    validateSearch: searches.uncertain,
    component: latePage(() => import('./pages/checkouts/checkouts.tsx'), 'Checkouts'),
  }),
  createRoute({
    ...page('/checkouts/$checkoutId'),
    validateSearch: searches.checkout,
    component: latePage(() => import('./pages/checkouts/checkout-page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    ...page('/payments'),
    validateSearch: searches.payments,
    component: latePage(() => import('./pages/payments/payments.tsx'), 'Payments'),
  }),
  createRoute({
    ...page('/account'),
    component: latePage(() => import('./pages/account/account.tsx'), 'Account'),
  }),
  createRoute({
    ...page('/calendar'),
    validateSearch: searches.calendar,
    component: latePage(() => import('./pages/calendar/calendar.tsx'), 'Calendar'),
  }),
  createRoute({
    ...page('/homes'),
    validateSearch: searches.homes,
    component: latePage(() => import('./pages/homes/homes.tsx'), 'Homes'),
  }),
  createRoute({
    ...page('/homes/add'),
    validateSearch: searches.addHome,
    component: latePage(() => import('./pages/homes/add-home.tsx'), 'AddHome'),
  }),
  createRoute({
    ...page('/homes/$listing'),
    component: latePage(() => import('./pages/homes/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    ...page('/channels'),
    component: latePage(() => import('./pages/channels/channels.tsx'), 'Channels'),
  }),
  createRoute({
    ...page('/catalogs'),
    component: latePage(() => import('./pages/catalogs/catalogs.tsx'), 'Catalogs'),
  }),
  createRoute({
    ...page('/promotions'),
    component: latePage(() => import('./pages/promotions/promotions.tsx'), 'Promotions'),
  }),
  createRoute({
    ...page('/audit'),
    validateSearch: searches.audit,
    component: latePage(() => import('./pages/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    ...page('/partners'),
    component: latePage(() => import('./pages/partners/partners.tsx'), 'Partners'),
  }),
  createRoute({
    ...page('/partners/$applicationId'),
    component: latePage(() => import('./pages/partners/partner.tsx'), 'Partner'),
  }),
  createRoute({
    ...page('/partners/$applicationId/webhooks'),
    component: latePage(() => import('./pages/partners/webhooks.tsx'), 'PartnerWebhooks'),
  }),
  createRoute({
    ...page('/partners/$applicationId/deliveries'),
    validateSearch: searches.deliveries,
    component: latePage(() => import('./pages/partners/deliveries.tsx'), 'PartnerDeliveries'),
  }),
  createRoute({
    ...page('/partners/$applicationId/deliveries/$deliveryId'),
    component: latePage(() => import('./pages/partners/delivery.tsx'), 'PartnerDelivery'),
  }),
  createRoute({
    ...page('/partners/$applicationId/requests'),
    validateSearch: searches.requests,
    component: latePage(() => import('./pages/partners/requests.tsx'), 'PartnerRequests'),
  }),
  createRoute({
    ...page('/partners/$applicationId/requests/$requestId'),
    component: latePage(() => import('./pages/partners/request.tsx'), 'PartnerRequest'),
  }),
  createRoute({
    ...page('/partners/$applicationId/statement'),
    validateSearch: searches.statement,
    component: latePage(() => import('./pages/partners/statement.tsx'), 'PartnerStatement'),
  }),
  createRoute({
    ...page('/funnel'),
    validateSearch: searches.funnel,
    component: latePage(() => import('./pages/funnel/funnel.tsx'), 'Funnel'),
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/guests',
    component: latePage(() => import('./pages/guests/guests.tsx'), 'Guests'),
  }),
  createRoute({
    ...page('/settings'),
    component: latePage(() => import('./pages/settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    ...page('/staff'),
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
