/** Administration of webhooks by staff, with the same actions as in the portal. */
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { portalLimits } from '../contract/portal/limits.ts';
import {
  type EndpointActor,
  type EndpointContext,
  findApplication,
  noSuch,
  OperatorRefusal,
  type PageOfStaff,
  type PageRequest,
  sparsePageForStaff,
  unknownApplication,
} from '../access/index.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { findWebhookDelivery, type WebhookDeliveryRecord } from './store/deliveries.ts';
import {
  listWebhookDeliveries,
  type DeliveryPosition,
  type DeliveryQuery,
} from './store/delivery-lists.ts';
import type { WebhookDelivery } from './store/delivery-rows.ts';
import {
  listWebhookEndpoints,
  type MissedEvents,
  type WebhookEndpoint,
} from './store/endpoints.ts';
import type { WebhookSecrets } from './store/endpoint-secrets.ts';
import { findDeliveryOwner, findEndpointOwner } from './store/owners.ts';
import * as endpointActs from './manage-endpoints.ts';
import type { EndpointInput, ReplayInput } from './manage-endpoints.ts';

/** The actor and the dependencies of an administration command. */
export interface EndpointAdministration {
  database: Database;
  actor: string;
  /** Whether endpoints may be on loopback. */
  loopbackAllowed: boolean;
}

// Nothing to wake: the deliverer of a running service polls every second.
const contextOf = ({ database, loopbackAllowed }: EndpointAdministration): EndpointContext => ({
  database,
  loopbackAllowed,
  wakeDeliverer: () => undefined,
});

const unknownEndpoint = (endpointId: string): OperatorRefusal =>
  noSuch(`There is no endpoint ${endpointId}.`);

const unknownDelivery = (deliveryId: string): OperatorRefusal =>
  noSuch(
    `There is no delivery ${deliveryId}, or its event is older than the ${portalLimits.deliveryDays} days for which events are kept.`,
  );

/** Finds the application of an endpoint, and makes staff its actor. */
async function onEndpoint(
  administration: EndpointAdministration,
  endpointId: string,
): Promise<EndpointActor> {
  const applicationId = await findEndpointOwner(administration.database, endpointId);
  if (applicationId === undefined) throw unknownEndpoint(endpointId);
  return { applicationId, name: administration.actor };
}

/** Runs an action on an endpoint. Throws `OperatorRefusal` if the endpoint does not exist. */
async function actOn<T>(
  administration: EndpointAdministration,
  endpointId: string,
  act: (context: EndpointContext, actor: EndpointActor) => Promise<T | Refusal<'not_found'>>,
): Promise<T> {
  const done = await act(contextOf(administration), await onEndpoint(administration, endpointId));
  // Deleted since it was found.
  if (isRefusal(done)) throw unknownEndpoint(endpointId);
  return done as T;
}

const urlProblem = ({ details }: Refusal): string =>
  (details as { fields: { message: string }[] }).fields.map(({ message }) => message).join(', ');

/** Why an endpoint was not added, as messages for staff. */
const notAdded: Readonly<Record<string, (refusal: Refusal, applicationId: string) => Error>> = {
  invalid_input: (refusal) =>
    new OperatorRefusal(`The URL ${urlProblem(refusal)}.`, {
      code: 'invalid_input',
      details: refusal.details,
    }),
  policy_restricted: () =>
    new OperatorRefusal(`An application has at most ${portalLimits.endpoints} endpoints.`),
  not_found: (_, applicationId) => unknownApplication(applicationId),
};

/** Adds an endpoint for an application. Throws `OperatorRefusal`. */
export async function addEndpoint(
  administration: EndpointAdministration,
  applicationId: string,
  input: EndpointInput,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const actor = { applicationId, name: administration.actor };
  const added = await endpointActs.addEndpoint(contextOf(administration), actor, input);
  if (isRefusal(added)) throw notAdded[added.refused]?.(added, applicationId);
  return added;
}

