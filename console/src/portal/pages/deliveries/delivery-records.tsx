import { Group, Stack, Text } from '@mantine/core';
import type { Delivery, Endpoint } from '../../api/types.ts';
import { Breakable } from '../../../base/parts/breakable.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { Records, type Column } from '../../../base/parts/records.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { deliveryStates, outcomeText } from '../../../base/webhooks/words.ts';

const event: Column<Delivery> = {
  name: 'Event',
  cell: ({ deliveryId, type, sequence, test }) => (
    <Stack gap={0}>
      <TextLink
        to="/deliveries/$deliveryId"
        params={{ deliveryId }}
        size="sm"
        fw={600}
        className="whole"
      >
        {type}
      </TextLink>
      <Text size="xs" c="dimmed">
        {test ? 'Test event' : `Sequence ${sequence}`}
      </Text>
    </Stack>
  ),
};

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

const response: Column<Delivery> = {
  name: 'Last response',
  cell: ({ lastStatus, lastError }) => outcomeText(lastStatus, lastError),
};

const attempts: Column<Delivery> = { name: 'Attempts', cell: (delivery) => delivery.attempts };

const created: Column<Delivery> = {
  name: 'Created',
  cell: ({ createdAt }) => <Moment at={createdAt} />,
};

const endpointColumn = (endpoints: readonly Endpoint[]): Column<Delivery> => ({
  name: 'Endpoint',
  cell: ({ endpointId }) => {
    const url = endpoints.find((one) => one.endpointId === endpointId)?.url;
    return <Breakable text={url ?? endpointId} />;
  },
});

/** A list of deliveries; `endpoints` adds a column with the endpoint. */
export const DeliveryRecords = ({
  items,
  endpoints,
}: {
  items: readonly Delivery[];
  endpoints?: readonly Endpoint[];
}) => (
  <Records
    caption="Deliveries"
    items={items}
    keyOf={({ deliveryId }) => deliveryId}
    columns={[
      event,
      ...(endpoints ? [endpointColumn(endpoints)] : []),
      state,
      response,
      attempts,
      created,
    ]}
  />
);
