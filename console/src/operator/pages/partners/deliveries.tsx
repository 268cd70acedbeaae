import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { eventTypes } from '#contract/events.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { deliveryColumns } from '../../../base/webhooks/delivery-columns.tsx';
import { Word } from '../../../base/components/word.tsx';
import { productWord } from '../../../base/words/product-words.ts';
import type { Delivery } from '../../../base/webhooks/types.ts';
import { deliveryStates } from '../../../base/webhooks/words.ts';
import { deliveriesQuery, type DeliveryFilter, endpointsQuery } from '../../api/webhooks.ts';
import { useMay } from '../../frame/session.ts';
import { PartnerFrame } from './partner-frame.tsx';
import { Replay } from './replay.tsx';

const linkWithin =
  (applicationId: string) =>
  ({ deliveryId, type }: Delivery) => (
    <TextLink
      to="/partners/$applicationId/deliveries/$deliveryId"
      params={{ applicationId, deliveryId }}
      size="sm"
      fw={600}
      className="whole"
    >
      <Word of={type} />
    </TextLink>
  );

const action: Column<Delivery> = {
  name: 'Action',
  cell: (delivery) => <Replay delivery={delivery} />,
};

const stateChoices = Object.entries(deliveryStates).map(([value, { name }]) => ({
  value,
  label: name,
}));
const typeChoices = Object.keys(eventTypes).map((value) => ({
  value,
  label: productWord(value),
}));

function Deliveries({ applicationId }: { applicationId: string }) {
  const canAct = useMay('partners');
  const filter = useSearch({ from: '/inside/partners/$applicationId/deliveries' });
  const navigate = useNavigate();
  const endpoints = useQuery(endpointsQuery(applicationId)).data?.items ?? [];
  const query = useQuery(deliveriesQuery(applicationId, filter));
  const to = '/partners/$applicationId/deliveries';
  const go = (search: DeliveryFilter) => void navigate({ to, params: { applicationId }, search });
  const change = (changed: DeliveryFilter) => go({ ...filter, cursor: undefined, ...changed });
  const columns = deliveryColumns(linkWithin(applicationId), endpoints);
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
      <PagedTable
        query={query}
        cursor={filter.cursor}
        onGo={(cursor) => go({ ...filter, cursor })}
        renderNone={(hasMore) => (
          <Empty title="No deliveries here">
            {hasMore ? 'Select “Older” to look further.' : 'They are kept for 30 days.'}
          </Empty>
        )}
        caption="Deliveries"
        columns={canAct ? [...columns, action] : columns}
        keyOf={({ deliveryId }) => deliveryId}
      />
    </Stack>
  );
}

/** The deliveries of an application, newest first. */
export const PartnerDeliveries = () => (
  <PartnerFrame>{({ applicationId }) => <Deliveries applicationId={applicationId} />}</PartnerFrame>
);
