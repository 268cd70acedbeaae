/** Tools for the tests of a partner: a service in memory that plays faults, and signed events. */
import { operations } from './contract/operations.ts';
import type { Event } from './contract/types.ts';
import { newId } from './client/identity.ts';
import type { OperationId } from './client/operation.ts';
import { signWebhook, type SignedHeaders } from './webhooks.ts';

/** A request that arrived at the service in memory. */
export interface ReceivedCall {
  operation: OperationId | 'token';
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  headers: Headers;
}

/** What a test answers: a status and a body. Anything else is a defect of the test. */
export interface TestReply {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** What happens to a call instead of its answer. */
export type TestFault =
  /** The connection ends before or after the effect. */
  | { drop: 'before' | 'after' }
  /** 504 `unresolved`, with or without the effect. */
  | { unresolved: 'applied' | 'not_applied' }
  /** An error without effect. */
  | { respond: 429 | 500 | 503; retryAfterSeconds?: number }
  /** The page of a proxy. */
  | { html: 502 }
  /** 401 with this reason. */
  | { unauthenticated: 'expired' | 'revoked' | 'signature' | 'suspended' }
  /** The answer comes this late. */
  | { delayMs: number };

/** When a fault acts: at the `nth` call of the operation (from 1), or at every one. */
export interface FaultRule {
  operation: OperationId | 'token';
  nth?: number;
  do: TestFault;
}

/** A service in memory. */
export interface MemoryService {
  /** For the settings of a client. */
  fetch: typeof fetch;
  /** The calls that arrived, in order, exchanges of tokens included. */
  calls: ReceivedCall[];
}

type Answers = { [Id in OperationId]?: (call: ReceivedCall) => TestReply | Promise<TestReply> };

const codes = { 429: 'rate_limited', 500: 'internal', 503: 'unavailable' } as const;

const errorReply = (
  status: number,
  code: string,
  { retryAfterSeconds, reason }: { retryAfterSeconds?: number | undefined; reason?: string } = {},
): Response => {
  const error = {
    code,
    message: 'A fault of the test.',
    retryable: status === 429 || status > 500,
    requestId: newId(),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(reason !== undefined && { details: { reason } }),
  };
  const headers =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return Response.json({ error }, { status, headers });
};

const patterns = Object.entries(operations).map(([id, { method, path }]) => ({
  id: id as OperationId,
  method,
  names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}));

function receivedCall(request: Request, text: string): ReceivedCall {
  const { pathname, searchParams } = new URL(request.url);
  const query = Object.fromEntries(searchParams);
  const body: unknown = text === '' || pathname === '/oauth/token' ? text : JSON.parse(text);
  const rest = { query, body, headers: request.headers };
  if (pathname === '/oauth/token') return { operation: 'token', params: {}, ...rest };
  for (const { id, method, names, pattern } of patterns) {
    const found = method === request.method ? pattern.exec(pathname) : null;
    if (!found) continue;
    const params = Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(found[at + 1]!)]),
    );
    return { operation: id, params, ...rest };
  }
  throw new Error(`the contract has no ${request.method} ${pathname}`);
}

/**
 * A service in memory: `answers` says what each operation returns, `faults` what happens to it. Give its `fetch` to
 * `createClient`, with a `sleep` that does not wait.
 */
export function memoryService(answers: Answers, faults: readonly FaultRule[] = []): MemoryService {
  const calls: ReceivedCall[] = [];

  async function answer(call: ReceivedCall): Promise<Response> {
    if (call.operation === 'token') {
      return Response.json({
        access_token: newId(),
        token_type: 'Bearer',
        expires_in: 900,
        scope: '',
      });
    }
    const answering = answers[call.operation];
    if (!answering) throw new Error(`the test has no answer for ${call.operation}`);
    const { status, body, headers = {} } = await answering(call);
    return Response.json(body ?? null, { status, headers });
  }

  async function withFault(call: ReceivedCall, fault: TestFault): Promise<Response> {
    if ('drop' in fault) {
      if (fault.drop === 'after') await answer(call);
      throw new TypeError('fetch failed');
    }
    if ('unresolved' in fault) {
      if (fault.unresolved === 'applied') await answer(call);
      return errorReply(504, 'unresolved', { retryAfterSeconds: 1 });
    }
    if ('respond' in fault) {
      const { respond, retryAfterSeconds } = fault;
      return errorReply(respond, codes[respond], { retryAfterSeconds });
    }
    if ('html' in fault) {
      return new Response('<html>Bad gateway</html>', {
        status: fault.html,
        headers: { 'content-type': 'text/html' },
      });
    }
    if ('unauthenticated' in fault) {
      return errorReply(401, 'unauthenticated', { reason: fault.unauthenticated });
    }
    await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    return answer(call);
  }

  const fetching: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const call = receivedCall(request, await request.text());
    calls.push(call);
    const count = calls.filter(({ operation }) => operation === call.operation).length;
    const rule = faults.find(
      ({ operation, nth }) => operation === call.operation && (nth ?? count) === count,
    );
    return rule ? withFault(call, rule.do) : answer(call);
  };
  return { fetch: fetching, calls };
}

/** An event as a webhook of the service: its body, and headers that `verifyWebhook` accepts. */
export async function testWebhook(
  event: Partial<Event> & Pick<Event, 'type' | 'data'>,
  secret: string,
  now: number = Date.now(),
): Promise<{ body: string; headers: SignedHeaders }> {
  const id = `evt_${newId(now).replaceAll('-', '')}`;
  const whole = {
    id,
    schemaVersion: 1,
    timestamp: new Date(now).toISOString(),
    sequence: 1,
    ...event,
  };
  const body = JSON.stringify(whole);
  return { body, headers: await signWebhook(body, { id: whole.id, secret, now }) };
}
