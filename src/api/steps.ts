/** The steps of a call, one rule each. `kinds.ts` has their order in each kind of operation. */
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import { changesSomething } from '../contract/rows.ts';
import type { AnyResponse } from './response.ts';
import { type Actor, type AnyCall, isSameInput } from './call.ts';
import type { Execution, Outcome, Step } from './execution.ts';
import { comparing } from './comparing.ts';
import { idFromKey } from './identity.ts';
import type { ValidInput } from './input.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import { again } from './operation.ts';
import { validated } from './route-input.ts';
import { Seen } from './seen.ts';
import type { Interference, QuotaPort, SessionPort } from './surface.ts';

type AnyQuota = QuotaPort<Actor>;
type AnySessions = SessionPort<Actor, unknown>;

const quotaOf = ({ route }: Execution): AnyQuota => route.surface.quota as AnyQuota;

function callOf({ call }: Execution): AnyCall {
  if (!call) throw new Error('the call has not been validated');
  return call;
}

function actorOf({ actor }: Execution): Actor {
  if (!actor) throw new Error('the caller has not been authenticated');
  return actor;
}

/** Checks the credentials: 401. */
export const authenticate: Step = {
  name: 'authenticate',
  run: (execution) =>
    after(execution.route.surface.authenticate(execution.request), (credentials) => {
      if (isRefusal(credentials)) return credentials;
      execution.credentials = credentials;
      return null;
    }),
};

/** Finds the actor of the credentials and checks that it is in good standing: 401; 403 from a network that is not allowed. */
export const standing: Step = {
  name: 'standing',
  run: (execution) =>
    after(
      execution.route.surface.standing(execution.credentials, execution.request),
      (actor: Actor | Refusal) => {
        if (isRefusal(actor)) return actor;
        execution.actor = actor;
        return null;
      },
    ),
};

/** Checks that the actor has the scope of the row: 403. A call without it consumes no quota. */
export const grant: Step = {
  name: 'grant',
  appliesTo: ({ scope }) => scope !== undefined,
  run(execution) {
    const { surface, row } = execution.route;
    const refusal = surface.grant!(actorOf(execution), row.scope!);
    if (refusal && execution.quota === 'open') execution.quota = 'free';
    return refusal;
  },
};

function taken(execution: Execution, interference: Interference): Outcome {
  if (interference === null) return null;
  if ('instead' in interference) return interference.instead;
  execution.afterwards = interference.afterwards;
  return null;
}

/** Plays what the actor has ordered for its own calls. */
export const interfere: Step = {
  name: 'interfere',
  appliesTo: (_row, _handler, surface) => surface.interfere !== undefined,
  run(execution) {
    const { surface, operation } = execution.route;
    const played = surface.interfere!(actorOf(execution), operation, execution.request);
    return after(played as MaybePromise<Interference>, (one) => taken(execution, one));
  },
};

/** Plays what a scenario of the actor wants at a call that is valid. */
export const play: Step = {
  name: 'play',
  appliesTo: (_row, _handler, surface) => surface.play !== undefined,
  run(execution) {
    const { surface } = execution.route;
    const played = surface.play!(actorOf(execution), callOf(execution), execution.request);
    return after(played as MaybePromise<Interference>, (one) => taken(execution, one));
  },
};

/** Checks that a call that changes something is not from a page of another site: 403. */
export const sameSite: Step = {
  name: 'sameSite',
  appliesTo: changesSomething,
  run: ({ route, request }) => route.surface.sameSite?.(request) ?? null,
};

/** Checks what a row asks of its caller beside the grant, with the function of the surface of the same name: 403. */
const demand = (name: 'membersOnly' | 'stepUp' | 'lasting'): Step => ({
  name,
  appliesTo: (row) => row[name] === true,
  run: (execution) => execution.route.surface[name]!(actorOf(execution)),
});

export const membersOnly = demand('membersOnly');
export const stepUp = demand('stepUp');
export const lasting = demand('lasting');

