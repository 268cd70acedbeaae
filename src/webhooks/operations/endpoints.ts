import { isRefusal, refuse } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalBodyOf } from '../../contract/portal/operations.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from '../store/endpoints.ts';
import { readWebhookSecrets } from '../store/endpoint-secrets.ts';
import { countFailed } from '../store/replays.ts';
import * as acts from '../manage-endpoints.ts';
import { act } from '../../access/index.ts';
import { deliveryView, endpointView, secretsView } from './views.ts';

/** Lists all endpoints. */
export const listEndpoints = act('portal.endpoint.list', {
  async reply({ context, actor }) {
    const found = await context.reads.run((from) =>
      listWebhookEndpoints(from, actor.applicationId),
    );
    return { status: 200, body: { items: found.map(endpointView) } };
  },
});

/** Returns an endpoint. */
export const getEndpoint = act('portal.endpoint.get', {
  load: ({ context, actor, params }) =>
    findWebhookEndpoint(context.database, actor.applicationId, params.endpointId),
  reply: (_call, endpoint) => ({ status: 200, body: endpointView(endpoint) }),
});

/** Adds an endpoint, and returns its secret. */
export const addEndpoint = act('portal.endpoint.add', {
  async reply({ context, actor, body }) {
    const { url, description = '', eventTypes = null } = body;
    const added = await acts.addEndpoint(context, actor, { url, description, eventTypes });
    if (!isRefusal(added)) {
      return { status: 201, body: { ...endpointView(added.endpoint), secret: added.secret } };
    }
    // The application no longer exists, so the session is not valid.
    if (added.refused === 'not_found') return refusePortal('unauthenticated', 'session');
    return added;
  },
});

/** Changes an endpoint. */
export const changeEndpoint = act('portal.endpoint.change', {
  async reply({ context, actor, params, body }) {
    const changed = await acts.changeEndpoint(context, actor, params.endpointId, body);
    return isRefusal(changed) ? changed : { status: 200, body: endpointView(changed) };
  },
});

/** Deletes an endpoint. */
export const deleteEndpoint = act('portal.endpoint.delete', {
  async reply({ context, actor, params }) {
    const deleted = await acts.deleteEndpoint(context, actor, params.endpointId);
    return isRefusal(deleted) ? deleted : { status: 204, body: null };
  },
});

/** Pauses an endpoint. */
export const pauseEndpoint = act('portal.endpoint.pause', {
  async reply({ context, actor, params }) {
    const paused = await acts.pauseEndpoint(context, actor, params.endpointId);
    return isRefusal(paused) ? paused : { status: 200, body: endpointView(paused) };
  },
});

/** Resumes an endpoint. */
export const resumeEndpoint = act('portal.endpoint.resume', {
  async reply({ context, actor, params, body }) {
    const resumed = await acts.resumeEndpoint(context, actor, params.endpointId, body.missed);
    return isRefusal(resumed) ? resumed : { status: 200, body: endpointView(resumed) };
  },
});

/** Returns the secret in clear. */
export const getSecret = act('portal.endpoint.getSecret', {
  load: ({ context, actor, params }) =>
    readWebhookSecrets(context.database, actor.applicationId, params.endpointId),
  reply: (_call, secrets) => ({ status: 200, body: secretsView(secrets) }),
});

/** Rotates the secret. */
export const rotateSecret = act('portal.endpoint.rotateSecret', {
  async reply({ context, actor, params }) {
    const rotated = await acts.rotateSecret(context, actor, params.endpointId);
    return isRefusal(rotated) ? rotated : { status: 200, body: secretsView(rotated) };
  },
});

/** Sends a test event. */
export const sendTest = act('portal.endpoint.test', {
  async reply({ context, actor, params, body }) {
    const sent = await acts.sendTest(context, actor, params.endpointId, body.type);
    return isRefusal(sent) ? sent : { status: 202, body: deliveryView(sent) };
  },
});

/** Counts what a replay of failed deliveries sends again. */
export const countFailedDeliveries = act('portal.endpoint.countFailed', {
  load: ({ context, actor, params }) =>
    findWebhookEndpoint(context.database, actor.applicationId, params.endpointId),
  async reply({ context, actor, params, query }) {
    const failed = await countFailed(
      context.database,
      actor.applicationId,
      params.endpointId,
      Date.parse(query.since),
    );
    const replayable = Math.min(failed, portalLimits.replayedAtOnce);
    return { status: 200, body: { replayable, hasMore: failed > replayable } };
  },
});

/** Reads the body of a replay. A string is the problem of its `since`. */
function replayInput({
  what,
  since,
}: PortalBodyOf<'portal.endpoint.replay'>): acts.ReplayInput | string {
  if (what === 'missed') return since === undefined ? { what } : 'belongs to failed';
  return since === undefined ? 'is required for failed' : { what, since: Date.parse(since) };
}

/** Sends failed or missed events again. */
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
