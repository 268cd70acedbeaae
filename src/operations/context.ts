import type { Application } from '../access/index.ts';
import type { Actor } from '../api/call.ts';
import type { Catalog } from '../catalog/index.ts';
import type { Environment } from '../contract/wire.ts';
import type { Claim } from '../db/booking-claims.ts';
import type { Clock, DatabaseClock } from '../db/clock.ts';
import type { Executor } from '../db/database.ts';
import type { Payment } from '../payment/index.ts';
import type { LiveReads, Supply } from '../supply/index.ts';
import type { RecentBookings } from './recent.ts';

/** What operations work with. */
export interface Context {
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

/** A partner's application that calls. */
export interface PartnerActor extends Actor {
  applicationId: string;
  application: Application;
}
