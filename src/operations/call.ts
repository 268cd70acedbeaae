import type { Refusal } from '../contract/errors.ts';
import type {
  BodyOf,
  ErrorOf,
  OperationId,
  ParamsOf,
  QueryOf,
  ReplyOf,
} from '../contract/operations.ts';
import type { Environment } from '../contract/wire.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Application } from '../db/applications.ts';
import type { Claim } from '../db/booking-claims.ts';
import type { Clock, DatabaseClock } from '../db/clock.ts';
import type { Executor } from '../db/database.ts';
import type { Payment } from '../payment/index.ts';
import type { LiveReads, Supply } from '../supply/index.ts';
import type { RecentBookings } from './recent.ts';

/** What operations work with. */
export interface House {
  executor: Executor;
  catalog: Catalog;
  supply: Supply;
  payment: Payment;
  liveReads: LiveReads;
  recent: RecentBookings;
  /** The database's time as this process knows it: enough for a success. */
  now: Clock;
  /** The database's time as it says: for a refusal. Throws `DatabaseUnavailableError`. */
  askTime: DatabaseClock['ask'];
  environment: Environment;
  /** The path of the base URL, before every address that is given; empty where it has none. */
  basePath: string;
  pollAfterSeconds: number;
  worker: BookingWorker;
  /** Events of this application were committed; of none named: something about webhooks has changed. */
  wakeDeliverer(applicationId?: string): void;
}

/** What resolves bookings, as far as operations know it. */
export interface BookingWorker {
  /** For how long a booking may be claimed for it right now; null: it takes up no more just now. */
  leaseSeconds(): number | null;
  /** Takes up a booking that was claimed for it. */
  takeUp(claim: Claim): void;
  /** Something was committed that a worker can take up at once. */
  wake(): void;
}

/** A call that has passed token, grant and validation. */
export interface Call<Id extends OperationId> {
  application: Application;
  params: ParamsOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  /** The `Session-Capability` header. */
  sessionCapability: string | undefined;
  /** Of commands: from the body or `If-Match`. */
  expectedVersion: number;
  /** Of creates: as the client named it, or derived from its `Idempotency-Key`. */
  resourceId: string;
  /** The tags of `If-None-Match`. */
  knownTags: readonly string[];
  /** The quota step: takes one call from the tier, once. Null: go on. */
  meter(): Refusal<'rate_limited'> | null;
  /** It is a repeat: it uses no quota. */
  exempt(): void;
}

/** What goes into the headers of an answer. */
interface AnswerHeaders {
  etag?: string;
  /** Of 202: the resource to read for the outcome. */
  location?: string;
  /** Of 202: while there is something to wait for. */
  retryAfterSeconds?: number;
}

/** An answer whose bytes were made before. */
export interface ReadyBytes {
  status: 200;
  bytes: Buffer;
}

/** The caller has it already. */
export interface NotModified {
  status: 304;
}

export type Answer<Id extends OperationId> = (ReplyOf<Id> | ReadyBytes | NotModified) &
  AnswerHeaders;

/** An operation: everything after validation. */
export type Operation<Id extends OperationId> = (
  house: House,
  call: Call<Id>,
) => Promise<Answer<Id> | Refusal<ErrorOf<Id>>>;

/** 304 where the caller has these bytes already, otherwise the bytes. */
export function readyBytes(
  knownTags: readonly string[],
  bytes: Buffer,
  etag: string,
): (ReadyBytes | NotModified) & AnswerHeaders {
  const known = knownTags.includes(etag) || knownTags.includes('*');
  return known ? { status: 304, etag } : { status: 200, bytes, etag };
}
