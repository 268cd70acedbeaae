import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Settlement } from './wire.ts';

/** What a call can carry: as far as a row says it, it is validated and documented. */
export interface RowInput {
  params?: TObject;
  query?: TObject;
  /** Query parameters whose empty value counts as absent. */
  emptyQueryAllowed?: true;
  body?: TObject;
  /** The body's member that names the new resource; `Idempotency-Key` can stand in for it. */
  creates?: string;
  /** Takes `expectedVersion` or `If-Match`. */
  versioned?: true;
  /** Takes `X-Booking-Consumer`. */
  provenance?: true;
  /** Answers with an `ETag`; `revalidate`: and 304 to `If-None-Match`. */
  etag?: 'show' | 'revalidate';
}

/** Whether the version is all that a command has to say, so that `If-Match` can stand in for its body. */
export const isVersionAll = ({ versioned, body }: RowInput): boolean =>
  versioned === true && (body?.required ?? []).length === 0;

/** One row of an operation table, of whatever surface: what the kernel enforces and the documents show. */
export interface Row extends RowInput {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** Called without credentials: it is where they are obtained. */
  public?: true;
  /** What the caller must have been granted. */
  scope?: string;
  /** The quota that a call consumes. */
  tier?: string;
  /** `required`: every call carries `Session-Capability`; `joined`: only where the body names a checkout. */
  session?: 'required' | 'joined';
  /** Only applications that settle this way are served. */
  settlement?: Settlement;
  /** Null: no body. */
  reply: Readonly<Partial<Record<200 | 201 | 202 | 204, TSchema | null>>>;
  /** Codes beside those that every operation of the surface can answer. */
  errors: readonly ErrorCode[];
  /** ISO date since which it is deprecated: sets the header and the document's mark. */
  deprecatedSince?: string;
}

/** What a row takes under a name, as a type. */
export type StaticOf<R, Key extends string> =
  R extends Record<Key, infer S extends TSchema> ? Static<S> : Record<never, never>;

/** Status and body of a row's answers that are not errors. */
export type ReplyOfRow<R extends Pick<Row, 'reply'>> = {
  [S in keyof R['reply']]: R['reply'][S] extends infer T extends TSchema
    ? { status: S; body: Static<T> }
    : { status: S; body: null };
}[keyof R['reply']];
