import { instant } from '../../contract/time.ts';
import {
  deliveryFile,
  deliveryView,
  endpointView,
  webhookAdministration as webhooks,
} from '../../webhooks/index.ts';
import type { OperatorContext } from '../context.ts';
import { act } from '../kinds.ts';

const administrationOf = (
  { database, loopbackAllowed }: OperatorContext,
  { name: actor }: { name: string },
): webhooks.EndpointAdministration => ({ database, loopbackAllowed, actor });

/** Lists the endpoints of an application. */
export const listEndpointsOf = act('operator.endpoint.list', {
  async reply({ context, actor, params }) {
    const { applicationId } = params;
    const found = await webhooks.listEndpoints(administrationOf(context, actor), applicationId);
    return { status: 200, body: { items: found.map(endpointView) } };
  },
});

/** Adds an endpoint. */
export const addEndpointOf = act('operator.endpoint.add', {
  async reply({ context, actor, params: { applicationId }, body }) {
    const { url, description = '', eventTypes = null } = body;
    const input = { url, description, eventTypes };
    const administration = administrationOf(context, actor);
    const added = await webhooks.addEndpoint(administration, applicationId, input);
    return { status: 201, body: { ...endpointView(added.endpoint), secret: added.secret } };
  },
});

/** Stops deliveries to an endpoint. */
export const pauseEndpointOf = act('operator.endpoint.pause', {
  async reply({ context, actor, params: { endpointId } }) {
    const paused = await webhooks.pauseEndpoint(administrationOf(context, actor), endpointId);
    return { status: 200, body: endpointView(paused) };
  },
});

/** Resumes deliveries to an endpoint. */
export const resumeEndpointOf = act('operator.endpoint.resume', {
  async reply({ context, actor, params: { endpointId }, body: { missed } }) {
    const administration = administrationOf(context, actor);
    const resumed = await webhooks.resumeEndpoint(administration, endpointId, missed);
    return { status: 200, body: endpointView(resumed) };
  },
});

/** Gives an endpoint a new secret. */
export const rotateSecretOf = act('operator.endpoint.rotateSecret', {
  async reply({ context, actor, params: { endpointId } }) {
    const administration = administrationOf(context, actor);
    const { secret, previous } = await webhooks.rotateSecret(administration, endpointId);
    const previousSecretUntil = instant(previous?.expiresAt ?? null);
    return { status: 200, body: { secret, previousSecretUntil } };
  },
});

/** Deletes an endpoint and its deliveries. */
export const deleteEndpointOf = act('operator.endpoint.delete', {
  async reply({ context, actor, params: { endpointId } }) {
    await webhooks.deleteEndpoint(administrationOf(context, actor), endpointId);
    return { status: 204, body: null };
  },
});

/** Sends the failed deliveries of an endpoint again. */
export const replayFailedOf = act('operator.endpoint.replayFailed', {
  async reply({ context, actor, params: { endpointId }, body }) {
    const input = { what: 'failed', since: Date.parse(body.since) } as const;
    const administration = administrationOf(context, actor);
    return { status: 200, body: await webhooks.replayMany(administration, endpointId, input) };
  },
});

/** Sends the events again that a resume skipped. */
export const replayMissedOf = act('operator.endpoint.replayMissed', {
  async reply({ context, actor, params: { endpointId } }) {
    const administration = administrationOf(context, actor);
    const input = { what: 'missed' } as const;
    return { status: 200, body: await webhooks.replayMany(administration, endpointId, input) };
  },
});

/** Lists the deliveries of an application. */
export const listDeliveriesOf = act('operator.delivery.list', {
  async reply({ context, params: { applicationId }, query: { limit, cursor, ...filter } }) {
    const page = await context.reads.run((from) =>
      webhooks.listDeliveryPage(from, applicationId, filter, { limit, cursor }),
    );
    return { status: 200, body: { ...page, items: page.items.map(deliveryView) } };
  },
});

/** Shows a delivery with its attempts. */
export const getDeliveryOf = act('operator.delivery.get', {
  async reply({ context, params: { applicationId, deliveryId } }) {
    const found = await context.reads.run((from) =>
      webhooks.showDelivery(from, applicationId, deliveryId),
    );
    return { status: 200, body: deliveryFile(found) };
  },
});

/** Sends a delivery again. */
export const replayDeliveryOf = act('operator.delivery.replay', {
  async reply({ context, actor, params: { deliveryId } }) {
    const replayed = await webhooks.replayDelivery(administrationOf(context, actor), deliveryId);
    return { status: 202, body: deliveryView(replayed) };
  },
});
