import type { Quotas } from '../access/index.ts';
import type { StaffContext } from '../bookings/index.ts';
import type { AlertsReceiver } from '../attention/index.ts';
import type { CardProvider } from '../payments/index.ts';
import type { Catalog } from '../catalog/index.ts';
import type { PollerContext } from '../channels/index.ts';
import type { Environment } from '../contract/wire.ts';
import type { Availability } from '../inventory/index.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import type { Clock } from '../platform/clock.ts';
import type { WithReads } from '../platform/postgres/replica.ts';
import type { ErasuresFile } from '../platform/erasures-file.ts';
import type { SignInContext } from '../sign-in/index.ts';

/** The dependencies of the operator's operations. */
export interface OperatorContext extends WithReads {
  environment: Environment;
  baseUrl: string;
  /** Dependencies of the staff operations on reservations and checkouts. */
  bookings: StaffContext;
  /** Null: there is none. */
  cardProvider: CardProvider | null;
  /** The homes as this process knows them. */
  catalog: Catalog;
  /** Where uploaded pictures are. */
  pictures: FileStorage;
  /** The free nights. An operation that changes nights calls `changed`, so that the next searches know it. */
  availability: Availability;
  now: Clock;
  /** Whether webhook endpoints may be on loopback. */
  loopbackAllowed: boolean;
  /** Where erasures of guests are noted outside of the database. */
  erasures: ErasuresFile;
  /** How calendars of other channels are read. */
  calendars: Pick<PollerContext, 'rules' | 'everySeconds'>;
  /** Who is told what waits for people; null: nobody. */
  alerts: AlertsReceiver | null;
  quotas: Quotas;
  signIn: SignInContext;
  /** How the service is set up, without secrets. */
  settings: {
    cardProvider: string | null;
    recordsHost: string | null;
    sharedQuotas: boolean;
    calendarMinutes: number;
  };
}

/** What the command line has of it: it runs acts on the database, without what only a service has in memory. */
export type CommandLineContext = Pick<
  OperatorContext,
  | 'database'
  | 'reads'
  | 'environment'
  | 'baseUrl'
  | 'bookings'
  | 'cardProvider'
  | 'pictures'
  | 'loopbackAllowed'
  | 'calendars'
  | 'alerts'
  | 'erasures'
> & { quotas: Pick<Quotas, 'state'>; catalog: Pick<Catalog, 'followSoon'> };
