/** What a partner orders in the sandbox, over HTTP. */
import assert from 'node:assert/strict';
import {
  type SandboxBodyOf,
  type SandboxOperationId,
  type SandboxReplyOf,
  sandboxRowOf,
} from '../../src/contract/sandbox/operations.ts';
import { checkAgainstSandboxDocument } from './document.ts';
import { send } from './http-client.ts';
import type { Partner } from './partner.ts';

interface SandboxInput<Id extends SandboxOperationId> {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: SandboxBodyOf<Id>;
  token?: string;
}

/** A response of the sandbox, checked against its document. */
export interface SandboxReply {
  status: number;
  body: unknown;
  headers: Headers;
}

/** Calls an operation of the sandbox and returns any response. */
export async function callSandbox<Id extends SandboxOperationId>(
  partner: Partner,
  id: Id,
  { params = {}, query = {}, body, token }: SandboxInput<Id> = {},
): Promise<SandboxReply> {
  const { method, path } = sandboxRowOf(id);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const { status, text, headers } = await send(
    `${partner.origin}${filled}?${new URLSearchParams(query).toString()}`,
    {
      method,
      headers: {
        authorization: `Bearer ${token ?? (await partner.token())}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  );
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  const parsed = isJson ? (JSON.parse(text) as unknown) : text || undefined;
  checkAgainstSandboxDocument(id, status, parsed);
  return { status, body: parsed, headers };
}

/** Calls an operation of the sandbox that must succeed; returns its body. */
export async function order<Id extends SandboxOperationId>(
  partner: Partner,
  id: Id,
  input: SandboxInput<Id> = {},
): Promise<SandboxReplyOf<Id>['body']> {
  const { status, body } = await callSandbox(partner, id, input);
  assert.ok(status < 300, `${id} returned ${status}: ${JSON.stringify(body)}`);
  return body as SandboxReplyOf<Id>['body'];
}

/** Calls an operation of the sandbox that must be refused; returns status, code and reason. */
export async function refusedOrder<Id extends SandboxOperationId>(
  partner: Partner,
  id: Id,
  input: SandboxInput<Id> = {},
): Promise<{ status: number; code: string; details: unknown }> {
  const { status, body } = await callSandbox(partner, id, input);
  const { error } = body as { error: { code: string; details?: unknown } };
  return { status, code: error.code, details: error.details };
}
