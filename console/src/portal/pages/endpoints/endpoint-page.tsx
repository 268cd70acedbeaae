import { Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deliveriesQuery, endpointQuery } from '../../api/queries.ts';
import type { Endpoint } from '../../api/types.ts';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { eventTypesText } from '../../../base/webhooks/endpoint-state.tsx';
import { OwnEndpointState } from './endpoint-state.tsx';
import { ReplaySection } from './replay-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { TestSection } from './test-section.tsx';

const recentCount = 10;

function RecentDeliveries({ endpointId }: { endpointId: string }) {
  const query = useQuery(deliveriesQuery({ endpointId }, recentCount));
  const all = (
    <TextLink to="/deliveries" search={{ endpointId }} size="sm">
      All deliveries of this endpoint
    </TextLink>
  );
  return (
    <Section title="Recent deliveries" actions={all}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            'None yet. Send a test event to see one.'
          ) : (
            <DeliveryTable items={items} />
          )
        }
      </Loaded>
    </Section>
  );
}

function EndpointDetail({ endpoint }: { endpoint: Endpoint }) {
  const navigate = useNavigate();
  return (
    <Stack gap="md">
      <PageTitle title={endpoint.url} about={endpoint.description}>
        <EndpointActions
          endpoint={endpoint}
          onDeleted={() => void navigate({ to: '/endpoints' })}
        />
      </PageTitle>
      <Paper withBorder p="md">
        <Facts
          facts={{
            State: <OwnEndpointState endpoint={endpoint} />,
            'Event types': eventTypesText(endpoint),
            Added: <Moment at={endpoint.createdAt} />,
            'Endpoint ID': <span className="mono">{endpoint.endpointId}</span>,
          }}
        />
      </Paper>
      <TestSection endpoint={endpoint} />
      <SecretSection endpoint={endpoint} />
      <ReplaySection endpoint={endpoint} />
      <RecentDeliveries endpointId={endpoint.endpointId} />
    </Stack>
  );
}

/** One endpoint: state, secret, test events, replays and recent deliveries. */
export function EndpointPage() {
  const { endpointId } = useParams({ from: '/inside/endpoints/$endpointId' });
  const query = useQuery(endpointQuery(endpointId));
  return (
    <Stack gap="sm">
      <TextLink to="/endpoints" size="sm">
        ← Endpoints
      </TextLink>
      <Loaded query={query}>{(endpoint) => <EndpointDetail endpoint={endpoint} />}</Loaded>
    </Stack>
  );
}
