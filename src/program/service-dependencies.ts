import type { Log } from '../platform/log.ts';
import type { OpenBuckets } from '../access/index.ts';
import type { Supply } from '../bookings/index.ts';
import type { FollowedCatalog } from '../catalog/index.ts';
import type { Certificate } from '../installation/certificate.ts';
import type { Config } from '../config/config.ts';
import type { Availability } from '../inventory/index.ts';
import type { CardProvider } from '../payments/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Reads } from '../platform/postgres/replica.ts';

/** The dependencies of the service. */
export interface ServiceContext {
  config: Config;
  /** Absent: plain HTTP. */
  certificate?: Certificate | null;
  database: Database;
  /** Absent: all reads go to the database. */
  reads?: Reads;
  /** Absent: that of the environment. */
  supply?: Supply;
  /** Absent: that of the configuration. */
  cardProvider?: CardProvider | null;
  /** Absent: that of the environment. */
  availability?: Availability;
  /** Absent: it is opened. */
  catalog?: FollowedCatalog;
  logger: false | object;
  log: Log;
  /** The clock of quota refills. Absent: the time since the process started. */
  elapsedMs?: () => number;
  /** Absent: those of this process, or of Redis. */
  buckets?: OpenBuckets;
}