async function known(executor: Executor, applicationId: string): Promise<void> {
  if (!(await findApplication(executor, applicationId))) throw unknownApplication(applicationId);
}

/** Lists the endpoints of an application, oldest first. Throws `OperatorRefusal`. */
export async function listEndpoints(
  { database }: EndpointAdministration,
  applicationId: string,
): Promise<WebhookEndpoint[]> {
  await known(database, applicationId);
  return listWebhookEndpoints(database, applicationId);
}

/** Stops deliveries to an endpoint. Throws `OperatorRefusal`. */
export const pauseEndpoint = (
  administration: EndpointAdministration,
  endpointId: string,
): Promise<WebhookEndpoint> =>
  actOn(administration, endpointId, (context, actor) =>
    endpointActs.pauseEndpoint(context, actor, endpointId),
  );

/** Resumes deliveries to an endpoint. Throws `OperatorRefusal`. */
export const resumeEndpoint = (
  administration: EndpointAdministration,
  endpointId: string,
  missed: MissedEvents,
): Promise<WebhookEndpoint> =>
  actOn(administration, endpointId, (context, actor) =>
    endpointActs.resumeEndpoint(context, actor, endpointId, missed),
  );

/** Deletes an endpoint and its deliveries. Throws `OperatorRefusal`. */
export const deleteEndpoint = (
  administration: EndpointAdministration,
  endpointId: string,
): Promise<{ endpointId: string }> =>
  actOn(administration, endpointId, (context, actor) =>
    endpointActs.deleteEndpoint(context, actor, endpointId),
  );

/** Gives an endpoint a new secret. Throws `OperatorRefusal`. */
export const rotateSecret = (
  administration: EndpointAdministration,
  endpointId: string,
): Promise<WebhookSecrets> =>
  actOn(administration, endpointId, (context, actor) =>
    endpointActs.rotateSecret(context, actor, endpointId),
  );

/** Sends failed or missed events again. Throws `OperatorRefusal`. */
export const replayMany = (
  administration: EndpointAdministration,
  endpointId: string,
  input: ReplayInput,
): Promise<{ replayed: number }> =>
  actOn(administration, endpointId, (context, actor) =>
    endpointActs.replayMany(context, actor, endpointId, input),
  );

/** Lists a page of the deliveries of an application, newest first. Throws `OperatorRefusal`. */
export async function listDeliveryPage(
  executor: Executor,
  applicationId: string,
  filter: Pick<DeliveryQuery, 'endpointId' | 'state' | 'type'>,
  page: PageRequest,
): Promise<PageOfStaff<WebhookDelivery>> {
  await known(executor, applicationId);
  return sparsePageForStaff(
    executor.vault,
    {
      operation: 'staff.delivery.list',
      filters: { applicationId, ...filter },
      async read(before: DeliveryPosition | null, atMost) {
        const question = { ...filter, before: before ?? undefined, atMost };
        const found = await listWebhookDeliveries(executor, applicationId, question);
        return { items: found.deliveries, lookedUntil: found.lookedUntil };
      },
      placeOf: ({ createdAt, deliveryId }) => ({ createdAt, deliveryId }),
    },
    page,
  );
}

/** Reads a delivery of an application with its attempts. Throws `OperatorRefusal`. */
export async function showDelivery(
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRecord> {
  const found = await findWebhookDelivery(executor, applicationId, deliveryId);
  if (!found) throw noSuch(`There is no delivery ${deliveryId}.`);
  return found;
}

/** Sends a delivery again. Throws `OperatorRefusal`. */
export async function replayDelivery(
  administration: EndpointAdministration,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const applicationId = await findDeliveryOwner(administration.database, deliveryId);
  if (applicationId === undefined) throw unknownDelivery(deliveryId);
  const actor = { applicationId, name: administration.actor };
  const replayed = await endpointActs.replayDelivery(contextOf(administration), actor, deliveryId);
  if (isRefusal(replayed)) throw unknownDelivery(deliveryId);
  return replayed;
}
