import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { basePath } from '../../base-path.ts';
import { TextLink } from '../../base/parts/links.tsx';
import { PageLayout, type PageLink } from '../../base/parts/page-layout.tsx';
import { account } from '../api/session.ts';
import { type OperatorScope, scopesOfRole } from '../../../../src/contract/operator/roles.ts';
import type { Session } from '../api/types.ts';

/** The pages of the navigation, in their order. `only`: the scope without which it shows nothing. */
const pages: readonly (PageLink & { only?: OperatorScope })[] = [
  { to: '/', name: 'Overview' },
  { to: '/waiting', name: 'Waiting' },
  { to: '/day-sheet', name: 'Day sheet' },
  { to: '/reservations', name: 'Reservations' },
  { to: '/guests', name: 'Guests' },
  { to: '/change-requests', name: 'Requests' },
  { to: '/checkouts', name: 'Uncertain' },
  { to: '/payments', name: 'Payments' },
  { to: '/calendar', name: 'Calendar' },
  { to: '/homes', name: 'Homes' },
  { to: '/channels', name: 'Channels' },
  { to: '/catalogs', name: 'Catalogs' },
  { to: '/promotions', name: 'Promotions' },
  { to: '/partners', name: 'Partners' },
  { to: '/funnel', name: 'Funnel' },
  { to: '/audit', name: 'Audit' },
  { to: '/staff', name: 'Staff', only: 'staff' },
  { to: '/settings', name: 'Settings' },
];

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

/** The layout of every page of the console. */
export const Frame = ({ session, children }: { session: Session; children: ReactNode }) => (
  <PageLayout
    home="/"
    environment={session.environment}
    isCopy={session.isCopy}
    links={
      <TextLink to="/account" size="sm">
        {session.email}
      </TextLink>
    }
    leave={<SignOut />}
    navigation="Console"
    pages={pages.filter(
      ({ only }) => only === undefined || scopesOfRole[session.role].includes(only),
    )}
  >
    {children}
  </PageLayout>
);
