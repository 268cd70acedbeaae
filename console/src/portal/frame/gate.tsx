import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { Failure } from '../../base/components/failure.tsx';
import { useNow } from '../../base/components/use-now.ts';
import { AskForLink } from './ask-for-link.tsx';
import { Frame } from './frame.tsx';
import { Notice } from '../../base/components/notice.tsx';

/** Shows the pages to a caller with a session, and to others how to get one. */
export function Gate() {
  const query = useQuery(sessionQuery);
  const session = query.data;
  const [wasOpen, setWasOpen] = useState(false);
  if (session && !wasOpen) setWasOpen(true);
  const isExpired = useNow(
    (now) => Boolean(session) && Date.parse(session?.expiresAt ?? '') <= now,
  );

  if (session && !isExpired) {
    return (
      <Frame session={session}>
        <Outlet />
      </Frame>
    );
  }
  if (session === undefined) {
    if (!query.isError) return undefined;
    return (
      <Notice title="The portal is not available">
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      </Notice>
    );
  }
  const hasEnded = isExpired || wasOpen;
  return (
    <Notice title={hasEnded ? 'Your session has ended' : 'You need a link'}>
      <AskForLink />
    </Notice>
  );
}
