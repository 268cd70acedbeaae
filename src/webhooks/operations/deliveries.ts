import { isRefusal } from '../../contract/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { findWebhookDelivery, type WebhookDeliveryInFull } from '../store/deliveries.ts';
import { listWebhookDeliveries, type DeliveryPosition } from '../store/delivery-lists.ts';
import { readWebhookSecrets, type WebhookSecrets } from '../store/endpoint-secrets.ts';
import { uuidOfEvent } from '../../events/index.ts';
import { webhookMessage } from '../message.ts';
import * as acts from '../manage-endpoints.ts';
import { act, cutPage, pageInPortal, positionAt, positionText } from '../../access/index.ts';
import { deliveryInFull, deliveryView } from './views.ts';

function deliveryAt(position: string): DeliveryPosition {
  const [createdAt, deliveryId] = positionAt(position);
  return { createdAt, deliveryId };
}

/** Lists deliveries, newest first. */
export const listDeliveries = act('portal.delivery.list', {
  load: (call) => pageInPortal(call),
  async reply({ context, actor, query }, { size, after, cursorAt }) {
    const { endpointId, eventId, state, type } = query;
    const wanted = {
      endpointId,
      eventId: eventId === undefined ? undefined : uuidOfEvent(eventId),
      state,
      type,
      before: after === null ? undefined : deliveryAt(after),
      atMost: size + 1,
    };
    const found = await context.reads.run((from) =>
      listWebhookDeliveries(from, actor.applicationId, wanted),
    );
    const { items, last } = cutPage(found.deliveries, size);
    const next = last ?? found.lookedUntil;
    const nextCursor = next && cursorAt(positionText(next.createdAt, next.deliveryId));
    return { status: 200, body: { items: items.map(deliveryView), nextCursor } };
  },
});

type InFull = PortalReplyOf<'portal.delivery.get'>['body'];

/** The request of the last attempt, so that the partner can try a verification on it. */
function lastRequestOf(
  { lastAttemptAt, ...delivery }: WebhookDeliveryInFull,
  { secret, previous }: WebhookSecrets,
): InFull['lastRequest'] {
  const { event } = delivery;
  if (!event || lastAttemptAt === null) return null;
  const secrets = previous ? [secret, previous.secret] : [secret];
  return webhookMessage({ ...delivery, ...event }, secrets, lastAttemptAt);
}

/** Returns a delivery with its attempts. */
export const getDelivery = act('portal.delivery.get', {
  async load({ context: { database }, actor: { applicationId }, params }) {
    const found = await findWebhookDelivery(database, applicationId, params.deliveryId);
    const secrets = found && (await readWebhookSecrets(database, applicationId, found.endpointId));
    return secrets && { found, secrets };
  },
  reply(_call, { found, secrets }) {
    const lastRequest = lastRequestOf(found, secrets);
    return { status: 200, body: { ...deliveryInFull(found), lastRequest } };
  },
});

/** Sends a delivery again. */
export const replayDelivery = act('portal.delivery.replay', {
  async reply({ context, actor, params }) {
    const replayed = await acts.replayDelivery(context, actor, params.deliveryId);
    return isRefusal(replayed) ? replayed : { status: 202, body: deliveryView(replayed) };
  },
});
