/** Audited actions on endpoints and deliveries, by a partner in the portal or by staff. */
import { isRefusal, refuse, type Refusal, refuseBecause } from '../contract/errors.ts';
import type { EventType } from '../contract/events.ts';
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { exampleEvents } from '../contract/example-events.ts';
import { refusePortal } from '../contract/portal/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import {
  type EndpointActor,
  type EndpointContext,
  lockApplication,
  noApplication,
} from '../access/index.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { insertTestDelivery } from './store/deliveries.ts';
import type { WebhookDelivery } from './store/delivery-rows.ts';
import { rotateWebhookSecret, type WebhookSecrets } from './store/endpoint-secrets.ts';
import * as endpoints from './store/endpoints.ts';
import * as replays from './store/replays.ts';
import { type EpochMs, instant } from '../contract/time.ts';
import { remoteUrlRefusal } from '../platform/sending/remote-url.ts';
import { newWebhookSecret } from '../platform/sending/signature.ts';

type NotFound = Refusal<'not_found'>;
type Invalid = Refusal<'invalid_input'>;

interface Entry {
  action: AuditAction;
  details: Record<string, unknown>;
}

/** Refuses an endpoint that does not exist, for partners and staff. */
export const noEndpoint = (endpointId: string): NotFound =>
  refuseBecause('not_found', `There is no endpoint ${endpointId}.`);

/** Refuses a delivery that does not exist any more, for partners and staff. */
export const noDelivery = (deliveryId: string): NotFound =>
  refuseBecause(
    'not_found',
    `There is no delivery ${deliveryId}, or its event is older than the ${portalLimits.deliveryDays} days for which events are kept.`,
  );

/** What an act is about, and does not exist. */
function nothingOf(applicationId: string, { endpointId, deliveryId }: Entry['details']): NotFound {
  if (typeof deliveryId === 'string') return noDelivery(deliveryId);
  return typeof endpointId === 'string' ? noEndpoint(endpointId) : noApplication(applicationId);
}

/** Makes an audited change for an application, and wakes the deliverer. `more`: details that the change finds. */
async function audited<T extends object>(
  { database, wakeDeliverer }: EndpointContext,
  { applicationId, name: actor }: EndpointActor,
  { action, details }: Entry,
  change: (executor: Executor) => Promise<T | undefined>,
  more: (changed: Exclude<T, Refusal | undefined>) => Record<string, unknown> = () => ({}),
): Promise<T | NotFound> {
  const changed = await auditedChange<T | undefined>(database, change, (done) => ({
    actor,
    action,
    applicationId,
    details: { ...details, ...more(done as Exclude<T, Refusal | undefined>) },
  }));
  if (!changed) return nothingOf(applicationId, details);
  wakeDeliverer();
  return changed;
}

function urlRefusal({ loopbackAllowed }: EndpointContext, url: string | undefined): Invalid | null {
  const message = url === undefined ? null : remoteUrlRefusal(url, { loopbackAllowed });
  return message === null ? null : refuse('invalid_input', { fields: [{ path: '/url', message }] });
}

/** A URL for the audit trail, without its query, which can contain a password. */
function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** What the audit trail says of an endpoint. */
const auditedMembers = ({ url, description, eventTypes, state }: endpoints.WebhookEndpoint) => ({
  url: auditedUrl(url),
  description,
  eventTypes,
  state,
});

/** The input of a new endpoint. */
export interface EndpointInput {
  url: string;
  description: string;
  eventTypes: readonly EventType[] | null;
}

type Added = { endpoint: endpoints.WebhookEndpoint; secret: string };

async function inserted(
  executor: Executor,
  applicationId: string,
  input: EndpointInput,
): Promise<Added | Refusal<'policy_restricted'> | undefined> {
  // A concurrent call waits for this lock, and then counts this endpoint too.
  if (!(await lockApplication(executor, applicationId))) return undefined;
  const known = await endpoints.listWebhookEndpoints(executor, applicationId);
  if (known.length >= portalLimits.endpoints) {
    return refusePortal('policy_restricted', 'too_many_endpoints');
  }
  const secret = newWebhookSecret();
  const endpoint = await endpoints.insertWebhookEndpoint(executor, {
    applicationId,
    ...input,
    secret,
  });
  return { endpoint, secret };
}

/** Adds an endpoint with a new secret. */
export async function addEndpoint(
  context: EndpointContext,
  actor: EndpointActor,
  input: EndpointInput,
): Promise<Added | Invalid | Refusal<'policy_restricted'> | NotFound> {
  const refusal = urlRefusal(context, input.url);
  if (refusal) return refusal;
  const { eventTypes } = input;
  const details = { url: auditedUrl(input.url), eventTypes };
  return audited(
    context,
    actor,
    { action: 'webhook.endpoint.add', details },
    (executor) => inserted(executor, actor.applicationId, input),
    ({ endpoint: { endpointId } }: Added) => ({ endpointId }),
  );
}

/** Reads an endpoint that no concurrent call of its application changes until the transaction ends. */
async function lockedEndpoint(
  executor: Executor,
  applicationId: string,
  endpointId: string,
): Promise<endpoints.WebhookEndpoint | undefined> {
  await lockApplication(executor, applicationId);
  return endpoints.findWebhookEndpoint(executor, applicationId, endpointId);
}

