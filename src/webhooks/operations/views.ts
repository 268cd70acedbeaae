import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import type { Delivery } from '../../contract/portal/schemas/deliveries.ts';
import type { Endpoint } from '../../contract/portal/schemas/endpoints.ts';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryRecord,
} from '../store/deliveries.ts';
import type { WebhookEndpoint, WebhookSecrets } from '../store/endpoints.ts';
import type { EpochMs } from '../../contract/time.ts';
import { envelopeOf, eventIdOf } from '../../events/index.ts';

const shown = (at: EpochMs): string => new Date(at).toISOString();
const shownOrNull = (at: EpochMs | null): string | null => (at === null ? null : shown(at));

/** The response form of an endpoint. */
export const endpointView = ({ applicationId: _, ...endpoint }: WebhookEndpoint): Endpoint => ({
  ...endpoint,
  eventTypes: endpoint.eventTypes && [...endpoint.eventTypes],
  stateSince: shown(endpoint.stateSince),
  failingSince: shownOrNull(endpoint.failingSince),
  previousSecretUntil: shownOrNull(endpoint.previousSecretUntil),
  createdAt: shown(endpoint.createdAt),
  updatedAt: shown(endpoint.updatedAt),
});

/** The response form of an endpoint's secrets. */
export const secretsView = ({
  secret,
  previous,
}: WebhookSecrets): PortalReplyOf<'portal.endpoint.getSecret'>['body'] => ({
  secret,
  previous: previous && { secret: previous.secret, expiresAt: shown(previous.expiresAt) },
});

/** The response form of a delivery. */
export const deliveryView = (delivery: WebhookDelivery): Delivery => ({
  deliveryId: delivery.deliveryId,
  endpointId: delivery.endpointId,
  eventId: eventIdOf(delivery.eventId),
  type: delivery.type,
  sequence: delivery.sequence,
  test: delivery.test,
  state: delivery.state,
  attempts: delivery.attempts,
  nextAttemptAt: shownOrNull(delivery.nextAttemptAt),
  lastAttemptAt: shownOrNull(delivery.lastAttemptAt),
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  createdAt: shown(delivery.createdAt),
  deliveredAt: shownOrNull(delivery.deliveredAt),
});

const attemptView = (attempt: WebhookAttempt) => ({
  ...attempt,
  startedAt: shown(attempt.startedAt),
});

/** The response form of a delivery with its attempts and its event. */
export const deliveryFile = (delivery: WebhookDeliveryRecord) => ({
  ...deliveryView(delivery),
  attemptsMade: delivery.attemptsMade.map(attemptView),
  event: delivery.event && envelopeOf({ ...delivery, ...delivery.event }),
});
