import assert from 'node:assert/strict';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { changesSomething } from '../../src/contract/rows.ts';
import {
  portalRowOf,
  type PortalBodyOf,
  type PortalOperationId,
  type PortalParamsOf,
  type PortalQueryOf,
  type PortalReplyOf,
} from '../../src/contract/portal/operations.ts';
import { checkAgainstPortalDocument } from './document.ts';
import { send } from './http-client.ts';
import type { CallError, CallReply, Partner } from './partner.ts';
import { testBaseUrl } from './base-url.ts';
import type { TestService } from './service.ts';
import { issuePortalLink } from './acts.ts';

/** What goes into a call of the portal. `rawBody` is sent as it is; headers given here override others. */
export interface PortalInput<Id extends PortalOperationId> {
  params?: Partial<PortalParamsOf<Id>>;
  query?: Partial<PortalQueryOf<Id>> | string;
  body?: PortalBodyOf<Id>;
  rawBody?: string;
  headers?: Record<string, string>;
}

const encoded = (value: unknown): string => encodeURIComponent(String(value));

function pathOf(path: string, { params, query }: PortalInput<PortalOperationId>): string {
  const named = (params ?? {}) as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(named[name]));
  if (query === undefined) return filled;
  if (typeof query === 'string') return `${filled}?${query}`;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  return `${filled}?${pairs.join('&')}`;
}

function bodyOf(
  id: PortalOperationId,
  { body, rawBody }: PortalInput<PortalOperationId>,
): string | undefined {
  const row = portalRowOf(id);
  return rawBody ?? (row.body ? JSON.stringify(body ?? {}) : undefined);
}

/** A portal caller, with or without a session. Every response is checked against the portal's document. */
export class PortalCaller {
  readonly origin: string;
  /** The session's; null: none. */
  cookie: string | null = null;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Calls an operation and returns any response. */
  async call<Id extends PortalOperationId>(
    id: Id,
    input: PortalInput<Id> = {},
  ): Promise<CallReply> {
    const row = portalRowOf(id);
    const any = input as PortalInput<PortalOperationId>;
    const body = bodyOf(id, any);
    const { status, headers, text } = await send(`${this.origin}${pathOf(row.path, any)}`, {
      method: row.method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie !== null && { cookie: this.cookie }),
        ...input.headers,
      },
      ...(body !== undefined && { body }),
    });
    const parsed = text === '' ? undefined : (JSON.parse(text) as unknown);
    checkAgainstPortalDocument(id, status, parsed);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(headers.get('cache-control'), 'no-store');
    return { status, headers, body: parsed, text };
  }

  /** Calls an operation that must succeed; returns its body. */
  async succeed<Id extends PortalOperationId>(
    id: Id,
    input: PortalInput<Id> = {},
  ): Promise<PortalReplyOf<Id>['body']> {
    const { status, body, text } = await this.call(id, input);
    assert.ok(status < 300, `${id} returned ${status}: ${text}`);
    return body as PortalReplyOf<Id>['body'];
  }

  /** Calls an operation that must be refused; returns the error. */
  async refused<Id extends PortalOperationId>(
    id: Id,
    input: PortalInput<Id> = {},
  ): Promise<CallError> {
    const { status, headers, body, text } = await this.call(id, input);
    assert.ok(status >= 400, `${id} returned ${status}: ${text}`);
    const { error } = body as {
      error: { code: ErrorCode; details: unknown; requestId: string; retryAfterSeconds?: number };
    };
    assert.equal(error.requestId, headers.get('x-request-id'));
    const { code, details, retryAfterSeconds } = error;
    return { status, headers, code, details, retryAfterSeconds };
  }

  /** Uses a link; from then on the session's cookie is sent. */
  async enter(link: string): Promise<CallReply> {
    const reply = await this.call('portal.session.begin', { body: { link } });
    const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';', 1);
    if (cookie !== '') this.cookie = cookie;
    return reply;
  }
}

/** What stands behind `#link=` in a new link for a partner. */
export async function newLink(
  { database }: Pick<TestService, 'database'>,
  partner: Partner,
): Promise<string> {
  const { applicationId } = partner.credentials;
  const { url } = await issuePortalLink(database, 'test', { applicationId, baseUrl: testBaseUrl });
  return url.split('#link=')[1] ?? '';
}

/** Somebody in the portal of a partner. */
export async function enterPortal(
  service: Pick<TestService, 'origin' | 'database'>,
  partner: Partner,
): Promise<PortalCaller> {
  const caller = new PortalCaller(service.origin);
  const { status, text } = await caller.enter(await newLink(service, partner));
  assert.equal(status, 201, text);
  return caller;
}

/** What a call of an operation needs at the least, with IDs that stand for nothing. */
export function leastInput(id: PortalOperationId): PortalInput<PortalOperationId> {
  const { params, body } = portalRowOf(id);
  const ids = Object.keys(params?.properties ?? {}).map((name) => [
    name,
    otherParams[name] ?? '01a406c7-566a-7c77-a1e5-969f7edd4981',
  ]);
  const query = leastQueries[id];
  return {
    ...(params && { params: Object.fromEntries(ids) as object }),
    ...(query !== undefined && { query }),
    ...(body && { rawBody: JSON.stringify(leastBodies[id] ?? {}) }),
  };
}

/** Parameters that are not UUIDs. */
const otherParams: Readonly<Record<string, string>> = {
  eventId: 'evt_01a406c7566a7c77a1e5969f7edd4981',
  kind: 'checkout',
};

const leastQueries: Partial<Record<PortalOperationId, string>> = {
  'portal.endpoint.countFailed': 'since=2027-03-01T00:00:00Z',
  'portal.booking.find': 'name=LK-7Q4M-2XHV',
  'portal.statement.get': 'month=2027-03',
};

const leastBodies: Partial<Record<PortalOperationId, object>> = {
  'portal.session.begin': { link: 'x' },
  'portal.endpoint.add': { url: 'https://partner.invalid/hook' },
  'portal.endpoint.resume': { missed: 'skip' },
  'portal.endpoint.test': { type: 'checkout.resolved' },
  'portal.endpoint.replay': { what: 'missed' },
  'portal.reservation.simulate': { change: 'cancelled' },
};

/** The operations that change something. */
export const isMutation = (id: PortalOperationId): boolean => changesSomething(portalRowOf(id));
