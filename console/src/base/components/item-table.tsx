/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- the styles of cards and of long tables take the roles of elements away */
import { type CSSProperties, memo, type ReactNode } from 'react';
import { usePainted } from './after-paint.tsx';

/** A column of a table, or a line of a card on a narrow window. */
export interface Column<Item> {
  name: string;
  cell: (item: Item) => ReactNode;
  /** Figures are at the right, digit below digit. */
  isFigure?: boolean;
  /** How much of the width it gets in a long table, beside the other columns; 1 if it does not say. */
  share?: number;
}

/** A value that says nothing. A card leaves its line out. */
const isEmpty = (value: ReactNode): boolean =>
  value === undefined || value === null || value === false || value === '' || value === '–';

interface Rows<Item> {
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
}

/** A table without its items. */
export type TableOf<Item> = Omit<Rows<Item>, 'items'> & { caption: string };

// A table with more rows is drawn in parts: the first one with the page, the others after it.
const mostAtOnce = 50;
const partLength = 25;

// Plain elements: a component for each cell takes many times as long, and a list can have thousands of cells.
function Row<Item>({ columns, item }: { columns: readonly Column<Item>[]; item: Item }) {
  return (
    <tr role="row">
      {columns.map(({ name, cell, isFigure }, at) => {
        const value = cell(item);
        return (
          <td
            key={name}
            role="cell"
            aria-colindex={at + 1}
            data-name={name}
            data-figure={isFigure}
            data-empty={isEmpty(value) || undefined}
          >
            <div className="item-table-value">{value}</div>
          </td>
        );
      })}
    </tr>
  );
}

// Of thousands of rows that are read again, few have changed.
const RowOfMany = memo(Row) as typeof Row;

const partStyle = { '--item-table-part': partLength } as CSSProperties;

/** The rows of a long table. All of them are in the document soon; the browser lays out the parts in view. */
function Parts<Item>({ columns, items, keyOf }: Rows<Item>) {
  const isPainted = usePainted();
  const parts = Math.ceil((isPainted ? items.length : partLength) / partLength);
  return Array.from({ length: parts }, (_, index) => (
    <tbody key={index} role="rowgroup" className="item-table-part" style={partStyle}>
      {items.slice(index * partLength, (index + 1) * partLength).map((item) => (
        <RowOfMany key={keyOf(item)} columns={columns} item={item} />
      ))}
    </tbody>
  ));
}

const widthsOf = (columns: readonly Column<never>[]): CSSProperties =>
  ({
    // Each row is a grid of its own: what a row holds must not make its columns wider than those of the others.
    '--item-table-columns': columns.map(({ share = 1 }) => `minmax(0, ${share}fr)`).join(' '),
  }) as CSSProperties;

/** A table with one line for each item, or a stack of cards on a narrow window. */
export function ItemTable<Item>({
  caption,
  columns,
  items,
  total = items.length,
  keyOf,
}: Rows<Item> & {
  caption: string;
  /** How many items there will be, if these are the first of them. */
  total?: number;
}) {
  const isLong = total > mostAtOnce;
  return (
    <table
      className="item-table"
      role="table"
      aria-label={caption}
      data-long={isLong || undefined}
      style={widthsOf(columns)}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isFigure }, at) => (
            <th
              key={name}
              role="columnheader"
              scope="col"
              aria-colindex={at + 1}
              data-figure={isFigure}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {isLong ? (
        <Parts columns={columns} items={items} keyOf={keyOf} />
      ) : (
        <tbody role="rowgroup">
          {items.map((item) => (
            <Row key={keyOf(item)} columns={columns} item={item} />
          ))}
        </tbody>
      )}
    </table>
  );
}
