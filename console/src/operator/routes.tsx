import { ModalsProvider } from '@mantine/modals';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { TextLink } from '../shared/parts/links.tsx';
import { Notice } from '../shared/parts/notice.tsx';
import { parseSearch, stringifySearch } from '../shared/search.ts';
import { Frame } from './frame/frame.tsx';
import { Audit } from './pages/audit/audit.tsx';

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
