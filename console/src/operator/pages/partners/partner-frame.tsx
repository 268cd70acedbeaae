import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { partnerQuery } from '../../api/partners.ts';
import type { ApplicationInFull } from '../../api/types.ts';
import { stateLabels } from './states.ts';

const pages = [
  { to: '/partners/$applicationId', name: 'Application' },
  { to: '/partners/$applicationId/webhooks', name: 'Webhooks' },
  { to: '/partners/$applicationId/deliveries', name: 'Deliveries' },
  { to: '/partners/$applicationId/requests', name: 'Requests' },
  { to: '/partners/$applicationId/statement', name: 'Statement' },
] as const;

/** The ID of the application that the page is about. */
export const useApplicationId = (): string =>
  useParams({ strict: false, select: ({ applicationId }) => applicationId ?? '' });

/** The heading of the pages about one application, and the links between them. */
export function PartnerFrame({
  children,
}: {
  children: (application: ApplicationInFull) => ReactNode;
}) {
  const applicationId = useApplicationId();
  const query = useQuery(partnerQuery(applicationId));
  return (
    <Stack gap="md">
      <PageTitle title={query.data?.name ?? 'Partner'}>
        {query.data && <StateBadge words={stateLabels[query.data.state]} />}
      </PageTitle>
      <nav className="frame-nav page-nav" aria-label="Partner">
        <ul>
          {pages.map(({ to, name }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ applicationId }}
                // A delivery belongs to the deliveries; every page is below the first.
                activeOptions={{ exact: to === '/partners/$applicationId', includeSearch: false }}
              >
                {name}
              </Link>
            </li>
          ))}
          <li>
            <Link to="/funnel" search={{ applicationId }}>
              Funnel
            </Link>
          </li>
        </ul>
      </nav>
      <Loaded query={query}>{children}</Loaded>
    </Stack>
  );
}
