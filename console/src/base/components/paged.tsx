import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './loaded.tsx';
import { Paging } from './paging.tsx';

/** One page of a list: its items, or why there are none, and buttons for the first and the next page. */
export function Paged<Item>({
  query,
  renderNone,
  children,
  ...paging
}: {
  query: UseQueryResult<{ items: readonly Item[]; nextCursor: string | null }>;
  /** Shown on a page without items. `hasMore`: the next page may have some. */
  renderNone: (hasMore: boolean) => ReactNode;
  children: (items: readonly Item[]) => ReactNode;
  cursor: string | undefined;
  onGo: (cursor: string | undefined) => void;
  first?: string;
  next?: string;
}) {
  return (
    <Loaded query={query}>
      {({ items, nextCursor }) => (
        <>
          {items.length === 0 ? renderNone(nextCursor !== null) : children(items)}
          <Paging nextCursor={nextCursor} {...paging} />
        </>
      )}
    </Loaded>
  );
}
