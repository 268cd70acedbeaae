import { isRefusal, refuse } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalBodyOf } from '../../contract/portal/operations.ts';
import {
  findWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookSecrets,
} from '../store/endpoints.ts';
import * as acts from '../manage-endpoints.ts';
import { act } from '../../access/index.ts';
import { deliveryView, endpointView, secretsView } from './views.ts';

/** Every endpoint. */
export const listEndpoints = act('portal.endpoint.list', {
  async reply({ context, actor }) {
    const found = await listWebhookEndpoints(context.database, actor.applicationId);
    return { status: 200, body: { items: found.map(endpointView) } };
  },
});

/** One endpoint. */
export const getEndpoint = act('portal.endpoint.get', {
  load: ({ context, actor, params }) =>
    findWebhookEndpoint(context.database, actor.applicationId, params.endpointId),
  reply: (_call, endpoint) => ({ status: 200, body: endpointView(endpoint) }),
});

/** A new endpoint, with its secret. */
export const addEndpoint = act('portal.endpoint.add', {
  async reply({ context, actor, body }) {
    const { url, description = '', eventTypes = null } = body;
    const added = await acts.addEndpoint(context, actor, { url, description, eventTypes });
    if (!isRefusal(added)) {
      return { status: 201, body: { ...endpointView(added.endpoint), secret: added.secret } };
    }
    // The application is gone, and the session with it.
    if (added.refused === 'not_found') return refusePortal('unauthenticated', 'session');
    return added;
  },
});

/** An endpoint with something else about it. */
export const changeEndpoint = act('portal.endpoint.change', {
  async reply({ context, actor, params, body }) {
    const changed = await acts.changeEndpoint(context, actor, params.endpointId, body);
    return isRefusal(changed) ? changed : { status: 200, body: endpointView(changed) };
  },
});

/** One endpoint less. */
export const deleteEndpoint = act('portal.endpoint.delete', {
  async reply({ context, actor, params }) {
    const deleted = await acts.deleteEndpoint(context, actor, params.endpointId);
    return isRefusal(deleted) ? deleted : { status: 204, body: null };
  },
});

/** An endpoint that is paused. */
export const pauseEndpoint = act('portal.endpoint.pause', {
  async reply({ context, actor, params }) {
    const paused = await acts.pauseEndpoint(context, actor, params.endpointId);
    return isRefusal(paused) ? paused : { status: 200, body: endpointView(paused) };
  },
});

/** An endpoint that is active again. */
export const resumeEndpoint = act('portal.endpoint.resume', {
  async reply({ context, actor, params, body }) {
    const resumed = await acts.resumeEndpoint(context, actor, params.endpointId, body.missed);
    return isRefusal(resumed) ? resumed : { status: 200, body: endpointView(resumed) };
  },
});

/** The secret, in clear. */
export const getSecret = act('portal.endpoint.getSecret', {
  load: ({ context, actor, params }) =>
    readWebhookSecrets(context.database, actor.applicationId, params.endpointId),
  reply: (_call, secrets) => ({ status: 200, body: secretsView(secrets) }),
});

/** A new secret. */
export const rotateSecret = act('portal.endpoint.rotateSecret', {
  async reply({ context, actor, params }) {
    const rotated = await acts.rotateSecret(context, actor, params.endpointId);
    return isRefusal(rotated) ? rotated : { status: 200, body: secretsView(rotated) };
  },
});

/** A test event on its way. */
export const sendTest = act('portal.endpoint.test', {
  async reply({ context, actor, params, body }) {
    const sent = await acts.sendTest(context, actor, params.endpointId, body.type);
    return isRefusal(sent) ? sent : { status: 202, body: deliveryView(sent) };
  },
});

/** What a body asks for; a text: what is wrong with its `since`. */
function replayInput({
  what,
  since,
}: PortalBodyOf<'portal.endpoint.replay'>): acts.ReplayInput | string {
  if (what === 'missed') return since === undefined ? { what } : 'belongs to failed';
  return since === undefined ? 'is required for failed' : { what, since: Date.parse(since) };
}

/** What failed or was missed, on its way again. */
export const replayMany = act('portal.endpoint.replay', {
  async reply({ context, actor, params, body }) {
    const input = replayInput(body);
    if (typeof input === 'string') {
      return refuse('invalid_input', { fields: [{ path: '/since', message: input }] });
    }
    const replayed = await acts.replayMany(context, actor, params.endpointId, input);
    return isRefusal(replayed) ? replayed : { status: 200, body: replayed };
  },
});
