/** Calls of the operator's API, each response checked against its document. */
import {
  operatorAddress,
  type OperatorArguments,
  type OperatorReplyBody,
} from '../../src/contract/operator/call-types.ts';
import {
  operatorOperations,
  type OperatorOperationId,
} from '../../src/contract/operator/operations.ts';
import type { ErrorEnvelope } from '../../src/contract/partner/schemas/error.ts';
import type { Role } from '../../src/contract/operator/roles.ts';
import { issueOperatorToken } from '../../src/sign-in/index.ts';
import { checkAgainstOperatorDocument } from './document.ts';
import { send as sendRequest } from './http-client.ts';
import type { TestService } from './service.ts';

/** Any input, also one that is not valid. */
export interface AnyOperatorInput {
  params?: object | undefined;
  query?: object | undefined;
  body?: object | undefined;
  /** The body of a row with `bytes`. */
  bytes?: Uint8Array | Blob | undefined;
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
    input?: AnyOperatorInput,
    headers?: Record<string, string>,
  ): Promise<OperatorResponse<unknown>>;
  /** Calls an operation and returns its body. Throws if the response is an error. */
  done<Id extends OperatorOperationId>(
    id: Id,
    ...input: OperatorArguments<Id>
  ): Promise<OperatorReplyBody<Id>>;
  /** Calls an operation that is refused. Throws for a success. */
  refused(
    id: OperatorOperationId,
    input?: AnyOperatorInput,
  ): Promise<ErrorEnvelope['error'] & { status: number }>;
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
    } = await sendRequest(
      `${service.origin}${operatorAddress(operatorOperations[id].path, input)}`,
      {
        method: operatorOperations[id].method,
        headers: {
          ...credentials,
          ...(input.body && { 'content-type': 'application/json' }),
          ...(input.bytes && { 'content-type': 'application/octet-stream' }),
          ...headers,
        },
        ...(input.body && { body: JSON.stringify(input.body) }),
        ...(input.bytes && { body: input.bytes as Buffer }),
      },
    );
    const body: unknown = text === '' ? null : JSON.parse(text);
    checkAgainstOperatorDocument(id, status, body);
    return { status, body, headers: received };
  };
  return {
    name,
    send,
    async done(id, ...[input]) {
      const { status, body } = await send(id, input as AnyOperatorInput | undefined);
      if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
      return body as never;
    },
    async refused(id, input) {
      const { status, body } = await send(id, input);
      if (status < 400) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`);
      return { ...(body as ErrorEnvelope).error, status } as never;
    },
  };
}

/** A token of a script with this role and name. */
export async function operatorTokenOf(
  service: Pick<TestService, 'database'>,
  role: Role,
  name: string = role,
): Promise<string> {
  const issued = { name, role, lifetimeSeconds: 3_600 };
  return (await issueOperatorToken(service.database, 'test', issued)).token;
}

/** A script of the operator, with a token of this role and name. */
export async function operatorOf(
  service: Pick<TestService, 'origin' | 'database'>,
  role: Role = 'administrator',
  name: string = role,
): Promise<Operator> {
  const token = await operatorTokenOf(service, role, name);
  return operatorWith(service, `token ${name}`, { authorization: `Bearer ${token}` });
}
