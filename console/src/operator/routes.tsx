import { ModalsProvider } from '@mantine/modals';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { TextLink } from '../shared/parts/links.tsx';
import { Notice } from '../shared/parts/notice.tsx';
import { parseSearch, searchParameters, stringifySearch } from '../shared/search.ts';
import { Frame } from './frame/frame.tsx';
import { Audit } from './pages/audit/audit.tsx';
import { Calendar } from './pages/calendar/calendar.tsx';
import { Catalogs } from './pages/catalogs/catalogs.tsx';
import { Channels } from './pages/channels/channels.tsx';
import { AddHome } from './pages/homes/add-home.tsx';
import { HomePage } from './pages/homes/home-page.tsx';
import { Homes } from './pages/homes/homes.tsx';
import { Promotions } from './pages/promotions/promotions.tsx';

const NotFound = () => (
  <Notice title="Page not found">
    <TextLink to="/audit" size="sm">
      Show the audit trail
    </TextLink>
  </Notice>
);

// Dialogs are inside the router, because they can contain links.
const root = createRootRoute({
  component: () => (
    <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': 'Close' } }}>
      <Outlet />
    </ModalsProvider>
  ),
  notFoundComponent: NotFound,
});

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
});

const pages = [
  createRoute({ getParentRoute: () => inside, path: '/audit', component: Audit }),
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
    validateSearch: searchParameters('text', 'catalogId', 'offset'),
  }),
  createRoute({ getParentRoute: () => inside, path: '/homes/add', component: AddHome }),
  createRoute({ getParentRoute: () => inside, path: '/homes/$listing', component: HomePage }),
  createRoute({ getParentRoute: () => inside, path: '/channels', component: Channels }),
  createRoute({ getParentRoute: () => inside, path: '/catalogs', component: Catalogs }),
  createRoute({ getParentRoute: () => inside, path: '/promotions', component: Promotions }),
] as const;

/** The routes below `/operator`. */
export const router = createRouter({
  routeTree: root.addChildren([inside.addChildren(pages)]),
  basepath: `${basePath}/operator`,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
