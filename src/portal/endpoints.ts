import { isRefusal, refuse } from '../contract/errors.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import {
  findWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookSecrets,
} from '../db/webhook-endpoints.ts';
import type { PortalBodyOf } from '../contract/portal/operations.ts';
import type { PortalOperation } from './call.ts';
import * as acts from './endpoint-acts.ts';
import { deliveryView, endpointView, secretsView } from './views.ts';

/** Every endpoint. */
export const listEndpoints: PortalOperation<'portal.endpoint.list'> = async (house, call) => {
  const found = await listWebhookEndpoints(house.database, call.visitor.applicationId);
  return { status: 200, body: { items: found.map(endpointView) } };
};

/** One endpoint. */
export const getEndpoint: PortalOperation<'portal.endpoint.get'> = async (house, call) => {
  const { applicationId } = call.visitor;
  const found = await findWebhookEndpoint(house.database, applicationId, call.params.endpointId);
  return found ? { status: 200, body: endpointView(found) } : refusePortal('not_found');
};

/** A new endpoint, with its secret. */
export const addEndpoint: PortalOperation<'portal.endpoint.add'> = async (house, call) => {
  const { url, description = '', eventTypes = null } = call.body;
  const added = await acts.addEndpoint(house, call.visitor, { url, description, eventTypes });
  if (!isRefusal(added)) {
    return { status: 201, body: { ...endpointView(added.endpoint), secret: added.secret } };
  }
  // The application is gone, and the session with it.
  if (added.refused === 'not_found') return refusePortal('unauthenticated', 'session');
  return added;
};

/** An endpoint with something else about it. */
export const changeEndpoint: PortalOperation<'portal.endpoint.change'> = async (house, call) => {
  const { endpointId } = call.params;
  const changed = await acts.changeEndpoint(house, call.visitor, endpointId, call.body);
  return isRefusal(changed) ? changed : { status: 200, body: endpointView(changed) };
};

/** One endpoint less. */
export const deleteEndpoint: PortalOperation<'portal.endpoint.delete'> = async (house, call) => {
  const deleted = await acts.deleteEndpoint(house, call.visitor, call.params.endpointId);
  return isRefusal(deleted) ? deleted : { status: 204, body: null };
};

/** An endpoint at rest. */
export const pauseEndpoint: PortalOperation<'portal.endpoint.pause'> = async (house, call) => {
  const paused = await acts.pauseEndpoint(house, call.visitor, call.params.endpointId);
  return isRefusal(paused) ? paused : { status: 200, body: endpointView(paused) };
};

/** An endpoint that goes on. */
export const resumeEndpoint: PortalOperation<'portal.endpoint.resume'> = async (house, call) => {
  const { endpointId } = call.params;
  const resumed = await acts.resumeEndpoint(house, call.visitor, endpointId, call.body.missed);
  return isRefusal(resumed) ? resumed : { status: 200, body: endpointView(resumed) };
};

/** The secret, in clear. */
export const getSecret: PortalOperation<'portal.endpoint.getSecret'> = async (house, call) => {
  const { applicationId } = call.visitor;
  const found = await readWebhookSecrets(house.database, applicationId, call.params.endpointId);
  return found ? { status: 200, body: secretsView(found) } : refusePortal('not_found');
};

/** A new secret. */
export const rotateSecret: PortalOperation<'portal.endpoint.rotateSecret'> = async (
  house,
  call,
) => {
  const rotated = await acts.rotateSecret(house, call.visitor, call.params.endpointId);
  return isRefusal(rotated) ? rotated : { status: 200, body: secretsView(rotated) };
};

/** A test event on its way. */
export const sendTest: PortalOperation<'portal.endpoint.test'> = async (house, call) => {
  const { endpointId } = call.params;
  const sent = await acts.sendTest(house, call.visitor, endpointId, call.body.type);
  return isRefusal(sent) ? sent : { status: 202, body: deliveryView(sent) };
};

/** What a body asks for; a text: what is wrong with its `since`. */
function replayWish({
  what,
  since,
}: PortalBodyOf<'portal.endpoint.replay'>): acts.ReplayWish | string {
  if (what === 'missed') return since === undefined ? { what } : 'belongs to failed';
  return since === undefined ? 'is required for failed' : { what, since: Date.parse(since) };
}

/** What failed or was missed, on its way again. */
export const replayMany: PortalOperation<'portal.endpoint.replay'> = async (house, call) => {
  const wish = replayWish(call.body);
  if (typeof wish === 'string') {
    return refuse('invalid_input', { fields: [{ path: '/since', message: wish }] });
  }
  const replayed = await acts.replayMany(house, call.visitor, call.params.endpointId, wish);
  return isRefusal(replayed) ? replayed : { status: 200, body: replayed };
};
