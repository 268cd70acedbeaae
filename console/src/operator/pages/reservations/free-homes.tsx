import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../base/components/loaded.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import { type FreeHome, freeHomesQuery, type FreeHomesInput } from '../../api/reservations.ts';

const differenceText = ({ difference, currency }: FreeHome): string => {
  if (difference === 0) return 'the same';
  return `${difference > 0 ? '+' : '−'}${moneyText(Math.abs(difference), currency)}`;
};

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
  { name: 'Difference', cell: differenceText, isFigure: true },
];

/** The homes to which a reservation could move, with what the stay costs there by current rates. */
export function FreeHomes({
  reference,
  stay,
  chosen,
  onChoose,
}: {
  reference: string;
  stay: FreeHomesInput;
  /** The slug of the home that the form has. */
  chosen: string;
  onChoose: (listing: string) => void;
}) {
  const query = useQuery(freeHomesQuery(reference, stay));
  return (
    <Stack gap={4} role="region" aria-label="Free homes">
      <Text size="sm" fw={500}>
        Free homes for these nights and guests
      </Text>
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
    </Stack>
  );
}
