import { IconLogout, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { basePath } from '../../base-path.ts';
import { ActButton } from '../../base/components/act-button.tsx';
import { TextLink } from '../../base/components/links.tsx';
import { PageLayout, type PageLink } from '../../base/components/page-layout.tsx';
import { Search } from './search.tsx';
import { account } from '../api/session.ts';
import { type OperatorScope, scopesOfRole } from '#contract/operator/roles.ts';
import type { Session } from '../api/types.ts';

interface Page extends PageLink {
  /** The scope without which it shows nothing. */
  only?: OperatorScope;
}

/** The pages of the navigation, by what people do. The first of a group is where its name leads. */
const groups: readonly (readonly [name: string, pages: readonly Page[]])[] = [
  [
    'Today',
    [
      { to: '/', name: 'Overview' },
      { to: '/waiting', name: 'Waiting' },
      { to: '/day-sheet', name: 'Day sheet' },
      { to: '/change-requests', name: 'Requests' },
      { to: '/checkouts', name: 'Uncertain' },
    ],
  ],
  [
    'Stays',
    [
      { to: '/reservations', name: 'Reservations' },
      { to: '/guests', name: 'Guests' },
      { to: '/payments', name: 'Payments' },
    ],
  ],
  ['Calendar', [{ to: '/calendar', name: 'Calendar' }]],
  [
    'Portfolio',
    [
      { to: '/homes', name: 'Homes' },
      { to: '/channels', name: 'Channels' },
      { to: '/catalogs', name: 'Catalogs' },
      { to: '/promotions', name: 'Promotions' },
    ],
  ],
  [
    'Sales',
    [
      { to: '/partners', name: 'Partners' },
      { to: '/funnel', name: 'Funnel' },
    ],
  ],
  [
    'Admin',
    [
      { to: '/settings', name: 'Settings' },
      { to: '/staff', name: 'Staff', only: 'staff' },
      { to: '/audit', name: 'Audit' },
    ],
  ],
];

/** The groups with the pages that a member may see. */
const groupsFor = ({ role }: Session): PageLink[] =>
  groups.map(([name, pages]) => {
    const group = pages.filter(
      ({ only }) => only === undefined || scopesOfRole[role].includes(only),
    );
    return { name, to: group[0]!.to, group };
  });

const SignOut = () => (
  <ActButton
    variant="subtle"
    color="gray"
    size="compact-sm"
    leftSection={<IconLogout size={16} aria-hidden />}
    act={account.signOut}
    // Starts from nothing: no data of this member stays in memory.
    done={() => window.location.assign(`${basePath}/operator`)}
  >
    <span className="frame-word">Sign out</span>
  </ActButton>
);

/** The layout of every page of the console. */
export const Frame = ({ session, children }: { session: Session; children: ReactNode }) => (
  <PageLayout
    home="/"
    environment={session.environment}
    isCopy={session.isCopy}
    links={
      <>
        <Search />
        <TextLink to="/account" size="sm" className="frame-account">
          <IconUser size={18} aria-hidden />
          <span className="frame-word">{session.email}</span>
        </TextLink>
      </>
    }
    leave={<SignOut />}
    navigation="Console"
    pages={groupsFor(session)}
  >
    {children}
  </PageLayout>
);
