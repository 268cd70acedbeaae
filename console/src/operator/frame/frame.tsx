import { Badge, Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { basePath } from '../../base-path.ts';
import logo from '../../shared/latchkey.svg';
import { ColorSchemeSwitch } from '../../shared/parts/color-scheme-switch.tsx';
import { TextLink } from '../../shared/parts/links.tsx';
import { account } from '../api/session.ts';
import type { Session } from '../api/types.ts';

const mainId = 'main';

/** A page of the navigation. `only`: the role that sees it. */
interface PageLink {
  to: NonNullable<LinkProps['to']>;
  name: string;
  only?: Session['role'];
}

/** The pages of the navigation, in their order. */
const pages: readonly PageLink[] = [
  { to: '/', name: 'Overview' },
  { to: '/reservations', name: 'Reservations' },
  { to: '/checkouts', name: 'Uncertain' },
  { to: '/payments', name: 'Payments' },
  { to: '/calendar', name: 'Calendar' },
  { to: '/homes', name: 'Homes' },
  { to: '/channels', name: 'Channels' },
  { to: '/catalogs', name: 'Catalogs' },
  { to: '/promotions', name: 'Promotions' },
  { to: '/partners', name: 'Partners' },
  { to: '/audit', name: 'Audit' },
  { to: '/staff', name: 'Staff', only: 'administrator' },
  { to: '/settings', name: 'Settings' },
];

const environmentColors = { simulation: 'grape', test: 'indigo', live: 'red' } as const;

function SignOut() {
  const { mutate, isPending } = useMutation({
    mutationFn: account.signOut,
    // Starts from nothing: no data of this member stays in memory.
    onSuccess: () => window.location.assign(`${basePath}/operator`),
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
      Sign out
    </Button>
  );
}

/** The layout of every page: navigation, the member of staff, colours. */
export const Frame = ({ session, children }: { session: Session; children: ReactNode }) => (
  <>
    <a className="skip" href={`#${mainId}`}>
      Skip to content
    </a>
    <header className="frame-head">
      <div className="frame-row">
        <div className="frame-bar">
          <Link to="/" className="frame-name">
            <img src={logo} alt="" width={24} height={24} />
            Latchkey
          </Link>
          <div className="frame-application">
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
            <TextLink to="/account" size="sm">
              {session.email}
            </TextLink>
          </div>
          <ColorSchemeSwitch />
          <SignOut />
        </div>
        <nav className="frame-nav" aria-label="Console">
          <ul>
            {pages
              .filter(({ only }) => only === undefined || only === session.role)
              .map(({ to, name }) => (
                <li key={to}>
                  <Link to={to}>{name}</Link>
                </li>
              ))}
          </ul>
        </nav>
      </div>
    </header>
    <main id={mainId} tabIndex={-1} className="frame-row frame-main">
      {children}
    </main>
  </>
);
