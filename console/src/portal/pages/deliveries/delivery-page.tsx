import { Group, Paper, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { portal } from '../../api/portal.ts';
import { deliveryQuery, endpointsQuery } from '../../api/queries.ts';
import type { DeliveryDetail, SignedRequest } from '../../api/types.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { CodeBlock, JsonBlock } from '../../../base/components/code-block.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { Attempts } from '../../../base/webhooks/attempts.tsx';
import { deliveryStates } from '../../../base/webhooks/words.ts';

function EndpointLink({ endpointId }: { endpointId: string }) {
  const endpoints = useQuery(endpointsQuery).data?.items ?? [];
  const url = endpoints.find((one) => one.endpointId === endpointId)?.url;
  return (
    <TextLink to="/endpoints/$endpointId" params={{ endpointId }} size="sm" className="mono">
      {url ?? endpointId}
    </TextLink>
  );
}

const momentOrNothing = (at: string | null) => at && <Moment at={at} />;

const Summary = ({ delivery }: { delivery: DeliveryDetail }) => (
  <Paper withBorder p="md">
    <Facts
      facts={{
        State: <StateBadge words={deliveryStates[delivery.state]} />,
        'Next attempt': momentOrNothing(delivery.nextAttemptAt),
        Endpoint: <EndpointLink endpointId={delivery.endpointId} />,
        Attempts: delivery.attempts,
        Created: <Moment at={delivery.createdAt} />,
        Delivered: momentOrNothing(delivery.deliveredAt),
        'Event ID': delivery.test ? (
          <span className="mono">{delivery.eventId}</span>
        ) : (
          <TextLink
            to="/events/$eventId"
            params={{ eventId: delivery.eventId }}
            size="sm"
            className="mono"
          >
            {delivery.eventId}
          </TextLink>
        ),
        Sequence: delivery.sequence ?? 'None, because a test event is not in the feed',
      }}
    />
  </Paper>
);

const LastRequest = ({ deliveryId, request }: { deliveryId: string; request: SignedRequest }) => (
  <Section
    title="Signature"
    about="The headers of the last attempt."
    actions={
      <TextLink to="/verify" search={{ deliveryId }} size="sm">
        Verify it with code
      </TextLink>
    }
  >
    <CodeBlock
      language="http"
      code={Object.entries(request.headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
    />
  </Section>
);

const DeliveryView = ({ delivery }: { delivery: DeliveryDetail }) => (
  <Stack gap="md">
    <PageTitle title={delivery.type} about={delivery.test ? 'Test event' : 'Delivery of an event'}>
      <ActButton
        size="xs"
        leftSection={<IconRefresh size={14} aria-hidden />}
        act={() => portal.replayDelivery(delivery.deliveryId)}
        done="The delivery is sent again."
      >
        Replay
      </ActButton>
    </PageTitle>
    <Summary delivery={delivery} />
    <Attempts attempts={delivery.attemptsMade} made={delivery.attempts} />
    <Section title="Event">
      {delivery.event ? <JsonBlock value={delivery.event} /> : 'It is no longer in the feed.'}
    </Section>
    {delivery.lastRequest && (
      <LastRequest deliveryId={delivery.deliveryId} request={delivery.lastRequest} />
    )}
  </Stack>
);

/** One delivery: the event, each attempt and its response. */
export function DeliveryPage() {
  const { deliveryId } = useParams({ from: '/inside/deliveries/$deliveryId' });
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <Stack gap="sm">
      <Group>
        <TextLink to="/deliveries" search={{}} size="sm">
          ← Deliveries
        </TextLink>
      </Group>
      <Loaded query={query}>{(delivery) => <DeliveryView delivery={delivery} />}</Loaded>
    </Stack>
  );
}
