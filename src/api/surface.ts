import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../contract/errors.ts';
import type { Row, RowSettlement } from '../contract/rows.ts';
import type { EpochMs } from '../contract/time.ts';
import type { Actor, AnyCall } from './call.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Operation } from './operation.ts';
import type { AnyResponse } from './response.ts';

/** The values of the `RateLimit` headers. */
export interface QuotaState {
  name: string;
  perMinute: number;
  remaining: number;
  fullInSeconds: number;
}

/**
 * Counts calls. An implementation in memory returns values; a shared one may return promises.
 * `actor` is null for a row that is called without credentials.
 */
export interface QuotaPort<A extends Actor> {
  /** Consumes one call, or refuses. */
  consume(
    actor: A | null,
    row: Row,
    request: FastifyRequest,
  ): MaybePromise<Refusal<'rate_limited'> | null>;
  /** Refunds one consumed call, because it was a repeat. */
  refund(actor: A, row: Row): MaybePromise<void>;
  /** Counts a repeat, which consumes no call; refuses a flood of them. */
  repeat(actor: A, row: Row): MaybePromise<Refusal<'rate_limited'> | null>;
  /** Consumes one call of a request that ended before the quota step. Never refuses. */
  debit(actor: A, row: Row): MaybePromise<void>;
  /** Null: this surface does not show quotas. */
  state(actor: A, row: Row): MaybePromise<QuotaState | null>;
}

/** Checks the session capability that a row asks for. `Stored`: a session and the time now. */
export interface SessionPort<A extends Actor, Stored> {
  /** The resource whose session the call must carry; undefined: the call names none. */
  ownerOf(call: AnyCall): string | undefined;
  /** The session in the result of `load`; null: it has none. */
  loaded(found: unknown): Stored | null;
  /** Reads the session of a resource; undefined: no such resource for this actor. */
  find(actor: A, owner: string): MaybePromise<Stored | undefined>;
  refusal(
    actor: A,
    owner: string,
    stored: Stored,
    given: string | undefined,
  ): Refusal<'forbidden'> | null;
}

/** A call that creates a resource at most once. */
export interface KeyedCreate {
  call: AnyCall;
  key: string;
  /** The members of the response that a repeat does not show. */
  hides: readonly string[];
}

/** Changes what a caller sees of the result of a call. */
export type Afterwards = (outcome: AnyResponse | Refusal) => MaybePromise<AnyResponse | Refusal>;

/** What happens to a call that is admitted: an answer in place of it, or a change of its answer; null: nothing. */
export type Interference = { instead: AnyResponse | Refusal } | { afterwards: Afterwards } | null;

type Work = (context: unknown) => Promise<AnyResponse | Refusal>;

/**
 * One API: a list of rows, a way to authenticate, and operations. The kernel serves any number of
 * surfaces. `Credentials` is the result of `authenticate`, before the standing of the owner is known.
 */
export interface Surface<A extends Actor = Actor, Credentials = unknown, Stored = unknown> {
  readonly name: string;
  readonly rows: Readonly<Record<string, Row>>;
  readonly operations: Readonly<Record<string, Operation>>;
  /** The dependencies of the operations. */
  readonly context: unknown;
  /** The path of the base URL, a prefix of every `Location`; absent: none. */
  readonly basePath?: string;
  /** `WWW-Authenticate` of a 401; absent: a bearer token. */
  readonly challenge?: string;
  /** Checks the credentials of a request. */
  authenticate(request: FastifyRequest): MaybePromise<Credentials | Refusal<'unauthenticated'>>;
  /** Finds the actor of the credentials and checks its current standing. */
  standing(
    credentials: Credentials,
    request: FastifyRequest,
  ): MaybePromise<A | Refusal<'unauthenticated' | 'forbidden'>>;
  /** Null: the actor has the scope of the row. Needed for rows with `scope`. */
  grant?(actor: A, scope: string): Refusal<'forbidden'> | null;
  /**
   * Refuses a request from a page of another site. Null: no cookie authenticates, so no page can make a browser
   * call this surface.
   */
  readonly sameSite: ((request: FastifyRequest) => Refusal<'forbidden'> | null) | null;
  /** Null: the actor is a person who is signed in. Needed for rows with `membersOnly`. */
  membersOnly?(actor: A): Refusal<'forbidden'> | null;
  /** Null: the actor has recently proved who it is. Needed for rows with `stepUp`. */
  stepUp?(actor: A): Refusal<'forbidden'> | null;
  /** Null: the actor is a person. Needed for rows with `lasting`. */
  lasting?(actor: A): Refusal<'forbidden'> | null;
  /** Plays what the actor has ordered for its own calls. Absent: nobody can. */
  interfere?(actor: A, operation: string, request: FastifyRequest): MaybePromise<Interference>;
  /** Plays what a scenario of the actor wants at a call that is valid. Absent: there are none. */
  play?(actor: A, call: AnyCall, request: FastifyRequest): MaybePromise<Interference>;
  /** The dependencies of the operations for this actor. Absent: `context`. */
  contextOf?(actor: A): unknown;
  readonly quota: QuotaPort<A>;
  /** Needed for rows with `session`. */
  readonly sessions?: SessionPort<A, Stored>;
  /**
   * Whether the database's time, read with what a refusal was decided from, counts; false: it is read and decided again.
   * Absent: each does.
   */
  confirmsTime?(now: EpochMs): Promise<boolean>;
  /** Needed for rows with `settlement`. `found`: what `load` returned. */
  settlement?(wanted: RowSettlement, actor: A, found: unknown): Refusal | null;
  /** Checks the daily limit of reservations. Needed for rows with `reserves`. */
  dailyLimit?(actor: A): MaybePromise<Refusal<'rate_limited'> | null>;
  /**
   * Runs the work at most once for each key of an actor and operation within a day. Needed for rows with
   * `repeatHides`.
   *
   * @param work creates the resource, with these dependencies
   */
  once?(create: KeyedCreate, work: Work): Promise<AnyResponse | Refusal>;
  /**
   * Makes the digests of an input: that for everything new first, then those of earlier keys. Needed for rows that
   * create or are versioned.
   */
  digests?(input: unknown): readonly Buffer[];
}

/** A surface, without its types. */
// oxlint-disable-next-line typescript/no-explicit-any -- each surface has its own actor and session
export type AnySurface = Surface<any, any, any>;
