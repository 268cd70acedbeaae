/** What staff do with endpoints and deliveries of applications: the same actions as in the portal. */
import { staffActs } from '../../api/staff-acts.ts';
import {
  type EndpointActor,
  type EndpointContext,
  findApplication,
  noApplication,
  sparsePageForStaff,
} from '../../access/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { instant } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import * as acts from '../edit-endpoints.ts';
import { findWebhookDelivery } from '../store/deliveries.ts';
import {
  listWebhookDeliveries,
  type DeliveryPosition,
  type DeliveryQuery,
} from '../store/delivery-lists.ts';
import type { WebhookDelivery } from '../store/delivery-rows.ts';
import { listWebhookEndpoints, type WebhookEndpoint } from '../store/endpoints.ts';
import { findDeliveryOwner, findEndpointOwner } from '../store/owners.ts';
import { deliveryInFull, deliveryView, endpointView } from '../operations/views.ts';

/** The dependencies of what staff do with webhooks. */
interface WebhookStaffContext extends WithReads {
  /** Whether endpoints may be on loopback. */
  loopbackAllowed: boolean;
}

type NotFound = Refusal<'not_found'>;

// Nothing to wake: the deliverer of a running service polls every second.
const contextOf = ({ database, loopbackAllowed }: WebhookStaffContext): EndpointContext => ({
  database,
  loopbackAllowed,
  wakeDeliverer: () => undefined,
});

interface EndpointCall {
  context: WebhookStaffContext;
  actor: { name: string };
  params: { endpointId: string };
}

/** Runs an act on an endpoint, as its application, with staff as the actor. */
async function onEndpoint<T extends object>(
  { context, actor, params: { endpointId } }: EndpointCall,
  act: (context: EndpointContext, actor: EndpointActor, id: string) => Promise<T | NotFound>,
): Promise<T | NotFound> {
  const applicationId = await findEndpointOwner(context.database, endpointId);
  if (applicationId === undefined) return acts.noEndpoint(endpointId);
  return act(contextOf(context), { applicationId, name: actor.name }, endpointId);
}

/** What becomes of a value that is no refusal. */
const shown = <T extends object, Shown>(
  value: T | NotFound,
  show: (value: T) => Shown,
): Shown | NotFound => (isRefusal(value) ? value : show(value as T));

/** An endpoint with its health: `failing` from the first failure to the next success. */
const listedEndpoint = (endpoint: WebhookEndpoint) => ({
  ...endpointView(endpoint),
  health: endpoint.failingSince === null ? ('ok' as const) : ('failing' as const),
});

/** Lists a page of the deliveries of an application, newest first. */
async function listDeliveries(
  executor: Executor,
  applicationId: string,
  {
    limit,
    cursor,
    ...filter
  }: Pick<DeliveryQuery, 'endpointId' | 'state' | 'type'> & {
    limit?: number;
    cursor?: string;
  },
) {
  if (!(await findApplication(executor, applicationId))) return noApplication(applicationId);
  const list = {
    operation: 'staff.delivery.list' as const,
    filters: { applicationId, ...filter },
    async read(before: DeliveryPosition | null, atMost: number) {
      const question = { ...filter, before: before ?? undefined, atMost };
      const found = await listWebhookDeliveries(executor, applicationId, question);
      return { items: found.deliveries, lookedUntil: found.lookedUntil };
    },
    positionOf: ({ createdAt, deliveryId }: WebhookDelivery) => ({ createdAt, deliveryId }),
  };
  const page = await sparsePageForStaff(executor.vault, list, { limit, cursor });
  return isRefusal(page) ? page : { ...page, items: page.items.map(deliveryView) };
}

/** What staff do with webhooks. */
export const webhookActs = staffActs<WebhookStaffContext>()({
  'operator.endpoint.list': async ({ context: { database }, params: { applicationId } }) => {
    if (!(await findApplication(database, applicationId))) return noApplication(applicationId);
    return { items: (await listWebhookEndpoints(database, applicationId)).map(listedEndpoint) };
  },
  'operator.endpoint.add': async ({ context, actor, params: { applicationId }, body }) => {
    const { url, description = '', eventTypes = null } = body;
    const input = { url, description, eventTypes };
    const owner = { applicationId, name: actor.name };
    const added = await acts.addEndpoint(contextOf(context), owner, input);
    return isRefusal(added) ? added : { ...endpointView(added.endpoint), secret: added.secret };
  },
  'operator.endpoint.pause': async (call) =>
    shown(await onEndpoint(call, acts.pauseEndpoint), endpointView),
  'operator.endpoint.resume': async (call) => {
    const { missed = 'replay' } = call.body;
    const resumed = await onEndpoint(call, (context, actor, id) =>
      acts.resumeEndpoint(context, actor, id, missed),
    );
    return shown(resumed, endpointView);
  },
  'operator.endpoint.rotateSecret': async (call) =>
    shown(await onEndpoint(call, acts.rotateSecret), ({ secret, previous }) => ({
      endpointId: call.params.endpointId,
      secret,
      previousSecretUntil: instant(previous?.expiresAt ?? null),
    })),
  'operator.endpoint.delete': (call) => onEndpoint(call, acts.deleteEndpoint),
  'operator.endpoint.replayFailed': (call) =>
    onEndpoint(call, (context, actor, id) =>
      acts.replayMany(context, actor, id, { what: 'failed', since: Date.parse(call.body.since) }),
    ),
  'operator.endpoint.replayMissed': (call) =>
    onEndpoint(call, (context, actor, id) =>
      acts.replayMany(context, actor, id, { what: 'missed' }),
    ),
  'operator.delivery.list': ({ context, params: { applicationId }, query }) =>
    context.reads.run((from) => listDeliveries(from, applicationId, query)),
  'operator.delivery.get': async ({ context, params: { applicationId, deliveryId } }) => {
    const found = await context.reads.run((from) =>
      findWebhookDelivery(from, applicationId, deliveryId),
    );
    return found ? deliveryInFull(found) : acts.noDelivery(deliveryId);
  },
  'operator.delivery.replay': async ({ context, actor, params: { deliveryId } }) => {
    const applicationId = await findDeliveryOwner(context.database, deliveryId);
    if (applicationId === undefined) return acts.noDelivery(deliveryId);
    const owner = { applicationId, name: actor.name };
    const replayed = await acts.replayDelivery(contextOf(context), owner, deliveryId);
    return shown(replayed, deliveryView);
  },
});
