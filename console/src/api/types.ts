/** What the portal API answers, as the page reads it. */
import type { EventType } from '../../../src/contract/events.ts';

export type { EventType };

export interface Session {
  application: { applicationId: string; name: string; settlement: 'card' | 'partner' };
  environment: 'simulation' | 'test' | 'live';
  expiresAt: string;
  baseUrl: string;
}

export interface EventTypeInfo {
  type: EventType;
  summary: string;
  when: string;
  example: unknown;
}

export interface Endpoint {
  endpointId: string;
  url: string;
  description: string;
  eventTypes: EventType[] | null;
  state: 'active' | 'paused' | 'disabled';
  stateReason: 'by_hand' | 'failing' | 'gone' | null;
  stateSince: string;
  failingSince: string | null;
  missed: number;
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Secrets {
  secret: string;
  previous: { secret: string; expiresAt: string } | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'exhausted';

export type AttemptError =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'dns'
  | 'forbidden_address'
  | 'redirect'
  | 'status'
  | 'response_too_long'
  | 'interrupted';

export interface Delivery {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  type: EventType;
  sequence: number | null;
  test: boolean;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  lastStatus: number | null;
  lastError: AttemptError | null;
  createdAt: string;
  deliveredAt: string | null;
}

export interface Attempt {
  number: number;
  startedAt: string;
  durationMs: number;
  status: number | null;
  error: AttemptError | null;
  response: string | null;
}

export interface PortalEvent {
  id: string;
  type: EventType;
  schemaVersion: number;
  timestamp: string;
  sequence?: number;
  data: Record<string, unknown>;
}

export interface SignedRequest {
  headers: Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  body: string;
}

export interface DeliveryDetail extends Delivery {
  attemptsMade: Attempt[];
  event: PortalEvent;
  lastRequest: SignedRequest | null;
}

export interface LoggedRequest {
  requestId: string;
  at: string;
  method: string;
  path: string;
  operation: string | null;
  status: number;
  code: string | null;
  durationMs: number;
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}
