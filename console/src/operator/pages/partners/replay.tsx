import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notifyDone } from '../../../base/components/notify.tsx';
import type { Delivery } from '../../../base/webhooks/types.ts';
import { webhooks } from '../../api/webhooks.ts';

/** Sends a delivery again. */
export function Replay({
  delivery: { deliveryId, type },
}: {
  delivery: Pick<Delivery, 'deliveryId' | 'type'>;
}) {
  const replay = useMutation({
    mutationFn: () => webhooks.replayDelivery(deliveryId),
    onSuccess: () => notifyDone('It is sent again.'),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Replay ${type} ${deliveryId}`}
      loading={replay.isPending}
      onClick={() => replay.mutate()}
    >
      Replay
    </Button>
  );
}
