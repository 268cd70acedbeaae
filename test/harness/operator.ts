/** Calls of the operator's API, each response checked against its document. */
import {
  operatorOperations,
  type OperatorBodyOf,
  type OperatorOperationId,
  type OperatorParamsOf,
  type OperatorQueryOf,
  type OperatorReplyOf,
} from '../../src/contract/operator/operations.ts';
import type { ErrorEnvelope } from '../../src/contract/partner/schemas/error.ts';
import type { Role } from '../../src/contract/operator/roles.ts';
import { issueOperatorToken } from '../../src/staff/index.ts';
import { checkAgainstOperatorDocument } from './document.ts';
import { send as sendRequest } from './http-client.ts';
import type { TestService } from './service.ts';

/** The input of an operation, as its row declares it. */
export interface OperatorInput<Id extends OperatorOperationId> {
  params?: OperatorParamsOf<Id>;
  query?: OperatorQueryOf<Id>;
  body?: OperatorBodyOf<Id>;
  /** The body of a row with `bytes`. */
  bytes?: Buffer;
}

export interface OperatorResponse<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

/** A caller of the operator's API. */
export interface Operator {
  /** Its actor in the audit trail. */
  name: string;
  /** Calls an operation. */
  send(
    id: OperatorOperationId,
    input?: OperatorInput<OperatorOperationId>,
    headers?: Record<string, string>,
  ): Promise<OperatorResponse<unknown>>;
  /** Calls an operation and returns its body. Throws if the response is an error. */
  done<Id extends OperatorOperationId>(
    id: Id,
    input?: OperatorInput<Id>,
  ): Promise<OperatorReplyOf<Id>['body']>;
  /** Calls an operation that is refused. Throws for a success. */
  refused<Id extends OperatorOperationId>(
    id: Id,
    input?: OperatorInput<Id>,
  ): Promise<ErrorEnvelope['error'] & { status: number }>;
}

function addressOf(
  origin: string,
  id: OperatorOperationId,
  { params = {}, query = {} }: OperatorInput<OperatorOperationId>,
): string {
  const values = params as Record<string, string>;
  const path = operatorOperations[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${origin}${path}${given.length > 0 ? `?${search}` : ''}`;
}

/** A caller with these headers as its credentials. */
export function operatorWith(
  service: Pick<TestService, 'origin'>,
  name: string,
  credentials: Record<string, string>,
): Operator {
  const send: Operator['send'] = async (id, input = {}, headers = {}) => {
    const {
      status,
      headers: received,
      text,
    } = await sendRequest(addressOf(service.origin, id, input), {
      method: operatorOperations[id].method,
      headers: {
        ...credentials,
        ...(input.body && { 'content-type': 'application/json' }),
        ...(input.bytes && { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
      ...(input.body && { body: JSON.stringify(input.body) }),
      ...(input.bytes && { body: input.bytes }),
    });
    const body: unknown = text === '' ? null : JSON.parse(text);
    checkAgainstOperatorDocument(id, status, body);
    return { status, body, headers: received };
  };
  return {
    name,
    send,
    async done(id, input) {
      const { status, body } = await send(id, input as OperatorInput<OperatorOperationId>);
      if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
      return body as never;
    },
    async refused(id, input) {
      const { status, body } = await send(id, input as OperatorInput<OperatorOperationId>);
      if (status < 400) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
      return { ...(body as ErrorEnvelope).error, status } as never;
    },
  };
}

/** A script of the operator, with a token of this role and name. */
export async function operatorOf(
  service: Pick<TestService, 'origin' | 'database'>,
  role: Role = 'administrator',
  name: string = role,
): Promise<Operator> {
  const issued = { name, role, lifetimeSeconds: 3_600 };
  const { token } = await issueOperatorToken(service.database, 'test', issued);
  return operatorWith(service, `token ${name}`, { authorization: `Bearer ${token}` });
}