/** Changes an endpoint; the audit entry has its members before and after. */
async function changedEndpoint(
  context: EndpointContext,
  actor: EndpointActor,
  { action, details }: Entry & { details: { endpointId: string } },
  change: (executor: Executor) => Promise<endpoints.WebhookEndpoint | undefined>,
): Promise<endpoints.WebhookEndpoint | NotFound> {
  const done = await audited(
    context,
    actor,
    { action, details },
    async (executor) => {
      const before = await lockedEndpoint(executor, actor.applicationId, details.endpointId);
      const after = before && (await change(executor));
      return before && after && { before, after };
    },
    ({ before, after }) => ({ before: auditedMembers(before), after: auditedMembers(after) }),
  );
  return isRefusal(done) ? done : done.after;
}

/** Changes the given members of an endpoint. */
export async function changeEndpoint(
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
  change: { [Member in keyof EndpointInput]?: EndpointInput[Member] | undefined },
): Promise<endpoints.WebhookEndpoint | Invalid | NotFound> {
  const refusal = urlRefusal(context, change.url);
  if (refusal) return refusal;
  return changedEndpoint(
    context,
    actor,
    { action: 'webhook.endpoint.change', details: { endpointId } },
    (executor) =>
      endpoints.updateWebhookEndpoint(executor, actor.applicationId, endpointId, change),
  );
}

/** Deletes an endpoint and its deliveries. */
export async function deleteEndpoint(
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
): Promise<{ endpointId: string } | NotFound> {
  const { applicationId } = actor;
  const deleted = await audited(
    context,
    actor,
    { action: 'webhook.endpoint.delete', details: { endpointId } },
    async (executor) => {
      const before = await lockedEndpoint(executor, applicationId, endpointId);
      const isGone =
        before && (await endpoints.deleteWebhookEndpoint(executor, applicationId, endpointId));
      return isGone ? before : undefined;
    },
    (before) => ({ before: auditedMembers(before) }),
  );
  return isRefusal(deleted) ? deleted : { endpointId };
}

/** Stops deliveries to an endpoint. */
export const pauseEndpoint = (
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
): Promise<endpoints.WebhookEndpoint | NotFound> =>
  changedEndpoint(
    context,
    actor,
    { action: 'webhook.endpoint.pause', details: { endpointId } },
    (executor) => endpoints.pauseWebhookEndpoint(executor, actor.applicationId, endpointId),
  );

/** Resumes deliveries to an endpoint. */
export const resumeEndpoint = (
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
  missed: endpoints.MissedEvents,
): Promise<endpoints.WebhookEndpoint | NotFound> =>
  changedEndpoint(
    context,
    actor,
    { action: 'webhook.endpoint.resume', details: { endpointId, missed } },
    (executor) =>
      endpoints.resumeWebhookEndpoint(executor, actor.applicationId, endpointId, missed),
  );

/** Gives an endpoint a new secret. The previous one also signs for a day. */
export const rotateSecret = (
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
): Promise<WebhookSecrets | NotFound> =>
  audited(
    context,
    actor,
    { action: 'webhook.endpoint.rotate-secret', details: { endpointId } },
    (executor) =>
      rotateWebhookSecret(executor, actor.applicationId, endpointId, newWebhookSecret()),
  );

async function testDelivery(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  type: EventType,
): Promise<WebhookDelivery | Refusal<'invalid_state'> | undefined> {
  const endpoint = await endpoints.findWebhookEndpoint(executor, applicationId, endpointId);
  if (endpoint && endpoint.state !== 'active')
    return refusePortal('invalid_state', 'endpoint_not_active');
  const { data } = exampleEvents[type];
  return insertTestDelivery(executor, applicationId, endpointId, type, data);
}

/** Sends a test event. */
export const sendTest = (
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
  type: EventType,
): Promise<WebhookDelivery | Refusal<'invalid_state'> | NotFound> =>
  audited(
    context,
    actor,
    { action: 'webhook.endpoint.test', details: { endpointId, type } },
    (executor) => testDelivery(executor, actor.applicationId, endpointId, type),
  );

/** What to send again: deliveries that failed since an instant, or events that a resume skipped. */
export type ReplayInput = { what: 'failed'; since: EpochMs } | { what: 'missed' };

async function replayedOf(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  input: ReplayInput,
): Promise<{ replayed: number } | undefined> {
  const endpoint = await endpoints.findWebhookEndpoint(executor, applicationId, endpointId);
  if (!endpoint) return undefined;
  const replayed =
    input.what === 'missed'
      ? await replays.replayMissed(executor, applicationId, endpointId)
      : await replays.replayFailed(executor, applicationId, endpointId, input.since);
  return { replayed };
}

/** Sends failed or missed events again. */
export const replayMany = (
  context: EndpointContext,
  actor: EndpointActor,
  endpointId: string,
  input: ReplayInput,
): Promise<{ replayed: number } | NotFound> => {
  const since = input.what === 'failed' ? { since: instant(input.since) } : {};
  const details = { endpointId, what: input.what, ...since };
  return audited(context, actor, { action: 'webhook.endpoint.replay', details }, (executor) =>
    replayedOf(executor, actor.applicationId, endpointId, input),
  );
};

/** Sends a delivery again. */
export const replayDelivery = (
  context: EndpointContext,
  actor: EndpointActor,
  deliveryId: string,
): Promise<WebhookDelivery | NotFound> =>
  audited(
    context,
    actor,
    { action: 'webhook.delivery.replay', details: { deliveryId } },
    (executor) => replays.replayWebhookDelivery(executor, actor.applicationId, deliveryId),
  );
