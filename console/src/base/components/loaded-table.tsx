import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ItemTable, type TableOf } from './item-table.tsx';
import { Loaded } from './loaded.tsx';

/** The table of all items that are read. `none` stands in its place while there are none. */
export const LoadedTable = <Item,>({
  query,
  none,
  ...table
}: TableOf<Item> & {
  query: UseQueryResult<{ items: readonly Item[] }>;
  none?: ReactNode;
}) => (
  <Loaded query={query}>
    {({ items }) =>
      items.length === 0 && none !== undefined ? none : <ItemTable items={items} {...table} />
    }
  </Loaded>
);
