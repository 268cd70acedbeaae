import { ActButton } from '../../../base/components/act-button.tsx';
import type { Delivery } from '../../../base/webhooks/types.ts';
import { webhooks } from '../../api/webhooks.ts';

/** Sends a delivery again. */
export const Replay = ({
  delivery: { deliveryId, type },
}: {
  delivery: Pick<Delivery, 'deliveryId' | 'type'>;
}) => (
  <ActButton
    aria-label={`Replay ${type} ${deliveryId}`}
    act={() => webhooks.replayDelivery(deliveryId)}
    done="It is sent again."
  >
    Replay
  </ActButton>
);
