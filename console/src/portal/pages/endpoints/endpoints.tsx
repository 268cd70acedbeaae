import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointsQuery } from '../../api/queries.ts';
import type { Endpoint } from '../../api/types.ts';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { openAddEndpoint } from './edit-endpoint.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { eventTypesText } from '../../../base/webhooks/endpoint-state.tsx';
import { OwnEndpointState } from './endpoint-state.tsx';

const AddButton = () => (
  <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={openAddEndpoint}>
    Add endpoint
  </Button>
);

const EndpointCard = ({ endpoint }: { endpoint: Endpoint }) => (
  <Paper withBorder p="md" component="li">
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={6} className="page-title">
        <TextLink
          to="/endpoints/$endpointId"
          params={{ endpointId: endpoint.endpointId }}
          className="mono"
          fw={600}
        >
          {endpoint.url}
        </TextLink>
        {endpoint.description && (
          <Text size="sm" className="break">
            {endpoint.description}
          </Text>
        )}
        <Text size="sm" c="dimmed" className="break">
          {eventTypesText(endpoint)}
        </Text>
        <OwnEndpointState endpoint={endpoint} />
      </Stack>
      <EndpointActions endpoint={endpoint} />
    </Group>
  </Paper>
);

const NoEndpoint = () => (
  <Empty title="No endpoints yet">
    <Stack gap="sm" align="center">
      <span>
        An endpoint is a URL of yours. Each event of your bookings is signed and posted to it. You
        can also read all events in the event feed.
      </span>
      <AddButton />
    </Stack>
  </Empty>
);

/** The application's endpoints with their states. */
export function Endpoints() {
  const query = useQuery(endpointsQuery);
  const hasSome = query.data !== undefined && query.data.items.length > 0;
  return (
    <Stack gap="md">
      <PageTitle title="Endpoints" about="The URLs that events are posted to.">
        {hasSome && <AddButton />}
      </PageTitle>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <NoEndpoint />
          ) : (
            <Stack gap="sm" component="ul" className="plain-list">
              {items.map((endpoint) => (
                <EndpointCard key={endpoint.endpointId} endpoint={endpoint} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}
