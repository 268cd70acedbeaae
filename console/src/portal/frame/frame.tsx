import { Alert, Anchor, Badge, Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { portal } from '../api/portal.ts';
import { sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { basePath } from '../../base-path.ts';
import logo from '../../shared/latchkey.svg';
import { Moment } from '../../shared/parts/moment.tsx';
import { useNow } from '../../shared/parts/use-now.ts';
import { ColorSchemeSwitch } from '../../shared/parts/color-scheme-switch.tsx';

const mainId = 'main';
const endsSoonMs = 15 * 60_000;

const pages = [
  { to: '/endpoints', name: 'Endpoints' },
  { to: '/deliveries', name: 'Deliveries' },
  { to: '/events', name: 'Events' },
  { to: '/requests', name: 'Requests' },
  { to: '/verify', name: 'Verify' },
] as const;

// Pages of the service outside the portal.
const documentation = [
  { href: `${basePath}/docs`, name: 'Reference' },
  { href: `${basePath}/docs/guides`, name: 'Guides' },
] as const;

const environmentColors = { simulation: 'grape', test: 'indigo', live: 'red' } as const;

function Logout() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: portal.endSession,
    onSuccess: async () => {
      await navigate({ to: '/logged-out' });
      client.removeQueries();
      client.setQueryData(sessionQuery.queryKey, null);
    },
  });
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconLogout size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Log out
    </Button>
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

/** The layout of every page: application, navigation, logout. */
export const Frame = ({ session, children }: { session: Session; children: ReactNode }) => (
  <>
    <a className="skip" href={`#${mainId}`}>
      Skip to content
    </a>
    <header className="frame-head">
      <div className="frame-row">
        <div className="frame-bar">
          <Link to="/endpoints" className="frame-name">
            <img src={logo} alt="" width={24} height={24} />
            Latchkey
          </Link>
          <div className="frame-application">
            <span>{session.application.name}</span>
            <Badge
              size="sm"
              radius="sm"
              variant="outline"
              tt="none"
              color={environmentColors[session.environment]}
              className="badge"
            >
              {session.environment}
            </Badge>
          </div>
          <div className="frame-help">
            {documentation.map(({ href, name }) => (
              <Anchor key={href} href={href} size="sm">
                {name}
              </Anchor>
            ))}
          </div>
          <ColorSchemeSwitch />
          <Logout />
        </div>
        <nav className="frame-nav" aria-label="Portal">
          <ul>
            {pages.map(({ to, name }) => (
              <li key={to}>
                <Link to={to}>{name}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
    <main id={mainId} tabIndex={-1} className="frame-row frame-main">
      <EndsSoon expiresAt={session.expiresAt} />
      {children}
    </main>
  </>
);
