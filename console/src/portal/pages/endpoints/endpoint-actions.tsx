import { Button, Group } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { portal } from '../../api/portal.ts';
import type { Endpoint } from '../../api/types.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { openEditEndpoint } from './edit-endpoint.tsx';
import { openResumeEndpoint } from '../../../base/webhooks/resume-endpoint.tsx';

const buttonStyle = { variant: 'default', size: 'xs' } as const;
const iconSize = 14;

function PauseOrResume({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.state === 'active') {
    return (
      <ActButton
        {...buttonStyle}
        leftSection={<IconPlayerPause size={iconSize} aria-hidden />}
        aria-label={`Pause ${endpoint.url}`}
        act={() => portal.pauseEndpoint(endpoint.endpointId)}
        done="The endpoint is paused."
      >
        Pause
      </ActButton>
    );
  }
  return (
    <Button
      {...buttonStyle}
      leftSection={<IconPlayerPlay size={iconSize} aria-hidden />}
      aria-label={`Resume ${endpoint.url}`}
      onClick={() => openResumeEndpoint(endpoint, portal.resumeEndpoint)}
    >
      Resume
    </Button>
  );
}

const removalOf = ({ url }: Endpoint) =>
  ({
    title: 'Delete the endpoint?',
    text: (
      <>
        Nothing more is sent to <span className="mono">{url}</span>. Its secret and its deliveries
        are deleted permanently.
      </>
    ),
    verb: 'Delete',
    color: 'red',
  }) as const;

/** The actions on an endpoint. */
export function EndpointActions({
  endpoint,
  onDeleted,
}: {
  endpoint: Endpoint;
  onDeleted?: () => void;
}) {
  return (
    <Group gap="xs">
      <Button
        {...buttonStyle}
        leftSection={<IconPencil size={iconSize} aria-hidden />}
        aria-label={`Edit ${endpoint.url}`}
        onClick={() => openEditEndpoint(endpoint)}
      >
        Edit
      </Button>
      <PauseOrResume endpoint={endpoint} />
      <ActButton
        {...buttonStyle}
        leftSection={<IconTrash size={iconSize} aria-hidden />}
        aria-label={`Delete ${endpoint.url}`}
        act={() => portal.deleteEndpoint(endpoint.endpointId)}
        question={removalOf(endpoint)}
        done={() => {
          notifyDone('The endpoint is deleted.');
          onDeleted?.();
        }}
      >
        Delete
      </ActButton>
    </Group>
  );
}
