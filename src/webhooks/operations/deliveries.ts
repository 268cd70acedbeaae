import { isRefusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { findWebhookDelivery, type WebhookDeliveryInFull } from '../store/deliveries.ts';
import { listWebhookDeliveries, type DeliveryPosition } from '../store/delivery-lists.ts';
import { readWebhookSecrets, type WebhookSecrets } from '../store/endpoint-secrets.ts';
import { uuidOfEvent } from '../../events/index.ts';
import { webhookMessage } from '../message.ts';
import * as acts from '../edit-endpoints.ts';
import {
  cutPage,
  pageInPortal,
  portalActs,
  type PortalContext,
  positionAt,
  positionText,
} from '../../access/index.ts';
import { deliveryInFull, deliveryView } from './views.ts';

function deliveryAt(position: string): DeliveryPosition {
  const [createdAt, deliveryId] = positionAt(position);
  return { createdAt, deliveryId };
}

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

/** What a partner reads and repeats of its deliveries. */
export const portalDeliveryActs = portalActs<PortalContext>()({
  'portal.delivery.list': async (call) => {
    const page = pageInPortal(call);
    if (isRefusal(page)) return page;
    const { size, after, cursorAt } = page;
    const { endpointId, eventId, state, type } = call.query;
    const wanted = {
      endpointId,
      eventId: eventId === undefined ? undefined : uuidOfEvent(eventId),
      state,
      type,
      before: after === null ? undefined : deliveryAt(after),
      atMost: size + 1,
    };
    const found = await call.context.reads.run((from) =>
      listWebhookDeliveries(from, call.actor.applicationId, wanted),
    );
    const { items, last } = cutPage(found.deliveries, size);
    const next = last ?? found.lookedUntil;
    const nextCursor = next && cursorAt(positionText(next.createdAt, next.deliveryId));
    return { items: items.map(deliveryView), nextCursor };
  },
  'portal.delivery.get': async ({ context: { database }, actor: { applicationId }, params }) => {
    const found = await findWebhookDelivery(database, applicationId, params.deliveryId);
    const secrets = found && (await readWebhookSecrets(database, applicationId, found.endpointId));
    if (!secrets) return refusePortal('not_found');
    return { ...deliveryInFull(found), lastRequest: lastRequestOf(found, secrets) };
  },
  'portal.delivery.replay': async ({ context, actor, params }) => {
    const replayed = await acts.replayDelivery(context, actor, params.deliveryId);
    return isRefusal(replayed) ? replayed : deliveryView(replayed);
  },
});
