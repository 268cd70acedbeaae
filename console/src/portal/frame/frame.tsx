import { Alert, Anchor } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { portal } from '../api/portal.ts';
import { sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { basePath } from '../../base-path.ts';
import { ActButton } from '../../base/components/act-button.tsx';
import { Moment } from '../../base/components/moment.tsx';
import { useNow } from '../../base/components/use-now.ts';
import { PageLayout } from '../../base/components/page-layout.tsx';

const endsSoonMs = 15 * 60_000;

const pages = [
  { to: '/endpoints', name: 'Endpoints' },
  { to: '/deliveries', name: 'Deliveries' },
  { to: '/events', name: 'Events' },
  { to: '/requests', name: 'Requests' },
  { to: '/bookings', name: 'Bookings' },
  { to: '/statement', name: 'Statement' },
  { to: '/access', name: 'Access' },
  { to: '/verify', name: 'Verify' },
] as const;

const ofSimulation = [
  { to: '/sandbox', name: 'Sandbox' },
  { to: '/conformance', name: 'Conformance' },
] as const;

// Pages of the service outside the portal.
const documentation = [
  { href: `${basePath}/docs`, name: 'Reference' },
  { href: `${basePath}/docs/guides`, name: 'Guides' },
] as const;

function Logout() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (
    <ActButton
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconLogout size={16} aria-hidden />}
      act={portal.endSession}
      done={async () => {
        await navigate({ to: '/logged-out' });
        client.removeQueries();
        client.setQueryData(sessionQuery.queryKey, null);
      }}
    >
      Log out
    </ActButton>
  );
}

function EndsSoon({ expiresAt }: { expiresAt: string }) {
  const isSoon = useNow((now) => Date.parse(expiresAt) - now < endsSoonMs);
  if (!isSoon) return undefined;
  return (
    <Alert color="yellow" variant="light" role="status" mb="md">
      Your session ends <Moment at={expiresAt} />. Ask the operator for a new link to continue.
    </Alert>
  );
}

/** The layout of every page of the portal. */
export const Frame = ({ session, children }: { session: Session; children: ReactNode }) => (
  <PageLayout
    home="/endpoints"
    owner={[session.application.name, session.person?.name].filter(Boolean).join(' · ')}
    environment={session.environment}
    isCopy={session.isCopy}
    links={documentation.map(({ href, name }) => (
      <Anchor key={href} href={href} size="sm">
        {name}
      </Anchor>
    ))}
    leave={<Logout />}
    navigation="Portal"
    pages={session.environment === 'simulation' ? [...pages, ...ofSimulation] : pages}
  >
    <EndsSoon expiresAt={session.expiresAt} />
    {children}
  </PageLayout>
);
