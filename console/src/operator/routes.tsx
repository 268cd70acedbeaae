import { ModalsProvider } from '@mantine/modals';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { basePath } from '../base-path.ts';
import { TextLink } from '../shared/parts/links.tsx';
import { Notice } from '../shared/parts/notice.tsx';
import { parseSearch, stringifySearch } from '../shared/search.ts';
import { Gate } from './frame/gate.tsx';
import { Account } from './pages/account/account.tsx';
import { Audit } from './pages/audit/audit.tsx';
import { Invitation } from './pages/invitation/invitation.tsx';

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

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: Invitation,
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Gate });
const Start = () => <Navigate to="/audit" replace />;

const pages = [
  createRoute({ getParentRoute: () => inside, path: '/', component: Start }),
  createRoute({ getParentRoute: () => inside, path: '/account', component: Account }),
  createRoute({ getParentRoute: () => inside, path: '/audit', component: Audit }),
] as const;

/** The routes below `/operator`. */
export const router = createRouter({
  routeTree: root.addChildren([invitation, inside.addChildren(pages)]),
  basepath: `${basePath}/operator`,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
