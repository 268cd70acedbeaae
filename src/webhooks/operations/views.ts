import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import type { Delivery } from '../../contract/portal/schemas/deliveries.ts';
import type { Endpoint } from '../../contract/portal/schemas/endpoints.ts';
import type { WebhookAttempt, WebhookDeliveryInFull } from '../store/deliveries.ts';
import type { WebhookDelivery } from '../store/delivery-rows.ts';
import type { WebhookEndpoint } from '../store/endpoints.ts';
import type { WebhookSecrets } from '../store/endpoint-secrets.ts';
import { instant } from '../../contract/time.ts';
import { envelopeOf, eventIdOf } from '../../events/index.ts';

/** The response form of an endpoint. */
export const endpointView = ({ applicationId: _, ...endpoint }: WebhookEndpoint): Endpoint => ({
  ...endpoint,
  eventTypes: endpoint.eventTypes && [...endpoint.eventTypes],
  stateSince: instant(endpoint.stateSince),
  failingSince: instant(endpoint.failingSince),
  previousSecretUntil: instant(endpoint.previousSecretUntil),
  createdAt: instant(endpoint.createdAt),
  updatedAt: instant(endpoint.updatedAt),
});

/** The response form of an endpoint's secrets. */
export const secretsView = ({
  secret,
  previous,
}: WebhookSecrets): PortalReplyOf<'portal.endpoint.getSecret'>['body'] => ({
  secret,
  previous: previous && { secret: previous.secret, expiresAt: instant(previous.expiresAt) },
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
  nextAttemptAt: instant(delivery.nextAttemptAt),
  lastAttemptAt: instant(delivery.lastAttemptAt),
  lastStatus: delivery.lastStatus,
  lastError: delivery.lastError,
  createdAt: instant(delivery.createdAt),
  deliveredAt: instant(delivery.deliveredAt),
});

const attemptView = (attempt: WebhookAttempt) => ({
  ...attempt,
  startedAt: instant(attempt.startedAt),
});

/** The response form of a delivery with its attempts and its event. */
export const deliveryInFull = (delivery: WebhookDeliveryInFull) => ({
  ...deliveryView(delivery),
  attemptsMade: delivery.attemptsMade.map(attemptView),
  event: delivery.event && envelopeOf({ ...delivery, ...delivery.event }),
});
