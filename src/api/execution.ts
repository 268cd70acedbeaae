import type { FastifyRequest } from 'fastify';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Row } from '../contract/rows.ts';
import type { AnyResponse, HeaderPairs } from './response.ts';
import type { Coding } from './content-coding.ts';
import type { Actor, AnyCall } from './call.ts';
import type { InputCheck } from './input.ts';
import { after, type MaybePromise } from './maybe-promise.ts';
import { again, type Again, type AnyHandler } from './operation.ts';
import type { Afterwards, AnySurface } from './surface.ts';

/** A row with everything that all of its calls share. */
export interface Route {
  readonly surface: AnySurface;
  readonly operation: string;
  readonly row: Row;
  readonly handler: AnyHandler;
  readonly check: InputCheck;
  readonly basePath: string;
  /** The headers that all successful responses of the row share. */
  readonly headers: HeaderPairs;
  /** The codings that its responses can have. */
  readonly codings: readonly Coding[];
  /** How many slots of a row with `atOnce` are taken. */
  readonly slots: { used: number };
}

/** Sees a call with what its caller gets. It never fails. */
export type Witness = (execution: Execution, seen: AnyResponse | Refusal) => MaybePromise<void>;

/** The state of one call between the steps. Only steps see it; handlers receive `call`. */
export interface Execution {
  readonly route: Route;
  readonly request: FastifyRequest;
  /** Adds what happens when the call is over: its response or connection has ended, and its handler has ended. */
  readonly onEnd: (listener: () => void) => void;
  /** Changes what the caller sees of the result, after the effect. */
  afterwards: Afterwards | null;
  /** Sees what the caller gets, before it is sent. */
  witness: Witness | null;
  /** What the handler is doing; undefined: it has not begun. */
  work: MaybePromise<unknown>;
  credentials: unknown;
  /** Null before the step `standing`, and for rows without credentials. */
  actor: Actor | null;
  /** `open`: the quota step was not reached. `refused`: the quota is used up. `free`: the call consumes none. */
  quota: 'open' | 'consumed' | 'refused' | 'free';
  call: AnyCall | null;
  /** Of a row with `repeatHides`; undefined: none was sent. */
  idempotencyKey: string | undefined;
  /** The result of `load` or `remembered`. */
  found: unknown;
  /** The database's time of what was read; null: it has none. */
  readAt: EpochMs | null;
  /** A refusal was decided again, because the time of what was read did not count. */
  isReadInTime: boolean;
  /** `remembered`: `found` is from memory, so a refusal is decided again after a read. */
  reading: 'none' | 'remembered' | 'read';
  /** The daily limit was reached before `found` was read. */
  dayFull: Refusal | null;
  decided: unknown;
  /** The result of `write`. */
  result: unknown;
  /** A `createFirst` write found that the ID exists. */
  isTaken: boolean;
}

export const newExecution = (
  route: Route,
  request: FastifyRequest,
  onEnd: Execution['onEnd'],
): Execution => ({
  route,
  request,
  onEnd,
  afterwards: null,
  witness: null,
  work: undefined,
  credentials: null,
  actor: null,
  quota: 'open',
  call: null,
  idempotencyKey: undefined,
  found: undefined,
  readAt: null,
  isReadInTime: false,
  reading: 'none',
  dayFull: null,
  decided: undefined,
  result: undefined,
  isTaken: false,
});

/** The result of a step: null or undefined continues with the next step, anything else ends the call. */
export type Outcome = AnyResponse | Refusal | Again | null | undefined;

/** Lets the witness of a call see what its caller gets, once. */
export function witnessed(
  execution: Execution | null,
  seen: AnyResponse | Refusal,
): MaybePromise<void> {
  const witness = execution?.witness;
  if (!witness) return undefined;
  execution.witness = null;
  return witness(execution, seen);
}

/** One step of a kind of operation. */
export interface Step {
  readonly name: string;
  /** Absent: every row has this step. */
  appliesTo?(row: Row, handler: AnyHandler, surface: AnySurface): boolean;
  run(execution: Execution): MaybePromise<Outcome>;
  /** Receives the refusal of an earlier step and may replace it by a response. */
  rescue?(
    execution: Execution,
    refusal: Refusal,
    refusedBy: Step,
  ): MaybePromise<AnyResponse | Refusal>;
}

/** How a list of steps ends; undefined: none of them ended the call. */
type Result = MaybePromise<AnyResponse | Refusal | undefined>;

const isToLoadAgain = (outcome: Outcome, { reading }: Execution): boolean =>
  outcome === again || (reading === 'remembered' && isRefusal(outcome));

const readingSteps: ReadonlySet<string> = new Set(['load', 'session']);

function readAgain(steps: readonly Step[], execution: Execution): Result {
  execution.reading = 'read';
  const first = steps.findIndex(({ name }) => readingSteps.has(name));
  return runSteps(steps, execution, first);
}

/** Whether a refusal stands: what it was decided from was read at a time that counts. Spec: CLOCK-2. */
function isInTime(execution: Execution): MaybePromise<boolean> {
  const { readAt, isReadInTime, route } = execution;
  if (readAt === null || isReadInTime || !route.surface.confirmsTime) return true;
  execution.isReadInTime = true;
  return route.surface.confirmsTime(readAt);
}

function refuseOrRescue(
  steps: readonly Step[],
  execution: Execution,
  at: number,
  refusal: Refusal,
): MaybePromise<AnyResponse | Refusal> {
  const rescuer = steps.slice(at + 1).find(({ rescue }) => rescue !== undefined);
  return rescuer?.rescue?.(execution, refusal, steps[at]!) ?? refusal;
}

function continueAfter(
  steps: readonly Step[],
  execution: Execution,
  at: number,
  outcome: Outcome,
): Result {
  if (outcome === undefined || outcome === null) return runSteps(steps, execution, at + 1);
  if (isToLoadAgain(outcome, execution)) return readAgain(steps, execution);
  if (!isRefusal(outcome)) return outcome as AnyResponse;
  return after(isInTime(execution), (stands) =>
    stands ? refuseOrRescue(steps, execution, at, outcome) : readAgain(steps, execution),
  );
}

/**
 * Runs the steps in order until one ends the call; undefined: none did. Waits only if a step returns
 * a promise.
 */
export function runSteps(steps: readonly Step[], execution: Execution, from = 0): Result {
  for (let at = from; at < steps.length; at += 1) {
    const outcome = steps[at]!.run(execution);
    if (outcome instanceof Promise) {
      return outcome.then((late) => continueAfter(steps, execution, at, late));
    }
    if (outcome !== undefined && outcome !== null) {
      return continueAfter(steps, execution, at, outcome);
    }
  }
  return undefined;
}
