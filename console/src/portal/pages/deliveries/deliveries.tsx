import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { DeliveryFilter } from '../../api/types.ts';
import { deliveriesQuery, endpointsQuery, eventTypesQuery } from '../../api/queries.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ButtonLink, TextLink } from '../../../base/components/links.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Paged } from '../../../base/components/paged.tsx';
import { TypedField } from '../../../base/components/typed-field.tsx';
import { deliveryStates } from '../../../base/webhooks/words.ts';
import { DeliveryTable } from './delivery-table.tsx';

const stateChoices = Object.entries(deliveryStates).map(([value, { name }]) => ({
  value,
  label: name,
}));

function Filters({
  filter,
  onChange,
}: {
  filter: DeliveryFilter;
  onChange: (change: DeliveryFilter) => void;
}) {
  const endpoints = useQuery(endpointsQuery).data?.items ?? [];
  const types = useQuery(eventTypesQuery).data?.items ?? [];
  return (
    <Group gap="sm" align="flex-end" component="search" aria-label="Filter the deliveries">
      <Choice
        label="Endpoint"
        value={filter.endpointId}
        choices={endpoints.map(({ endpointId, url }) => ({ value: endpointId, label: url }))}
        onChoose={(endpointId) => onChange({ endpointId })}
      />
      <Choice
        label="State"
        value={filter.state}
        choices={stateChoices}
        onChoose={(state) => onChange({ state })}
      />
      <Choice
        label="Event type"
        value={filter.type}
        choices={types.map(({ type }) => ({ value: type, label: type }))}
        onChoose={(type) => onChange({ type })}
      />
      {filter.eventId && (
        <TypedField
          key={filter.eventId}
          label="Event ID"
          value={filter.eventId}
          onEnter={(eventId) => onChange({ eventId })}
        />
      )}
    </Group>
  );
}

function NoDelivery({ filter }: { filter: DeliveryFilter }) {
  if (Object.values(filter).some(Boolean)) {
    return (
      <Empty title="No deliveries match">
        <TextLink to="/deliveries" search={{}} size="sm">
          Show all deliveries
        </TextLink>
      </Empty>
    );
  }
  return (
    <Empty title="No deliveries yet">
      <Stack gap="sm" align="center">
        <span>
          When one of your bookings changes, each endpoint gets a delivery. Send a test event to see
          one now. Deliveries are kept for 30 days.
        </span>
        <ButtonLink to="/endpoints" size="xs">
          Show the endpoints
        </ButtonLink>
      </Stack>
    </Empty>
  );
}

/** The deliveries to all endpoints, newest first. */
export function Deliveries() {
  const filter = useSearch({ from: '/inside/deliveries' });
  const navigate = useNavigate();
  const query = useQuery(deliveriesQuery(filter));
  const endpoints = useQuery(endpointsQuery).data?.items ?? [];
  const go = (search: DeliveryFilter) => void navigate({ to: '/deliveries', search });
  return (
    <Stack gap="md">
      <PageTitle title="Deliveries" about="Events sent to your endpoints, newest first." />
      <Filters
        filter={filter}
        onChange={(change) => go({ ...filter, cursor: undefined, ...change })}
      />
      <Paged
        query={query}
        cursor={filter.cursor}
        onGo={(cursor) => go({ ...filter, cursor })}
        renderNone={() => <NoDelivery filter={filter} />}
      >
        {(items) => <DeliveryTable items={items} endpoints={endpoints} />}
      </Paged>
    </Stack>
  );
}
