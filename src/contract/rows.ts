import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Settlement } from './wire.ts';

/** The members of a body that say what a caller has seen. A row that takes one must declare it. */
export const seenMembers = ['version', 'expectedVersion', 'expectedDue'] as const;

/** The input that a row declares. It is validated and documented. */
export interface RowInput {
  params?: TObject;
  query?: TObject;
  /** Query parameters whose empty value counts as absent. */
  emptyQueryAllowed?: true;
  body?: TObject;
  /** The body is bytes (`application/octet-stream`), not JSON. */
  bytes?: true;
  /** The size of the largest body in bytes; absent: that of every other operation. */
  bodyBytes?: number;
  /** The most values of a body in JSON; absent: that of every other operation. */
  bodyValues?: number;
  /**
   * The most calls of a process at the same time, because each takes much memory or time; further ones are
   * `rate_limited`. Absent: any number.
   */
  atOnce?: number;
  /** The body member with the ID of the new resource; `Idempotency-Key` can replace it. */
  creates?: string;
  /**
   * Takes `Idempotency-Key`: the same call with the same key within a day answers 200 with what it has created. These
   * members of it are secrets that were shown once.
   */
  repeatHides?: readonly string[];
  /** Takes `expectedVersion` or `If-Match`. */
  versioned?: true;
  /**
   * The member of the body, a number, that says what staff have seen of the resource that they change. The
   * handler must compare it with what is stored.
   */
  seen?: (typeof seenMembers)[number];
  /** Takes `X-Booking-Consumer`. */
  provenance?: true;
  /** `show`: sends an `ETag`. `revalidate`: also returns 304 to a matching `If-None-Match`. */
  etag?: 'show' | 'revalidate';
  /** Sends `x-as-of`: the time up to which the response includes all changes. */
  asOf?: true;
}

/** Whether a command needs only its version, so that `If-Match` can replace the body. */
export const isVersionAll = ({ versioned, body }: RowInput): boolean =>
  versioned === true && (body?.required ?? []).length === 0;

/** One row of the operation table of any surface: what the kernel enforces and the documents show. */
export interface Row extends RowInput {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** Called without credentials, to obtain them. */
  public?: true;
  /** The grant that the caller needs. */
  scope?: string;
  /** Only for people who are signed in, not for scripts: it is about the account of the caller. */
  membersOnly?: true;
  /** It shows a secret or moves money: the caller must have proved recently who it is. */
  stepUp?: true;
  /** It makes what lives on without its caller, so no token of a script may. */
  lasting?: true;
  /** The quota that a call consumes. */
  tier?: string;
  /** `required`: every call needs `Session-Capability`. `joined`: only if the body names a checkout. */
  session?: 'required' | 'joined';
  /** Only for applications with this settlement. `configured`: with one that the deployment can serve. */
  settlement?: Settlement | 'configured';
  /** Makes a reservation, which counts for the daily limit of the application. */
  reserves?: true;
  /** Null: no body. */
  reply: Readonly<Partial<Record<200 | 201 | 202 | 204, TSchema | null>>>;
  /** The media type of its response, which is a text; absent: JSON. */
  replyType?: string;
  /** Codes in addition to those that every operation of the surface can return. */
  errors: readonly ErrorCode[];
  /** ISO date since which it is deprecated: sets the `Deprecation` header and `deprecated` in the document. */
  deprecatedSince?: string;
}

/** Whether an operation changes something. A page of another site must not make a browser call it. */
export const changesSomething = ({ method }: Pick<Row, 'method'>): boolean => method !== 'GET';

/** What a row says about the settlement of its callers. */
export type RowSettlement = NonNullable<Row['settlement']>;

/** The type of one kind of input of a row. */
export type StaticOf<R, Key extends string> =
  R extends Record<Key, infer S extends TSchema> ? Static<S> : Record<never, never>;

/** Status and body of a row's successful responses. */
export type ReplyOfRow<R extends Pick<Row, 'reply'>> = {
  [S in keyof R['reply']]: R['reply'][S] extends infer T extends TSchema
    ? { status: S; body: Static<T> }
    : { status: S; body: null };
}[keyof R['reply']];
