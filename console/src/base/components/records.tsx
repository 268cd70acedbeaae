import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A column of a table, or a line of a card on a narrow window. */
export interface Column<Item> {
  name: string;
  cell: (item: Item) => ReactNode;
  /** Figures are at the right, digit below digit. */
  isFigure?: boolean;
}

/**
 * A table with one line for each item, or a stack of cards on a narrow window. Its ARIA roles are explicit, because the card style removes
 * them.
 */
export function Records<Item>({
  caption,
  columns,
  items,
  keyOf,
}: {
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
}) {
  return (
    <Table className="records" role="table" aria-label={caption} verticalSpacing={4}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ name, isFigure }) => (
            <Table.Th key={name} role="columnheader" scope="col" data-figure={isFigure}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {items.map((item) => (
          <Table.Tr key={keyOf(item)} role="row">
            {columns.map(({ name, cell, isFigure }) => (
              <Table.Td key={name} role="cell" data-name={name} data-figure={isFigure}>
                <div className="records-value">{cell(item)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
