import { maxUuid } from '../../platform/uuid.ts';
import type { EventType } from '../../contract/events.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import {
  deliveryColumns,
  ofEndpoint,
  type WebhookDelivery,
  type WebhookDeliveryState,
} from './delivery-rows.ts';
import { isRetrying, stateColumn } from './delivery-states.ts';

const newestFirst = 'ORDER BY d.created_at DESC, d.delivery_id DESC';

/** Deliveries to look at: `from` a table, and `only` those of a partial index. */
interface Source {
  from: string;
  only: string;
}

/** Reads deliveries in the order of the list. */
const lookedAt = (
  { from, only }: Source,
  columns = '*',
): string => `SELECT ${columns} FROM ${from} d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)${only}
      ${newestFirst}`;

// Ends early: the filter reads rows of the inner statement until the page is full.
const listText = (source: Source): string => `SELECT ${deliveryColumns}
    FROM (${lookedAt(source)} LIMIT $7) d ${ofEndpoint}
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR ${stateColumn} = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ${newestFirst} LIMIT $8`;

const lookedUntilText = (source: Source): string =>
  `${lookedAt(source, 'd.created_at AS "createdAt", d.delivery_id AS "deliveryId"')} OFFSET $4 LIMIT 1`;

/** The statements of a list. A source with a parameter has it last. */
const listBy = (variant: string, sourceAt: (index: number) => Source) =>
  ({
    list: { name: 'list-webhook-deliveries', variant, text: listText(sourceAt(9)) },
    lookedUntil: { name: 'find-delivery-looked-at', variant, text: lookedUntilText(sourceAt(5)) },
  }) as const satisfies Record<string, Statement>;

const ofAll =
  (only = '') =>
  (): Source => ({ from: 'webhook_deliveries', only });

// `OFFSET 0` keeps the planner from an index of all deliveries of the application.
const ofEvent = (index: number): Source => ({
  from: `(SELECT * FROM webhook_deliveries WHERE event_id = $${index} OFFSET 0)`,
  only: '',
});

const listStatements = {
  any: listBy('any', ofAll()),
  exhausted: listBy('exhausted', ofAll(` AND d.state = 'exhausted'`)),
  retrying: listBy('retrying', ofAll(` AND ${isRetrying}`)),
  event: listBy('event', ofEvent),
} as const;

function statementsFor({ state, eventId }: DeliveryQuery) {
  if (eventId !== undefined) return listStatements.event;
  return state === 'exhausted' || state === 'retrying' ? listStatements[state] : listStatements.any;
}

/** The end position of a page of deliveries. */
export interface DeliveryPosition {
  createdAt: EpochMs;
  deliveryId: string;
}

/** The query of a list of deliveries, newest first. */
export interface DeliveryQuery {
  endpointId?: string | undefined;
  /** The event, by its UUID. */
  eventId?: string | undefined;
  state?: WebhookDeliveryState | undefined;
  type?: EventType | undefined;
  /** The last delivery of the previous page. */
  before?: DeliveryPosition | undefined;
  atMost: number;
}

/** A page of deliveries. */
export interface DeliveryPage {
  deliveries: WebhookDelivery[];
  /** The oldest scanned delivery, if older ones may exist. Null: all were scanned. */
  lookedUntil: DeliveryPosition | null;
}

// An index scan of this many rows stays well below the statement timeout.
const scanAtMost = 20_000;
const beforeAll = ['infinity', maxUuid] as const;

/** Lists the deliveries of an application. */
export async function listWebhookDeliveries(
  executor: Executor,
  applicationId: string,
  question: DeliveryQuery,
): Promise<DeliveryPage> {
  const { endpointId, eventId, state, type, before, atMost } = question;
  const statements = statementsFor(question);
  const named = eventId === undefined ? [] : [eventId];
  const from = before ? [instant(before.createdAt), before.deliveryId] : beforeAll;
  const filters = [endpointId, state, type];
  const deliveries = await executor.query<WebhookDelivery>(statements.list, [
    applicationId,
    ...from,
    ...filters,
    scanAtMost,
    atMost,
    ...named,
  ]);
  if (deliveries.length === atMost) return { deliveries, lookedUntil: null };
  const [lookedUntil = null] = await executor.query<DeliveryPosition>(statements.lookedUntil, [
    applicationId,
    ...from,
    scanAtMost - 1,
    ...named,
  ]);
  return { deliveries, lookedUntil };
}

/** A delivery of an event of a booking, as its history shows it. */
export interface DeliveryOfEvent {
  deliveryId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  state: WebhookDeliveryState;
  attempts: number;
  lastError: string | null;
  /** When it arrived, or was last tried, or was made. */
  at: EpochMs;
}

const ofEventsText = (from: string): string =>
  `SELECT d.delivery_id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.endpoint_id AS "endpointId", ${stateColumn} AS state, d.attempts, d.last_error AS "lastError",
      coalesce(d.delivered_at, d.last_attempt_at, d.created_at) AS at
    FROM ${from} WHERE d.event_id = ANY ($1) ORDER BY d.delivery_id`;

/** Lists the deliveries of some events, oldest first. */
export const listDeliveriesOfEvents = manyRows<[eventIds: readonly string[]], DeliveryOfEvent>({
  name: 'list-deliveries-of-events',
  text: ofEventsText('webhook_deliveries d'),
});

/** Lists the deliveries of some events that partners can see: not those to deleted endpoints. */
export const listShownDeliveriesOfEvents = manyRows<[eventIds: readonly string[]], DeliveryOfEvent>(
  {
    name: 'list-shown-deliveries-of-events',
    text: ofEventsText(`webhook_deliveries d ${ofEndpoint}`),
  },
);
