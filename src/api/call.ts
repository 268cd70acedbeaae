import type { StaticOf } from '../contract/rows.ts';
import type { Seen } from './seen.ts';

/** The caller, as far as the kernel needs it: for the log. */
export interface Actor {
  applicationId: string | null;
  /** Absent: it has none, or is no application. */
  applicationName?: string;
}

/** A validated call, as a handler receives it. It gives no access to the quota. */
export interface Call<Id extends string, R, Context, A> {
  readonly operation: Id;
  /** The dependencies of the operations of this surface. */
  readonly context: Context;
  readonly actor: A;
  readonly params: StaticOf<R, 'params'>;
  readonly query: StaticOf<R, 'query'>;
  readonly body: StaticOf<R, 'body'>;
  /** The body of a row with `bytes`; of any other, empty. */
  readonly bytes: Buffer;
  /** What the caller has seen; only for rows with `seen`. */
  readonly seen: R extends { seen: string } ? Seen : never;
}

/** A call that creates a resource. */
export interface CreateCall<Id extends string, R, Context, A> extends Call<Id, R, Context, A> {
  /** The ID that the caller chose, or the one derived from `Idempotency-Key`. */
  readonly resourceId: string;
  /** Identifies the input without containing it. */
  readonly inputDigest: Buffer;
  /** As earlier keys have written it. */
  readonly earlierDigests: readonly Buffer[];
}

/** A call that changes a versioned resource. */
export interface CommandCall<Id extends string, R, Context, A> extends Call<Id, R, Context, A> {
  /** From the body or `If-Match`. */
  readonly expectedVersion: number;
  /** Identifies the input without containing it. */
  readonly inputDigest: Buffer;
  /** As earlier keys have written it. */
  readonly earlierDigests: readonly Buffer[];
}

/** Any call, without the types of its operation. */
export interface AnyCall {
  readonly operation: string;
  readonly context: unknown;
  readonly actor: Actor | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** The tags of `If-None-Match`. Only the kernel sees them. */
  readonly knownTags: readonly string[];
  readonly resourceId: string;
  readonly expectedVersion: number;
  inputDigest: Buffer;
  earlierDigests: readonly Buffer[];
  readonly seen: Seen | null;
}

/** Whether what was stored with this digest had the same input as the call, whichever key made the digest. */
export const isSameInput = (
  { inputDigest, earlierDigests }: Pick<AnyCall, 'inputDigest' | 'earlierDigests'>,
  stored: Buffer,
): boolean => stored.equals(inputDigest) || earlierDigests.some((digest) => stored.equals(digest));
