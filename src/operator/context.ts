import type { StaffContext } from '../bookings/index.ts';
import type { Environment } from '../contract/wire.ts';
import type { CardProvider } from '../payments/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { SignInContext } from '../staff/index.ts';

/** The dependencies of the operator's operations. */
export interface OperatorContext {
  database: Database;
  environment: Environment;
  baseUrl: string;
  /** What staff do with reservations and checkouts needs. */
  bookings: StaffContext;
  /** Null: there is none. */
  cardProvider: CardProvider | null;
  signIn: SignInContext;
}