/** Takes a slot of a row that has few, until the call is over and its handler has ended: 429. */
export const slot: Step = {
  name: 'slot',
  appliesTo: ({ atOnce }) => atOnce !== undefined,
  run({ route, onEnd }) {
    const { slots, row } = route;
    if (slots.used >= row.atOnce!) {
      const message = `${row.atOnce} such calls are in progress: send it again.`;
      return { ...refuse('rate_limited'), message, retryAfterSeconds: 1 };
    }
    slots.used += 1;
    onEnd(() => {
      slots.used -= 1;
    });
    return null;
  },
};

/** Marks the point where the framework reads and parses the body: size, content type, UTF-8, JSON (400). */
export const parse: Step = { name: 'parse', run: () => null };

function resourceIdOf({ route, actor }: Execution, input: ValidInput): string {
  const { row, operation } = route;
  if (row.creates === undefined) return '';
  const named = input.body[row.creates];
  if (typeof named === 'string') return named;
  return idFromKey(actor?.applicationId ?? '', operation, input.idempotencyKey ?? '');
}

/** The input of a create or command: the body without the ID or version. */
function inputOf({ row, handler }: Execution['route'], call: AnyCall): unknown {
  if (handler.inputOf) return handler.inputOf(call);
  const { expectedVersion: _, ...input } = call.body;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== row.creates));
}

const noDigest = Buffer.alloc(0);

/** Checks path, query, headers and body together: 400 with every field that failed. */
export const validate: Step = {
  name: 'validate',
  run(execution) {
    const { route, request } = execution;
    const { surface, operation, row } = route;
    const input = validated(request, route.check);
    if (row.provenance) request.consumer = input.consumer ?? 'unknown';
    const call: AnyCall = {
      operation,
      context: execution.actor
        ? (surface.contextOf?.(execution.actor) ?? surface.context)
        : surface.context,
      actor: execution.actor,
      params: input.params,
      query: input.query,
      body: input.body,
      bytes: input.bytes,
      knownTags: input.knownTags,
      resourceId: resourceIdOf(execution, input),
      expectedVersion: input.expectedVersion ?? 0,
      inputDigest: noDigest,
      earlierDigests: [],
      seen: row.seen === undefined ? null : new Seen(input.body[row.seen] as number | undefined),
    };
    if (row.creates || row.versioned) {
      const [digest, ...earlier] = surface.digests!(inputOf(route, call));
      call.inputDigest = digest!;
      call.earlierDigests = earlier;
    }
    execution.call = call;
    execution.idempotencyKey = input.idempotencyKey;
    return null;
  },
};

const notFound = ({ route }: Execution): Refusal<'not_found'> => ({
  ...refuse('not_found'),
  ...(route.handler.notFound !== undefined && { message: route.handler.notFound }),
});

/** The database's time of what was read; null: it has none. */
const timeOf = (read: unknown): EpochMs | null =>
  typeof read === 'object' && read !== null && 'now' in read ? (read.now as EpochMs) : null;

function takeFound(execution: Execution, found: unknown): Outcome {
  if (found === undefined) return notFound(execution);
  if (isRefusal(found)) return found;
  execution.found = found;
  execution.readAt = timeOf(found);
  return null;
}

/**
 * Loads the resources of the call, which must exist for this actor: 404. A handler may use remembered
 * data first; a refusal based on it is decided again after `load`. Spec: ERROR-4.
 */
export const load: Step = {
  name: 'load',
  appliesTo: (_row, handler) => handler.load !== undefined,
  run(execution) {
    const { handler } = execution.route;
    const call = callOf(execution);
    if (execution.reading === 'none' && handler.remembered) {
      const remembered = handler.remembered(call);
      if (remembered !== null) {
        execution.reading = 'remembered';
        execution.found = remembered;
        return null;
      }
    }
    execution.reading = 'read';
    return after(handler.load!(call), (found) => takeFound(execution, found));
  },
};

function capabilityIn({ request }: Execution): string | undefined {
  const given = request.headers['session-capability'];
  return Array.isArray(given) ? given.join() : given;
}

/**
 * Checks the capability of the session that the row requires: 403. Uses the session in the result of
 * `load`, or reads it if that has none.
 * Spec: SESSION-1.
 */
