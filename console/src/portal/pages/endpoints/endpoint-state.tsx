import { Group, Stack, Text } from '@mantine/core';
import type { Endpoint } from '../../api/types.ts';
import { Moment } from '../../../base/parts/moment.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { counted } from '../../../base/words/plural.ts';
import { endpointStates, stateReasons } from '../../words/states.ts';

/** The state of an endpoint, its reason and start, and the missed events. */
export const EndpointState = ({ endpoint }: { endpoint: Endpoint }) => (
  <Stack gap={4}>
    <Group gap="xs">
      <StateBadge words={endpointStates[endpoint.state]} />
      <Text size="sm" c="dimmed" component="span">
        since <Moment at={endpoint.stateSince} />
      </Text>
    </Group>
    {endpoint.stateReason && <Text size="sm">{stateReasons[endpoint.stateReason]}</Text>}
    {endpoint.failingSince && (
      <Text size="sm" c="var(--mantine-color-error)">
        Failing since <Moment at={endpoint.failingSince} />
      </Text>
    )}
    {endpoint.missed > 0 && (
      <Text size="sm">
        {counted(endpoint.missed, 'event')} missed{endpoint.state === 'active' && ', not replayed'}
      </Text>
    )}
  </Stack>
);

/** The event types of an endpoint, as one line. */
export const eventTypesText = ({ eventTypes }: Endpoint): string =>
  eventTypes === null ? 'All event types' : eventTypes.join(', ');
