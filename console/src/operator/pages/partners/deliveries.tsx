import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { eventTypes } from '../../../../../src/contract/events.ts';
import { Choice } from '../../../base/parts/choice.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { Paging } from '../../../base/parts/paging.tsx';
import { type Column, Records } from '../../../base/parts/records.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import type { Delivery } from '../../../base/webhooks/types.ts';
import { deliveryStates, outcomeText } from '../../../base/webhooks/words.ts';
import { deliveriesQuery, type DeliveryFilter, endpointsQuery } from '../../api/webhooks.ts';
import { useMay } from '../../frame/session.ts';
import { PartnerFrame } from './partner-frame.tsx';
import { Replay } from './replay.tsx';

const columnsOf = (
  applicationId: string,
  urls: ReadonlyMap<string, string>,
): readonly Column<Delivery>[] => [
  {
    name: 'Event',
    cell: ({ deliveryId, type, sequence, test }) => (
      <Stack gap={0}>
        <TextLink
          to="/partners/$applicationId/deliveries/$deliveryId"
          params={{ applicationId, deliveryId }}
          size="sm"
          fw={600}
        >
          {type}
        </TextLink>
        <Text size="xs" c="dimmed">
          {test ? 'Test event' : `Sequence ${sequence}`}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Endpoint',
    cell: ({ endpointId }) => <span className="mono">{urls.get(endpointId) ?? endpointId}</span>,
  },
  {
    name: 'State',
    cell: ({ state, nextAttemptAt }) => (
      <Stack gap={2} align="flex-start">
        <div className="whole">
          <StateBadge words={deliveryStates[state]} />
        </div>
        {nextAttemptAt && (
          <Text size="xs" component="span">
            next <Moment at={nextAttemptAt} />
          </Text>
        )}
      </Stack>
    ),
  },
  {
    name: 'Last response',
    cell: ({ lastStatus, lastError }) => outcomeText(lastStatus, lastError),
  },
  { name: 'Attempts', cell: ({ attempts }) => attempts },
  { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const action: Column<Delivery> = {
  name: 'Action',
  cell: (delivery) => <Replay delivery={delivery} />,
};

const stateChoices = Object.entries(deliveryStates).map(([value, { name }]) => ({
  value,
  label: name,
}));
const typeChoices = Object.keys(eventTypes).map((value) => ({ value, label: value }));

function Deliveries({ applicationId }: { applicationId: string }) {
  const canAct = useMay('partners');
  const filter = useSearch({ from: '/inside/partners/$applicationId/deliveries' });
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery(applicationId)).data?.items ?? [];
  const query = useQuery(deliveriesQuery(applicationId, filter));
  const to = '/partners/$applicationId/deliveries';
  const go = (search: DeliveryFilter) => void navigate({ to, params: { applicationId }, search });
  const change = (changed: DeliveryFilter) => go({ ...filter, cursor: undefined, ...changed });
  const columns = columnsOf(
    applicationId,
    new Map(endpoints.map(({ endpointId, url }) => [endpointId, url])),
  );
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" component="search" aria-label="Filter the deliveries">
        <Choice
          label="State"
          value={filter.state}
          choices={stateChoices}
          onChoose={(state) => change({ state })}
        />
        <Choice
          label="Endpoint"
          value={filter.endpointId}
          choices={endpoints.map(({ endpointId, url }) => ({ value: endpointId, label: url }))}
          onChoose={(endpointId) => change({ endpointId })}
        />
        <Choice
          label="Event type"
          value={filter.type}
          choices={typeChoices}
          onChoose={(type) => change({ type })}
        />
      </Group>
      <Loaded query={query}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty title="No deliveries here">
                {nextCursor ? 'Select “Older” to look further.' : 'They are kept for 30 days.'}
              </Empty>
            ) : (
              <Records
                caption="Deliveries"
                columns={canAct ? [...columns, action] : columns}
                items={items}
                keyOf={({ deliveryId }) => deliveryId}
              />
            )}
            <Paging
              cursor={filter.cursor}
              nextCursor={nextCursor}
              onGo={(cursor) => go({ ...filter, cursor })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** The deliveries of an application, newest first. */
export const PartnerDeliveries = () => (
  <PartnerFrame>{({ applicationId }) => <Deliveries applicationId={applicationId} />}</PartnerFrame>
);
