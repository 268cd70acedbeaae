import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../base/components/loaded.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { differenceText, moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import { type FreeHome, freeHomesQuery, type FreeHomesInput } from '../../api/reservations.ts';

/** Where it is and how large: `Comporta, Alentejo · sleeps 8 · 4 bedrooms`. */
const sizeText = ({ destination, sleeps, bedrooms }: FreeHome): string =>
  [
    destination,
    sleeps === null ? null : `sleeps ${sleeps}`,
    bedrooms === null ? null : counted(bedrooms, 'bedroom'),
  ]
    .filter((part) => part !== null)
    .join(' · ');

const columnsWith = (
  chosen: string,
  onChoose: (listing: string) => void,
): readonly Column<FreeHome>[] => [
  {
    name: 'Home',
    cell: (home) => {
      const { listing, name, warnings } = home;
      return (
        <>
          <Button
            size="compact-sm"
            variant={listing === chosen ? 'filled' : 'subtle'}
            aria-pressed={listing === chosen}
            onClick={() => onChoose(listing)}
          >
            {name}
          </Button>
          <Text size="xs" c="dimmed">
            {sizeText(home)}
          </Text>
          {warnings.length > 0 && (
            <Text size="xs" c="dimmed">
              {warnings.map(({ message }) => message).join(' ')}
            </Text>
          )}
        </>
      );
    },
  },
  {
    name: 'Price there',
    cell: ({ total, currency }) => moneyText(total, currency),
    isFigure: true,
  },
  {
    name: 'Difference',
    cell: ({ difference, currency }) => differenceText(difference, currency),
    isFigure: true,
  },
];

type Wanted = Omit<Parameters<typeof FreeHomes>[0], 'isOpen'>;

function FoundHomes({ reference, stay, chosen, onChoose }: Wanted) {
  const query = useQuery(freeHomesQuery(reference, stay));
  return (
    <Loaded query={query}>
      {({ items, free }) =>
        items.length === 0 ? (
          <Text size="sm">No other home of the catalog is free.</Text>
        ) : (
          <>
            <div className="free-homes">
              <ItemTable
                caption="Free homes"
                columns={columnsWith(chosen, onChoose)}
                items={items}
                keyOf={({ listingId }) => listingId}
              />
            </div>
            {free > items.length && (
              <Text size="xs" c="dimmed">
                {counted(free, 'home')} are free; these are the nearest.
              </Text>
            )}
          </>
        )
      }
    </Loaded>
  );
}

/** The homes to which a reservation could move, with what the stay costs there by current rates. */
export function FreeHomes({
  isOpen,
  ...wanted
}: {
  /** Whether the list is open at first. */
  isOpen: boolean;
  reference: string;
  stay: FreeHomesInput;
  /** The slug of the home that the form has. */
  chosen: string;
  onChoose: (listing: string) => void;
}) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <section aria-label="Free homes">
      <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
        <summary>
          <Text span size="sm" fw={500}>
            Free homes for these nights and guests
          </Text>
        </summary>
        {isShown && <FoundHomes {...wanted} />}
      </details>
    </section>
  );
}
