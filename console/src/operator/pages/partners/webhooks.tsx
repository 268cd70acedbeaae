import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Breakable } from '../../../base/components/breakable.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Section } from '../../../base/components/section.tsx';
import { EndpointForm } from '../../../base/webhooks/endpoint-form.tsx';
import { EndpointState, eventTypesText } from '../../../base/webhooks/endpoint-state.tsx';
import type { Endpoint, EndpointInput } from '../../../base/webhooks/types.ts';
import { endpointsQuery, webhooks } from '../../api/webhooks.ts';
import { useMay } from '../../frame/session.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';
import { EndpointActs } from './endpoint-acts.tsx';
import { PartnerFrame, useApplicationId } from './partner-frame.tsx';

function StateOf({ endpoint }: { endpoint: Endpoint }) {
  const applicationId = useApplicationId();
  const { endpointId } = endpoint;
  return (
    <EndpointState
      endpoint={endpoint}
      renderDeliveriesLink={(state, text) => (
        <TextLink
          to="/partners/$applicationId/deliveries"
          params={{ applicationId }}
          search={{ endpointId, state }}
          size="sm"
        >
          {text}
        </TextLink>
      )}
    />
  );
}

const EndpointCard = ({ endpoint, canAct }: { endpoint: Endpoint; canAct: boolean }) => (
  <Paper withBorder p="md" component="li">
    <Stack gap="xs">
      <Text fw={600}>
        <Breakable text={endpoint.url} />
      </Text>
      {endpoint.description && (
        <Text size="sm" className="break">
          {endpoint.description}
        </Text>
      )}
      <Text size="sm" c="dimmed" className="break">
        {eventTypesText(endpoint)}
      </Text>
      <StateOf endpoint={endpoint} />
      {canAct && <EndpointActs endpoint={endpoint} />}
    </Stack>
  </Paper>
);

const noEndpoint = { url: '', description: '', eventTypes: null };

function AddEndpoint({ applicationId }: { applicationId: string }) {
  const confirmed = useStepUp();
  const [isOpen, setOpen] = useState(false);
  const { mutateAsync, data, reset } = useMutation({
    mutationFn: (input: EndpointInput) => confirmed(() => webhooks.add(applicationId, input)),
    meta: { shown: true },
    onSuccess: () => setOpen(false),
  });
  if (data) {
    return (
      <ShownOnce
        what="secret"
        value={data.secret}
        about="Deliveries are signed with it. The partner can also read it in the portal."
        onDone={reset}
      />
    );
  }
  if (!isOpen) {
    return (
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          Add an endpoint
        </Button>
      </Group>
    );
  }
  return (
    <Section title="Add an endpoint" about="It receives events from now on.">
      <EndpointForm
        initial={noEndpoint}
        submitLabel="Add"
        onCancel={() => setOpen(false)}
        onSubmit={async (input) => void (await mutateAsync(input))}
      />
    </Section>
  );
}

function Endpoints({ applicationId }: { applicationId: string }) {
  const canAct = useMay('partners');
  const query = useQuery(endpointsQuery(applicationId));
  return (
    <Stack gap="sm">
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No endpoints">Events of this application are sent nowhere.</Empty>
          ) : (
            <Stack gap="sm" component="ul" className="plain-list">
              {items.map((endpoint) => (
                <EndpointCard key={endpoint.endpointId} endpoint={endpoint} canAct={canAct} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {canAct && <AddEndpoint applicationId={applicationId} />}
    </Stack>
  );
}

/** The webhooks of an application. */
export const PartnerWebhooks = () => (
  <PartnerFrame>{({ applicationId }) => <Endpoints applicationId={applicationId} />}</PartnerFrame>
);
