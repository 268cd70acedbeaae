import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ItemTable, type TableOf } from './item-table.tsx';
import { Loaded } from './loaded.tsx';
import { Paging } from './paging.tsx';

interface Page<Item> {
  query: UseQueryResult<{ items: readonly Item[]; nextCursor: string | null }>;
  /** Shown on a page without items. `hasMore`: the next page may have some. */
  renderNone: (hasMore: boolean) => ReactNode;
  cursor: string | undefined;
  onGo: (cursor: string | undefined) => void;
  first?: string;
  next?: string;
}

/** One page of a list: its items, or why there are none, and buttons for the first and the next page. */
export function Paged<Item>({
  query,
  renderNone,
  children,
  ...paging
}: Page<Item> & { children: (items: readonly Item[]) => ReactNode }) {
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

/** One page of a list as a table. */
export const PagedTable = <Item,>({
  caption,
  columns,
  keyOf,
  ...page
}: Page<Item> & TableOf<Item>) => (
  <Paged {...page}>
    {(items) => <ItemTable caption={caption} columns={columns} items={items} keyOf={keyOf} />}
  </Paged>
);