export const session: Step = {
  name: 'session',
  appliesTo: ({ session: wanted }) => wanted !== undefined,
  run(execution) {
    const { surface, row } = execution.route;
    const sessions = surface.sessions as AnySessions;
    const actor = actorOf(execution);
    const owner = sessions.ownerOf(callOf(execution));
    if (owner === undefined) {
      return row.session === 'joined'
        ? null
        : refuse('forbidden', { reason: 'session_capability' });
    }
    const given = capabilityIn(execution);
    const loaded = sessions.loaded(execution.found);
    if (loaded !== null) return sessions.refusal(actor, owner, loaded, given);
    return after(sessions.find(actor, owner), (stored) => {
      if (stored === undefined) return notFound(execution);
      execution.readAt = timeOf(stored);
      return sessions.refusal(actor, owner, stored, given);
    });
  },
};

/** Checks that the actor has the settlement of the row. */
export const settlement: Step = {
  name: 'settlement',
  appliesTo: ({ settlement: wanted }) => wanted !== undefined,
  run(execution) {
    const { surface, row } = execution.route;
    return surface.settlement!(row.settlement!, actorOf(execution), execution.found);
  },
};

/**
 * A repeat consumes no quota. Refunds it if the repeat is detected after the quota step. Refuses a flood of repeats.
 * Spec: QUOTA-3, QUOTA-10.
 */
function waiveQuota(execution: Execution): MaybePromise<Refusal | null> {
  const isConsumed = execution.quota === 'consumed';
  const { row } = execution.route;
  const actor = actorOf(execution);
  const port = quotaOf(execution);
  execution.quota = 'free';
  const refunded = isConsumed ? port.refund(actor, row) : undefined;
  return after(refunded, () => port.repeat(actor, row));
}

interface Existing {
  existingDigest: Buffer | null;
}

const isRepeat = ({ existingDigest }: Existing, call: AnyCall): boolean =>
  existingDigest !== null && isSameInput(call, existingDigest);

const repeatResponse = (
  execution: Execution,
  found: unknown,
): MaybePromise<AnyResponse | Refusal> =>
  after(
    waiveQuota(execution),
    (refusal) => refusal ?? execution.route.handler.repeat!(callOf(execution), found),
  );

/** Responds to a repeated create with the existing resource. Spec: REPEAT-2. */
export const repeatCreate: Step = {
  name: 'repeat',
  run(execution) {
    const found = execution.found as Existing;
    return isRepeat(found, callOf(execution)) ? repeatResponse(execution, found) : null;
  },
};

/** Checks that the ID does not belong to other input: 409. Spec: REPEAT-3. */
export const identity: Step = {
  name: 'identity',
  run: ({ found }) =>
    (found as Existing).existingDigest === null
      ? null
      : refuse('conflict', { reason: 'different_input' }),
};

/** Refusals of these steps hold for a repeat, too. */
const beforeRepeat: ReadonlySet<string> = new Set(['session', 'settlement']);
/** Refusals of these steps take precedence over the check for other input. */
const beforeIdentity: ReadonlySet<string> = new Set(['load', 'quota']);

/** Looks for a repeat after a write that found the ID taken, or after a refusal. */
function repeatLate(
  execution: Execution,
  refusal: Refusal | null,
): MaybePromise<AnyResponse | Refusal> {
  const call = callOf(execution);
  const existing = execution.route.handler.findExisting!(call) as MaybePromise<
    Existing | undefined
  >;
  return after(existing, (found) => {
    if (found && isRepeat(found, call)) return repeatResponse(execution, found);
    if (refusal && !found) return refusal;
    return refuse('conflict', { reason: 'different_input' });
  });
}

/** For `createFirst`: looks for a repeat only if nothing was written. */
export const repeatAfterWrite: Step = {
  name: 'repeat',
  run: (execution) => (execution.isTaken ? repeatLate(execution, null) : null),
  rescue: (execution, refusal, refusedBy) =>
    beforeRepeat.has(refusedBy.name)
      ? refusal
      : after(repeatLate(execution, refusal), (response) =>
          isRefusal(response) && beforeIdentity.has(refusedBy.name) ? refusal : response,
        ),
};

/** Responds to a command that took effect before with the current state of the resource. Spec: REPEAT-5. */
export const repeatCommand: Step = {
  name: 'repeat',
  run(execution) {
    const { handler } = execution.route;
    const repeated = handler.repeated!(execution.found);
    if (repeated === null) return null;
    return after(waiveQuota(execution), (refusal) => {
      if (refusal) return refusal;
      return isRefusal(repeated) ? repeated : handler.reply(callOf(execution), repeated);
    });
  },
};

