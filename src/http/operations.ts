import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { deprecationOf } from '../contract/deprecation.ts';
import { isRefusal, refuse, RefusalError, type Refusal } from '../contract/errors.ts';
import {
  operationIds,
  rowOf,
  type OperationId,
  type OperationRow,
} from '../contract/operations.ts';
import { handlers, idFromKey, type Answer, type Call, type House } from '../operations/index.ts';
import {
  admit,
  exempt,
  meter,
  settleQuota,
  type AccessParts,
  type Admission,
  type Caller,
} from './caller.ts';
import { inputCheck, type ValidInput } from './input.ts';
import { routePath, validated } from './route-input.ts';
import { sendRefusal } from './server.ts';

/** Any answer, seen without its operation. */
type AnyAnswer = Pick<Answer<OperationId>, 'etag' | 'location' | 'retryAfterSeconds'> & {
  status: number;
  body?: object;
  bytes?: Buffer;
};
type AnyHandler = (house: House, call: Call<OperationId>) => Promise<AnyAnswer | Refusal>;

/** The token, the standing of its application, and the grant: before any body is read. */
function admission(access: AccessParts, row: OperationRow): onRequestHookHandler {
  const deprecation = deprecationOf(row);
  return (request, reply, done) => {
    if (deprecation) reply.header('deprecation', deprecation);
    const enter = ({ caller, refusal }: Admission): void => {
      request.caller = caller;
      done(refusal ? new RefusalError(refusal) : undefined);
    };
    const admitted = admit(access, request.raw, row);
    if (admitted instanceof Promise) void admitted.then(enter, done);
    else enter(admitted);
  };
}

function resourceIdOf(id: OperationId, row: OperationRow, caller: Caller, input: ValidInput) {
  if (row.creates === undefined) return '';
  const named = input.body[row.creates];
  if (typeof named === 'string') return named;
  return idFromKey(caller.application.applicationId, id, input.idempotencyKey ?? '');
}

function callOf(
  access: AccessParts,
  id: OperationId,
  caller: Caller,
  input: ValidInput,
  capability: string | string[] | undefined,
): Call<OperationId> {
  return {
    application: caller.application,
    params: input.params,
    query: input.query,
    body: input.body,
    sessionCapability: Array.isArray(capability) ? capability.join() : capability,
    expectedVersion: input.expectedVersion ?? 0,
    resourceId: resourceIdOf(id, rowOf(id), caller, input),
    knownTags: input.knownTags,
    meter: () => meter(access, caller),
    exempt: () => exempt(access, caller),
  } as Call<OperationId>;
}

const cacheControlOf = (row: OperationRow): string =>
  row.etag === 'revalidate' ? 'private, no-cache' : 'no-store';

function sendAnswer(
  row: OperationRow,
  basePath: string,
  reply: FastifyReply,
  answer: AnyAnswer,
): FastifyReply {
  reply.code(answer.status).header('cache-control', cacheControlOf(row));
  if (answer.etag) reply.header('etag', answer.etag);
  if (answer.location) reply.header('location', `${basePath}${answer.location}`);
  if (answer.retryAfterSeconds) reply.header('retry-after', String(answer.retryAfterSeconds));
  if (answer.status === 304) return reply.send();
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(answer.bytes ?? JSON.stringify(answer.body));
}

/** Puts an operation of the table on its path: admission, validation, then what it does. */
function register(app: FastifyInstance, house: House, access: AccessParts, id: OperationId): void {
  const row = rowOf(id);
  const check = inputCheck(row);
  const handle = handlers[id] as unknown as AnyHandler;
  app.route({
    method: row.method,
    url: routePath(row.path),
    config: { operation: id },
    onRequest: admission(access, row),
    handler: async (request, reply) => {
      const { caller } = request;
      if (!caller) throw new RefusalError(refuse('unauthenticated'));
      const input = validated(request, check);
      if (row.provenance) request.consumer = input.consumer ?? 'unknown';
      const capability = request.headers['session-capability'];
      const answer = await handle(house, callOf(access, id, caller, input, capability));
      if (isRefusal(answer)) return sendRefusal(access, request, reply, answer);
      settleQuota(access, request, reply);
      return sendAnswer(row, house.basePath, reply, answer);
    },
  });
}

/** Every operation of the table. */
export function operationRoutes(app: FastifyInstance, house: House, access: AccessParts): void {
  for (const id of operationIds) register(app, house, access, id);
}
