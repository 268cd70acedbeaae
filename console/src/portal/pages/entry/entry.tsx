import { Loader, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CallFailure } from '../../../base/api/call.ts';
import { portal } from '../../api/portal.ts';
import { sessionQuery } from '../../api/queries.ts';
import { AskForLink } from '../../frame/ask-for-link.tsx';
import { Notice } from '../../../base/components/notice.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { ButtonLink } from '../../../base/components/links.tsx';
import { hasLink, takeLink } from './take-link.ts';

const isRefused = (error: Error): boolean => error instanceof CallFailure && error.status === 401;

/** A used link. Offers the portal if this browser still has a session. */
function UsedLink() {
  const session = useQuery(sessionQuery).data;
  return (
    <Notice title="This link no longer works">
      <Text size="sm">It was already used, or it is older than 24 hours.</Text>
      {session ? (
        <>
          <Text size="sm">
            This browser still has a session for <b>{session.application.name}</b>.
          </Text>
          <ButtonLink to="/endpoints">Continue</ButtonLink>
        </>
      ) : (
        <AskForLink />
      )}
    </Notice>
  );
}

function WithoutLink() {
  const query = useQuery(sessionQuery);
  if (query.data) return <Navigate to="/endpoints" replace />;
  if (query.isPending) return undefined;
  return (
    <Notice title="You need a link">
      {query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <AskForLink />
      )}
    </Notice>
  );
}

const Opening = () => (
  <Notice title="Opening the portal">
    <Loader size="sm" role="status" aria-label="Opening" />
  </Notice>
);

/** The target of links: opens the session of the link in the URL, once. */
export function Entry() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const opening = useMutation({
    mutationFn: portal.openSession,
    meta: { shown: true },
    onSuccess: async (session) => {
      client.removeQueries();
      client.setQueryData(sessionQuery.queryKey, session);
      // A person begins where the key of their program is made.
      await navigate({ to: session.person ? '/access' : '/endpoints', replace: true });
    },
  });
  const { mutate } = opening;
  useEffect(() => {
    const open = () => {
      const link = takeLink(window);
      if (link !== undefined) mutate(link);
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [mutate]);

  if (opening.isIdle) return hasLink(window) ? <Opening /> : <WithoutLink />;
  if (opening.isPending || opening.isSuccess) return <Opening />;
  if (isRefused(opening.error)) return <UsedLink />;
  return (
    <Notice title="The portal could not be opened">
      <Failure error={opening.error} onRetry={() => mutate(opening.variables)} />
    </Notice>
  );
}