/** Consumes one call of the quota: 429. Spec: QUOTA-2. */
export const quota: Step = {
  name: 'quota',
  run(execution) {
    if (execution.quota === 'consumed') return null;
    const { route, request, actor } = execution;
    return after(quotaOf(execution).consume(actor, route.row, request), (refusal) => {
      execution.quota = refusal ? 'refused' : 'consumed';
      return refusal;
    });
  },
};

/**
 * Checks that the daily limit allows one more reservation: 429. The statement that writes it decides. The same
 * call, sent twice, can be the one that reached the limit, so a refusal is decided again after another `load`.
 */
export const dailyLimit: Step = {
  name: 'dailyLimit',
  appliesTo: ({ reserves }) => reserves === true,
  run(execution) {
    if (execution.dayFull) return execution.dayFull;
    return after(execution.route.surface.dailyLimit!(actorOf(execution)), (refusal) => {
      execution.dayFull = refusal;
      return refusal && again;
    });
  },
};

/** Checks that the caller has read the current version: 412. */
export const version: Step = {
  name: 'version',
  run(execution) {
    const { handler } = execution.route;
    const current = handler.versionOf!(execution.found);
    return current === callOf(execution).expectedVersion ? null : refuse('precondition_failed');
  },
};

/** Checks that the resource, or what a new one is made from, has not expired. The only refusal that may change something. */
export const alive: Step = {
  name: 'alive',
  run: (execution) =>
    execution.route.handler.alive!(callOf(execution), execution.found) as MaybePromise<Outcome>,
};

/** Checks that the state has a transition for this command: 409. */
export const stateAllows: Step = {
  name: 'stateAllows',
  run: (execution) => execution.route.handler.stateAllows!(callOf(execution), execution.found),
};

/** The decision of the operation itself. */
export const decide: Step = {
  name: 'decide',
  run(execution) {
    const { handler } = execution.route;
    return after(handler.decide!(callOf(execution), execution.found), (decided) => {
      if (decided === again || isRefusal(decided)) return decided;
      execution.decided = decided;
      return null;
    });
  },
};

const written =
  (ifTaken: (execution: Execution) => Outcome) =>
  (execution: Execution): MaybePromise<Outcome> => {
    const { handler } = execution.route;
    const { decided, found } = execution;
    return after(handler.write!(callOf(execution), decided, found), (result) => {
      if (result === again) return ifTaken(execution);
      if (isRefusal(result)) return result;
      execution.result = result;
      return null;
    });
  };

/** Writes the decision with one guarded statement. If another call was faster: loads and decides again. */
export const write: Step = { name: 'write', run: written(() => again) };

/** Writes the decision if the ID does not exist yet. */
export const writeIfFree: Step = {
  name: 'write',
  run: written((execution) => {
    execution.isTaken = true;
    return null;
  }),
};

/** Responds with the result of the write. */
export const reply: Step = {
  name: 'reply',
  run: (execution) => execution.route.handler.reply(callOf(execution), execution.result),
};

/** Responds with what was loaded. */
export const replyWithFound: Step = {
  name: 'reply',
  run: (execution) => execution.route.handler.reply(callOf(execution), execution.found),
};

/** Like `reply`, for a handler that also writes: not before it has compared what staff have seen. */
export const replyIfCompared: Step = {
  name: 'seen',
  run(execution) {
    const { row, handler } = execution.route;
    const call = callOf(execution);
    return comparing(row, call, () => handler.reply(call, execution.found));
  },
};

/** With `Idempotency-Key`, the handler creates at most once: a repeat responds with what the first call has created. */
export const once: Step = {
  name: 'once',
  appliesTo: ({ repeatHides }) => repeatHides !== undefined,
  run(execution) {
    const { idempotencyKey: key, route, found } = execution;
    if (key === undefined) return null;
    const { handler, row, surface } = route;
    const call = callOf(execution);
    return surface.once!({ call, key, hides: row.repeatHides! }, async (context) =>
      handler.reply({ ...call, context }, found),
    );
  },
};
