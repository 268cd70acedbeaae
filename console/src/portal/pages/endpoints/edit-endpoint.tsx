import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../api/portal.ts';
import type { AddedEndpoint, Endpoint, EndpointInput } from '../../api/types.ts';
import { ButtonLink } from '../../../base/components/links.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { EndpointForm } from '../../../base/webhooks/endpoint-form.tsx';
import { SecretValue } from './secret-value.tsx';

const close = () => modals.closeAll();

const Added = ({ endpoint }: { endpoint: AddedEndpoint }) => (
  <Stack gap="md">
    <Alert color="teal" variant="light" title="The endpoint is added" role="status">
      Events are posted to it from now on.
    </Alert>
    <Text size="sm">
      Every delivery is signed with this secret. Store it in the configuration of your receiver. You
      can show it again on the endpoint’s page.
    </Text>
    <SecretValue secret={endpoint.secret} what="signing secret" />
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={close}>
        Close
      </Button>
      <ButtonLink
        to="/endpoints/$endpointId"
        params={{ endpointId: endpoint.endpointId }}
        onClick={close}
        data-autofocus
      >
        Send a test event
      </ButtonLink>
    </Group>
  </Stack>
);

function AddEndpoint() {
  const [added, setAdded] = useState<AddedEndpoint>();
  const { mutateAsync } = useMutation({ mutationFn: portal.addEndpoint, meta: { shown: true } });
  if (added) return <Added endpoint={added} />;
  return (
    <EndpointForm
      initial={{ url: '', description: '', eventTypes: null }}
      submitLabel="Add endpoint"
      onCancel={close}
      onSubmit={async (input) => setAdded(await mutateAsync(input))}
    />
  );
}

function EditEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const { mutateAsync } = useMutation({
    mutationFn: (input: EndpointInput) => portal.changeEndpoint(endpoint.endpointId, input),
    meta: { shown: true },
  });
  return (
    <EndpointForm
      initial={endpoint}
      submitLabel="Save"
      onCancel={close}
      onSubmit={async (input) => {
        await mutateAsync(input);
        close();
        notifyDone('The endpoint is changed.');
      }}
    />
  );
}

/** Opens the dialog that adds an endpoint and then shows its secret. */
export const openAddEndpoint = (): void => {
  modals.open({ title: 'Add an endpoint', children: <AddEndpoint /> });
};

/** Opens the dialog that changes an endpoint. */
export const openEditEndpoint = (endpoint: Endpoint): void => {
  modals.open({ title: 'Edit the endpoint', children: <EditEndpoint endpoint={endpoint} /> });
};
