import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../api/portal.ts';
import { deliveryQuery, eventTypesQuery } from '../../api/queries.ts';
import type { Endpoint, EventTypeInfo } from '../../api/types.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { deliveryStates, outcomeText } from '../../../base/webhooks/words.ts';

function Outcome({ deliveryId }: { deliveryId: string }) {
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <Loaded query={query}>
      {(delivery) => (
        <Group gap="xs" role="status">
          <StateBadge words={deliveryStates[delivery.state]} />
          <Text size="sm">
            {delivery.lastAttemptAt
              ? outcomeText(delivery.lastStatus, delivery.lastError)
              : 'In progress'}
          </Text>
          <TextLink to="/deliveries/$deliveryId" params={{ deliveryId }} size="sm">
            Show the delivery
          </TextLink>
        </Group>
      )}
    </Loaded>
  );
}

function TestForm({ endpoint, types }: { endpoint: Endpoint; types: readonly EventTypeInfo[] }) {
  const [chosen, setChosen] = useState(types[0]?.type);
  const send = useMutation({
    mutationFn: (type: EventTypeInfo['type']) => portal.sendTest(endpoint.endpointId, type),
  });
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label="Event type"
          className="choice"
          value={chosen}
          onChange={({ currentTarget }) =>
            setChosen(types.find(({ type }) => type === currentTarget.value)?.type)
          }
          data={types.map(({ type }) => type)}
        />
        <Button
          loading={send.isPending}
          disabled={endpoint.state !== 'active'}
          onClick={() => chosen && send.mutate(chosen)}
        >
          Send test event
        </Button>
      </Group>
      {endpoint.state !== 'active' && (
        <Text size="sm">
          Resume the endpoint first. Nothing is sent to it while it is not active.
        </Text>
      )}
      {send.data && <Outcome deliveryId={send.data.deliveryId} />}
    </Stack>
  );
}

/** Sends a test event and shows its result. */
export function TestSection({ endpoint }: { endpoint: Endpoint }) {
  const query = useQuery(eventTypesQuery);
  return (
    <Section
      title="Test event"
      about="Signed and delivered like a real one, to this endpoint only. It is not in the event feed."
    >
      <Loaded query={query}>{({ items }) => <TestForm endpoint={endpoint} types={items} />}</Loaded>
    </Section>
  );
}
