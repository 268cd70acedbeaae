/** A deliverer on a database of its own, with applications whose events the tests write themselves. */
import { randomUUID } from 'node:crypto';
import type { EventType } from '../../src/contract/events.ts';
import { capabilities } from '../../src/contract/scopes.ts';
import { insertApplication } from '../../src/access/store/applications.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import {
  listWebhookDeliveries,
  type DeliveryQuery,
} from '../../src/webhooks/store/delivery-lists.ts';
import type { WebhookDelivery } from '../../src/webhooks/store/delivery-rows.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '../../src/webhooks/store/endpoints.ts';
import {
  startDeliverer,
  type Deliverer,
  type DelivererContext,
} from '../../src/webhooks/deliverer.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { addEndpoint, passTime, writeEvents, type OwnEndpoint } from '../harness/webhooks.ts';

const quotas = { read: 1, search: 1, write: 1, signal: 1 };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface WebhookSystem {
  database: Database;
  /** Starts a deliverer; `close` stops it. */
  start(context?: Partial<DelivererContext>): Deliverer;
  application(): Promise<string>;
  /** Of an application of its own, unless one is named. */
  endpoint(
    url: string,
    more?: { applicationId?: string; eventTypes?: EventType[] | null },
  ): Promise<OwnEndpoint>;
  /** Writes events as a booking would, and wakes as it would. Returns the sequence of the last. */
  happen(applicationId: string, count?: number, type?: EventType): Promise<number>;
  read(endpoint: OwnEndpoint): Promise<WebhookEndpoint>;
  deliveries(applicationId: string, page?: Partial<DeliveryQuery>): Promise<WebhookDelivery[]>;
  /** Waits until this number of deliveries of the application are in this state. */
  reaches(applicationId: string, state: WebhookDelivery['state'], count: number): Promise<void>;
  /** Lets so much time have passed for what waits at an endpoint. */
  pass(endpoint: OwnEndpoint, seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the system; nothing is delivered before a deliverer is started. */
export async function openWebhookSystem(): Promise<WebhookSystem> {
  const { database, drop } = await createTestDatabase();
  const deliverers: Deliverer[] = [];

  async function application(): Promise<string> {
    const applicationId = randomUUID();
    const grants = [...capabilities];
    const own = { applicationId, name: 'a test', settlement: 'partner', grants, quotas } as const;
    await insertApplication(database, { ...own, grants });
    return applicationId;
  }

  const deliveries: WebhookSystem['deliveries'] = async (applicationId, page = {}) => {
    const question = { atMost: 1_000, ...page };
    return (await listWebhookDeliveries(database, applicationId, question)).deliveries;
  };

  const wake = (): void => deliverers.forEach((deliverer) => deliverer.wake());

  return {
    database,
    application,
    deliveries,
    start(context = {}) {
      const rules = { loopbackAllowed: true };
      const deliverer = startDeliverer({ executor: database, log: silent, rules, ...context });
      deliverers.push(deliverer);
      return deliverer;
    },
    endpoint: async (url, { applicationId, eventTypes = null } = {}) =>
      addEndpoint(database, applicationId ?? (await application()), url, eventTypes),
    async happen(applicationId, count, type) {
      const last = await writeEvents(database, applicationId, count, type);
      wake();
      return last;
    },
    async read({ applicationId, endpointId }) {
      const endpoint = await findWebhookEndpoint(database, applicationId, endpointId);
      if (!endpoint) throw new Error('there is no such endpoint');
      return endpoint;
    },
    reaches: (applicationId, state, count) =>
      eventually(async () => (await deliveries(applicationId, { state })).length === count, 20_000),
    async pass({ endpointId }, seconds) {
      await passTime(database, endpointId, seconds);
      wake();
    },
    async close() {
      await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
      await drop();
    },
  };
}
