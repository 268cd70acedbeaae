import type { StaticOf } from '../contract/rows.ts';

/** Who calls, as far as the kernel needs to know: for the log. */
export interface Actor {
  applicationId: string | null;
}

/** A call that has passed validation, as a handler gets it. It offers no way to touch the quota. */
export interface Call<Id extends string, R, Context, A> {
  readonly operation: Id;
  /** What the operations of this surface work with. */
  readonly context: Context;
  readonly actor: A;
  readonly params: StaticOf<R, 'params'>;
  readonly query: StaticOf<R, 'query'>;
  readonly body: StaticOf<R, 'body'>;
  /** The tags of `If-None-Match`. */
  readonly knownTags: readonly string[];
}

/** A call that makes a resource. */
export interface CreateCall<Id extends string, R, Context, A> extends Call<Id, R, Context, A> {
  /** As the caller named it, or derived from its `Idempotency-Key`. */
  readonly resourceId: string;
  /** Identifies the input without containing it. */
  readonly inputDigest: Buffer;
}

/** A call that changes a versioned resource. */
export interface CommandCall<Id extends string, R, Context, A> extends Call<Id, R, Context, A> {
  /** From the body or `If-Match`. */
  readonly expectedVersion: number;
  /** Identifies the input without containing it. */
  readonly inputDigest: Buffer;
}

/** Any call, seen without its operation. */
export interface AnyCall {
  readonly operation: string;
  readonly context: unknown;
  readonly actor: Actor | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly knownTags: readonly string[];
  readonly resourceId: string;
  readonly expectedVersion: number;
  inputDigest: Buffer;
}
