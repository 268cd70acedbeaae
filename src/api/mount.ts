import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { deprecationOf } from '../contract/deprecation.ts';
import { isRefusal, RefusalError, type Refusal } from '../contract/errors.ts';
import { changesSomething, seenMembers, type Row } from '../contract/rows.ts';
import { includesTag } from '../platform/etag.ts';
import type { AnyResponse } from './response.ts';
import {
  newExecution,
  runSteps,
  type Execution,
  type Route,
  type Step,
  witnessed,
} from './execution.ts';
import { inputCheck } from './input.ts';
import { stepsOfKind } from './kinds.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import type { Operation } from './operation.ts';
import { finalQuota } from './quota-headers.ts';
import { routePath } from './route-input.ts';
import { codingsOf } from './content-coding.ts';
import { rowHeaders, sendResponse, sentTag } from './send-response.ts';
import { sendRefusal } from './server.ts';
import { parse } from './steps.ts';
import type { AnySurface } from './surface.ts';

/** Each declaration of a row, the step that enforces it, and what that step needs from the surface. */
const enforcedBy: {
  declares: (row: Row, surface: AnySurface) => boolean;
  step: string;
  needs?:
    | 'grant'
    | 'membersOnly'
    | 'stepUp'
    | 'lasting'
    | 'sessions'
    | 'settlement'
    | 'dailyLimit'
    | 'digests'
    | 'once';
}[] = [
  { declares: (row) => row.public !== true, step: 'authenticate' },
  { declares: (row) => row.scope !== undefined, step: 'grant', needs: 'grant' },
  {
    declares: (row, { sameSite }) => sameSite !== null && changesSomething(row),
    step: 'sameSite',
  },
  { declares: (row) => row.membersOnly === true, step: 'membersOnly', needs: 'membersOnly' },
  { declares: (row) => row.stepUp === true, step: 'stepUp', needs: 'stepUp' },
  { declares: (row) => row.lasting === true, step: 'lasting', needs: 'lasting' },
  { declares: () => true, step: 'quota' },
  { declares: (row) => row.atOnce !== undefined, step: 'slot' },
  { declares: (row) => row.session !== undefined, step: 'session', needs: 'sessions' },
  { declares: (row) => row.settlement !== undefined, step: 'settlement', needs: 'settlement' },
  { declares: (row) => row.reserves === true, step: 'dailyLimit', needs: 'dailyLimit' },
  { declares: (row) => row.creates !== undefined, step: 'repeat', needs: 'digests' },
  { declares: (row) => row.versioned === true, step: 'version', needs: 'digests' },
  { declares: (row) => row.seen !== undefined, step: 'seen' },
  { declares: (row) => row.repeatHides !== undefined, step: 'once', needs: 'once' },
];

/** Throws unless a row declares exactly what its body says that the caller has seen. */
function checkSeen(id: string, { body, versioned, seen }: Row): void {
  const declared = versioned ? 'expectedVersion' : seen;
  for (const member of seenMembers) {
    const isTaken = body?.properties[member] !== undefined;
    if (isTaken && member !== declared)
      throw new Error(`${id} takes ${member} without declaring it`);
    if (!isTaken && member === seen) throw new Error(`${id} declares ${member} without taking it`);
  }
}

/** Throws for a row that takes large bodies without saying how many at once: together they could fill the memory. */
function checkSize(id: string, { bodyBytes, atOnce }: Row): void {
  if (bodyBytes === undefined || atOnce !== undefined) return;
  throw new Error(`${id} declares bodyBytes without atOnce`);
}

/**
 * The steps of an operation: those of its kind that its row and handler need. Throws if the row
 * declares something that no step of this kind enforces, or takes what callers have seen without declaring
 * it; the service then does not start.
 */
export function stepsOf(surface: AnySurface, row: Row, { id, kind, handler }: Operation): Step[] {
  checkSeen(id, row);
  checkSize(id, row);
  const all: readonly Step[] = stepsOfKind[kind];
  for (const { declares, step, needs } of enforcedBy) {
    if (!declares(row, surface)) continue;
    const isEnforced = all.some(({ name }) => name === step);
    if (!isEnforced) throw new Error(`${id} declares what no step of ${kind} enforces: ${step}`);
    if (needs && !surface[needs]) throw new Error(`${id} needs ${needs} of ${surface.name}`);
  }
  return all.filter(({ appliesTo }) => appliesTo?.(row, handler, surface) ?? true);
}

