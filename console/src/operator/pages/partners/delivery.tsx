import { Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { JsonBlock } from '../../../base/components/code-block.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { Word } from '../../../base/components/word.tsx';
import { Attempts } from '../../../base/webhooks/attempts.tsx';
import { deliveryStates } from '../../../base/webhooks/words.ts';
import { type DeliveryInFull, deliveryQuery, endpointsQuery } from '../../api/webhooks.ts';
import { useMay } from '../../frame/session.ts';
import { PartnerFrame } from './partner-frame.tsx';
import { Replay } from './replay.tsx';

const momentOrNothing = (at: string | null) => at && <Moment at={at} />;

const File = ({ delivery, url }: { delivery: DeliveryInFull; url: string }) => (
  <Stack gap="md">
    <Paper withBorder p="md">
      <Facts
        facts={{
          State: <StateBadge words={deliveryStates[delivery.state]} />,
          'Next attempt': momentOrNothing(delivery.nextAttemptAt),
          Endpoint: <span className="mono">{url}</span>,
          Attempts: delivery.attempts,
          Created: <Moment at={delivery.createdAt} />,
          Delivered: momentOrNothing(delivery.deliveredAt),
          'Event ID': <span className="mono">{delivery.eventId}</span>,
          Sequence: delivery.sequence ?? 'None, because a test event is not in the feed',
        }}
      />
    </Paper>
    <Attempts attempts={delivery.attemptsMade} made={delivery.attempts} />
    <Section title="Event">
      {delivery.event ? <JsonBlock value={delivery.event} /> : 'It is no longer in the feed.'}
    </Section>
  </Stack>
);

function Delivery({ applicationId }: { applicationId: string }) {
  const { deliveryId } = useParams({
    from: '/inside/partners/$applicationId/deliveries/$deliveryId',
  });
  const canAct = useMay('partners');
  const endpoints = useQuery(endpointsQuery(applicationId)).data?.items ?? [];
  const query = useQuery(deliveryQuery(applicationId, deliveryId));
  return (
    <Stack gap="sm">
      <TextLink to="/partners/$applicationId/deliveries" params={{ applicationId }} size="sm">
        ← Deliveries
      </TextLink>
      <Loaded query={query}>
        {(delivery) => (
          <>
            <Group justify="space-between">
              <Title order={2} size="h4">
                <Word of={delivery.type} />
              </Title>
              {canAct && <Replay delivery={delivery} />}
            </Group>
            <File
              delivery={delivery}
              url={
                endpoints.find(({ endpointId }) => endpointId === delivery.endpointId)?.url ??
                delivery.endpointId
              }
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

/** One delivery of an application: its event, each attempt and its response. */
export const PartnerDelivery = () => (
  <PartnerFrame>{({ applicationId }) => <Delivery applicationId={applicationId} />}</PartnerFrame>
);
