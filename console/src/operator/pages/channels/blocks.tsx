import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { homes } from '../../api/homes.ts';
import { blocksQuery } from '../../api/homes-queries.ts';
import type { BlockPage } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { HomeChoice } from '../../components/home-choice.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { stayText } from '../../words/days.ts';
import { Home } from './cells.tsx';

type Block = BlockPage['items'][number];

const sources = {
  staff: 'Staff',
  file: 'File',
  channel: 'Other channel',
  outside: 'Other system',
} as const;

const RemoveBlock = ({ blockId, listingName, listing, from, to }: Block) => (
  <ActButton
    act={() => homes.removeBlock(blockId)}
    question={{
      title: 'Remove the block?',
      text: `${listingName ?? listing ?? 'The home'} can be booked again: ${stayText(from, to)}.`,
      verb: 'Remove the block',
      color: 'red',
    }}
    done="The nights are free again."
  >
    Remove
  </ActButton>
);

const blockColumns: readonly Column<Block>[] = [
  { name: 'Home', cell: Home },
  { name: 'Nights', cell: StayDays },
  { name: 'Reason', cell: ({ reason }) => reason ?? '–' },
  { name: 'Source', cell: ({ source }) => sources[source] },
];

const blockActions: Column<Block> = {
  name: 'Actions',
  cell: (block) =>
    (block.source === 'staff' || block.source === 'file') && <RemoveBlock {...block} />,
};

/** The blocks of all homes or of one, by page. */
export function Blocks() {
  const canAct = useMay('reservations');
  const [listing, setListing] = useState<string>();
  const [cursor, setCursor] = useState<string>();
  const query = useQuery(blocksQuery({ listing, cursor }));
  return (
    <Section title="Blocks" about="By home and date. Add one on the calendar.">
      <Stack gap="sm">
        {/* Its width is that of a row of filters. */}
        <Group>
          <HomeChoice
            label="Blocks of the home"
            size="xs"
            className="choice"
            clearable
            value={listing}
            onChoose={(chosen) => {
              setListing(chosen);
              setCursor(undefined);
            }}
          />
        </Group>
        <PagedTable
          {...inOrder}
          query={query}
          cursor={cursor}
          onGo={setCursor}
          renderNone={() => (
            <Empty title="No blocks">Choose nights on the calendar and press B.</Empty>
          )}
          caption="Blocks"
          columns={canAct ? [...blockColumns, blockActions] : blockColumns}
          keyOf={({ blockId }) => blockId}
        />
      </Stack>
    </Section>
  );
}