/** The response without its bytes (304) if the caller has them already. */
function unlessKnown({ call, route, request }: Execution, response: AnyResponse): AnyResponse {
  const { etag } = response;
  const isKnown = etag !== undefined && call !== null && includesTag(call.knownTags, etag);
  if (!isKnown) return response;
  const { asOf } = response;
  // The tag that the response with its bytes would have (RFC 9110, 15.4.5).
  const sent = sentTag(route, request, response) ?? etag;
  return { status: 304, etag: sent, ...(asOf !== undefined && { asOf }) };
}

function finish(
  execution: Execution,
  reply: FastifyReply,
  outcome: AnyResponse | Refusal | undefined,
): MaybePromise<FastifyReply | void> {
  if (outcome === undefined) throw new Error('no step has produced a response');
  const { afterwards } = execution;
  return afterwards
    ? after(afterwards(outcome), (seen) => send(execution, reply, seen))
    : send(execution, reply, outcome);
}

function send(
  execution: Execution,
  reply: FastifyReply,
  outcome: AnyResponse | Refusal,
): MaybePromise<FastifyReply | void> {
  if (isRefusal(outcome)) return sendRefusal(execution.request, reply, outcome);
  return after(witnessed(execution, outcome), () =>
    after(finalQuota(execution), (quota) =>
      sendResponse(execution.route, reply, unlessKnown(execution, outcome), quota),
    ),
  );
}

/** The steps before the body is read. */
function admission(route: Route, steps: readonly Step[]): onRequestHookHandler {
  const deprecation = deprecationOf(route.row);
  return (request, reply, done) => {
    if (deprecation) reply.header('deprecation', deprecation);
    const execution = newExecution(route, request, (listener) => {
      // The handler goes on when its caller disconnects. It has begun before the immediate, or never will.
      const end = () =>
        setImmediate(() => void Promise.resolve(execution.work).then(listener, listener));
      // A caller may have disconnected while an earlier step was reading.
      if (reply.raw.closed) end();
      else reply.raw.once('close', end);
    });
    request.execution = execution;
    const end = (outcome: AnyResponse | Refusal | undefined): void => {
      if (outcome === undefined) return done();
      if (isRefusal(outcome)) return done(new RefusalError(outcome));
      // A response in place of the call: the hook does not continue.
      void after(witnessed(execution, outcome), () =>
        after(finalQuota(execution), (quota) => sendResponse(route, reply, outcome, quota)),
      );
    };
    const outcome = runSteps(steps, execution);
    if (outcome instanceof Promise) void outcome.then(end, done);
    else end(outcome);
  };
}

function executionOf({ execution }: FastifyRequest): Execution {
  if (!execution) throw new Error('the call has passed no admission');
  return execution;
}

function mountOne(app: FastifyInstance, surface: AnySurface, row: Row, bound: Operation): void {
  const { id, handler } = bound;
  const steps = stepsOf(surface, row, bound);
  const bodyAt = steps.indexOf(parse);
  const behindBody = steps.slice(bodyAt + 1);
  const check = inputCheck(row);
  const route: Route = {
    surface,
    operation: id,
    row,
    handler,
    check,
    basePath: surface.basePath ?? '',
    headers: rowHeaders(row),
    codings: codingsOf(row),
    slots: { used: 0 },
  };
  app.route({
    method: row.method,
    url: routePath(row.path),
    config: {
      operation: id,
      ...(surface.challenge !== undefined && { challenge: surface.challenge }),
      ...(row.bytes && { bodyType: 'bytes' as const }),
      ...(row.bodyBytes !== undefined && { bodyBytes: row.bodyBytes }),
      ...(row.bodyValues !== undefined && { bodyValues: row.bodyValues }),
      ...((row.versioned || row.method === 'DELETE') && !row.body && { takesNone: true }),
    },
    onRequest: admission(route, steps.slice(0, bodyAt)),
    handler: (request, reply) => {
      const execution = executionOf(request);
      const work = after(runSteps(behindBody, execution), (outcome) =>
        finish(execution, reply, outcome),
      );
      execution.work = work;
      return work;
    },
  });
}

/** Serves every row of a surface. Throws for a row without an operation. */
export function mount(app: FastifyInstance, surface: AnySurface): void {
  for (const [id, row] of Object.entries(surface.rows)) {
    const bound = surface.operations[id];
    if (bound?.id !== id) throw new Error(`${surface.name}: nothing is bound to ${id}`);
    mountOne(app, surface, row, bound);
  }
}
