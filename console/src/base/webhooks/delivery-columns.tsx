import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Breakable } from '../components/breakable.tsx';
import { Moment } from '../components/moment.tsx';
import type { Column } from '../components/item-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import type { Delivery, Endpoint } from './types.ts';
import { deliveryStates, outcomeText } from './words.ts';

const state: Column<Delivery> = {
  name: 'State',
  cell: (delivery) => (
    <Group gap={6}>
      <StateBadge words={deliveryStates[delivery.state]} />
      {delivery.nextAttemptAt && (
        <Text size="xs" c="dimmed" component="span">
          next <Moment at={delivery.nextAttemptAt} />
        </Text>
      )}
    </Group>
  ),
};

const endpointColumn = (
  endpoints: readonly Pick<Endpoint, 'endpointId' | 'url'>[],
): Column<Delivery> => ({
  name: 'Endpoint',
  cell: ({ endpointId }) => {
    const url = endpoints.find((one) => one.endpointId === endpointId)?.url;
    return <Breakable text={url ?? endpointId} />;
  },
});

/**
 * The columns of a list of deliveries. `linkTo` makes a link to the page of a delivery; `endpoints` null: all are
 * of one endpoint, which needs no column.
 */
export const deliveryColumns = (
  linkTo: (delivery: Delivery) => ReactNode,
  endpoints: readonly Pick<Endpoint, 'endpointId' | 'url'>[] | null,
): readonly Column<Delivery>[] => [
  {
    name: 'Event',
    cell: (delivery) => (
      <Stack gap={0}>
        {linkTo(delivery)}
        <Text size="xs" c="dimmed">
          {delivery.test ? 'Test event' : `Sequence ${delivery.sequence}`}
        </Text>
      </Stack>
    ),
  },
  ...(endpoints ? [endpointColumn(endpoints)] : []),
  state,
  {
    name: 'Last response',
    cell: ({ lastStatus, lastError }) => outcomeText(lastStatus, lastError),
  },
  { name: 'Attempts', isFigure: true, cell: ({ attempts }) => attempts },
  { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
