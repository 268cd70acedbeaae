import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty } from '../../../base/components/empty.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { sessionQuery } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';

/** What exists in the simulation alone. Elsewhere it says so, below the title if the page has none then. */
export function InSimulation({
  title,
  children,
}: {
  title?: string;
  children: (session: Session) => ReactNode;
}) {
  const session = useQuery(sessionQuery).data;
  if (session?.environment === 'simulation') return children(session);
  return (
    <>
      {title !== undefined && <PageTitle title={title} />}
      <Empty title="Only in the simulation">Nothing can be ordered or judged here.</Empty>
    </>
  );
}
