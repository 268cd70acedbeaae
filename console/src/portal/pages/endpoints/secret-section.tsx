import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../api/portal.ts';
import { secretQuery } from '../../api/queries.ts';
import type { Endpoint, Secrets } from '../../api/types.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { Section } from '../../../base/components/section.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { SecretValue } from './secret-value.tsx';

const Shown = ({ secrets }: { secrets: Secrets }) => (
  <Stack gap="sm">
    <div>
      {secrets.previous && (
        <Text size="xs" c="dimmed">
          New secret
        </Text>
      )}
      <SecretValue secret={secrets.secret} what="signing secret" />
    </div>
    {secrets.previous && (
      <div>
        <Text size="xs" c="dimmed">
          Old secret, also signs; it expires <Moment at={secrets.previous.expiresAt} />
        </Text>
        <SecretValue secret={secrets.previous.secret} what="old signing secret" />
      </div>
    )}
  </Stack>
);

const question = {
  title: 'Rotate the secret?',
  text: 'A new secret is created. For 24 hours each delivery has two signatures, one with the new and one with the old secret, so that your receiver can switch without missing a delivery. If an earlier secret still signs, it stops at once.',
  verb: 'Rotate',
};

/** The signing secret of an endpoint: hidden until requested, rotated with an overlap. */
export function SecretSection({ endpoint }: { endpoint: Endpoint }) {
  const [isShown, setShown] = useState(false);
  const secrets = useQuery(secretQuery(endpoint.endpointId, isShown));
  const actions = (
    <Group gap="xs">
      <Button variant="default" size="xs" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show the secret'}
      </Button>
      <ActButton
        size="xs"
        act={() => portal.rotateSecret(endpoint.endpointId)}
        question={question}
        done={() => {
          setShown(true);
          notifyDone('The secret is rotated.');
        }}
      >
        Rotate
      </ActButton>
    </Group>
  );
  return (
    <Section title="Signing secret" about="Deliveries are signed with it." actions={actions}>
      {endpoint.previousSecretUntil && !isShown && (
        <Alert color="blue" variant="light" mb="xs">
          The secret was rotated. The old one also signs; it expires{' '}
          <Moment at={endpoint.previousSecretUntil} />.
        </Alert>
      )}
      {isShown ? (
        <Loaded query={secrets}>{(read) => <Shown secrets={read} />}</Loaded>
      ) : (
        <Text size="sm" className="mono" aria-hidden>
          whsec_••••••••••••••••
        </Text>
      )}
    </Section>
  );
}
