import { isRefusal, refuse } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { PortalBodyOf } from '../../contract/portal/operations.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from '../store/endpoints.ts';
import { readWebhookSecrets } from '../store/endpoint-secrets.ts';
import { countFailed } from '../store/replays.ts';
import * as acts from '../edit-endpoints.ts';
import { portalActs, type PortalContext } from '../../access/index.ts';
import { deliveryView, endpointView, secretsView } from './views.ts';

/** Reads the body of a replay. A string is the problem of its `since`. */
function replayInput({
  what,
  since,
}: PortalBodyOf<'portal.endpoint.replay'>): acts.ReplayInput | string {
  if (what === 'missed') return since === undefined ? { what } : 'belongs to failed';
  return since === undefined ? 'is required for failed' : { what, since: Date.parse(since) };
}

const noEndpoint = refusePortal('not_found');

/** What a partner does with its endpoints. */
export const portalEndpointActs = portalActs<PortalContext>()({
  'portal.endpoint.list': async ({ context, actor }) => {
    const found = await context.reads.run((from) =>
      listWebhookEndpoints(from, actor.applicationId),
    );
    return { items: found.map(endpointView) };
  },
  'portal.endpoint.get': async ({ context, actor, params }) => {
    const { applicationId } = actor;
    const found = await findWebhookEndpoint(context.database, applicationId, params.endpointId);
    return found ? endpointView(found) : noEndpoint;
  },
  'portal.endpoint.add': async ({ context, actor, body }) => {
    const { url, description = '', eventTypes = null } = body;
    const added = await acts.addEndpoint(context, actor, { url, description, eventTypes });
    if (!isRefusal(added)) return { ...endpointView(added.endpoint), secret: added.secret };
    // The application no longer exists, so the session is not valid.
    if (added.refused === 'not_found') return refusePortal('unauthenticated', 'session');
    return added;
  },
  'portal.endpoint.change': async ({ context, actor, params, body }) => {
    const changed = await acts.changeEndpoint(context, actor, params.endpointId, body);
    return isRefusal(changed) ? changed : endpointView(changed);
  },
  'portal.endpoint.delete': async ({ context, actor, params }) => {
    const deleted = await acts.deleteEndpoint(context, actor, params.endpointId);
    return isRefusal(deleted) ? deleted : null;
  },
  'portal.endpoint.pause': async ({ context, actor, params }) => {
    const paused = await acts.pauseEndpoint(context, actor, params.endpointId);
    return isRefusal(paused) ? paused : endpointView(paused);
  },
  'portal.endpoint.resume': async ({ context, actor, params, body }) => {
    const resumed = await acts.resumeEndpoint(context, actor, params.endpointId, body.missed);
    return isRefusal(resumed) ? resumed : endpointView(resumed);
  },
  'portal.endpoint.getSecret': async ({ context, actor, params }) => {
    const { applicationId } = actor;
    const secrets = await readWebhookSecrets(context.database, applicationId, params.endpointId);
    return secrets ? secretsView(secrets) : noEndpoint;
  },
  'portal.endpoint.rotateSecret': async ({ context, actor, params }) => {
    const rotated = await acts.rotateSecret(context, actor, params.endpointId);
    return isRefusal(rotated) ? rotated : secretsView(rotated);
  },
  'portal.endpoint.test': async ({ context, actor, params, body }) => {
    const sent = await acts.sendTest(context, actor, params.endpointId, body.type);
    return isRefusal(sent) ? sent : deliveryView(sent);
  },
  'portal.endpoint.countFailed': async ({ context: { database }, actor, params, query }) => {
    const { applicationId } = actor;
    const { endpointId } = params;
    if (!(await findWebhookEndpoint(database, applicationId, endpointId))) return noEndpoint;
    const failed = await countFailed(database, applicationId, endpointId, Date.parse(query.since));
    const replayable = Math.min(failed, portalLimits.replayedAtOnce);
    return { replayable, hasMore: failed > replayable };
  },
  'portal.endpoint.replay': ({ context, actor, params, body }) => {
    const input = replayInput(body);
    return typeof input === 'string'
      ? refuse('invalid_input', { fields: [{ path: '/since', message: input }] })
      : acts.replayMany(context, actor, params.endpointId, input);
  },
});
