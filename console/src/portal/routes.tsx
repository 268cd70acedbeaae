import { basePath } from '../base-path.ts';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { ModalsProvider } from '@mantine/modals';
import { Gate } from './frame/gate.tsx';
import { PageFailure } from '../base/components/late-page.tsx';
import { ForDevelopers } from '../base/components/word.tsx';
import { Notice } from '../base/components/notice.tsx';
import { TextLink } from '../base/components/links.tsx';
import { Access } from './pages/access/access.tsx';
import { BookingPage } from './pages/bookings/booking-page.tsx';
import { Bookings } from './pages/bookings/bookings.tsx';
import { Conformance } from './pages/conformance/conformance.tsx';
import { RunPage } from './pages/conformance/run-page.tsx';
import { Deliveries } from './pages/deliveries/deliveries.tsx';
import { DeliveryPage } from './pages/deliveries/delivery-page.tsx';
import { EndpointPage } from './pages/endpoints/endpoint-page.tsx';
import { Endpoints } from './pages/endpoints/endpoints.tsx';
import { Entry } from './pages/entry/entry.tsx';
import { LoggedOut } from './pages/entry/logged-out.tsx';
import { EventPage } from './pages/events/event-page.tsx';
import { Events } from './pages/events/events.tsx';
import { RequestPage } from './pages/requests/request-page.tsx';
import { Requests } from './pages/requests/requests.tsx';
import { Sandbox } from './pages/sandbox/sandbox.tsx';
import { Statement } from './pages/statement/statement.tsx';
import { Verify } from './pages/verify/verify.tsx';
import { parseSearch, stringifySearch, searchParameters } from '../base/search.ts';

const NotFound = () => (
  <Notice title="Page not found">
    <TextLink to="/endpoints" size="sm">
      Show the endpoints
    </TextLink>
  </Notice>
);

// Dialogs are inside the router, because they can contain links.
const root = createRootRoute({
  component: () => (
    <ForDevelopers value>
      <ModalsProvider>
        <Outlet />
      </ModalsProvider>
    </ForDevelopers>
  ),
  notFoundComponent: NotFound,
});

const entry = createRoute({ getParentRoute: () => root, path: '/', component: Entry });
const loggedOut = createRoute({
  getParentRoute: () => root,
  path: '/logged-out',
  component: LoggedOut,
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Gate });

const pages = [
  createRoute({ getParentRoute: () => inside, path: '/endpoints', component: Endpoints }),
  createRoute({
    getParentRoute: () => inside,
    path: '/endpoints/$endpointId',
    component: EndpointPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/deliveries',
    validateSearch: searchParameters('endpointId', 'eventId', 'state', 'type', 'cursor'),
    component: Deliveries,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/deliveries/$deliveryId',
    component: DeliveryPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/events',
    validateSearch: searchParameters('type', 'cursor'),
    component: Events,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/requests',
    validateSearch: searchParameters('about', 'method', 'status', 'code', 'operation', 'cursor'),
    component: Requests,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/requests/$requestId',
    component: RequestPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/events/$eventId',
    component: EventPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/bookings',
    validateSearch: searchParameters('name'),
    component: Bookings,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/bookings/$kind/$bookingId',
    component: BookingPage,
  }),
  createRoute({
    getParentRoute: () => inside,
    path: '/statement',
    validateSearch: searchParameters('month'),
    component: Statement,
  }),
  createRoute({ getParentRoute: () => inside, path: '/sandbox', component: Sandbox }),
  createRoute({
    getParentRoute: () => inside,
    path: '/conformance',
    validateSearch: searchParameters('cursor'),
    component: Conformance,
  }),
  createRoute({ getParentRoute: () => inside, path: '/conformance/$runId', component: RunPage }),
  createRoute({ getParentRoute: () => inside, path: '/access', component: Access }),
  createRoute({
    getParentRoute: () => inside,
    path: '/verify',
    validateSearch: searchParameters('deliveryId', 'language'),
    component: Verify,
  }),
] as const;

/** The routes below `/portal`. */
export const router = createRouter({
  routeTree: root.addChildren([entry, loggedOut, inside.addChildren(pages)]),
  basepath: `${basePath}/portal`,
  defaultErrorComponent: PageFailure,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
